//! Chess as a network sees it: 21 planes, and a numbering of the moves.
//!
//! Everything is seen from the side to move: ranks are counted from the other side for Black. Row 0
//! is the far rank, column 0 always the a-file.
//!
//! | planes | what they hold |
//! |---|---|
//! | 0–5 | own pawn, knight, bishop, rook, queen, king: 1 where one stands |
//! | 6–11 | the same for the opponent |
//! | 12, 13 | 1 everywhere if the mover may still castle short, long |
//! | 14, 15 | the same for the opponent |
//! | 16 | 1 on the square where a pawn can be captured en passant |
//! | 17, 18 | 1 everywhere if the position occurred once, twice or more before |
//! | 19 | the moves of either player since the last capture or pawn move, over 100 |
//! | 20 | 1 everywhere if White is to move |
//!
//! At 1 in plane 19 a draw can be claimed; at 1.5 the game is drawn.

mod alpha_zero;
pub mod attacks;
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

/// The square at `place` as `color` sees the board: the way back from [`place()`].
#[inline]
fn square_at(color: Color, place: usize) -> Square {
    Square::index(match color {
        Color::White => place ^ 0o70,
        Color::Black => place,
    })
}
