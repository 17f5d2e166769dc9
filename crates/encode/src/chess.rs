//! Chess as a network sees it.

mod alpha_zero;
mod planes;

pub use alpha_zero::AlphaZero;
pub use planes::Packed;

use keisei_chess::{Color, Square};

/// Where `square` lies in a plane as `color` sees the board, row by row from the top left: each
/// player's own pieces start at the bottom, the a-file is always on the left.
#[inline]
const fn place(color: Color, square: Square) -> usize {
    match color {
        Color::White => square as usize ^ 0o70,
        Color::Black => square as usize,
    }
}
