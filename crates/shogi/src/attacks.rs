//! Where pieces attack: tables for the steps, lines for the sliders.

pub(crate) mod lines;
mod sliders;
mod steps;
#[cfg(target_arch = "x86_64")]
mod wide;

pub(crate) use sliders::{Blockers, Plain, Slider};
pub use sliders::{bishop_attacks, lance_attacks, rook_attacks};
pub use steps::{Steps, Vector, step_attacks, steps, vectors};
#[cfg(target_arch = "x86_64")]
pub(crate) use wide::Wide;

use crate::{Bitboard, Color, PieceKind, Square};

/// The squares that a piece attacks from `square` when `occupied` squares block its lines. Whose
/// pieces stand there does not matter: an attack may land on a piece of the same colour.
pub fn attacks(color: Color, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    let steps = step_attacks(color, kind, square);
    match kind {
        PieceKind::Lance => lance_attacks(color, square, occupied),
        PieceKind::Bishop => bishop_attacks(square, occupied),
        PieceKind::Rook => rook_attacks(square, occupied),
        PieceKind::Horse => steps | bishop_attacks(square, occupied),
        PieceKind::Dragon => steps | rook_attacks(square, occupied),
        _ => steps,
    }
}
