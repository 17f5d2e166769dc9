//! Shogi as a network sees it: 46 planes, and two numberings of the moves. There are two other
//! views: [`attacks`] also shows what the pieces attack, [`dlshogi`] is for networks that other
//! programs run.
//!
//! Everything is seen from the side to move: the board is turned by 180° for White, row 0 is the
//! far rank, column 0 the mover's left edge.
//!
//! | planes | what they hold |
//! |---|---|
//! | 0–6 | own pawn, lance, knight, silver, gold, bishop, rook: 1 where one stands |
//! | 7–12 | own tokin, promoted lance, promoted knight, promoted silver, horse, dragon |
//! | 13 | own king |
//! | 14–20, 21–26, 27 | the same for the opponent |
//! | 28–34 | own hand, pawn to rook, the whole plane the count over 18, 4, 4, 4, 4, 2, 2 |
//! | 35–41 | the opponent's hand |
//! | 42 | 1 if Black is to move |
//! | 43, 44, 45 | 1 if the position occurred once, twice, three times before |
//!
//! The fourteen hand counts could also be appended as scalars; as planes they keep the input
//! purely spatial. A 47th plane with the move count is available as [`move_count_plane`].

pub mod attacks;
mod compact;
pub mod dlshogi;
mod full;
mod planes;
mod sight;

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
