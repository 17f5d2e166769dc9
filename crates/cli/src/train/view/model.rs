//! What the view knows of a run.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use keisei_train::callbacks::{Callback, Requests, Scene};
use keisei_train::config::Training;
use keisei_train::evaluate::{EvaluationReport, RANDOM};
use keisei_train::metrics::{Record, names};
use keisei_train::phases::Phases;

use crate::train::console::unpoisoned;

/// How many updates a line over time shows at most.
const HISTORY: usize = 400;

/// What a run is.
#[derive(Clone, Debug, Default)]
pub(in crate::train) struct About {
    /// Where it is.
    pub(in crate::train) name: String,
    /// Its game, its network, its seed.
    pub(in crate::train) description: String,
    /// When it ends.
    pub(in crate::train) training: Training,
}

/// What the view knows of a run.
#[derive(Clone, Debug, Default)]
pub(in crate::train) struct Model {
    pub(super) about: About,
    /// The numbers of the newest update.
    pub(super) newest: Record,
    /// How many games have ended.
    pub(super) games: u64,
    pub(super) explained: VecDeque<f64>,
    pub(super) evaluations: Vec<Evaluated>,
    pub(super) phases: Phases,
    pub(super) scene: Scene,
}

/// What an evaluation found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Evaluated {
    pub(super) step: u64,
    pub(super) sampled: Option<Scored>,
    pub(super) greedy: Option<Scored>,
    /// The share of mates in one that were found, and by chance.
    pub(super) mates: Option<(f64, f64)>,
}

/// A score against random play with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scored {
    pub(super) mean: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Model {
    /// A run of which nothing has been seen.
    pub(in crate::train) fn new(about: About) -> Self {
        Self { about, ..Self::default() }
    }

    /// Takes in what the run wrote down before it was interrupted.
    pub(in crate::train) fn recall(&mut self, metrics: &[Record]) {
        metrics.iter().for_each(|record| self.note(record));
        // The time of other processes is not ours.
        self.phases = Phases::default();
    }

    /// Takes in the numbers of an update or of an evaluation.
    pub(super) fn note(&mut self, record: &Record) {
        if record.get(names::POLICY_LOSS).is_some() {
            self.note_update(record);
        } else {
            self.evaluations.push(Evaluated::of(record));
        }
    }

    fn note_update(&mut self, record: &Record) {
        self.newest = record.clone();
        self.games += record.get(names::GAMES).unwrap_or(0.0) as u64;
        self.phases += Phases::of(record);
        if self.explained.len() == HISTORY {
            self.explained.pop_front();
        }
        self.explained.push_back(record.get(names::EXPLAINED_VARIANCE).unwrap_or(0.0));
    }

    /// How long the run will take from now, as far as one can tell.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let Training { minutes, total_steps, .. } = self.about.training;
        let (seconds, steps) = (self.newest.get(names::SECONDS)?, self.newest.step as f64);
        let by_time = minutes.map(|minutes| 60.0 * minutes - seconds);
        let by_moves = (seconds > 0.0 && steps > 0.0)
            .then(|| (total_steps as f64 - steps).max(0.0) * seconds / steps);
        let left = by_time.into_iter().chain(by_moves).reduce(f64::min)?;
        Duration::try_from_secs_f64(left.max(0.0)).ok()
    }
}

impl Evaluated {
    fn of(record: &Record) -> Self {
        let score = |name: &str| {
            Some(Scored {
                mean: record.get(name)?,
                low: record.get(&format!("{name}{}", names::EVAL_LOW))?,
                high: record.get(&format!("{name}{}", names::EVAL_HIGH))?,
            })
        };
        let sampled = format!("{}{RANDOM}", names::EVAL_SCORE);
        let mates = record.get(names::EVAL_MATE).zip(record.get(names::EVAL_MATE_CHANCE));
        Self {
            step: record.step,
            sampled: score(&sampled),
            greedy: score(&format!("{sampled}{}", names::EVAL_GREEDY)),
            mates,
        }
    }
}

/// Keeps a model up to date.
pub(in crate::train) struct Watcher(pub(in crate::train) Arc<Mutex<Model>>);

impl Callback for Watcher {
    fn on_rollout(&mut self, scene: &Scene, _: &mut Requests) {
        unpoisoned(&self.0).scene = scene.clone();
    }

    fn on_update(&mut self, record: &Record, _: &mut Requests) {
        unpoisoned(&self.0).note(record);
    }

    fn on_evaluation(&mut self, _: &EvaluationReport, record: &Record, _: &mut Requests) {
        unpoisoned(&self.0).note(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(step: u64, seconds: f64) -> Record {
        let mut record = Record::new(step / 100, step);
        record.set(names::POLICY_LOSS, 0.0);
        record.set(names::GAMES, 3.0);
        record.set(names::SECONDS, seconds);
        record
    }

    #[test]
    fn the_time_left_follows_the_clock_or_the_moves_whichever_ends_first() {
        let training = Training { total_steps: 1000, minutes: Some(1.0), ..Training::default() };
        let mut model = Model::new(About { training, ..About::default() });
        assert_eq!(model.time_left(), None);
        model.note(&update(100, 1.0));
        assert_eq!(model.time_left(), Some(Duration::from_secs(9)));
        model.note(&update(200, 30.0));
        assert_eq!(model.time_left(), Some(Duration::from_secs(30)));
        model.note(&update(1000, 90.0));
        assert_eq!(model.time_left(), Some(Duration::ZERO));
        assert_eq!(model.games, 9);
    }

    #[test]
    fn only_the_newest_updates_are_remembered() {
        let mut model = Model::default();
        (1..=500).for_each(|number| model.note(&update(100 * number, 0.1)));
        assert_eq!((model.explained.len(), model.newest.step), (HISTORY, 50_000));
    }
}
