//! The solution of the game: what every position is worth with best play on both sides.
//!
//! [`solve`] works it out from a start by retrograde analysis, [`Table`] keeps and answers it.
//! Positions are numbered without gaps or nearly so ([`Index`]), and one byte a number holds all
//! that the work needs, so the whole game is solved in less than a gigabyte.

mod index;
mod predecessors;
mod solve;
mod sweep;
mod table;

pub use index::Index;
pub use solve::{Progress, Reached, reachable, solve};
pub use table::{Table, TableError};

use std::fmt;

/// What a position is worth to the side to move. Distances count the moves of both players up to
/// the one that catches the lion or brings a lion home: the winner hurries, the loser delays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in this many moves, an odd number.
    Win(u8),
    /// Neither side can force a win.
    Draw,
    /// The side to move loses in this many moves, an even number; 0 if it has lost.
    Loss(u8),
}

impl Value {
    /// The value of a position that is decided in `plies` moves: whoever makes the last one wins.
    const fn decided_in(plies: u8) -> Self {
        if plies % 2 == 1 { Self::Win(plies) } else { Self::Loss(plies) }
    }

    /// 1 for a win, 0 for a draw, −1 for a loss.
    pub const fn sign(self) -> i8 {
        match self {
            Self::Win(_) => 1,
            Self::Draw => 0,
            Self::Loss(_) => -1,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(plies) => write!(f, "won in {plies}"),
            Self::Draw => f.write_str("drawn"),
            Self::Loss(plies) => write!(f, "lost in {plies}"),
        }
    }
}
