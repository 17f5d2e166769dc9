//! The losses on the device: [`crate::loss`] for a whole minibatch.

use tch::{Kind, Tensor, no_grad};

use super::batch::Positions;
use super::forward::Outputs;
use crate::learner::{ImitationSettings, Losses, UpdateSettings};

/// What was done in the positions of a minibatch and what came of it. All `[positions]`.
pub(super) struct Transitions {
    /// The place of the action that was played, among the legal ones of all positions.
    chosen: Tensor,
    old_log_probs: Tensor,
    old_values: Tensor,
    advantages: Tensor,
    targets: Tensor,
    /// What the entropy is multiplied by.
    entropy_weights: Tensor,
}

/// The loss and its metrics.
pub(super) struct Loss {
    /// What has the gradient of what is minimised, by logits and values.
    pub(super) total: Tensor,
    /// `[7]`: the numbers of [`Losses`] in their order, as f64, but for the gradient's norm.
    pub(super) metrics: Tensor,
}

impl Transitions {
    /// # Shapes
    ///
    /// `chosen`: `[positions]`, places of the actions that were played, among the legal ones of all
    /// positions; `numbers`: `[4, positions]`, old log-probabilities, old values, advantages and
    /// value targets; `counts`: `[positions]`, how many legal actions there are
    pub(super) fn new(
        chosen: Tensor,
        numbers: &Tensor,
        counts: &Tensor,
        settings: &UpdateSettings,
    ) -> Self {
        let row = |number: i64| numbers.get(number);
        let weight = f64::from(settings.entropy_weight);
        let entropy_weights = match settings.relative_entropy {
            false => row(0).full_like(weight),
            // With a single legal action the entropy is 0, and so is its largest value.
            true => (counts.to_kind(Kind::Float).log().reciprocal() * weight)
                .masked_fill(&counts.le(1), 0.0),
        };
        Self {
            chosen,
            old_log_probs: row(0),
            old_values: row(1),
            advantages: row(2),
            targets: row(3),
            entropy_weights,
        }
    }
}

/// What a network says of the legal actions of positions: only these have a part in the losses, a
/// few of the many logits. What follows for them is computed without libtorch's knowledge, and so are
/// its gradients, as in [`crate::loss`].
struct Policy<'a> {
    positions: &'a Positions,
    /// `[positions + 1]`: where the legal actions of each begin and the last ones end.
    offsets: Tensor,
    /// `[all legal actions]`, one position after the other.
    logits: Tensor,
    log_probs: Tensor,
    probs: Tensor,
    /// −p ln p
    entropies: Tensor,
}

impl<'a> Policy<'a> {
    fn new(logits: &Tensor, positions: &'a Positions) -> Self {
        let logits = logits.view(-1).index_select(0, &positions.places);
        no_grad(|| {
            let ends = positions.counts.cumsum(0, Kind::Int);
            let offsets = ends.constant_pad_nd([1, 0]);
            let largest = of_positions(&logits, &offsets, "max", f64::NEG_INFINITY);
            let shifted = &logits - largest.index_select(0, &positions.owners);
            let sums = of_positions(&shifted.exp(), &offsets, "sum", 0.0);
            let log_probs = shifted - sums.log().index_select(0, &positions.owners);
            let probs = log_probs.exp();
            let entropies = -(&probs * &log_probs);
            Self { positions, offsets, logits, log_probs, probs, entropies }
        })
    }

    /// `[positions]`
    fn entropy(&self) -> Tensor {
        of_positions(&self.entropies, &self.offsets, "sum", 0.0)
    }

    /// For each action the number of its position.
    ///
    /// # Shapes
    ///
    /// `numbers`: `[positions]`, result: `[all legal actions]`
    fn spread(&self, numbers: &Tensor) -> Tensor {
        numbers.index_select(0, &self.positions.owners)
    }
}

/// One number for each position, of those of its legal actions.
fn of_positions(numbers: &Tensor, offsets: &Tensor, reduce: &str, initial: f64) -> Tensor {
    let none = None::<&Tensor>;
    // To check the offsets the CPU would have to wait for them.
    let unchecked = true;
    Tensor::segment_reduce(numbers, reduce, none, none, Some(offsets), 0, unchecked, initial)
}

/// Something with these gradients by logits and values.
///
/// # Shapes
///
/// `logits`: `[all legal actions]`, `values`: `[positions]`
fn with_gradients(logits: (&Tensor, &Tensor), values: (&Tensor, &Tensor)) -> Tensor {
    logits.0.dot(logits.1) + values.0.dot(values.1)
}

impl Loss {
    /// # Shapes
    ///
    /// `policies`: `[all legal actions]`, one position after the other; `returns`: `[positions]`
    pub(super) fn imitation(
        outputs: &Outputs,
        positions: &Positions,
        (policies, returns): (&Tensor, &Tensor),
        settings: &ImitationSettings,
    ) -> Self {
        let count = positions.len as f64;
        let policy = Policy::new(&outputs.logits, positions);
        let values = outputs.values.narrow(0, 0, positions.len as i64);
        let (d_logits, d_values, metrics) = no_grad(|| {
            let errors = &values - returns;
            let d_logits = (&policy.probs - policies) / count;
            let d_values = &errors * (2.0 * f64::from(settings.value_weight) / count);
            let crossed = policies * &policy.log_probs;
            // An action with the probability 0 has no part in the entropy of the target.
            let rows = [&crossed, &policy.entropies, &policies.xlogy(policies)];
            let by_row: &[i64] = &[1];
            let means =
                Tensor::stack(&rows, 0).sum_dim_intlist(by_row, false, Kind::Double) / count;
            let value = errors.square().sum(Kind::Double) / count;
            let (policy, entropy) = (-means.get(0), means.get(1));
            let divergence = means.get(2) + &policy;
            let none = value.zeros_like();
            let metrics = [&policy, &value, &entropy, &divergence, &none, &none, &none];
            (d_logits, d_values, Tensor::stack(&metrics, 0))
        });
        Self { total: with_gradients((&policy.logits, &d_logits), (&values, &d_values)), metrics }
    }

    pub(super) fn ppo(
        outputs: &Outputs,
        positions: &Positions,
        transitions: &Transitions,
        settings: &UpdateSettings,
    ) -> Self {
        let Transitions { chosen, old_log_probs, old_values, advantages, targets, entropy_weights } =
            transitions;
        let count = positions.len as f64;
        let epsilon = f64::from(settings.clip_epsilon);
        let policy = Policy::new(&outputs.logits, positions);
        let values = outputs.values.narrow(0, 0, positions.len as i64);
        let (d_logits, d_values, metrics) = no_grad(|| {
            let log_ratios = policy.log_probs.index_select(0, chosen) - old_log_probs;
            let ratios = log_ratios.exp();
            let unclipped = &ratios * advantages;
            let clipped = ratios.clamp(1.0 - epsilon, 1.0 + epsilon) * advantages;
            // Where the clipped one is smaller the loss is flat.
            let d_log_probs = -(&unclipped * unclipped.le_tensor(&clipped)) / count;
            let entropy = policy.entropy();
            let weights = entropy_weights / count;
            // p (w (ln p + H) − d), and d more for the action that was played.
            let shifts = policy.spread(&(&weights * &entropy - &d_log_probs));
            let d_logits = &policy.probs * (&policy.log_probs * policy.spread(&weights) + shifts);
            let d_logits = d_logits.index_add(0, chosen, &d_log_probs);

            let errors = &values - targets;
            let square = errors.square();
            let (value, d_values) = match settings.clip_value {
                false => (square, errors),
                true => {
                    let moved = &values - old_values;
                    let clipped = moved.clamp(-epsilon, epsilon) + old_values - targets;
                    let clipped = clipped.square();
                    // Where the clipped one is larger, the loss is flat, unless nothing is clipped.
                    let moves = clipped.le_tensor(&square).logical_or(&moved.abs().le(epsilon));
                    (square.maximum(&clipped), errors * moves)
                }
            };
            let d_values = d_values * (2.0 * f64::from(settings.value_weight) / count);

            let distances = (&ratios - 1.0).abs();
            let rows = [
                &-unclipped.minimum(&clipped),
                &value,
                &entropy,
                &(&ratios - 1.0 - &log_ratios),
                &-&log_ratios,
                &distances.gt(epsilon).to_kind(Kind::Float),
            ];
            let by_row: &[i64] = &[1];
            let means =
                Tensor::stack(&rows, 0).sum_dim_intlist(by_row, false, Kind::Double) / count;
            let largest = distances.max().to_kind(Kind::Double);
            (d_logits, d_values, Tensor::cat(&[means, largest.view(1)], 0))
        });
        Self { total: with_gradients((&policy.logits, &d_logits), (&values, &d_values)), metrics }
    }
}

/// The metrics in [`Loss::metrics`], then the gradient's norm.
pub(super) fn losses(metrics: &[f32]) -> Losses {
    let &[
        policy,
        value,
        entropy,
        approx_kl,
        old_approx_kl,
        clip_fraction,
        max_ratio_error,
        gradient_norm,
    ] = metrics
    else {
        unreachable!("there are eight metrics")
    };
    Losses {
        policy,
        value,
        entropy,
        approx_kl,
        old_approx_kl,
        clip_fraction,
        max_ratio_error,
        gradient_norm,
    }
}
