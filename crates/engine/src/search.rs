//! The search over a network: PUCT with batched evaluation.
//!
//! A simulation goes down the tree by value and prior, looks at a new position and backs its value
//! up. Mates and ends of games are backed up as proofs, so that what is proven is played. Positions
//! that repeat one on the way from the root count as draws, or as lost for a side that did nothing
//! but give check where the rules punish that. The tree is kept from move to move, and what the
//! network said of positions, because two in five are met again by another order of moves.

mod evaluations;
mod gumbel;
mod lines;
mod manager;
mod proof;
mod score;
mod settings;
mod shared;
mod tree;
mod walk;
mod worker;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use keisei_game::{Position, SplitMix64};
use keisei_net::Evaluator;

pub use lines::Variation;
pub use score::{centipawns, win_rate, win_rate_of};
pub use settings::{LeafMates, SearchSettings};

use crate::mate::{MateLimits, Solver, Verdict};
use crate::{Arena, Limits, Report, Signal};
use evaluations::Evaluations;
use gumbel::Halving;
use manager::TimeManager;
use shared::{Shared, lock};
use tree::Tree;
use worker::Worker;

/// How long a thread without work waits before it looks again.
const REST: Duration = Duration::from_micros(200);

/// How many bytes the solver of mates at the root may use.
const SOLVER_MEMORY: usize = 4 << 20;

/// A search that remembers what it found from move to move.
pub struct Search<G: Arena, E> {
    settings: SearchSettings,
    evaluator: E,
    tree: Tree<G::Move>,
    evaluations: Mutex<Evaluations<G::Move>>,
    /// The game at the root of the tree.
    game: Option<G>,
    solver: Solver,
    rng: SplitMix64,
}

/// A search under way: see [`Search::begin`].
pub struct Run<G: Arena> {
    game: G,
    root_moves: Vec<G::Move>,
    shared: Mutex<Shared<G::Move>>,
    manager: TimeManager,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<M> {
    /// The move to be played.
    pub best: M,
    /// The reply that is expected.
    pub ponder: Option<M>,
    /// What the move is worth to the side to move: −1 lost, 1 won.
    pub value: f32,
    /// In how many plies it mates (positive) or is mated (negative), if that is proven.
    pub mate: Option<i32>,
    /// How many simulations were made.
    pub simulations: u64,
    /// How often each legal move was visited, now and in searches before, best first.
    pub visits: Vec<(M, u32)>,
}

impl<G: Arena, E: Evaluator<G::Packed> + Clone> Search<G, E> {
    /// A search that knows nothing of any game yet.
    pub fn new(evaluator: E, settings: SearchSettings) -> Self {
        let tree = Tree::new(settings.tree_room(), settings.puct());
        let evaluations = Mutex::new(Evaluations::new());
        let rng = SplitMix64::new(settings.seed);
        let solver = Solver::new(SOLVER_MEMORY);
        Self { settings, evaluator, tree, evaluations, game: None, solver, rng }
    }

    /// The settings.
    pub fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// The settings, to be changed.
    pub fn settings_mut(&mut self) -> &mut SearchSettings {
        &mut self.settings
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.tree.clear();
        lock(&self.evaluations).clear();
        self.game = None;
        self.rng = SplitMix64::new(self.settings.seed);
    }

    /// Searches `game`, which is not over, until a limit or the signal ends it.
    ///
    /// # Panics
    ///
    /// If the game is over.
    pub fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Found<G::Move> {
        let mut run = self.begin(game, limits, signal);
        self.go_on(&mut run, signal, report, &mut || false);
        self.end(run, report)
    }

    /// Begins what [`think`](Self::think) does in one go, for callers who have something else to do
    /// in between: [`go_on`](Self::go_on) until it is over, and [`end`](Self::end).
    ///
    /// # Panics
    ///
    /// If the game is over.
    pub fn begin(&mut self, game: &G, limits: &Limits, signal: &Signal) -> Run<G> {
        assert!(game.outcome().is_none(), "a game that is over needs no move");
        let manager = TimeManager::new(game, limits, &self.settings);
        let root_moves = match limits.search_moves.is_empty() {
            true => Vec::new(),
            false => limits.root_moves(game.position()),
        };
        if !root_moves.is_empty() {
            // A tree without some moves of the root is of no use to another search, nor is
            // another's to this one.
            self.game = None;
        }
        let budget = self.budget(limits);
        self.go_on_to(game, budget);
        let tree = std::mem::replace(&mut self.tree, Tree::new(0, self.settings.puct()));
        let shared = Mutex::new(Shared::new(tree, budget));
        let Self { evaluator, evaluations, settings, .. } = self;
        Worker::new(game, &root_moves, evaluator, evaluations, settings).open_root(&shared);
        look_for_mate(&shared, game, &self.settings, &mut self.solver, signal);
        plan_root(&mut lock(&shared), &self.settings, &mut self.rng);
        Run { game: game.clone(), root_moves, shared, manager }
    }

    /// Goes on until the search is over or, after some batch, `pause` wishes. Whether it is over.
    pub fn go_on(
        &mut self,
        run: &mut Run<G>,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
        pause: &mut dyn FnMut() -> bool,
    ) -> bool {
        let Run { game, root_moves, shared, manager } = run;
        let (game, root_moves, shared) = (&*game, &root_moves[..], &*shared);
        let others = self.settings.threads.clamp(1, SearchSettings::MOST_THREADS) - 1;
        let mut evaluators = vec![self.evaluator.clone(); others];
        let Self { evaluator, evaluations, settings, .. } = self;
        let (evaluations, settings) = (&*evaluations, &*settings);
        let mut worker = Worker::new(game, root_moves, evaluator, evaluations, settings);
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            for evaluator in &mut evaluators {
                let mut worker = Worker::new(game, root_moves, evaluator, evaluations, settings);
                let stop = &stop;
                scope.spawn(move || {
                    let _alarm = Alarm(stop);
                    while !stop.load(Ordering::Acquire) && !signal.stopped() {
                        work(&mut worker, shared);
                    }
                });
            }
            let over = loop {
                // A thread that panicked stops the others too, and the scope passes its panic on.
                if stop.load(Ordering::Acquire) || manager.is_over(&lock(shared), signal) {
                    break true;
                }
                work(&mut worker, shared);
                manager.report_in_time::<G>(shared, report);
                if pause() {
                    break false;
                }
            };
            stop.store(true, Ordering::Release);
            over
        })
    }

    /// Decides, whether or not the search is over, and keeps the tree for the next one.
    pub fn end(&mut self, run: Run<G>, report: &mut dyn FnMut(&Report<G::Move>)) -> Found<G::Move> {
        let mut shared = run.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let order = self.decide(&mut shared);
        run.manager.report::<G>(&shared, &order, report);
        let found = Found::new(&shared, &order);
        self.tree = shared.tree;
        if !run.root_moves.is_empty() {
            self.game = None;
        }
        found
    }

    /// Makes the tree that of `game`, with all that is known of it already.
    fn go_on_to(&mut self, game: &G, budget: Option<u64>) {
        self.tree.set(self.settings.tree_room(), self.settings.puct());
        let (room, way) = (self.settings.evaluations_room(), self.settings.way(budget));
        lock(&self.evaluations).set(room, way);
        match self.game.as_ref().and_then(|old| moves_since(old, game)) {
            Some(moves) => self.tree.advance(moves),
            None => self.tree.clear(),
        }
        self.game = Some(game.clone());
    }

    /// How many simulations there may be.
    fn budget(&self, limits: &Limits) -> Option<u64> {
        let unlimited = limits.clock.is_none()
            && limits.move_time.is_none()
            && limits.depth.is_none()
            && !limits.infinite;
        let usual = unlimited.then_some(SearchSettings::USUAL_SIMULATIONS);
        match (limits.nodes, self.settings.simulations) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other).or(usual),
        }
    }

    /// The moves of the root by their places, the one to be played first.
    fn decide(&mut self, shared: &mut Shared<G::Move>) -> Vec<usize> {
        let tree = &shared.tree;
        let mut order = lines::ranked(tree);
        let planned = shared.halving.as_mut().and_then(|halving| halving.best(tree));
        let drawn = lines::drawn(tree, self.settings.temperature, &mut self.rng);
        if let Some(choice) = drawn.or(planned).filter(|_| !tree.root().proof.is_known())
            && let Some(place) = order.iter().position(|&other| other == choice)
        {
            order[..=place].rotate_right(1);
        }
        order
    }
}

/// Stops all threads of a search when one of them panics: its simulations would be waited for.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Release);
        }
    }
}

/// Does a batch, or rests if there is nothing to do.
fn work<G: Arena, E: Evaluator<G::Packed>>(
    worker: &mut Worker<'_, G, E>,
    shared: &Mutex<Shared<G::Move>>,
) {
    if !worker.step(shared) {
        thread::sleep(REST);
    }
}

/// Looks for a mate by checks from the root, which was looked at.
fn look_for_mate<G: Arena>(
    shared: &Mutex<Shared<G::Move>>,
    game: &G,
    settings: &SearchSettings,
    solver: &mut Solver,
    signal: &Signal,
) {
    let mut shared = lock(shared);
    if settings.root_mate == 0 || shared.tree.root().proof.is_known() {
        return;
    }
    // A small search should not wait long for the solver.
    let small = shared.budget.map_or(u64::MAX, |budget| budget.saturating_mul(16).max(500));
    let nodes = Some(settings.root_mate.min(small));
    let limits = MateLimits { nodes, any_length: true, ..MateLimits::default() };
    if let Verdict::Mate { line, .. } = solver.solve(game, &limits, signal).verdict {
        shared.prove_mate(line);
    }
}

/// Plans the simulations of a small search.
fn plan_root<M: Copy + PartialEq>(
    shared: &mut Shared<M>,
    settings: &SearchSettings,
    rng: &mut SplitMix64,
) {
    if let Some(budget) = shared.budget.filter(|_| settings.plans(shared.budget)) {
        shared.halving = Some(Halving::new(&shared.tree, budget, settings.noise, rng));
    }
}

/// The moves by which `game` goes on from `old`, if it does.
fn moves_since<'a, G: Arena>(old: &G, game: &'a G) -> Option<&'a [G::Move]> {
    let same_game = old.start().key() == game.start().key() && old.rules() == game.rules();
    game.moves().strip_prefix(old.moves()).filter(|_| same_game)
}

impl<M: Copy + PartialEq> Found<M> {
    fn new(shared: &Shared<M>, order: &[usize]) -> Self {
        let tree = &shared.tree;
        let line = shared.variation(order[0]);
        let edges = order.iter().map(|&choice| &tree.root_edges()[choice]);
        let visits = edges.map(|edge| (edge.mv, tree.child(edge).map_or(0, |node| node.visits)));
        Self {
            best: line.moves[0],
            ponder: line.moves.get(1).copied(),
            value: line.value,
            mate: line.mate,
            simulations: shared.finished,
            visits: visits.collect(),
        }
    }
}
