//! The root of a small search: sequential halving over the likeliest moves.
//!
//! With few simulations it pays to decide beforehand how they are spent. The likeliest moves are
//! tried equally often, the better half of them again, and so on until one is left. With noise of
//! a Gumbel distribution on the priors the choice is a sample that improves on the policy, as
//! Danihelka et al. show in "Policy improvement by planning with Gumbel".

use keisei_game::SplitMix64;

use super::tree::Tree;

/// The most moves that are considered.
const MOST_CANDIDATES: usize = 16;

/// A part of the budget: so many simulations, shared equally by the best candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Phase {
    candidates: usize,
    simulations: u64,
}

/// How `simulations` are spent on at most `moves` moves: about equally much on every halving, and
/// what is left over on the last.
fn phases(simulations: u64, moves: usize) -> Vec<Phase> {
    let few = usize::try_from(simulations).unwrap_or(usize::MAX);
    let mut candidates = moves.min(MOST_CANDIDATES).min(few).max(1);
    let halvings = u64::from(candidates.next_power_of_two().ilog2().max(1));
    let (mut left, mut phases) = (simulations, Vec::new());
    while left > 0 {
        let each = (simulations / (halvings * candidates as u64)).max(1);
        let share = if candidates <= 2 { left } else { left.min(each * candidates as u64) };
        phases.push(Phase { candidates, simulations: share });
        left -= share;
        candidates = (candidates / 2).max(2);
    }
    phases
}

/// A move that is considered: its place among the root's, and how much the policy likes it.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    choice: usize,
    liking: f32,
}

/// A root whose simulations are planned.
#[derive(Debug)]
pub(super) struct Halving {
    /// What is still to be done, the next part last.
    phases: Vec<Phase>,
    candidates: Vec<Candidate>,
    /// How many simulations of this part were begun.
    begun: u64,
    /// How many of them are under way.
    under_way: u64,
}

impl Halving {
    /// A plan for so many simulations from the root of `tree`, which was looked at. The priors are
    /// disturbed by `noise` times a Gumbel variable.
    pub(super) fn new<M: Copy + PartialEq>(
        tree: &Tree<M>,
        simulations: u64,
        noise: f32,
        rng: &mut SplitMix64,
    ) -> Self {
        let edges = tree.root_edges();
        let mut phases = phases(simulations, edges.len());
        phases.reverse();
        let mut candidates: Vec<_> = (edges.iter().enumerate())
            .map(|(choice, edge)| {
                let disturbance = if noise > 0.0 { noise * rng.gumbel() } else { 0.0 };
                Candidate { choice, liking: edge.prior().max(f32::MIN_POSITIVE).ln() + disturbance }
            })
            .collect();
        candidates.sort_by(|a, b| b.liking.total_cmp(&a.liking));
        candidates.truncate(phases.last().map_or(1, |phase| phase.candidates));
        Self { phases, candidates, begun: 0, under_way: 0 }
    }

    /// The root's move that the next simulation tries. `None` if the plan is done, or has to wait
    /// for simulations under way.
    pub(super) fn next<M: Copy + PartialEq>(&mut self, tree: &Tree<M>) -> Option<usize> {
        if self.phases.last().is_some_and(|phase| phase.simulations == self.begun) {
            if self.under_way > 0 {
                return None;
            }
            self.phases.pop();
            self.begun = 0;
            self.rank(tree);
        }
        let phase = self.phases.last()?;
        self.candidates.truncate(phase.candidates);
        let turn = (self.begun % self.candidates.len() as u64) as usize;
        self.begun += 1;
        self.under_way += 1;
        self.candidates.get(turn).map(|candidate| candidate.choice)
    }

    /// How many moves are still considered.
    pub(super) fn width(&self) -> usize {
        self.candidates.len()
    }

    /// A simulation is done.
    pub(super) fn finished(&mut self) {
        self.under_way -= 1;
    }

    /// The simulation begun last came to nothing.
    pub(super) fn abandoned(&mut self) {
        self.under_way -= 1;
        self.begun -= 1;
    }

    /// The move to be played.
    pub(super) fn best<M: Copy + PartialEq>(&mut self, tree: &Tree<M>) -> Option<usize> {
        self.rank(tree);
        self.candidates.first().map(|candidate| candidate.choice)
    }

    /// Puts the best candidates first: by liking and value together, the value weighing more the
    /// more often moves were tried.
    fn rank<M: Copy + PartialEq>(&mut self, tree: &Tree<M>) {
        const FEWEST_VISITS: f32 = 50.0;
        let edges = tree.root_edges();
        let child = |candidate: &Candidate| edges.get(candidate.choice).and_then(|e| tree.child(e));
        let visits = |candidate| child(candidate).map_or(0, |node| node.visits);
        let most = self.candidates.iter().map(visits).max().unwrap_or(0) as f32;
        let score = |candidate: &Candidate| match child(candidate) {
            Some(node) if node.proof.is_loss() => f32::INFINITY,
            Some(node) if node.proof.is_win() => f32::NEG_INFINITY,
            Some(node) if node.visits > 0 => {
                candidate.liking + (FEWEST_VISITS + most) * (1.0 - node.value()) / 2.0
            }
            _ => f32::MIN,
        };
        self.candidates.sort_by(|a, b| score(b).total_cmp(&score(a)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(simulations: u64, moves: usize) -> Vec<(usize, u64)> {
        let phases = phases(simulations, moves);
        phases.iter().map(|phase| (phase.candidates, phase.simulations)).collect()
    }

    #[test]
    fn halvings_share_the_budget() {
        assert_eq!(plan(64, 30), [(16, 16), (8, 16), (4, 16), (2, 16)]);
        assert_eq!(plan(32, 30), [(16, 16), (8, 8), (4, 8)]);
        assert_eq!(plan(16, 30), [(16, 16)]);
        assert_eq!(plan(50, 30), [(16, 16), (8, 8), (4, 12), (2, 14)]);
    }

    #[test]
    fn no_more_moves_are_considered_than_there_are_or_can_be_tried() {
        assert_eq!(plan(8, 30), [(8, 8)]);
        assert_eq!(plan(60, 3), [(3, 30), (2, 30)]);
        assert_eq!(plan(10, 1), [(1, 10)]);
        assert_eq!(plan(1, 30), [(1, 1)]);
        assert_eq!(plan(0, 30), []);
    }

    #[test]
    fn the_budget_is_spent_exactly() {
        for simulations in 0..200 {
            for moves in 1..40 {
                let total: u64 = plan(simulations, moves).iter().map(|phase| phase.1).sum();
                assert_eq!(total, simulations, "{moves} moves");
            }
        }
    }
}
