//! Negamax with alpha-beta pruning over positions.

use std::cmp::Reverse;

use keisei_game::Position;

use super::budget::Budget;
use super::worth;
use crate::Arena;

/// The worth of giving mate at once. Mate in `n` plies is worth `n` less.
pub(super) const MATE: i32 = 1_000_000;

/// The search has to end and knows nothing.
pub(super) struct Stopped;

/// A search from a game.
pub(super) struct Search<'a, G: Arena> {
    root: &'a G,
    quiescence: bool,
    budget: &'a Budget<'a>,
    nodes: u64,
    /// The moves from the root to where the search is.
    path: Vec<G::Move>,
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
    pub(super) fn new(root: &'a G, quiescence: bool, budget: &'a Budget<'a>) -> Self {
        Self { root, quiescence, budget, nodes: 0, path: Vec::new() }
    }

    /// How many positions were visited.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
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
        window: Window,
        line: &mut Vec<G::Move>,
    ) -> Result<i32, Stopped> {
        self.nodes += 1;
        if self.budget.is_spent(self.nodes) {
            return Err(Stopped);
        }
        if depth == 0 {
            return self.leaf(node, window);
        }
        let moves = node.moves();
        if moves.is_empty() {
            return Ok(self.ended(&node.position));
        }
        self.best(node, -MATE, moves, depth - 1, window, line)
    }

    /// What `node` is worth where the search looks no deeper.
    fn leaf(&mut self, node: &Node<G>, window: Window) -> Result<i32, Stopped> {
        if node.position.in_check() && node.position.count_legal_moves() == 0 {
            return Ok(self.ended(&node.position));
        }
        let material = node.material;
        if !self.quiescence || material >= window.beta {
            return Ok(material);
        }
        // The side to move may leave it at that, or take and promote what it can.
        let mut moves = node.moves();
        moves.retain(|&(gain, _)| gain > 0);
        let window = Window { alpha: window.alpha.max(material), ..window };
        self.best(node, material, moves, 0, window, &mut Vec::new())
    }

    /// The most that one of `moves` is worth, or `least` if none is worth more.
    fn best(
        &mut self,
        node: &Node<G>,
        least: i32,
        moves: Vec<(i32, G::Move)>,
        depth: u32,
        mut window: Window,
        line: &mut Vec<G::Move>,
    ) -> Result<i32, Stopped> {
        let mut best = least;
        for (_, mv) in moves {
            let mut replies = Vec::new();
            let value = self.step(node, mv, depth, window, &mut replies)?;
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
