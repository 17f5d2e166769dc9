//! What the benchmark asks of a rules library.

mod haitaka;
mod keisei;
mod rsshogi;

use anyhow::Result;
use keisei_game::{Leaves, SplitMix64};

pub(crate) use self::haitaka::Haitaka;
pub(crate) use self::keisei::Keisei;
pub(crate) use self::rsshogi::Rsshogi;

/// A rules library under measurement. It stands at one position, given by [`Engine::set_position`],
/// and is back there after each piece of work.
pub(crate) trait Engine {
    /// The name and version of the library.
    fn name(&self) -> &'static str;

    /// Goes to the position written as `sfen`.
    fn set_position(&mut self, sfen: &str) -> Result<()>;

    /// The number of move sequences of length `depth`, at least 1, or `None` if the library has no
    /// way to treat `leaves` so.
    fn perft(&mut self, depth: u32, leaves: Leaves) -> Option<u64>;

    /// Plays uniformly random legal moves until there is none or `limit` were played, and returns
    /// how many were played.
    fn playout(&mut self, rng: &mut SplitMix64, limit: usize) -> usize;

    /// Like [`Engine::playout`], but also ends at the fourth occurrence of a position. `None` if
    /// the library does not know repetition.
    fn game(&mut self, rng: &mut SplitMix64, limit: usize) -> Option<usize>;

    /// Whether the library is known to count some positions wrong, so that a count may differ from
    /// the table by a little. Such a difference is printed, never hidden.
    fn is_inexact(&self) -> bool {
        false
    }
}
