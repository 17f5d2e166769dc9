//! Proximal policy optimisation: learning from one rollout.
//!
//! ```text
//! ratio   r = π(a|s) / π_old(a|s)          over the legal actions, in acting and learning alike
//! policy  −mean min(r A, clip(r, 1−ε, 1+ε) A)
//! value    mean (V − R)²                    R = A + V_old, on every move
//! loss     policy + c_v · value − c_e · entropy
//! ```
//!
//! The rollout is gone through several times in minibatches, each time in another order, until the
//! policy has moved too far from the one that acted. The learner makes one step for each minibatch
//! ([`Learner::update`]); the loss itself, with its gradient, is [`keisei_net::loss`].

use std::time::{Duration, Instant};

use keisei_net::{Learner, Losses, UpdateSettings};

use crate::buffer::Buffer;

/// How to learn from a rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PpoSettings {
    /// How often to go through it.
    pub epochs: usize,
    /// The size of a minibatch.
    pub minibatch_size: usize,
    /// The divergence from the acting policy at which to stop.
    pub target_kl: Option<f64>,
    /// The knobs of each step.
    pub step: UpdateSettings,
}

/// What an update measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Update {
    /// Means over all minibatches.
    pub losses: Losses,
    /// The first minibatch's largest distance of a ratio from 1: float error and no more, because
    /// nothing has been learned yet.
    pub first_ratio_error: f32,
    /// How many minibatches were learned from.
    pub minibatches: usize,
    /// How many of them were left out because something was not finite.
    pub not_finite: usize,
    /// The time in the network.
    pub network_time: Duration,
}

/// Learns from a finished rollout. The order of the moves follows from `seed` and `number`, the
/// update's number in the run.
pub fn update<P: Copy + Send + Sync>(
    learner: &mut dyn Learner<P>,
    rollout: &Buffer<P>,
    settings: &PpoSettings,
    seed: u64,
    number: u64,
) -> Update {
    let PpoSettings { epochs, minibatch_size, target_kl, step } = settings;
    let minibatches = |epoch| rollout.minibatch_places(*minibatch_size, seed, number, epoch);
    let epochs: Vec<_> = (0..*epochs as u64).map(minibatches).collect();
    let legal = rollout.legal();
    let start = Instant::now();
    let losses = learner.update(&rollout.transitions(&legal), &epochs, step, *target_kl);
    let mut update = Update { network_time: start.elapsed(), ..Update::default() };
    losses.iter().for_each(|losses| update.note(losses));
    update
}

impl Update {
    /// Takes what a step measured into the means, if it is finite.
    pub(crate) fn note(&mut self, losses: &Losses) {
        if !losses.is_finite() {
            self.not_finite += 1;
            return;
        }
        if self.minibatches == 0 {
            self.first_ratio_error = losses.max_ratio_error;
        }
        self.add(losses);
    }

    /// Takes one more minibatch into the means.
    fn add(&mut self, new: &Losses) {
        self.minibatches += 1;
        let weight = 1.0 / self.minibatches as f32;
        let mix = |mean: &mut f32, new: f32| *mean += (new - *mean) * weight;
        mix(&mut self.losses.policy, new.policy);
        mix(&mut self.losses.value, new.value);
        mix(&mut self.losses.entropy, new.entropy);
        mix(&mut self.losses.approx_kl, new.approx_kl);
        mix(&mut self.losses.old_approx_kl, new.old_approx_kl);
        mix(&mut self.losses.clip_fraction, new.clip_fraction);
        mix(&mut self.losses.max_ratio_error, new.max_ratio_error);
        mix(&mut self.losses.gradient_norm, new.gradient_norm);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::Transition;
    use keisei_net::{
        Evaluation, Evaluator, Examples, ImitationSettings, Selection, StateError, Transitions,
        Uniform,
    };

    /// A learner that answers what it is told and counts what it sees.
    struct Scripted {
        answers: Vec<Losses>,
        sizes: Vec<usize>,
    }

    impl Evaluator<usize> for Scripted {
        fn evaluate(&mut self, observations: &[usize], legal: &[&[u32]]) -> Vec<Evaluation> {
            Uniform.evaluate(observations, legal)
        }
    }

    impl Learner<usize> for Scripted {
        fn update(
            &mut self,
            _: &Transitions<'_, usize>,
            epochs: &[Vec<Selection>],
            _: &UpdateSettings,
            target_kl: Option<f64>,
        ) -> Vec<Losses> {
            let mut steps = Vec::new();
            for (minibatch, &answer) in epochs.iter().flatten().zip(&self.answers) {
                self.sizes.push(minibatch.places.len());
                steps.push(answer);
                if answer.is_past(target_kl) {
                    break;
                }
            }
            steps
        }

        fn imitate(
            &mut self,
            _: &Examples<'_, usize>,
            _: &[Selection],
            _: &ImitationSettings,
        ) -> Vec<Losses> {
            unreachable!("nobody teaches")
        }

        fn state(&self) -> Vec<u8> {
            Vec::new()
        }

        fn restore(&mut self, _: &[u8]) -> Result<(), StateError> {
            Ok(())
        }

        fn weights(&self) -> Vec<u8> {
            Vec::new()
        }
    }

    fn rollout() -> Buffer<usize> {
        let mut buffer = Buffer::new(1);
        for observation in 0..6 {
            let (legal, chosen, log_prob, value, own) = (&[0, 1][..], 0, -0.7, 0.0, true);
            let improved = None;
            buffer.add_step(&[Transition {
                observation,
                legal,
                chosen,
                log_prob,
                value,
                own,
                improved,
            }]);
        }
        buffer.finish(&[0.0], 0.99, 0.95, 0.1);
        buffer
    }

    fn settings(target_kl: Option<f64>) -> PpoSettings {
        let step = UpdateSettings {
            learning_rate: 1e-3,
            clip_epsilon: 0.2,
            value_weight: 0.5,
            clip_value: false,
            entropy_weight: 0.01,
            relative_entropy: false,
            max_gradient_norm: 0.5,
        };
        PpoSettings { epochs: 2, minibatch_size: 2, target_kl, step }
    }

    fn losses(policy: f32, approx_kl: f32, max_ratio_error: f32) -> Losses {
        Losses { policy, approx_kl, max_ratio_error, ..Losses::default() }
    }

    #[test]
    fn every_epoch_goes_through_all_minibatches_and_the_losses_are_their_means() {
        let answers: Vec<_> = (0..6).map(|n| losses(n as f32, 0.0, n as f32)).collect();
        let mut learner = Scripted { answers, sizes: Vec::new() };
        let update = update(&mut learner, &rollout(), &settings(None), 1, 0);
        assert_eq!(learner.sizes, [2; 6]);
        assert_eq!(update.minibatches, 6);
        assert!((update.losses.policy - 2.5).abs() < 1e-6);
        assert_eq!(update.first_ratio_error, 0.0);
    }

    #[test]
    fn the_update_stops_once_the_policy_has_moved_too_far() {
        let mut answers = vec![losses(0.0, 0.01, 0.0); 3];
        answers.push(losses(0.0, 0.05, 0.0));
        let mut learner = Scripted { answers, sizes: Vec::new() };
        let update = update(&mut learner, &rollout(), &settings(Some(0.03)), 1, 0);
        assert_eq!(update.minibatches, 4);
    }

    #[test]
    fn what_is_not_finite_is_counted_and_kept_out_of_the_means() {
        let mut answers = vec![losses(1.0, 0.0, 0.0); 6];
        answers[2] = losses(f32::NAN, 0.0, 0.0);
        let mut learner = Scripted { answers, sizes: Vec::new() };
        let update = update(&mut learner, &rollout(), &settings(None), 1, 0);
        assert_eq!((update.minibatches, update.not_finite), (5, 1));
        assert_eq!(update.losses.policy, 1.0);
    }
}
