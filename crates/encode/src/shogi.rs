//! Shogi as a network sees it.

mod compact;
mod full;
mod planes;

pub use compact::{Arrival, Compact, Spec};
pub use full::Full;
pub use planes::{MOVE_COUNT_SCALE, Packed, move_count_plane};

use keisei_shogi::{Color, Square};

/// `square` as `color` sees the board: turned by 180° for White.
#[inline]
const fn seen_by(color: Color, square: Square) -> Square {
    match color {
        Color::Black => square,
        Color::White => square.rotated(),
    }
}
