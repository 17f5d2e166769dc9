//! The losses of PPO and of imitation and their gradients, one position at a time.
//!
//! # PPO
//!
//! For a transition with the action a, the advantage A and the value target R, with the policy p
//! that the network gives now (a softmax over the logits of the *legal* actions) and the policy
//! p_old that acted, the loss is
//!
//! ```text
//! ratio    r = p(a) / p_old(a)
//! policy   L_p = −min(r A, clip(r, 1 − ε, 1 + ε) A)
//! value    L_v = (v − R)²
//!              = max((v − R)², (v_old + clip(v − v_old, −ε, ε) − R)²)     with clip_value
//! entropy  H   = −Σ p ln p                                               over the legal actions
//!              = −Σ p ln p / ln(number of legal actions)                 with relative_entropy
//! loss     L   = L_p + value_weight · L_v − entropy_weight · H
//! ```
//!
//! and that of a minibatch is the mean over its transitions. Its gradient by the logit zᵢ of a
//! legal action i follows from ∂ ln p(a) / ∂zᵢ = [i = a] − pᵢ and ∂H / ∂zᵢ = −pᵢ (ln pᵢ + H). Where
//! a clip decides, the loss is flat and the gradient 0.
//!
//! # Imitation
//!
//! For a position where the network should have the policy t and the value R, the loss is
//!
//! ```text
//! policy   L_p = −Σ t ln p                                               over the legal actions
//! value    L_v = (v − R)²
//! loss     L   = L_p + value_weight · L_v
//! ```
//!
//! with the gradient ∂L_p / ∂zᵢ = pᵢ − tᵢ. It does not vanish where the policy has all but given
//! up an action that should be played.

use crate::learner::{ImitationSettings, Losses, UpdateSettings};

/// What was done in a position and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// The place of the action among the legal ones.
    pub chosen: usize,
    /// ln p_old(a)
    pub old_log_prob: f32,
    /// The value that the acting network gave.
    pub old_value: f32,
    /// The advantage A.
    pub advantage: f32,
    /// The value target R.
    pub target: f32,
}

/// Sums over transitions, whose means are [`Losses`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LossSums {
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
pub fn log_softmax(logits: &mut [f32]) {
    assert!(!logits.is_empty(), "a position has a legal action");
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| (logit - largest).exp()).sum();
    let shift = largest + sum.ln();
    for logit in logits {
        *logit -= shift;
    }
}

/// Adds the loss of one transition among `count` to `sums`. The logits of the legal actions become
/// their gradient; the result is the gradient of the value.
///
/// # Shapes
///
/// `logits`: `[legal actions]`
///
/// # Panics
///
/// If the action is not among the legal ones.
///
/// ```
/// use keisei_net::UpdateSettings;
/// use keisei_net::loss::{LossSums, Transition, ppo_loss};
///
/// let settings = UpdateSettings {
///     learning_rate: 0.0,
///     clip_epsilon: 0.2,
///     value_weight: 0.5,
///     clip_value: false,
///     entropy_weight: 0.0,
///     relative_entropy: false,
///     max_gradient_norm: 1.0,
/// };
/// // Three legal actions with probabilities 1/2, 1/4, 1/4; the first was played with 1/2.
/// let mut logits = [2.0_f32.ln(), 0.0, 0.0];
/// let old_log_prob = 0.5_f32.ln();
/// let transition =
///     Transition { chosen: 0, old_log_prob, old_value: 0.0, advantage: 2.0, target: 1.0 };
/// let mut sums = LossSums::default();
/// let d_value = ppo_loss(&mut logits, 0.5, &transition, &settings, 1, &mut sums);
/// let losses = sums.losses(0.0);
/// // The ratio is 1: −1 · 2, and (0.5 − 1)².
/// assert!((losses.policy - -2.0).abs() < 1e-6);
/// assert!((losses.value - 0.25).abs() < 1e-6);
/// // −A ([i = a] − pᵢ), and value_weight · 2 (v − R).
/// for (found, exact) in logits.iter().zip([-1.0, 0.5, 0.5]) {
///     assert!((found - exact).abs() < 1e-6);
/// }
/// assert_eq!(d_value, -0.5);
/// ```
pub fn ppo_loss(
    logits: &mut [f32],
    value: f32,
    transition: &Transition,
    settings: &UpdateSettings,
    count: usize,
    sums: &mut LossSums,
) -> f32 {
    let Transition { chosen, old_log_prob, old_value, advantage, target } = *transition;
    let epsilon = settings.clip_epsilon;
    log_softmax(logits);
    let log_probs = logits;
    let log_ratio = log_probs[chosen] - old_log_prob;
    let ratio = log_ratio.exp();
    let unclipped = ratio * advantage;
    let clipped = ratio.clamp(1.0 - epsilon, 1.0 + epsilon) * advantage;
    // Where the clipped one is smaller the loss is flat.
    let d_log_prob = if unclipped <= clipped { -unclipped } else { 0.0 };

    let entropy: f32 = log_probs.iter().map(|log| -log * log.exp()).sum();
    let max_entropy = (log_probs.len() as f32).ln();
    let d_entropy = match settings.relative_entropy {
        false => -settings.entropy_weight,
        true if max_entropy > 0.0 => -settings.entropy_weight / max_entropy,
        true => 0.0,
    };

    let error = value - target;
    let moved = value - old_value;
    let clipped_error = old_value + moved.clamp(-epsilon, epsilon) - target;
    // Within the range nothing is clipped, whatever rounding makes of the sum.
    let beyond = settings.clip_value && moved.abs() > epsilon;
    let clip = beyond && clipped_error.abs() > error.abs();
    // Where the clipped error is larger, the loss is flat.
    let (value_loss, d_value) =
        if clip { (clipped_error * clipped_error, 0.0) } else { (error * error, 2.0 * error) };

    sums.count += 1.0;
    sums.policy -= f64::from(unclipped.min(clipped));
    sums.value += f64::from(value_loss);
    sums.entropy += f64::from(entropy);
    sums.approx_kl += f64::from((ratio - 1.0) - log_ratio);
    sums.old_approx_kl -= f64::from(log_ratio);
    sums.clipped += f64::from(u8::from((ratio - 1.0).abs() > epsilon));
    sums.max_ratio_error = sums.max_ratio_error.max(f64::from((ratio - 1.0).abs()));

    let share = 1.0 / count as f32;
    for (action, log) in log_probs.iter_mut().enumerate() {
        let prob = log.exp();
        let d_policy = d_log_prob * (f32::from(u8::from(action == chosen)) - prob);
        *log = share * (d_policy - d_entropy * prob * (*log + entropy));
    }
    share * settings.value_weight * d_value
}

/// Adds the loss of one position among `count` that should have the policy `target` over its legal
/// actions and the value `target_value`. The logits become their gradient; the result is the
/// gradient of the value.
///
/// # Shapes
///
/// `logits`, `target`: `[legal actions]`
///
/// ```
/// use keisei_net::ImitationSettings;
/// use keisei_net::loss::{LossSums, imitation_loss};
///
/// let settings =
///     ImitationSettings { learning_rate: 0.0, value_weight: 0.5, max_gradient_norm: 1.0 };
/// // Three legal actions with probabilities 1/2, 1/4, 1/4; they should be 1/4, 3/4, 0.
/// let mut logits = [2.0_f32.ln(), 0.0, 0.0];
/// let mut sums = LossSums::default();
/// let d_value =
///     imitation_loss(&mut logits, 0.5, (&[0.25, 0.75, 0.0], 1.0), &settings, 1, &mut sums);
/// let losses = sums.losses(0.0);
/// // ¼ ln 2 + ¾ ln 4, of which ¼ ln 4 + ¾ ln 4/3 is the entropy of the target.
/// assert!((losses.policy - 1.75 * 2.0_f32.ln()).abs() < 1e-6);
/// let target_entropy = 0.25 * 4.0_f32.ln() + 0.75 * (4.0_f32 / 3.0).ln();
/// assert!((losses.approx_kl - (losses.policy - target_entropy)).abs() < 1e-6);
/// // pᵢ − tᵢ, and value_weight · 2 (v − R).
/// for (found, exact) in logits.iter().zip([0.25, -0.5, 0.25]) {
///     assert!((found - exact).abs() < 1e-6);
/// }
/// assert_eq!(d_value, -0.5);
/// ```
pub fn imitation_loss(
    logits: &mut [f32],
    value: f32,
    (target, target_value): (&[f32], f32),
    settings: &ImitationSettings,
    count: usize,
    sums: &mut LossSums,
) -> f32 {
    log_softmax(logits);
    let log_probs = logits;
    let cross_entropy: f32 = log_probs.iter().zip(target).map(|(log, t)| -t * log).sum();
    let target_entropy: f32 = target.iter().filter(|&&t| t > 0.0).map(|t| -t * t.ln()).sum();
    let entropy: f32 = log_probs.iter().map(|log| -log * log.exp()).sum();
    let error = value - target_value;

    sums.count += 1.0;
    sums.policy += f64::from(cross_entropy);
    sums.value += f64::from(error * error);
    sums.entropy += f64::from(entropy);
    sums.approx_kl += f64::from(cross_entropy - target_entropy);

    let share = 1.0 / count as f32;
    for (log, t) in log_probs.iter_mut().zip(target) {
        *log = share * (log.exp() - t);
    }
    share * settings.value_weight * 2.0 * error
}

impl LossSums {
    /// Adds the sums of other transitions.
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.policy += other.policy;
        self.value += other.value;
        self.entropy += other.entropy;
        self.approx_kl += other.approx_kl;
        self.old_approx_kl += other.old_approx_kl;
        self.clipped += other.clipped;
        self.max_ratio_error = self.max_ratio_error.max(other.max_ratio_error);
    }

    /// How many numbers are sums.
    pub(crate) const NUMBERS: usize = 7;

    /// The numbers that are sums, and the one that is a largest.
    pub(crate) fn to_numbers(self) -> ([f64; Self::NUMBERS], f64) {
        let Self { count, policy, value, entropy, approx_kl, old_approx_kl, clipped, .. } = self;
        ([count, policy, value, entropy, approx_kl, old_approx_kl, clipped], self.max_ratio_error)
    }

    /// The sums with these numbers.
    pub(crate) fn from_numbers(sums: &[f64], max_ratio_error: f64) -> Self {
        let &[count, policy, value, entropy, approx_kl, old_approx_kl, clipped] = sums else {
            unreachable!("there are {} sums", Self::NUMBERS)
        };
        Self { count, policy, value, entropy, approx_kl, old_approx_kl, clipped, max_ratio_error }
    }

    /// The means, and the gradient's norm beside them.
    pub fn losses(&self, gradient_norm: f64) -> Losses {
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

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: UpdateSettings = UpdateSettings {
        learning_rate: 0.0,
        clip_epsilon: 0.2,
        value_weight: 0.5,
        clip_value: false,
        entropy_weight: 0.0,
        relative_entropy: false,
        max_gradient_norm: 1.0,
    };

    /// The losses of one transition with three legal actions of probability 1/2, 1/4, 1/4, the
    /// first of which was chosen, and the gradients of logits and value.
    fn losses(
        (old_prob, advantage): (f64, f32),
        (old_value, value, target): (f32, f32, f32),
        settings: &UpdateSettings,
    ) -> (Losses, [f32; 3], f32) {
        let mut logits = [2.0_f32.ln(), 0.0, 0.0];
        let old_log_prob = old_prob.ln() as f32;
        let step = Transition { chosen: 0, old_log_prob, old_value, advantage, target };
        let mut sums = LossSums::default();
        let d_value = ppo_loss(&mut logits, value, &step, settings, 1, &mut sums);
        (sums.losses(0.0), logits, d_value)
    }

    #[track_caller]
    fn near(found: f32, expected: f64) {
        assert!((f64::from(found) - expected).abs() < 1e-6, "{found} is not {expected}");
    }

    #[test]
    fn entropy_and_divergence_are_those_of_the_definition() {
        let (losses, ..) = losses((0.4, 1.0), (0.0, 0.0, 0.0), &SETTINGS);
        near(losses.entropy, 1.5 * 2.0_f64.ln());
        let ratio = 0.5 / 0.4_f64;
        near(losses.approx_kl, ratio - 1.0 - ratio.ln());
        near(losses.old_approx_kl, -ratio.ln());
        near(losses.max_ratio_error, 0.25);
        assert_eq!(losses.clip_fraction, 1.0);
    }

    #[test]
    fn the_mean_of_the_divergence_estimate_under_the_old_policy_is_the_divergence() {
        let (old, new) = ([0.3, 0.3, 0.4_f64], [0.5, 0.25, 0.25_f64]);
        let exact: f64 = old.iter().zip(&new).map(|(p, q)| p * (p / q).ln()).sum();
        let mut mean = 0.0;
        for (action, &prob) in old.iter().enumerate() {
            let mut logits = new.map(|q| q.ln() as f32);
            let step = Transition {
                chosen: action,
                old_log_prob: prob.ln() as f32,
                old_value: 0.0,
                advantage: 1.0,
                target: 0.0,
            };
            let mut sums = LossSums::default();
            ppo_loss(&mut logits, 0.0, &step, &SETTINGS, 1, &mut sums);
            mean += prob * f64::from(sums.losses(0.0).approx_kl);
        }
        assert!((mean - exact).abs() < 1e-6);
    }

    #[test]
    fn the_policy_loss_is_flat_where_the_ratio_has_already_moved_enough() {
        // Ratio 1.25: a good action needs no more, a bad one does.
        let (good, gradients, _) = losses((0.4, 2.0), (0.0, 0.0, 0.0), &SETTINGS);
        near(good.policy, -2.0 * 1.2);
        assert_eq!(gradients, [0.0; 3]);
        let (bad, gradients, _) = losses((0.4, -2.0), (0.0, 0.0, 0.0), &SETTINGS);
        near(bad.policy, 2.0 * 1.25);
        near(gradients[0], 2.0 * 1.25 * 0.5);
        near(gradients[1], -2.0 * 1.25 * 0.25);
        // Ratio 0.625: the other way round.
        let (bad, gradients, _) = losses((0.8, -2.0), (0.0, 0.0, 0.0), &SETTINGS);
        near(bad.policy, 2.0 * 0.8);
        assert_eq!(gradients, [0.0; 3]);
        let (good, ..) = losses((0.8, 2.0), (0.0, 0.0, 0.0), &SETTINGS);
        near(good.policy, -2.0 * 0.625);
    }

    #[test]
    fn the_value_loss_is_the_larger_of_the_free_and_the_clipped_error() {
        let free = SETTINGS;
        let clipped = UpdateSettings { clip_value: true, ..SETTINGS };
        let values = (0.0, 0.5, 1.0);
        let (loss, _, gradient) = losses((0.5, 0.0), values, &free);
        near(loss.value, 0.25);
        near(gradient, 0.5 * 2.0 * -0.5);
        // 0.5 is more than 0.2 away from the old value: only 0.2 counts, and that is worse.
        let (loss, _, gradient) = losses((0.5, 0.0), values, &clipped);
        near(loss.value, 0.64);
        assert_eq!(gradient, 0.0);
        // Away from the target nothing is clipped.
        let (loss, _, gradient) = losses((0.5, 0.0), (0.0, -0.5, 1.0), &clipped);
        near(loss.value, 2.25);
        near(gradient, 0.5 * 2.0 * -1.5);
    }

    #[test]
    fn a_value_within_the_clip_range_is_learnt_from_whatever_its_digits() {
        let clipped = UpdateSettings { clip_value: true, ..SETTINGS };
        for i in 1..1000 {
            let (old, value) = (0.1 * (i as f32).sin(), 0.2 * (i as f32).sqrt().cos());
            if (value - old).abs() < SETTINGS.clip_epsilon {
                let (.., gradient) = losses((0.5, 0.0), (old, value, -0.9), &clipped);
                near(gradient, f64::from(value) + 0.9);
            }
        }
    }

    #[test]
    fn a_single_legal_action_has_no_entropy_to_lose() {
        let settings = UpdateSettings { entropy_weight: 1.0, relative_entropy: true, ..SETTINGS };
        let step = Transition {
            chosen: 0,
            old_log_prob: 0.0,
            old_value: 0.0,
            advantage: 1.0,
            target: 0.0,
        };
        let mut sums = LossSums::default();
        let mut logits = [7.0];
        ppo_loss(&mut logits, 0.0, &step, &settings, 1, &mut sums);
        assert_eq!((logits, sums.losses(0.0).entropy), ([0.0], 0.0));
    }

    #[test]
    fn improbable_actions_leave_everything_finite() {
        let mut logits = [0.0, -200.0, 200.0];
        log_softmax(&mut logits);
        assert_eq!(logits, [-200.0, -400.0, 0.0]);
        let step = Transition {
            chosen: 2,
            old_log_prob: 0.0,
            old_value: 0.0,
            advantage: 1.0,
            target: 0.0,
        };
        let mut sums = LossSums::default();
        ppo_loss(&mut logits, 0.0, &step, &SETTINGS, 1, &mut sums);
        assert!(sums.losses(0.0).is_finite() && logits.iter().all(|gradient| gradient.is_finite()));
    }
}
