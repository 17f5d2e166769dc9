//! Mates: short ones found on the spot, long ones by a search of checks alone.
//!
//! A [`Solver`] answers the question of a mate problem: can the side to move mate if each of its
//! moves gives check, whatever the other side answers? It is a depth-first proof-number search.
//! What it calls a mate is one, and what it calls no mate is none:
//!
//! - A proof never rests on a repetition, so it holds wherever its position is met.
//! - A refutation that rests on a repetition of an earlier position holds on that line of play
//!   alone and is remembered nowhere else.
//! - Holding more in hand never hurts: a proof holds for all who hold more, a refutation for all
//!   who hold less.

mod judge;
mod line;
mod problem;
mod search;
mod short;
mod table;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use keisei_game::Position;

use crate::{Arena, Signal};
use search::Search;
use table::Table;

pub use judge::Judgement;
pub use problem::Problem;
pub use short::{mate_in_one, mate_in_three};

/// How long to look for a mate. Whichever limit is reached first ends the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MateLimits {
    /// How many positions may be visited.
    pub nodes: Option<u64>,
    /// How long the search may take.
    pub time: Option<Duration>,
    /// How many plies the mate may have.
    pub plies: Option<u16>,
    /// Whether to be content with the first mate found, however long it is.
    pub any_length: bool,
}

/// What a solver found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// The answer.
    pub verdict: Verdict<M>,
    /// How many positions were visited.
    pub nodes: u64,
}

/// Whether the side to move mates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<M> {
    /// It does.
    Mate {
        /// The moves of both sides to the mate. The line is whole unless the solver was told to
        /// stop while it wrote it down; the first move is always there.
        line: Vec<M>,
        /// The mate takes at most so many plies, whatever the other side answers.
        within: usize,
        /// Whether that is as short as it gets: no mate takes fewer plies against the best defence,
        /// and `line` has that defence. Otherwise the search for a shorter mate was not done or
        /// not finished, and better defences than that of `line` may exist.
        shortest: bool,
    },
    /// It does not: not by checks alone, not within the plies asked for, if they were limited.
    NoMate,
    /// The limits were too narrow to tell.
    Unknown,
}

/// Solves mate problems. It keeps its memory for the next one.
pub struct Solver {
    table: Table,
}

impl Solver {
    /// A solver that remembers positions in about `bytes` of memory.
    pub fn new(bytes: usize) -> Self {
        Self { table: Table::new(bytes) }
    }

    /// Whether the side to move mates in the current position of `game`. A position that has
    /// occurred so often that the game could end when it is met again is no way to a mate. The
    /// limits of a game (moves without a capture, moves at all) are not looked at.
    pub fn solve<G: Arena>(
        &mut self,
        game: &G,
        limits: &MateLimits,
        signal: &Signal,
    ) -> Solution<G::Move> {
        let closed = closed_positions(game);
        Search::<G>::new(&mut self.table, game.turn(), closed, limits, signal)
            .solve(game.position())
    }

    /// Whether the side to move mates in `position`, which has no past.
    pub fn solve_position<G: Arena>(
        &mut self,
        position: &G::Position,
        limits: &MateLimits,
        signal: &Signal,
    ) -> Solution<G::Move> {
        let attacker = position.turn();
        Search::<G>::new(&mut self.table, attacker, HashSet::new(), limits, signal).solve(position)
    }
}

/// The keys of the positions of `game` that end it when they occur once more.
fn closed_positions<G: Arena>(game: &G) -> HashSet<u64> {
    let mut position = game.start().clone();
    let mut seen: HashMap<u64, usize> = HashMap::from([(position.key(), 1)]);
    for &mv in game.moves() {
        position.play_unchecked(mv);
        *seen.entry(position.key()).or_default() += 1;
    }
    seen.retain(|_, times| *times >= G::REPETITIONS);
    seen.into_keys().collect()
}

fn after<G: Arena>(position: &G::Position, mv: G::Move) -> G::Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}
