//! The settings of a search.

use std::time::Duration;

use super::evaluations::Way;
use super::tree::Puct;

/// How a search works. The defaults suit play on a CPU.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSettings {
    /// The most simulations a move, whatever else limits it. Without this or any other limit there
    /// are [`SearchSettings::USUAL_SIMULATIONS`].
    pub simulations: Option<u64>,
    /// How many threads, 1 to 64. They share the tree, and each evaluates its own batches. With
    /// one thread a search by a number of simulations is repeatable.
    pub threads: usize,
    /// How many positions are evaluated at once, 1 to 256. Large batches choose with less
    /// knowledge; on a CPU they are hardly faster, but shared among its cores, eight positions
    /// each. A young tree gets smaller batches.
    pub batch: usize,
    /// How much memory the tree and the evaluations that are remembered may use, in MiB. A full
    /// tree stops growing; its search goes on.
    pub memory: usize,
    /// How many of the best lines are reported.
    pub multi_pv: usize,
    /// Up to so many simulations the root is planned by sequential halving; 0 for never.
    pub gumbel_up_to: u64,
    /// By how much of a Gumbel variable a planned root is disturbed: 0 plays the best, 1 samples.
    pub noise: f32,
    /// By what the logits of the policy are divided: above 1 the search trusts its network's first
    /// choice less. Without one it is 3, or 1 where the root is planned.
    pub policy_temperature: Option<f32>,
    /// How much the policy counts against the values found: above the default the search is
    /// broader, below it deeper.
    pub exploration: f32,
    /// What is taken from a position's value for a move that was never tried, when all the rest of
    /// the policy was.
    pub fpu_reduction: f32,
    /// The same for the root.
    pub root_fpu_reduction: f32,
    /// Whether a position that occurred in the game before the search counts as repeated, as one
    /// that occurred on the way from the root does.
    pub history_repeats: bool,
    /// 0 plays the most visited move; above, moves are drawn by visits to the power of its inverse.
    pub temperature: f32,
    /// Which mates are looked for at every new position.
    pub leaf_mates: LeafMates,
    /// How many positions are visited in search of a mate by checks before the search begins; 0 for
    /// none.
    pub root_mate: u64,
    /// Whether each position is evaluated together with its mirror image.
    pub mirror: bool,
    /// How often lines are reported on the way.
    pub report_every: Duration,
    /// Where noise and temperature begin.
    pub seed: u64,
}

/// Which mates are looked for at every new position of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LeafMates {
    /// None.
    Off,
    /// Those that take one move.
    #[default]
    One,
    /// Those that take one move, or two with checks.
    Three,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            simulations: None,
            threads: 1,
            batch: 4,
            memory: 512,
            multi_pv: 1,
            gumbel_up_to: 64,
            noise: 0.0,
            policy_temperature: None,
            exploration: 1.25,
            fpu_reduction: 0.2,
            root_fpu_reduction: 0.2,
            history_repeats: false,
            temperature: 0.0,
            leaf_mates: LeafMates::One,
            root_mate: 10_000,
            mirror: false,
            report_every: Duration::from_millis(700),
            seed: 0,
        }
    }
}

impl SearchSettings {
    /// How many simulations a move gets if nothing limits it.
    pub const USUAL_SIMULATIONS: u64 = 800;

    /// The most threads: a browser's build has one.
    pub(crate) const MOST_THREADS: usize = if cfg!(target_family = "wasm") { 1 } else { 64 };
    const MOST_BATCH: usize = 256;
    /// The most memory in MiB. Trees number their moves by 32 bits, and a browser ends a page that
    /// wants too much.
    pub(crate) const MOST_MEMORY: usize = if cfg!(target_family = "wasm") { 512 } else { 16 << 10 };

    /// How large a batch may be when the root was visited `visits` times.
    pub(super) fn batch_after(&self, visits: u32) -> usize {
        self.most_at_once().min(1 + visits as usize / 8)
    }

    /// How large a batch may be.
    pub(super) fn most_at_once(&self) -> usize {
        self.batch.clamp(1, Self::MOST_BATCH)
    }

    pub(super) fn puct(&self) -> Puct {
        let &Self { exploration, fpu_reduction, root_fpu_reduction, .. } = self;
        Puct { exploration, fpu_reduction, root_fpu_reduction }
    }

    /// Whether the root of a search with this budget of simulations is planned.
    pub(super) fn plans(&self, budget: Option<u64>) -> bool {
        budget.is_some_and(|budget| budget <= self.gumbel_up_to)
    }

    /// How a search with this budget asks its evaluator.
    pub(super) fn way(&self, budget: Option<u64>) -> Way {
        // Networks that learn from themselves are surer of their first choice than is good for a
        // search that can look around: docs/cpu.md has the matches.
        let usual = if self.plans(budget) { 1.0 } else { 3.0 };
        let policy_temperature = self.policy_temperature.unwrap_or(usual);
        Way { mirror: self.mirror, policy_temperature }
    }

    /// The tree's memory in bytes.
    pub(super) fn tree_room(&self) -> usize {
        self.room() - self.evaluations_room()
    }

    /// The memory for evaluations in bytes.
    pub(super) fn evaluations_room(&self) -> usize {
        self.room() / 4
    }

    fn room(&self) -> usize {
        self.memory.clamp(1, Self::MOST_MEMORY) << 20
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_is_not_planned_trusts_the_policy_less() {
        let temperature = |settings: &SearchSettings, budget| {
            (settings.plans(budget), settings.way(budget).policy_temperature)
        };
        let usual = SearchSettings::default();
        assert_eq!(temperature(&usual, Some(64)), (true, 1.0));
        assert_eq!(temperature(&usual, Some(65)), (false, 3.0));
        assert_eq!(temperature(&usual, None), (false, 3.0));
        let given = SearchSettings { policy_temperature: Some(2.0), ..usual };
        assert_eq!(temperature(&given, Some(64)), (true, 2.0));
        assert_eq!(temperature(&given, None), (false, 2.0));
    }
}
