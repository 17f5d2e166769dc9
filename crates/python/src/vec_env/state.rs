//! The state of an environment as plain values of Python, for pickles and copies.

use keisei_encode::{Actions, Episode, Results, Snapshot, VecEnv as Games};
use keisei_game::{Outcome as Ended, PositionLine, Rules as GameRules};
use pyo3::prelude::*;

use crate::errors::refused;
use crate::game::begin;
use crate::games::Exposed;
use crate::rules::{Outcome, Rules, outcome};

/// All games as they stand, and what the last step brought.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(super) struct State {
    /// Each game as a `position` line.
    games: Vec<String>,
    /// How many episodes each game had before.
    episodes: Vec<u64>,
    /// The games that ended in the last step and that nobody has taken.
    finished: Vec<Option<String>>,
    rewards: Vec<f32>,
    /// Winner and reason of the games that ended in the last step.
    outcomes: Vec<Option<(Option<String>, String)>>,
}

impl State {
    pub(super) fn of<A: Actions<Game: Exposed>>(games: &Games<A>) -> Self {
        let Snapshot { episodes, finished, results } = games.snapshot();
        let line = |episode: &Episode<A::Game>| PositionLine::write(&episode.game);
        let words = |ended: Ended| {
            let (winner, reason) = Outcome::new::<A::Game>(ended).words();
            (winner.map(str::to_owned), reason)
        };
        Self {
            games: episodes.iter().map(line).collect(),
            episodes: episodes.iter().map(|episode| episode.number).collect(),
            finished: finished.iter().map(|episode| episode.as_ref().map(line)).collect(),
            rewards: results.rewards,
            outcomes: results.outcomes.into_iter().map(|ended| ended.map(words)).collect(),
        }
    }

    /// The games that this is the state of: `count` by `rules`, each cut off after `max_moves`.
    pub(super) fn restored<A: Actions<Game: Exposed>>(
        self,
        py: Python<'_>,
        count: usize,
        rules: GameRules,
        max_moves: Option<usize>,
    ) -> PyResult<Games<A>> {
        let Self { games, episodes, finished, rewards, outcomes } = self;
        let lengths = [games.len(), episodes.len(), finished.len(), rewards.len(), outcomes.len()];
        if lengths != [count; 5] {
            return Err(refused(py, format!("no state of {count} games"), &format!("{lengths:?}")));
        }
        let episode = |line: &str, number: u64| {
            let game = begin::<A::Game>(py, line, Some(&Rules(rules)))?;
            PyResult::Ok(Episode { game, number, truncate_at: max_moves, plan: () })
        };
        let playing = |(line, number): (String, u64)| {
            let episode = episode(&line, number)?;
            match episode.outcome() {
                Some(ended) => Err(refused(py, format!("the game is over: {ended}"), &line)),
                None => Ok(episode),
            }
        };
        let before = |(line, number): (Option<String>, &u64)| {
            line.map(|line| episode(&line, number.saturating_sub(1))).transpose()
        };
        let ended = |words: Option<(Option<String>, String)>| {
            let outcome =
                words.map(|(winner, reason)| outcome::<A::Game>(py, winner.as_deref(), &reason));
            outcome.transpose()
        };
        let finished = finished.into_iter().zip(&episodes).map(before).collect::<PyResult<_>>()?;
        let episodes = games.into_iter().zip(episodes).map(playing).collect::<PyResult<_>>()?;
        let outcomes = outcomes.into_iter().map(ended).collect::<PyResult<Vec<_>>>()?;
        let truncated: Vec<_> =
            outcomes.iter().map(|ended| ended.is_some_and(Ended::truncated)).collect();
        let terminated =
            outcomes.iter().zip(&truncated).map(|(ended, &cut)| ended.is_some() && !cut).collect();
        let results = Results { rewards, terminated, truncated, outcomes };
        Ok(Games::restore(Snapshot { episodes, finished, results }))
    }
}
