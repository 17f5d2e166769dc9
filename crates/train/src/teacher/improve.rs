//! The improved policy of a position, worked out from the few moves that were tried there.

/// So many visits count for the most tried move beyond those it has.
const LEAST_VISITS: f32 = 50.0;

/// What simulations say of a move that they tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    /// The network's probability of the move.
    pub(super) prior: f32,
    /// How many simulations tried it, at least one.
    pub(super) visits: u32,
    /// The sum of their values, for the side that plays it.
    pub(super) total: f32,
}

impl Trial {
    /// The mean value of its simulations.
    pub(super) fn q(&self) -> f32 {
        self.total / self.visits as f32
    }
}

/// What trials say of all moves of a position, those included that were not tried: these have one
/// value, and their probabilities change by one factor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Improvement {
    /// The value of a move that was not tried.
    pub(super) mixed: f32,
    /// What σ multiplies a value by.
    scale: f32,
    /// The logarithm of what the probability of a move that was not tried is multiplied by.
    log_factor: f32,
    /// Σ π′ q̂, the searched value.
    pub(super) value: f32,
    /// How many simulations there were.
    pub(super) visits: u32,
}

impl Improvement {
    /// What `trials` say where the network gives the position this `value`, and so much probability
    /// to all moves together that were not tried; none, if all were.
    pub(super) fn new<'a>(
        trials: impl Iterator<Item = &'a Trial> + Clone,
        untried: Option<f32>,
        value: f32,
        value_scale: f32,
    ) -> Self {
        let (mut prior, mut weighted, mut visits, mut most) = (0.0, 0.0, 0, 0);
        for trial in trials.clone() {
            prior += trial.prior;
            weighted += trial.prior * trial.q();
            visits += trial.visits;
            most = most.max(trial.visits);
        }
        let mixed = match prior > 0.0 {
            true => (value + visits as f32 * weighted / prior) / (1 + visits) as f32,
            false => value,
        };
        let scale = (LEAST_VISITS + most as f32) * value_scale;
        let gain = |trial: &Trial| scale * (trial.q() - mixed);
        // Relative to the largest gain, no power overflows and not all vanish.
        let least = if untried.is_some() { 0.0 } else { f32::NEG_INFINITY };
        let largest = trials.clone().map(gain).fold(least, f32::max);
        let (mut total, mut values) = match untried {
            Some(untried) => {
                let weight = untried * (-largest).exp();
                (weight, weight * mixed)
            }
            None => (0.0, 0.0),
        };
        for trial in trials {
            let weight = trial.prior * (gain(trial) - largest).exp();
            total += weight;
            values += weight * trial.q();
        }
        let log_factor = -largest - total.ln();
        Self { mixed, scale, log_factor, value: values / total, visits }
    }

    /// The logarithm of what the probability of a move is multiplied by: of one that was tried, or
    /// of any other.
    pub(super) fn log_factor(&self, trial: Option<&Trial>) -> f32 {
        self.log_factor + trial.map_or(0.0, |trial| self.scale * (trial.q() - self.mixed))
    }

    /// The improved probability of a move that was tried.
    pub(super) fn probability(&self, trial: &Trial) -> f32 {
        trial.prior * self.log_factor(Some(trial)).exp()
    }

    /// σ of the value of a move that was tried.
    pub(super) fn sigma(&self, trial: &Trial) -> f32 {
        self.scale * trial.q()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_improved_policy_is_that_of_the_definition_worked_by_hand() {
        // Value .2; q = .5 after two visits, q = −.3 after one; two more, of .3 and .1, were not
        // tried.
        let trials = [(0.2, 2, 1.0), (0.4, 1, -0.3)];
        let trials = trials.map(|(prior, visits, total)| Trial { prior, visits, total });
        let found = Improvement::new(trials.iter(), Some(0.4), 0.2, 0.01);
        // Σ π q / Σ π = (.1 − .12) / .6 = −1/30; v_mix = (.2 − 3/30) / 4 = .025. σ(q) = .52 q.
        let moves = [(0.2, 0.5), (0.4, -0.3), (0.3, 0.025), (0.1, 0.025_f64)];
        let weights = moves.map(|(prior, q)| prior * (0.52 * q).exp());
        let total: f64 = weights.iter().sum();
        let untried = found.log_factor(None).exp();
        let [first, second] = trials.map(|trial| found.probability(&trial));
        for (found, weight) in [first, second, 0.3 * untried, 0.1 * untried].iter().zip(weights) {
            assert!((f64::from(*found) - weight / total).abs() < 1e-6, "{found}");
        }
        let exact: f64 = weights.iter().zip(moves).map(|(weight, (_, q))| weight / total * q).sum();
        assert!((f64::from(found.value) - exact).abs() < 1e-6, "{found:?} is not {exact}");
        assert!((found.mixed - 0.025).abs() < 1e-6 && found.visits == 3);
    }

    #[test]
    fn where_nothing_was_tried_the_policy_and_the_value_stay_as_they_are() {
        let found = Improvement::new([].iter(), Some(1.0), -0.4, 0.25);
        assert!((found.value - -0.4).abs() < 1e-6);
        assert!(found.log_factor(None).abs() < 1e-6);
    }

    #[test]
    fn whatever_is_tried_the_probabilities_sum_to_one() {
        // With a scale of 100, a loss and a win are e²⁰⁰ apart.
        for (first, second) in [(-1.0_f32, 1.0), (1.0, -1.0), (-1.0, -1.0), (1.0, 1.0)] {
            for untried in [None, Some(0.0), Some(1e-9), Some(0.5)] {
                let prior = (1.0 - untried.unwrap_or(0.0)) / 2.0;
                let trial = |total: f32| Trial { prior, visits: 50, total: 50.0 * total };
                let trials = [trial(first), trial(second)];
                let found = Improvement::new(trials.iter(), untried, 0.0, 1.0);
                let of_untried = untried.unwrap_or(0.0) * found.log_factor(None).exp();
                let sum: f32 = trials.iter().map(|trial| found.probability(trial)).sum();
                assert!((sum + of_untried - 1.0).abs() < 1e-5, "{trials:?}, {untried:?}");
            }
        }
    }
}
