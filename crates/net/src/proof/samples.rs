//! Positions of random games with made-up experience.

use keisei_encode::{Actions, Encode, Observation, legal_actions};
use keisei_game::{Game, SplitMix64};

use crate::evaluator::Evaluator;
use crate::learner::{Examples, Learner, Losses, Transitions, UpdateSettings};

/// Transitions from random games.
pub(crate) struct Samples<A: Actions> {
    pub(crate) observations: Vec<Observation<A>>,
    pub(crate) legal: Vec<Vec<u32>>,
    pub(crate) chosen: Vec<u32>,
    pub(crate) old_log_probs: Vec<f32>,
    pub(crate) old_values: Vec<f32>,
    pub(crate) advantages: Vec<f32>,
    pub(crate) returns: Vec<f32>,
    /// Policies to imitate: some of the actions have none of the probability.
    pub(crate) policies: Vec<Vec<f32>>,
}

impl<A: Actions> Samples<A> {
    /// `count` positions with random actions, advantages and returns.
    pub(crate) fn new(count: usize, seed: u64) -> Self {
        let mut rng = SplitMix64::new(seed);
        let mut number =
            |least: f32, most: f32| least + (most - least) * rng.below(10_000) as f32 / 1e4;
        let mut samples = Self {
            observations: Vec::new(),
            legal: Vec::new(),
            chosen: Vec::new(),
            old_log_probs: vec![0.0; count],
            old_values: (0..count).map(|_| number(-0.5, 0.5)).collect(),
            advantages: (0..count).map(|_| number(-2.0, 2.0)).collect(),
            returns: (0..count).map(|_| number(-1.0, 1.0)).collect(),
            policies: Vec::new(),
        };
        let mut game = A::Game::new();
        while samples.observations.len() < count {
            let legal: Vec<_> = match game.outcome() {
                None => legal_actions::<A>(game.position()),
                Some(_) => {
                    game = A::Game::new();
                    continue;
                }
            };
            let chosen = rng.below(legal.len());
            samples.observations.push(game.pack());
            samples.legal.push(legal.iter().map(|&(index, _)| index as u32).collect());
            samples.chosen.push(chosen as u32);
            samples.policies.push(some_policy(legal.len(), chosen));
            game.play_unchecked(legal[chosen].1);
            // Not only openings: some plies are skipped.
            keisei_game::random_game(&mut game, rng.next_u64(), 17);
        }
        samples
    }

    pub(crate) fn legal(&self) -> Vec<&[u32]> {
        self.legal.iter().map(Vec::as_slice).collect()
    }

    pub(crate) fn policies(&self) -> Vec<&[f32]> {
        self.policies.iter().map(Vec::as_slice).collect()
    }

    /// Takes old log-probabilities and values from an evaluator, moved by up to `noise`.
    pub(crate) fn act_with(&mut self, evaluator: &mut impl Evaluator<Observation<A>>, noise: f32) {
        let mut rng = SplitMix64::new(99);
        let mut noise = || noise * (rng.below(2001) as f32 / 1000.0 - 1.0);
        let evaluations = evaluator.evaluate(&self.observations, &self.legal());
        for (i, evaluation) in evaluations.iter().enumerate() {
            self.old_log_probs[i] = evaluation.policy[self.chosen[i] as usize].ln() + noise();
            self.old_values[i] = evaluation.value + noise();
        }
    }

    /// One step of PPO on all of them.
    pub(crate) fn update(
        &self,
        learner: &mut impl Learner<Observation<A>>,
        settings: &UpdateSettings,
    ) -> Losses {
        let (legal, all) = (self.legal(), (0..self.observations.len()).collect());
        learner.update(&self.transitions(&legal), &[vec![all]], settings, None)[0]
    }

    pub(crate) fn transitions<'a>(
        &'a self,
        legal: &'a [&'a [u32]],
    ) -> Transitions<'a, Observation<A>> {
        Transitions {
            observations: &self.observations,
            legal,
            chosen: &self.chosen,
            old_log_probs: &self.old_log_probs,
            old_values: &self.old_values,
            advantages: &self.advantages,
            returns: &self.returns,
        }
    }

    pub(crate) fn examples<'a>(
        &'a self,
        legal: &'a [&'a [u32]],
        policies: &'a [&'a [f32]],
    ) -> Examples<'a, Observation<A>> {
        Examples { observations: &self.observations, legal, policies, returns: &self.returns }
    }

    /// The planes of a position.
    pub(crate) fn planes(&self, position: usize) -> Vec<f32> {
        let mut planes = vec![0.0; <A::Game as Encode>::PLANES * <A::Game as Encode>::SQUARES];
        <A::Game as Encode>::expand(&self.observations[position], &mut planes);
        planes
    }
}

/// A policy over `count` actions that prefers one of them and leaves out every third.
fn some_policy(count: usize, best: usize) -> Vec<f32> {
    let weight = |place: usize| match place {
        _ if place == best => count as f32,
        _ if place % 3 == 1 => 0.0,
        _ => 1.0 + place as f32 / count as f32,
    };
    let total: f32 = (0..count).map(weight).sum();
    (0..count).map(|place| weight(place) / total).collect()
}
