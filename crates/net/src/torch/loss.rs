//! The losses on the device: [`crate::loss`] for a whole minibatch.
//!
//! Their gradients by logits and values are computed here as they are there; libtorch takes them
//! from there on.

mod policy;

use tch::{Kind, Tensor, no_grad};

use self::policy::Policy;
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

/// The logits of the legal actions of positions, one position after the other. Only these have a part
/// in the losses, a few of the many.
fn legal(logits: &Tensor, positions: &Positions) -> Tensor {
    logits.view(-1).index_select(0, &positions.places)
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
        let logits = legal(&outputs.logits, positions);
        let values = outputs.values.narrow(0, 0, positions.len as i64);
        let (d_logits, d_values, metrics) = no_grad(|| {
            let policy = Policy::new(&logits, positions);
            let errors = &values - returns;
            let d_logits = (&policy.probs - policies) / count;
            let d_values = &errors * (2.0 * f64::from(settings.value_weight) / count);
            let crossed = policies * &policy.log_probs;
            // An action with the probability 0 has no part in the entropy of the target.
            let rows = [&crossed, &policies.xlogy(policies)];
            let by_row: &[i64] = &[1];
            let means =
                Tensor::stack(&rows, 0).sum_dim_intlist(by_row, false, Kind::Double) / count;
            let mean = |numbers: &Tensor| numbers.sum(Kind::Double) / count;
            let (value, entropy) = (mean(&errors.square()), mean(&policy.entropies));
            let policy = -means.get(0);
            let divergence = means.get(1) + &policy;
            let none = value.zeros_like();
            let metrics = [&policy, &value, &entropy, &divergence, &none, &none, &none];
            (d_logits, d_values, Tensor::stack(&metrics, 0))
        });
        Self { total: with_gradients((&logits, &d_logits), (&values, &d_values)), metrics }
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
        let logits = legal(&outputs.logits, positions);
        let values = outputs.values.narrow(0, 0, positions.len as i64);
        let (d_logits, d_values, metrics) = no_grad(|| {
            let policy = Policy::new(&logits, positions);
            let log_ratios = policy.log_probs.index_select(0, chosen) - old_log_probs;
            let ratios = log_ratios.exp();
            let unclipped = &ratios * advantages;
            let clipped = ratios.clamp(1.0 - epsilon, 1.0 + epsilon) * advantages;
            // Where the clipped one is smaller the loss is flat.
            let d_log_probs = -(&unclipped * unclipped.le_tensor(&clipped)) / count;
            let entropy = &policy.entropies;
            let spread = |numbers: &Tensor| numbers.index_select(0, &positions.owners);
            let weights = entropy_weights / count;
            // p (w (ln p + H) − d), and d more for the action that was played.
            let shifts = spread(&(&weights * entropy - &d_log_probs));
            let d_logits = &policy.probs * (&policy.log_probs * spread(&weights) + shifts);
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
                entropy,
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
        Self { total: with_gradients((&logits, &d_logits), (&values, &d_values)), metrics }
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
