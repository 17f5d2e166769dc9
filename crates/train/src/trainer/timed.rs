//! A learner whose time is taken.

use std::time::{Duration, Instant};

use keisei_net::{Evaluation, Evaluator, Learner, Losses, Minibatch, StateError, UpdateSettings};

/// A learner that notes how long it learns.
pub(super) struct Timed<'a, L> {
    learner: &'a mut L,
    time: Duration,
}

impl<'a, L> Timed<'a, L> {
    pub(super) fn new(learner: &'a mut L) -> Self {
        Self { learner, time: Duration::ZERO }
    }

    /// The time that updates took.
    pub(super) fn time(&self) -> Duration {
        self.time
    }
}

impl<P, L: Evaluator<P>> Evaluator<P> for Timed<'_, L> {
    fn evaluate(&mut self, observations: &[P], legal: &[&[u32]]) -> Vec<Evaluation> {
        self.learner.evaluate(observations, legal)
    }
}

impl<P, L: Learner<P>> Learner<P> for Timed<'_, L> {
    fn update(&mut self, minibatch: &Minibatch<'_, P>, settings: &UpdateSettings) -> Losses {
        let start = Instant::now();
        let losses = self.learner.update(minibatch, settings);
        self.time += start.elapsed();
        losses
    }

    fn state(&self) -> Vec<u8> {
        self.learner.state()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), StateError> {
        self.learner.restore(state)
    }

    fn weights(&self) -> Vec<u8> {
        self.learner.weights()
    }
}
