//! What the threads of a search share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::gumbel::Halving;
use super::lines::{Variation, variation};
use super::tree::{Path, Tree};

/// The tree and the account of the simulations, which all threads share.
#[derive(Debug)]
pub(super) struct Shared<M> {
    pub(super) tree: Tree<M>,
    /// How many simulations were begun and not abandoned.
    pub(super) begun: u64,
    /// How many were finished.
    pub(super) finished: u64,
    /// How many there may be.
    pub(super) budget: Option<u64>,
    /// The plan for the root, if it has one.
    pub(super) halving: Option<Halving>,
    /// The mate that was found before the search, if one was.
    mate: Vec<M>,
    /// The sum of the lengths of all simulations, and the longest.
    pub(super) plies: u64,
    pub(super) deepest: u32,
}

impl<M: Copy + PartialEq> Shared<M> {
    pub(super) fn new(tree: Tree<M>, budget: Option<u64>) -> Self {
        Self {
            tree,
            begun: 0,
            finished: 0,
            budget,
            halving: None,
            mate: Vec::new(),
            plies: 0,
            deepest: 0,
        }
    }

    /// Whether all simulations that may be begun are finished.
    pub(super) fn is_done(&self) -> bool {
        self.budget.is_some_and(|budget| self.finished >= budget)
    }

    /// Notes that the moves of `mate` mate from the root, which was looked at.
    pub(super) fn prove_mate(&mut self, mate: Vec<M>) {
        if let Some(&first) = mate.first() {
            self.tree.prove_win(&Path::default(), first, mate.len() as u16);
            self.mate = mate;
        }
    }

    /// The best line that begins with the root's move at `choice`.
    pub(super) fn variation(&self, choice: usize) -> Variation<M> {
        let found = variation(&self.tree, choice);
        // The tree itself knows the first move of this mate only.
        let is_mate = self.mate.first() == found.moves.first();
        if is_mate { Variation { moves: self.mate.clone(), ..found } } else { found }
    }

    /// Whether another simulation may be begun.
    pub(super) fn may_begin(&self) -> bool {
        self.budget.is_none_or(|budget| self.begun < budget) && !self.tree.root().proof.is_known()
    }

    /// Counts a simulation as finished.
    pub(super) fn count(&mut self, path: &Path<M>) {
        self.finished += 1;
        self.plies += path.moves.len() as u64;
        self.deepest = self.deepest.max(path.moves.len() as u32);
        if let Some(halving) = &mut self.halving {
            halving.finished();
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
