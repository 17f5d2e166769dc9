//! Runs that meet trouble: losses that are not finite, disks that refuse.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::Duration;

use keisei_cluster::{Alone, Threads};
use keisei_encode::shogi::{Compact, Packed};
use keisei_net::{
    Evaluation, Evaluator, Examples, ImitationSettings, Learner, Losses, Selection, StateError,
    Transitions, UpdateSettings,
};
use keisei_train::callbacks::{Callback, Requests};
use keisei_train::checkpoint;
use keisei_train::config::{Config, Env, Evaluation as Settings, Rewind, Rollout, Training};
use keisei_train::metrics::{Record, names};
use keisei_train::run::RunFolder;
use keisei_train::session::{Parts, SessionError};
use keisei_train::trainer::TrainError;
use keisei_train::{End, Session};

use crate::linear::{Linear, load};

/// A learner whose losses are not finite while the learning rate is above a limit, from some
/// update on.
struct Touchy {
    learner: Linear,
    rate_limit: f32,
    calm: u32,
}

impl Evaluator<Packed> for Touchy {
    fn evaluate(&mut self, observations: &[Packed], legal: &[&[u32]]) -> Vec<Evaluation> {
        self.learner.evaluate(observations, legal)
    }
}

impl Learner<Packed> for Touchy {
    fn update(
        &mut self,
        transitions: &Transitions<'_, Packed>,
        epochs: &[Vec<Selection>],
        settings: &UpdateSettings,
        _: Option<f64>,
    ) -> Vec<Losses> {
        let step = |selection: &Selection| {
            if self.calm > 0 || settings.learning_rate < self.rate_limit {
                self.calm = self.calm.saturating_sub(1);
                let epochs = [vec![selection.clone()]];
                return self.learner.update(transitions, &epochs, settings, None)[0];
            }
            Losses { policy: f32::NAN, ..Losses::default() }
        };
        epochs.iter().flatten().map(step).collect()
    }

    fn imitate(
        &mut self,
        examples: &Examples<'_, Packed>,
        minibatches: &[Selection],
        settings: &ImitationSettings,
    ) -> Vec<Losses> {
        self.learner.imitate(examples, minibatches, settings)
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

fn config() -> Config {
    Config {
        env: Env { seed: Some(3), max_moves_per_game: 40, ..Env::default() },
        training: Training {
            learning_rate: 0.01,
            minibatch_size: 64,
            ppo_epochs: 1,
            checkpoint_interval: 2,
            total_steps: 10 * 128,
            ..Training::default()
        },
        rollout: Rollout { games: 8, steps: 16 },
        rewind: Rewind { seed_games: 20, ..Rewind::default() },
        evaluation: Settings { eval_interval: 1000, mate_positions: 0, ..Settings::default() },
        ..Config::default()
    }
}

fn begin(
    runs: &tempfile::TempDir,
    config: Config,
    learner: impl Learner<Packed> + 'static,
    callbacks: Vec<Box<dyn Callback>>,
) -> Result<Session<Compact>, SessionError> {
    let folder = RunFolder::named(runs.path(), "run").unwrap().hold().unwrap();
    let learner = Box::new(learner);
    Session::begin(
        folder,
        Parts {
            config,
            learner,
            load: load(),
            players: Vec::new(),
            callbacks,
            ranks: Arc::new(Alone),
        },
    )
}

#[test]
fn after_three_broken_updates_a_run_goes_back_and_goes_on_with_half_the_rate() {
    let runs = tempfile::tempdir().unwrap();
    // Two minibatches an update: five updates go well, then only with a quarter of the rate.
    let learner = Touchy { learner: Linear::new(), rate_limit: 0.003, calm: 10 };
    let mut session = begin(&runs, config(), learner, Vec::new()).unwrap();
    assert_eq!(session.train(&AtomicBool::new(false)).unwrap(), End::Finished);
    assert_eq!(session.trainer().progress().updates, 10);
    let text = fs::read_to_string(runs.path().join("run/metrics.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let updates: Vec<_> = lines.iter().map(|line| line["update"].as_u64().unwrap()).collect();
    assert_eq!(updates, (1..=10).collect::<Vec<_>>(), "what was taken back is gone");
    let rates: Vec<_> =
        lines.iter().map(|line| line[names::LEARNING_RATE].as_f64().unwrap()).collect();
    assert_eq!(rates[..4], [0.01; 4], "the checkpoint is of the fourth update");
    assert_eq!(rates[4..], [0.0025; 6], "halved twice");
    assert!(lines.iter().all(|line| line[names::NOT_FINITE] == 0.0));
}

#[test]
fn a_run_that_cannot_recover_ends_with_an_error_and_its_last_good_checkpoint() {
    let runs = tempfile::tempdir().unwrap();
    let learner = Touchy { learner: Linear::new(), rate_limit: 0.0, calm: 10 };
    let mut session = begin(&runs, config(), learner, Vec::new()).unwrap();
    assert!(matches!(session.train(&AtomicBool::new(false)), Err(TrainError::Broken)));
    drop(session);
    let mut session = begin(&runs, config(), Linear::new(), Vec::new()).unwrap();
    assert_eq!(session.trainer().progress().updates, 4);
    assert_eq!(session.train(&AtomicBool::new(false)).unwrap(), End::Finished);
}

/// Does something of its own after each update.
struct Then<F>(F);

impl<F: FnMut(&Record, &mut Requests)> Callback for Then<F> {
    fn on_update(&mut self, record: &Record, requests: &mut Requests) {
        (self.0)(record, requests);
    }
}

/// Trains with a learner that breaks down after five updates, so that the run goes back twice, to
/// the checkpoint of the fourth unless that is damaged.
fn go_back(
    runs: &tempfile::TempDir,
    config: Config,
    then: impl FnMut(&Record, &mut Requests) + 'static,
) {
    let learner = Touchy { learner: Linear::new(), rate_limit: 0.003, calm: 10 };
    let mut session = begin(runs, config, learner, vec![Box::new(Then(then))]).unwrap();
    assert_eq!(session.train(&AtomicBool::new(false)).unwrap(), End::Finished);
    assert_eq!(session.trainer().progress().updates, 10);
}

#[test]
fn a_run_that_went_back_forgets_how_the_weights_played_that_it_threw_away() {
    let runs = tempfile::tempdir().unwrap();
    let mut config = config();
    config.evaluation.eval_games = 2;
    let mut asked = false;
    go_back(&runs, config, move |record, requests| {
        requests.evaluate = record.update == 5 && !asked;
        asked |= requests.evaluate;
    });
    for update in [6, 8, 10] {
        let checkpoint = runs.path().join(format!("run/checkpoints/update-{update:010}"));
        assert_eq!(checkpoint::read(&checkpoint).unwrap().header.score, None, "update {update}");
    }
}

#[test]
fn a_run_goes_back_past_a_damaged_checkpoint_and_goes_on() {
    let runs = tempfile::tempdir().unwrap();
    let damaged = runs.path().join("run/checkpoints/update-0000000004/weights.safetensors");
    let file = damaged.clone();
    let mut config = config();
    // So that episodes end in every update.
    config.env.max_moves_per_game = config.rollout.steps;
    go_back(&runs, config, move |record, _| {
        if record.update == 7 {
            fs::write(&file, "damaged").unwrap();
        }
    });
    assert!(!damaged.exists(), "three newer ones are kept");
}

#[test]
fn the_time_of_updates_that_were_taken_back_counts() {
    let runs = tempfile::tempdir().unwrap();
    let pause = Duration::from_millis(20);
    let mut last = -pause.as_secs_f64();
    go_back(&runs, config(), move |record, _| {
        // A record tells the time up to the update before, at which there was a pause.
        let seconds = record.get(names::SECONDS).unwrap();
        assert!(seconds >= last + pause.as_secs_f64(), "{seconds} after {last}");
        last = seconds;
        sleep(pause);
    });
}

#[cfg(unix)]
#[test]
fn the_client_of_a_run_that_goes_back_ends_before_another_begins() {
    use std::os::unix::fs::PermissionsExt;

    let runs = tempfile::tempdir().unwrap();
    let client = runs.path().join("python");
    let script = "#!/bin/sh\necho begins >&2\ncat > /dev/null\necho ends >&2\n";
    fs::write(&client, script).unwrap();
    fs::set_permissions(&client, fs::Permissions::from_mode(0o755)).unwrap();
    let mut config = config();
    config.wandb.enabled = true;
    config.wandb.python = client.display().to_string();
    go_back(&runs, config, |_, _| {});
    let said = fs::read_to_string(runs.path().join("run/wandb/wandb.log")).unwrap();
    assert_eq!(said, "begins\nends\n".repeat(3));
}

/// A learner that does not compute when it learns what it computed when it acted.
struct Forgetful(Linear);

impl Evaluator<Packed> for Forgetful {
    fn evaluate(&mut self, observations: &[Packed], legal: &[&[u32]]) -> Vec<Evaluation> {
        let mut evaluations = self.0.evaluate(observations, legal);
        for evaluation in &mut evaluations {
            // As if the network had been another one when it acted.
            evaluation.policy.iter_mut().step_by(2).for_each(|p| *p *= 0.9);
        }
        evaluations
    }
}

impl Learner<Packed> for Forgetful {
    fn update(
        &mut self,
        transitions: &Transitions<'_, Packed>,
        epochs: &[Vec<Selection>],
        settings: &UpdateSettings,
        target_kl: Option<f64>,
    ) -> Vec<Losses> {
        self.0.update(transitions, epochs, settings, target_kl)
    }

    fn imitate(
        &mut self,
        examples: &Examples<'_, Packed>,
        minibatches: &[Selection],
        settings: &ImitationSettings,
    ) -> Vec<Losses> {
        self.0.imitate(examples, minibatches, settings)
    }

    fn state(&self) -> Vec<u8> {
        self.0.state()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), StateError> {
        self.0.restore(state)
    }

    fn weights(&self) -> Vec<u8> {
        self.0.weights()
    }
}

#[test]
fn a_first_ratio_that_is_not_1_stops_the_run_at_once() {
    let runs = tempfile::tempdir().unwrap();
    let mut session = begin(&runs, config(), Forgetful(Linear::new()), Vec::new()).unwrap();
    let error = session.train(&AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().contains("away from 1"), "{error}");
}

/// Takes the folder of checkpoints away during some updates.
struct FullDisk(std::path::PathBuf);

impl Callback for FullDisk {
    fn on_update(&mut self, record: &Record, _: &mut Requests) {
        let away = self.0.with_extension("away");
        match record.update {
            3 => {
                fs::rename(&self.0, &away).unwrap();
                fs::write(&self.0, "no folder").unwrap();
            }
            6 => {
                fs::remove_file(&self.0).unwrap();
                fs::rename(&away, &self.0).unwrap();
            }
            _ => {}
        }
    }
}

#[test]
fn when_the_disk_refuses_a_checkpoint_the_run_goes_on_and_saves_as_soon_as_it_can() {
    let runs = tempfile::tempdir().unwrap();
    let checkpoints = runs.path().join("run/checkpoints");
    let trouble = vec![Box::new(FullDisk(checkpoints.clone())) as Box<dyn Callback>];
    let mut session = begin(&runs, config(), Linear::new(), trouble).unwrap();
    assert_eq!(session.train(&AtomicBool::new(false)).unwrap(), End::Finished);
    let kept: Vec<_> = fs::read_dir(checkpoints).unwrap().map(|e| e.unwrap().file_name()).collect();
    for update in [6, 8, 10] {
        let name = format!("update-{update:010}");
        assert!(kept.iter().any(|kept| *kept == *name), "{name} is not in {kept:?}");
    }
}

#[test]
fn ranks_that_begin_with_other_weights_leave_no_folder() {
    let runs = tempfile::tempdir().unwrap();
    let folder = RunFolder::named(runs.path(), "run").unwrap();
    let problems = Threads::run(2, |ranks| {
        let mut learner = Linear::new();
        let is_first = ranks.is_first();
        if !is_first {
            let mut other = learner.state();
            other[0] ^= 1;
            learner.restore(&other).unwrap();
        }
        let (players, callbacks) = (Vec::new(), Vec::new());
        let (learner, load) = (Box::new(learner), load());
        let parts = Parts { config: config(), learner, load, players, callbacks, ranks };
        let begun = match is_first {
            true => Session::<Compact>::begin(folder.hold().unwrap(), parts),
            false => Session::join(folder.clone(), parts),
        };
        begun.map(|_| ()).unwrap_err().to_string()
    });
    for problem in problems {
        assert!(problem.starts_with("rank 1 has other weights than rank 0"), "{problem}");
    }
    assert!(!folder.path().exists());
}

#[test]
fn a_run_that_cannot_be_saved_does_not_begin() {
    let runs = tempfile::tempdir().unwrap();
    fs::create_dir_all(runs.path().join("run")).unwrap();
    fs::write(runs.path().join("run/checkpoints"), "no folder").unwrap();
    let refused = begin(&runs, config(), Linear::new(), Vec::new()).map(|_| ());
    assert!(refused.unwrap_err().to_string().contains("checkpoints"));
}
