//! What a player tells of its thoughts.

use std::time::Duration;

/// A line of play that a player considers, and how good it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// Which of the best lines this is, from 1.
    pub line: usize,
    /// How many plies deep the search looked.
    pub depth: u32,
    /// How many plies deep it looked at most.
    pub selective_depth: Option<u32>,
    /// How good the position is for the side to move.
    pub score: Score,
    /// How likely the side to move wins, from 0 to 1, where the player knows.
    pub win_rate: Option<f32>,
    /// How many positions it visited.
    pub nodes: u64,
    /// How long it has been thinking.
    pub time: Duration,
    /// How full its memory is, in thousandths.
    pub hash_full: Option<u32>,
    /// The moves it expects, first to last.
    pub moves: Vec<M>,
}

/// How good a position is for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many plies: positive if the side to move gives it.
    Mate(i32),
}
