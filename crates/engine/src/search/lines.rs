//! The best lines of a tree.

use std::cmp::Ordering;

use keisei_game::SplitMix64;

use super::proof::Proof;
use super::score::{centipawns, win_rate};
use super::tree::{Edge, Node, Tree};
use crate::{Arena, Score};

/// A move of the root with the line that is expected after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation<M> {
    /// The moves, first to last.
    pub moves: Vec<M>,
    /// How often the first move was tried.
    pub visits: u32,
    /// What it is worth to the side to move: −1 lost, 1 won.
    pub value: f32,
    /// In how many plies it mates (positive) or is mated (negative), if that is proven.
    pub mate: Option<i32>,
}

impl<M> Variation<M> {
    /// The chance to win.
    pub fn win_rate(&self) -> f32 {
        win_rate(self.value)
    }

    /// The score.
    pub fn score<G: Arena>(&self) -> Score {
        self.mate.map_or_else(|| Score::Centipawns(centipawns::<G>(self.win_rate())), Score::Mate)
    }
}

/// The moves of the root by their places, best first: proven wins, then the most visited, then
/// those never tried, proven losses last.
pub(super) fn ranked<M: Copy + PartialEq>(tree: &Tree<M>) -> Vec<usize> {
    let edges = tree.root_edges();
    let mut order: Vec<_> = (0..edges.len()).collect();
    order.sort_by(|&a, &b| better(tree, &edges[a], &edges[b]));
    order
}

/// Which of two moves of a node goes first.
fn better<M: Copy + PartialEq>(tree: &Tree<M>, a: &Edge<M>, b: &Edge<M>) -> Ordering {
    let (one, other) = (tree.child(a), tree.child(b));
    let rank = |node: Option<&Node>| match node.map_or(Proof::UNKNOWN, |node| node.proof) {
        proof if proof.is_loss() => (2, -i32::from(proof.plies())),
        proof if proof.is_win() => (0, i32::from(proof.plies())),
        _ => (1, 0),
    };
    let visits = |node: Option<&Node>| node.map_or(0, |node| node.visits);
    let value = |node: Option<&Node>| node.map_or(f32::INFINITY, Node::value);
    (rank(other).cmp(&rank(one)))
        .then_with(|| visits(other).cmp(&visits(one)))
        .then_with(|| value(one).total_cmp(&value(other)))
        .then_with(|| b.prior().total_cmp(&a.prior()))
}

/// The moves of the best line that begins with the root's move at `choice`, and whether the game
/// ends with it.
fn line<M: Copy + PartialEq>(tree: &Tree<M>, choice: usize) -> (Vec<M>, bool) {
    let visited = |edge: &Edge<M>| tree.child(edge).filter(|child| child.visits > 0);
    let first = &tree.root_edges()[choice];
    let mut moves = vec![first.mv];
    let Some(mut here) = visited(first) else { return (moves, false) };
    loop {
        let edges = tree.edges_of(here).iter();
        let Some(next) = edges.min_by(|a, b| better(tree, a, b)) else { return (moves, true) };
        let Some(child) = visited(next) else { return (moves, false) };
        moves.push(next.mv);
        here = child;
    }
}

/// Whether the best line was looked at for `plies` moves, or to the end of the game.
pub(super) fn reaches<M: Copy + PartialEq>(tree: &Tree<M>, plies: usize) -> bool {
    let edges = tree.root_edges();
    let best = (0..edges.len()).min_by(|&a, &b| better(tree, &edges[a], &edges[b]));
    let tried = |&best: &usize| tree.child(&edges[best]).is_some_and(|child| child.visits > 0);
    best.filter(tried).is_some_and(|best| {
        let (moves, ends) = line(tree, best);
        ends || moves.len() >= plies
    })
}

/// The best line that begins with the root's move at `choice`.
pub(super) fn variation<M: Copy + PartialEq>(tree: &Tree<M>, choice: usize) -> Variation<M> {
    let (moves, _) = line(tree, choice);
    let child = tree.child(&tree.root_edges()[choice]).filter(|child| child.visits > 0);
    let proof = child.map_or(Proof::UNKNOWN, |child| child.proof);
    let plies = i32::from(proof.plies()) + 1;
    let mate = proof.is_known().then_some(if proof.is_loss() { plies } else { -plies });
    Variation {
        moves,
        visits: child.map_or(0, |child| child.visits),
        value: child.map_or_else(|| tree.root().value(), |child| -child.value()),
        mate,
    }
}

/// A move of the root drawn by visits to the power of 1 / `temperature`, if that is above 0. What
/// is proven to lose is not drawn.
pub(super) fn drawn<M: Copy + PartialEq>(
    tree: &Tree<M>,
    temperature: f32,
    rng: &mut SplitMix64,
) -> Option<usize> {
    let tried = |edge| tree.child(edge).filter(|child| !child.proof.is_win());
    let visits = |edge| tried(edge).map_or(0.0, |child| child.visits as f32);
    let visits: Vec<_> = tree.root_edges().iter().map(visits).collect();
    rng.sample_tempered(&visits, temperature)
}
