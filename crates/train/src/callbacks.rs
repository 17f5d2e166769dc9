//! Hooks into a run: to watch it, to stop it, to ask for evaluations and checkpoints.

use std::path::Path;

use crate::config::Config;
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

/// Warns of a run that starves: one that plays much and learns little from it.
#[derive(Clone, Debug)]
pub struct Starvation {
    gradient_clip_norm: f64,
    /// How many steps of the optimiser an update should have.
    steps: usize,
    /// How many moves it has.
    moves: usize,
    long_gradients: u32,
    stopped_early: u32,
    told_of_few_steps: bool,
}

impl Starvation {
    /// After how many updates in a row there is a warning.
    const PATIENCE: u32 = 20;
    /// A gradient so many times longer than the limit is mostly lost.
    const LONG: f64 = 10.0;
    /// With more moves than this for each step of the optimiser, runs hardly learned.
    const MOVES_A_STEP: usize = 8_000;

    /// Watches a run with these settings.
    pub fn new(config: &Config) -> Self {
        let moves = config.rollout.games * config.rollout.steps;
        let minibatches = moves.div_ceil(config.training.minibatch_size);
        Self {
            gradient_clip_norm: config.training.gradient_clip_norm,
            steps: config.training.ppo_epochs * minibatches,
            moves,
            long_gradients: 0,
            stopped_early: 0,
            told_of_few_steps: false,
        }
    }

    /// What is wrong after one more update, if something is, and which setting to change.
    fn listen(&mut self, record: &Record) -> Vec<String> {
        let mut warnings = Vec::new();
        let ratio = record.get(names::GRADIENT_NORM).unwrap_or(0.0) / self.gradient_clip_norm;
        self.long_gradients = if ratio > Self::LONG { self.long_gradients + 1 } else { 0 };
        if self.long_gradients == Self::PATIENCE {
            warnings.push(format!(
                "for {} updates the gradient has been more than {} times as long as \
                 training.gradient_clip_norm allows, now {ratio:.0} times: most of each step is \
                 lost; lower training.learning_rate",
                Self::PATIENCE,
                Self::LONG
            ));
        }
        let made = record.get(names::MINIBATCHES).unwrap_or(self.steps as f64);
        let dropped = 2.0 * made < self.steps as f64;
        self.stopped_early = if dropped { self.stopped_early + 1 } else { 0 };
        if self.stopped_early == Self::PATIENCE {
            warnings.push(format!(
                "for {} updates training.target_kl has ended the update before half of its {} \
                 minibatches; raise it or lower training.learning_rate",
                Self::PATIENCE,
                self.steps
            ));
        }
        let moves_a_step = self.moves / self.steps.max(1);
        if moves_a_step > Self::MOVES_A_STEP && !self.told_of_few_steps {
            self.told_of_few_steps = true;
            warnings.push(format!(
                "the optimiser makes one step for {moves_a_step} moves, which teaches little; \
                 lower training.minibatch_size or raise training.ppo_epochs"
            ));
        }
        warnings
    }
}

impl Callback for Starvation {
    fn on_update(&mut self, record: &Record, _: &mut Requests) {
        for warning in self.listen(record) {
            tracing::warn!(update = record.update, "{warning}");
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

    /// What is said of 60 updates that each measure `value`.
    fn starving(name: &str, value: f64, change: impl FnOnce(&mut Config)) -> Vec<String> {
        let mut config = Config::default();
        (config.rollout.games, config.rollout.steps) = (64, 32);
        (config.training.minibatch_size, config.training.ppo_epochs) = (256, 2);
        change(&mut config);
        let mut starvation = Starvation::new(&config);
        (0..60).flat_map(|_| starvation.listen(&record(name, value))).collect()
    }

    #[test]
    fn a_starving_run_is_told_once_which_setting_to_change() {
        let one = |said: Vec<String>, setting: &str| {
            assert!(said.len() == 1 && said[0].contains(setting), "{said:?}");
        };
        one(starving(names::GRADIENT_NORM, 40.0, |_| ()), "training.gradient_clip_norm");
        one(starving(names::MINIBATCHES, 7.0, |_| ()), "training.target_kl");
        let few = |config: &mut Config| {
            config.rollout.games = 8192;
            config.training.minibatch_size = 16_384;
            config.training.ppo_epochs = 1;
        };
        one(starving(names::MINIBATCHES, 16.0, few), "one step for 16384 moves");
    }

    #[test]
    fn a_run_that_learns_is_told_nothing() {
        assert!(starving(names::GRADIENT_NORM, 2.0, |_| ()).is_empty());
        assert!(starving(names::MINIBATCHES, 16.0, |_| ()).is_empty());
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
