//! The loss of PPO for one transition, and its gradient.

use crate::learner::{Losses, UpdateSettings};

/// What was done in a position and what came of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transition {
    /// The place of the action among the legal ones.
    pub(crate) chosen: usize,
    pub(crate) old_log_prob: f32,
    pub(crate) old_value: f32,
    pub(crate) advantage: f32,
    pub(crate) target: f32,
}

/// Sums over transitions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    count: f64,
    policy: f64,
    value: f64,
    entropy: f64,
    approx_kl: f64,
    old_approx_kl: f64,
    clipped: f64,
    max_ratio_error: f64,
}

/// Turns logits into log-probabilities: the logarithm of the softmax.
///
/// # Panics
///
/// If there are none.
pub(crate) fn log_softmax(logits: &mut [f32]) {
    assert!(!logits.is_empty(), "a position has a legal action");
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| (logit - largest).exp()).sum();
    let shift = largest + sum.ln();
    for logit in logits {
        *logit -= shift;
    }
}

/// The loss of one transition among `count`, added to `sums`. `logits` are those of the legal
/// actions; they become their gradient. The result is the gradient of the value.
///
/// With p the policy, r = p(a) / p_old(a) and A the advantage, the loss is
///
/// −min(r A, clip(r, 1 − ε, 1 + ε) A) + value_weight · (v − target)² − entropy_weight · H(p),
///
/// where illegal actions have no part in p or H.
pub(crate) fn transition(
    logits: &mut [f32],
    value: f32,
    transition: &Transition,
    settings: &UpdateSettings,
    count: usize,
    sums: &mut Sums,
) -> f32 {
    let Transition { chosen, old_log_prob, old_value, advantage, target } = *transition;
    let epsilon = settings.clip_epsilon;
    log_softmax(logits);
    let log_probs = logits;
    let log_ratio = log_probs[chosen] - old_log_prob;
    let ratio = log_ratio.exp();
    let free = ratio * advantage;
    let clipped = ratio.clamp(1.0 - epsilon, 1.0 + epsilon) * advantage;
    // Where the clipped one is smaller the loss is flat.
    let by_log_prob = if free <= clipped { -free } else { 0.0 };

    let entropy: f32 = log_probs.iter().map(|log| -log * log.exp()).sum();
    let most_entropy = (log_probs.len() as f32).ln();
    let by_entropy = match settings.relative_entropy {
        false => -settings.entropy_weight,
        true if most_entropy > 0.0 => -settings.entropy_weight / most_entropy,
        true => 0.0,
    };

    let error = value - target;
    let clipped_value = old_value + (value - old_value).clamp(-epsilon, epsilon);
    let clipped_error = clipped_value - target;
    let clip = settings.clip_value && clipped_error.abs() > error.abs();
    // Where the clipped error is larger, the value is beyond the clip, and the loss is flat.
    let (value_loss, by_value) =
        if clip { (clipped_error * clipped_error, 0.0) } else { (error * error, 2.0 * error) };

    sums.count += 1.0;
    sums.policy -= f64::from(free.min(clipped));
    sums.value += f64::from(value_loss);
    sums.entropy += f64::from(entropy);
    sums.approx_kl += f64::from((ratio - 1.0) - log_ratio);
    sums.old_approx_kl -= f64::from(log_ratio);
    sums.clipped += f64::from(u8::from((ratio - 1.0).abs() > epsilon));
    let ratio_error = f64::from((ratio - 1.0).abs());
    // A comparison with NaN is false: it stays if it was there, and comes in if it is new.
    if !(ratio_error <= sums.max_ratio_error) {
        sums.max_ratio_error = ratio_error;
    }

    let share = 1.0 / count as f32;
    for (action, log) in log_probs.iter_mut().enumerate() {
        let prob = log.exp();
        let by_policy = by_log_prob * (f32::from(u8::from(action == chosen)) - prob);
        *log = share * (by_policy - by_entropy * prob * (*log + entropy));
    }
    share * settings.value_weight * by_value
}

impl Sums {
    /// Adds the sums of other transitions.
    pub(crate) fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.policy += other.policy;
        self.value += other.value;
        self.entropy += other.entropy;
        self.approx_kl += other.approx_kl;
        self.old_approx_kl += other.old_approx_kl;
        self.clipped += other.clipped;
        if !(other.max_ratio_error <= self.max_ratio_error) {
            self.max_ratio_error = other.max_ratio_error;
        }
    }

    /// The means.
    pub(crate) fn losses(&self, gradient_norm: f64) -> Losses {
        let mean = |sum: f64| (sum / self.count) as f32;
        Losses {
            policy: mean(self.policy),
            value: mean(self.value),
            entropy: mean(self.entropy),
            approx_kl: mean(self.approx_kl),
            old_approx_kl: mean(self.old_approx_kl),
            clip_fraction: mean(self.clipped),
            max_ratio_error: self.max_ratio_error as f32,
            gradient_norm: gradient_norm as f32,
        }
    }
}
