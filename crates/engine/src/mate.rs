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
use web_time::Instant;

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

/// A mate problem under way: see [`Solver::begin`].
pub struct MateRun<G: Arena> {
    root: G::Position,
    /// The keys of positions that lead nowhere, because they end the game.
    closed: HashSet<u64>,
    limits: MateLimits,
    deadline: Option<Instant>,
    nodes: u64,
    /// Whether a line was left because of its length.
    left_long_line: bool,
    /// The plies of a mate that was found, while shorter ones are looked for.
    found: Option<u16>,
}

impl<G: Arena> MateRun<G> {
    fn new(root: G::Position, closed: HashSet<u64>, limits: &MateLimits) -> Self {
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        let limits = *limits;
        Self { root, closed, limits, deadline, nodes: 0, left_long_line: false, found: None }
    }

    /// How many positions were visited so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }
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

    /// Begins what [`solve`](Self::solve) does in one go, for callers who have something else to do
    /// in between: then [`go_on`](Self::go_on) with nothing else in this solver's memory.
    pub fn begin<G: Arena>(&mut self, game: &G, limits: &MateLimits) -> MateRun<G> {
        self.table.forget();
        MateRun::new(game.position().clone(), closed_positions(game), limits)
    }

    /// Goes on until the problem is solved, a limit is reached, or `pause` wishes. `None` if it
    /// paused.
    pub fn go_on<G: Arena>(
        &mut self,
        run: &mut MateRun<G>,
        signal: &Signal,
        pause: &mut dyn FnMut() -> bool,
    ) -> Option<Solution<G::Move>> {
        Search::new(&mut self.table, run, signal, pause).solve(run)
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
        let mut run = self.begin(game, limits);
        self.finish(&mut run, signal)
    }

    /// Whether the side to move mates in `position`, which has no past.
    pub fn solve_position<G: Arena>(
        &mut self,
        position: &G::Position,
        limits: &MateLimits,
        signal: &Signal,
    ) -> Solution<G::Move> {
        self.table.forget();
        self.finish::<G>(&mut MateRun::new(position.clone(), HashSet::new(), limits), signal)
    }

    fn finish<G: Arena>(&mut self, run: &mut MateRun<G>, signal: &Signal) -> Solution<G::Move> {
        self.go_on(run, signal, &mut || false).expect("nothing pauses it")
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
