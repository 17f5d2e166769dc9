//! An environment as a value: what it has to remember to go on exactly as it would have.

use super::{Episode, Results, VecEnv};
use crate::actions::Actions;

/// The state of an environment; whatever else it has follows from it.
#[derive(Clone, Debug)]
pub struct Snapshot<G, P = ()> {
    /// The episodes that are being played.
    pub episodes: Vec<Episode<G, P>>,
    /// In each game, the episode that ended in the last step and that nobody has taken.
    pub finished: Vec<Option<Episode<G, P>>>,
    /// What the last step brought.
    pub results: Results,
}

impl<A: Actions, P: Send + Sync> VecEnv<A, P> {
    /// The state as it is now, for [`VecEnv::restore`].
    pub fn snapshot(&self) -> Snapshot<A::Game, P>
    where
        P: Clone,
    {
        let ended = self.lanes.iter().zip(&self.results.outcomes);
        let finished =
            ended.map(|(lane, outcome)| lane.finished.clone().filter(|_| outcome.is_some()));
        Snapshot {
            episodes: self.episodes().cloned().collect(),
            finished: finished.collect(),
            results: self.results.clone(),
        }
    }

    /// Goes on where `snapshot` was taken.
    ///
    /// # Panics
    ///
    /// If its lists have different lengths, or an episode that is being played is over.
    pub fn restore(snapshot: Snapshot<A::Game, P>) -> Self {
        let Snapshot { episodes, finished, results } = snapshot;
        let Results { rewards, terminated, truncated, outcomes } = &results;
        let lengths =
            [finished.len(), rewards.len(), terminated.len(), truncated.len(), outcomes.len()];
        assert_eq!(lengths, [episodes.len(); 5], "one entry a game");
        let mut env = Self::resume(episodes);
        for (lane, finished) in env.lanes.iter_mut().zip(finished) {
            lane.finished = finished;
        }
        env.results = results;
        env
    }
}
