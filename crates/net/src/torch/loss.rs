//! The losses on the device: [`crate::loss`] for a whole minibatch.

use tch::{Kind, Tensor};

use super::batch::Positions;
use super::forward::Outputs;
use crate::learner::{ImitationSettings, Losses, UpdateSettings};

/// The logit of an illegal action: its probability is exactly 0, and its products stay finite.
const ILLEGAL: f64 = -1e9;

/// What was done in the positions of a minibatch and what came of it. All `[rows]`.
pub(super) struct Transitions {
    /// Where the logit of the action that was played lies, in rows of columns.
    chosen: Tensor,
    old_log_probs: Tensor,
    old_values: Tensor,
    advantages: Tensor,
    targets: Tensor,
    /// What the entropy is multiplied by.
    entropy_weights: Tensor,
    /// The part that each row has in a mean: 0 for rows that only fill up.
    shares: Tensor,
}

/// The loss and its metrics.
pub(super) struct Loss {
    /// What is minimised.
    pub(super) total: Tensor,
    /// The numbers of [`Losses`] in their order, as f64, but for the gradient's norm.
    pub(super) metrics: Vec<Tensor>,
}

impl Transitions {
    /// The first `len` rows, and others that only fill up.
    ///
    /// # Shapes
    ///
    /// `chosen`: `[rows]`, where the logits of the actions lie that were played; `numbers`:
    /// `[rows, 4]`, old log-probabilities, old values, advantages and value targets; `counts`:
    /// `[rows]`, how many legal actions there are
    pub(super) fn new(
        chosen: Tensor,
        numbers: &Tensor,
        counts: &Tensor,
        len: usize,
        settings: &UpdateSettings,
    ) -> Self {
        let column = |number: i64| numbers.select(1, number);
        let weight = f64::from(settings.entropy_weight);
        let entropy_weights = match settings.relative_entropy {
            false => column(0).full_like(weight),
            // With a single legal action the entropy is 0, and so is its largest value.
            true => (counts.to_kind(Kind::Float).log().reciprocal() * weight)
                .masked_fill(&counts.le(1), 0.0),
        };
        let shares = column(0).zeros_like();
        let _ = shares.narrow(0, 0, len as i64).fill_(1.0 / len as f64);
        Self {
            chosen,
            old_log_probs: column(0),
            old_values: column(1),
            advantages: column(2),
            targets: column(3),
            entropy_weights,
            shares,
        }
    }
}

/// The logarithms of the probabilities of all actions, of which only the legal ones have any.
fn log_probabilities(logits: &Tensor, positions: &Positions) -> Tensor {
    let mut illegal = Tensor::ones(logits.numel() as i64, (Kind::Bool, logits.device()));
    let _ = illegal.index_fill_(0, &positions.places.to_kind(Kind::Int64), 0);
    logits.masked_fill(&illegal.view_as(logits), ILLEGAL).log_softmax(1, None)
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
        let log_probs = log_probabilities(&outputs.logits, positions)
            .view(-1)
            .index_select(0, &positions.places);
        let mean = |numbers: Tensor| numbers.sum(Kind::Double) / count;
        let policy = -(&log_probs * policies).sum(Kind::Float) / count;
        let errors = outputs.values.narrow(0, 0, positions.len as i64) - returns;
        let value = errors.square().sum(Kind::Float) / count;
        let log_probs = log_probs.detach();
        // An action with the probability 0 has no part in the entropy of the target.
        let log_targets = policies.clamp_min(f64::from(f32::MIN_POSITIVE)).log();
        let none = || Tensor::zeros([], (Kind::Double, log_probs.device()));
        let metrics = vec![
            policy.detach().to_kind(Kind::Double),
            value.detach().to_kind(Kind::Double),
            mean(-log_probs.exp() * &log_probs),
            mean(policies * (log_targets - &log_probs)),
            none(),
            none(),
            none(),
        ];
        Self { total: policy + value * f64::from(settings.value_weight), metrics }
    }

    pub(super) fn ppo(
        outputs: &Outputs,
        positions: &Positions,
        transitions: &Transitions,
        settings: &UpdateSettings,
    ) -> Self {
        let Outputs { logits, values } = outputs;
        let epsilon = f64::from(settings.clip_epsilon);
        let log_probs = log_probabilities(logits, positions);
        let log_ratios =
            log_probs.view(-1).index_select(0, &transitions.chosen) - &transitions.old_log_probs;
        let ratios = log_ratios.exp();
        let clipped = ratios.clamp(1.0 - epsilon, 1.0 + epsilon);
        let policy =
            -(&ratios * &transitions.advantages).minimum(&(clipped * &transitions.advantages));
        let by_row: &[i64] = &[1];
        let entropy = -(log_probs.exp() * &log_probs).sum_dim_intlist(by_row, false, None);

        let mut value = (values - &transitions.targets).square();
        if settings.clip_value {
            let clipped = &transitions.old_values
                + (values - &transitions.old_values).clamp(-epsilon, epsilon);
            value = value.maximum(&(clipped - &transitions.targets).square());
        }

        let bonus = &entropy * &transitions.entropy_weights;
        let each = &policy + &value * f64::from(settings.value_weight) - bonus;
        let mean = |numbers: &Tensor| (numbers.detach() * &transitions.shares).sum(Kind::Double);
        let distances = (ratios.detach() - 1.0).abs();
        let metrics = vec![
            mean(&policy),
            mean(&value),
            mean(&entropy),
            mean(&(&ratios - 1.0 - &log_ratios)),
            mean(&-&log_ratios),
            mean(&distances.gt(epsilon).to_kind(Kind::Float)),
            (distances * transitions.shares.gt(0.0)).max().to_kind(Kind::Double),
        ];
        Self { total: (each * &transitions.shares).sum(Kind::Float), metrics }
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
