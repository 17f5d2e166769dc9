//! Mates by trying everything: slow, plain, and apart from the solver in all but the rules.

use keisei_game::Position;

/// What trying everything found out within a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Naive {
    /// The plies of the shortest mate by checks, if one was found.
    pub(crate) mate: Option<usize>,
    /// No mate of up to so many plies was missed.
    pub(crate) plies: usize,
}

/// Looks for mates of 1, 3, 5 … plies up to `plies` while no more than `budget` moves are played.
pub(crate) fn shortest_mate<P: Position>(position: &P, plies: usize, mut budget: usize) -> Naive {
    let mut done = 0;
    for plies in (1..=plies).step_by(2) {
        match mates_within(position, plies, &mut budget) {
            Some(true) => return Naive { mate: Some(plies), plies },
            Some(false) => done = plies,
            None => break,
        }
    }
    Naive { mate: None, plies: done }
}

/// Whether some check mates within `plies`, or `None` when the budget is spent.
fn mates_within<P: Position>(position: &P, plies: usize, budget: &mut usize) -> Option<bool> {
    for next in successors(position, budget)? {
        if next.in_check() && is_mated_within(&next, plies - 1, budget)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Whether every move of a checked king still leads to a mate within `plies`.
fn is_mated_within<P: Position>(position: &P, plies: usize, budget: &mut usize) -> Option<bool> {
    if plies == 0 {
        return Some(position.legal_moves().as_ref().is_empty());
    }
    for next in successors(position, budget)? {
        if !mates_within(&next, plies - 1, budget)? {
            return Some(false);
        }
    }
    Some(true)
}

fn successors<P: Position>(position: &P, budget: &mut usize) -> Option<Vec<P>> {
    let moves = position.legal_moves();
    *budget = budget.checked_sub(moves.as_ref().len())?;
    let after = |&mv: &P::Move| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next
    };
    Some(moves.as_ref().iter().map(after).collect())
}
