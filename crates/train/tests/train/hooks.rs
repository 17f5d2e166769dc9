//! Callbacks watch a run, steer it and end it.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use keisei_cluster::Alone;
use keisei_encode::shogi::Compact;
use keisei_train::callbacks::{Callback, EarlyStop, Requests, Scene};
use keisei_train::config::{Config, Env, Evaluation, Rewind, Rollout, Training};
use keisei_train::evaluate::EvaluationReport;
use keisei_train::metrics::{Record, names};
use keisei_train::run::RunFolder;
use keisei_train::session::Parts;
use keisei_train::{End, Session};

use crate::linear::{Linear, load};

fn config() -> Config {
    Config {
        env: Env { seed: Some(3), max_moves_per_game: 40, ..Env::default() },
        training: Training {
            minibatch_size: 64,
            ppo_epochs: 1,
            total_steps: 6 * 128,
            ..Training::default()
        },
        rollout: Rollout { games: 8, steps: 16 },
        rewind: Rewind { seed_games: 20, ..Rewind::default() },
        evaluation: Evaluation {
            eval_interval: 1000,
            eval_games: 2,
            mate_positions: 5,
            ..Evaluation::default()
        },
        ..Config::default()
    }
}

fn train(config: Config, callbacks: Vec<Box<dyn Callback>>) -> End {
    let runs = tempfile::tempdir().unwrap();
    let folder = RunFolder::named(runs.path(), "run").unwrap().hold().unwrap();
    let parts = Parts {
        config,
        learner: Box::new(Linear::new()),
        load: load(),
        players: Vec::new(),
        callbacks,
        ranks: Arc::new(Alone),
    };
    Session::<Compact>::begin(folder, parts).unwrap().train(&AtomicBool::new(false)).unwrap()
}

/// Writes down what it is told, and asks for everything once.
#[derive(Clone, Default)]
struct Curious(Arc<Mutex<Vec<String>>>);

impl Curious {
    fn note(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }
}

impl Callback for Curious {
    fn on_update_start(&mut self, update: u64, _: &mut Requests) {
        self.note(format!("begin {update}"));
    }

    fn on_rollout(&mut self, scene: &Scene, _: &mut Requests) {
        assert!(scene.board.contains("P9") && scene.moves <= 40, "{scene:?}");
        self.note("rollout".to_owned());
    }

    fn on_update(&mut self, record: &Record, requests: &mut Requests) {
        let rate = record.get(names::LEARNING_RATE).unwrap();
        self.note(format!("update {} at {:.0}", record.update, rate / 3e-4 * 100.0));
        if record.update == 2 {
            requests.evaluate = true;
            requests.checkpoint = true;
            requests.scale_learning_rate = Some(0.5);
        }
        if record.update == 3 {
            requests.stop = Some("seen enough".to_owned());
        }
    }

    fn on_evaluation(&mut self, report: &EvaluationReport, record: &Record, _: &mut Requests) {
        assert!(report.problems.is_empty());
        self.note(format!("evaluation {}", record.update));
    }

    fn on_checkpoint(&mut self, path: &Path, _: &mut Requests) {
        self.note(path.file_name().unwrap().to_str().unwrap().to_owned());
    }
}

#[test]
fn a_callback_sees_everything_in_order_and_its_requests_are_granted() {
    let curious = Curious::default();
    let end = train(config(), vec![Box::new(curious.clone())]);
    assert_eq!(end, End::Stopped("seen enough".to_owned()));
    let expected = [
        "update-0000000000",
        "begin 0",
        "rollout",
        "update 1 at 100",
        "begin 1",
        "rollout",
        "update 2 at 100",
        "evaluation 2",
        "update-0000000002",
        "begin 2",
        "rollout",
        "update 3 at 50",
        "update-0000000003",
    ];
    assert_eq!(*curious.0.lock().unwrap(), expected);
}

#[test]
fn a_run_that_no_longer_becomes_better_stops_early() {
    let mut config = config();
    config.evaluation.eval_interval = 1;
    // Chance does not change, so it never becomes better.
    let early = EarlyStop::new(names::EVAL_MATE_CHANCE, 2);
    let End::Stopped(reason) = train(config, vec![Box::new(early)]) else {
        panic!("the run did not stop early");
    };
    assert!(reason.starts_with("eval/mate_in_one_chance has stayed at 0."), "{reason}");
    assert!(reason.ends_with("for 2 evaluations"), "{reason}");
}

/// Counts the checkpoints.
#[derive(Clone, Default)]
struct Saves(Arc<Mutex<u64>>);

impl Callback for Saves {
    fn on_checkpoint(&mut self, _: &Path, _: &mut Requests) {
        *self.0.lock().unwrap() += 1;
    }
}

#[test]
fn a_checkpoint_is_written_whenever_so_many_episodes_have_ended() {
    let saves = |episodes| {
        let mut config = config();
        config.checkpoint.episodes = episodes;
        let saves = Saves::default();
        train(config, vec![Box::new(saves.clone())]);
        *saves.0.lock().unwrap()
    };
    assert_eq!((saves(None), saves(Some(1_000_000))), (2, 2), "at the beginning and at the end");
    assert!(saves(Some(1)) > 4, "with every update that ends an episode");
}
