//! Hooks into a run: to watch it, to stop it, to ask for evaluations and checkpoints.

use std::path::Path;

use crate::evaluate::EvaluationReport;
use crate::metrics::{Record, names};

/// Something that is told what happens in a run.
///
/// What it asks for through [`Requests`] is done before the next rollout.
pub trait Callback {
    /// A rollout and an update are about to begin.
    fn on_update_start(&mut self, _update: u64, _requests: &mut Requests) {}

    /// A rollout was played; `scene` is one of its games.
    fn on_rollout(&mut self, _scene: &Scene, _requests: &mut Requests) {}

    /// An update was made.
    fn on_update(&mut self, _record: &Record, _requests: &mut Requests) {}

    /// An evaluation was made.
    fn on_evaluation(
        &mut self,
        _report: &EvaluationReport,
        _record: &Record,
        _requests: &mut Requests,
    ) {
    }

    /// A checkpoint was written.
    fn on_checkpoint(&mut self, _path: &Path, _requests: &mut Requests) {}
}

/// A game of a run as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The board as text.
    pub board: String,
    /// How many moves were made.
    pub moves: usize,
    /// The last of them.
    pub last_move: Option<String>,
}

/// What callbacks ask for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Requests {
    /// An evaluation.
    pub evaluate: bool,
    /// A checkpoint.
    pub checkpoint: bool,
    /// An end of the run, with the reason.
    pub stop: Option<String>,
    /// A change of the learning rate by a factor.
    pub scale_learning_rate: Option<f64>,
}

/// Stops a run when a metric has not become better for some evaluations.
#[derive(Clone, Debug)]
pub struct EarlyStop {
    metric: String,
    patience: u32,
    best: f64,
    without_progress: u32,
}

impl EarlyStop {
    /// Stops after `patience` evaluations without a higher `metric`.
    pub fn new(metric: impl Into<String>, patience: u32) -> Self {
        Self { metric: metric.into(), patience, best: f64::NEG_INFINITY, without_progress: 0 }
    }
}

impl Callback for EarlyStop {
    fn on_evaluation(&mut self, _: &EvaluationReport, record: &Record, requests: &mut Requests) {
        let Some(value) = record.get(&self.metric) else { return };
        if value > self.best {
            (self.best, self.without_progress) = (value, 0);
            return;
        }
        self.without_progress += 1;
        if self.without_progress >= self.patience {
            let Self { metric, best, patience, .. } = self;
            requests.stop =
                Some(format!("{metric} has stayed at {best} for {patience} evaluations"));
        }
    }
}

/// Warns of runs that go wrong.
#[derive(Clone, Debug, Default)]
pub struct Alarms {
    unexplained: u32,
    truncation: Option<f64>,
    truncation_rises: u32,
}

impl Alarms {
    /// After how many updates with values worse than none there is an alarm.
    const PATIENCE: u32 = 50;

    /// What is wrong after one more update, if something is.
    fn listen(&mut self, record: &Record) -> Vec<&'static str> {
        let mut alarms = Vec::new();
        let explained = record.get(names::EXPLAINED_VARIANCE).unwrap_or(0.0);
        self.unexplained = if explained < 0.0 { self.unexplained + 1 } else { 0 };
        if self.unexplained == Self::PATIENCE {
            alarms.push("values have explained less than nothing for 50 updates");
        }
        if let Some(rate) = record.get(names::TRUNCATION_RATE) {
            let rises = self.truncation.is_some_and(|earlier| rate > earlier);
            self.truncation_rises = if rises { self.truncation_rises + 1 } else { 0 };
            self.truncation = Some(rate);
            if self.truncation_rises == 2 {
                alarms.push("more games are cut off, twice in a row");
            }
        }
        if record.values.values().any(|value| !value.is_finite()) {
            alarms.push("a number is not finite");
        }
        alarms
    }
}

impl Callback for Alarms {
    fn on_update(&mut self, record: &Record, _: &mut Requests) {
        for alarm in self.listen(record) {
            tracing::warn!(update = record.update, alarm);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str, value: f64) -> Record {
        let mut record = Record::new(1, 1);
        record.set(name, value);
        record
    }

    #[test]
    fn a_run_stops_when_a_metric_stays_where_it_is() {
        let mut early = EarlyStop::new("eval/elo", 2);
        let mut requests = Requests::default();
        for (value, stops) in
            [(1.0, false), (2.0, false), (2.0, false), (3.0, false), (2.9, false), (3.0, true)]
        {
            early.on_evaluation(
                &EvaluationReport::default(),
                &record("eval/elo", value),
                &mut requests,
            );
            assert_eq!(requests.stop.is_some(), stops, "{value}");
        }
        early.on_evaluation(
            &EvaluationReport::default(),
            &record("eval/other", 0.0),
            &mut Requests::default(),
        );
        assert_eq!(requests.stop.as_deref(), Some("eval/elo has stayed at 3 for 2 evaluations"));
    }

    #[test]
    fn alarms_tell_of_useless_values_growing_cuts_and_broken_numbers() {
        let mut alarms = Alarms::default();
        let count = (0..60).map(|_| alarms.listen(&record(names::EXPLAINED_VARIANCE, -0.1)).len());
        assert_eq!(count.sum::<usize>(), 1);
        let rates = [0.1, 0.2, 0.15, 0.2, 0.3, 0.4];
        let told = rates.map(|rate| alarms.listen(&record(names::TRUNCATION_RATE, rate)).len());
        assert_eq!(told, [0, 0, 0, 0, 1, 0]);
        assert_eq!(
            alarms.listen(&record(names::POLICY_LOSS, f64::NAN)),
            ["a number is not finite"]
        );
    }
}
