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

/// Where `square` lies in a plane, counted row by row from the top left.
#[inline]
fn place(square: Square) -> usize {
    /// A table, because a division takes longer.
    const PLACES: [u8; Square::COUNT] = {
        let mut places = [0; Square::COUNT];
        let mut index = 0;
        while let Some(square) = Square::new(index) {
            places[square.index()] = square.row() * 9 + square.column();
            index += 1;
        }
        places
    };
    usize::from(PLACES[square.index()])
}
