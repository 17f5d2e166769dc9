//! Negamax with alpha-beta pruning over positions.

use std::cmp::Reverse;
use std::time::Duration;

use keisei_game::Position;

use super::worth;
use crate::time::{Stopwatch, plan};
use crate::{Arena, Limits, Signal};

/// The worth of giving mate at once. Mate in `n` plies is worth `n` less.
pub(super) const MATE: i32 = 1_000_000;

/// How many positions quiescence visits behind one leaf. What it has not looked at by then counts
/// as not taken: where many pieces hang, the captures of both sides multiply without end.
const QUIESCENCE_NODES: u32 = 3000;

/// The search has to end and knows nothing.
pub(super) struct Stopped;

/// A search from a game.
pub(super) struct Search<'a, G: Arena> {
    root: &'a G,
    quiescence: bool,
    budget: Budget<'a>,
    nodes: u64,
    /// How many positions quiescence may still visit behind the leaf at hand.
    quiescence_left: u32,
    /// The moves from the root to where the search is.
    path: Vec<G::Move>,
}

/// How much a search may still do.
struct Budget<'a> {
    stopwatch: Stopwatch,
    time: Option<Duration>,
    nodes: u64,
    signal: &'a Signal,
}

impl Budget<'_> {
    /// Whether there may be no `nodes`th position. Looks at the clock only now and then.
    fn is_spent(&mut self, nodes: u64) -> bool {
        nodes > self.nodes
            || nodes.is_multiple_of(1024) && (self.signal.stopped() || self.is_out_of_time())
    }

    fn is_out_of_time(&mut self) -> bool {
        let spent = self.stopwatch.spent(self.signal);
        self.time.zip(spent).is_some_and(|(time, spent)| spent >= time)
    }
}

/// A position, and how much more the side to move has.
struct Node<G: Arena> {
    position: G::Position,
    material: i32,
}

impl<G: Arena> Node<G> {
    fn after(&self, mv: G::Move) -> Self {
        let material = -(self.material + G::gain(&self.position, mv));
        let mut position = self.position.clone();
        position.play_unchecked(mv);
        Self { position, material }
    }

    /// The legal moves with their gains, the largest first.
    fn moves(&self) -> Vec<(i32, G::Move)> {
        let moves = self.position.legal_moves();
        let gain = |&mv: &G::Move| (G::gain(&self.position, mv), mv);
        let mut moves: Vec<_> = moves.as_ref().iter().map(gain).collect();
        moves.sort_by_key(|&(gain, _)| Reverse(gain));
        moves
    }
}

/// The scores between which a result still matters, for the side to move.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    /// The same window, seen by the other side.
    const fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

impl<'a, G: Arena> Search<'a, G> {
    /// A search of `root` within `limits`.
    pub(super) fn new(root: &'a G, quiescence: bool, limits: &Limits, signal: &'a Signal) -> Self {
        let budget = Budget {
            stopwatch: Stopwatch::start(limits),
            time: plan(limits, root.turn(), root.ply()).map(|plan| plan.soft),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            signal,
        };
        Self { root, quiescence, budget, nodes: 0, quiescence_left: 0, path: Vec::new() }
    }

    /// How many positions were visited.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How long the search has taken.
    pub(super) fn elapsed(&self) -> Duration {
        self.budget.stopwatch.elapsed()
    }

    /// What `mv` in the root is worth if the next `depth` plies are the best: exact if above
    /// `alpha`, and then they are put into `line`.
    pub(super) fn first_move(
        &mut self,
        mv: G::Move,
        depth: u32,
        alpha: i32,
        line: &mut Vec<G::Move>,
    ) -> Result<i32, Stopped> {
        let position = self.root.position().clone();
        let material = G::material(&position);
        self.step(&Node { position, material }, mv, depth, Window { alpha, beta: MATE }, line)
    }

    /// What `mv` is worth to the side that makes it.
    fn step(
        &mut self,
        node: &Node<G>,
        mv: G::Move,
        depth: u32,
        window: Window,
        line: &mut Vec<G::Move>,
    ) -> Result<i32, Stopped> {
        self.path.push(mv);
        let value = self.value(&node.after(mv), depth, window.turned(), line);
        self.path.pop();
        value.map(|value| -value)
    }

    /// What `node` is worth to the side to move.
    fn value(
        &mut self,
        node: &Node<G>,
        depth: u32,
        mut window: Window,
        line: &mut Vec<G::Move>,
    ) -> Result<i32, Stopped> {
        self.count()?;
        if depth == 0 {
            self.quiescence_left = if self.quiescence { QUIESCENCE_NODES } else { 0 };
            return self.quiesce(node, window);
        }
        let moves = node.moves();
        if moves.is_empty() {
            return Ok(self.ended(&node.position));
        }
        let mut best = -MATE;
        for (_, mv) in moves {
            let mut replies = Vec::new();
            let value = self.step(node, mv, depth - 1, window, &mut replies)?;
            best = best.max(value);
            if value > window.alpha {
                window.alpha = value;
                line.clear();
                line.push(mv);
                line.append(&mut replies);
            }
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// What `node` is worth where the search looks no deeper: the side to move may leave it at
    /// what there is, or take and promote what it can.
    fn quiesce(&mut self, node: &Node<G>, mut window: Window) -> Result<i32, Stopped> {
        if node.position.in_check() && !node.position.has_legal_moves() {
            return Ok(self.ended(&node.position));
        }
        let mut best = node.material;
        if self.quiescence_left == 0 || best >= window.beta {
            return Ok(best);
        }
        window.alpha = window.alpha.max(best);
        for (_, mv) in node.moves().into_iter().take_while(|&(gain, _)| gain > 0) {
            if self.quiescence_left == 0 {
                break;
            }
            self.quiescence_left -= 1;
            self.count()?;
            self.path.push(mv);
            let value = self.quiesce(&node.after(mv), window.turned());
            self.path.pop();
            best = best.max(-value?);
            window.alpha = window.alpha.max(best);
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// Counts a position, unless there may be no more.
    fn count(&mut self) -> Result<(), Stopped> {
        if self.budget.is_spent(self.nodes + 1) {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// What a position without legal moves is worth to the side to move.
    fn ended(&self, position: &G::Position) -> i32 {
        let plies = self.path.len() as i32;
        if position.in_check() {
            return plies - MATE;
        }
        // Games differ here, so the game itself has to say. Its past may end it sooner.
        let mut game = self.root.clone();
        for &mv in &self.path {
            if game.outcome().is_none() {
                game.play_unchecked(mv);
            }
        }
        game.outcome().map_or(0, |outcome| worth(outcome, position.turn(), plies))
    }
}
