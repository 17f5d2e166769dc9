//! A run that was stopped, killed or damaged goes on as if nothing had happened.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::{Duration, Instant};

use keisei_cluster::Alone;
use keisei_encode::shogi::Compact;
use keisei_train::callbacks::{Callback, Requests};
use keisei_train::checkpoint;
use keisei_train::config::{
    Config, Env, Evaluation, Opponents, Rewind, Rollout, Teaching, Training,
};
use keisei_train::metrics::{Record, names};
use keisei_train::run::RunFolder;
use keisei_train::session::{Parts, SessionError};
use keisei_train::{End, Session};
use serde_json::Value;

use crate::linear::{Linear, load};

/// Everything that a run can have, in small: rewinds, mirrors, earlier selves, limits at random,
/// schedules, evaluations.
fn config() -> Config {
    Config {
        env: Env {
            seed: Some(3),
            max_moves_per_game: 50,
            min_moves_per_game: Some(20),
            mirror: true,
            ..Env::default()
        },
        training: Training {
            learning_rate: 0.01,
            learning_rate_end: Some(0.001),
            warmup_updates: 3,
            ppo_epochs: 2,
            minibatch_size: 32,
            target_kl: Some(0.05),
            checkpoint_interval: 2,
            total_steps: 8192,
            ..Training::default()
        },
        rollout: Rollout { games: 8, steps: 16 },
        rewind: Rewind { seed_games: 40, capacity: 100, random_plies: 10, ..Rewind::default() },
        opponents: Opponents { share: 0.5, slots: 2, interval: 2 },
        evaluation: Evaluation {
            eval_interval: 3,
            eval_games: 2,
            mate_positions: 5,
            ..Evaluation::default()
        },
        ..Config::default()
    }
}

/// Stops a run after an update.
struct StopAfter(u64);

impl Callback for StopAfter {
    fn on_update(&mut self, record: &Record, requests: &mut Requests) {
        if record.update >= self.0 {
            requests.stop = Some("far enough".to_owned());
        }
    }
}

fn begin(runs: &Path, config: Config, stop_after: u64) -> Result<Session<Compact>, SessionError> {
    let folder = RunFolder::named(runs, "run").unwrap().hold().unwrap();
    Session::begin(
        folder,
        Parts {
            config,
            learner: Box::new(Linear::new()),
            load: load(),
            players: Vec::new(),
            callbacks: vec![Box::new(StopAfter(stop_after))],
            ranks: Arc::new(Alone),
        },
    )
}

/// Trains the run in `runs` up to the update with this number.
fn train_to(runs: &Path, update: u64) {
    train_by(config(), runs, update);
}

fn train_by(config: Config, runs: &Path, update: u64) {
    let end = begin(runs, config, update).unwrap().train(&AtomicBool::new(false)).unwrap();
    assert_eq!(end, End::Stopped("far enough".to_owned()));
}

/// All that must not depend on whether a run was interrupted: the files of its newest checkpoint,
/// its metrics and its log. What tells the time is left out.
fn result(runs: &Path) -> BTreeMap<String, String> {
    let folder = runs.join("run");
    let mut result = BTreeMap::new();
    let newest = fs::read_dir(folder.join("checkpoints")).unwrap();
    let newest = newest.map(|entry| entry.unwrap().path()).max().unwrap();
    for (name, content) in checkpoint::read(&newest).unwrap().files {
        let content = match name.as_str() {
            "trainer.json" => {
                let mut state: Value = serde_json::from_slice(&content).unwrap();
                state["progress"]["seconds"] = Value::Null;
                state["files"] = Value::Null;
                state.to_string()
            }
            _ => format!("{content:?}"),
        };
        result.insert(name, content);
    }
    let metrics = fs::read_to_string(folder.join("metrics.jsonl")).unwrap();
    let untimed = |line: &str| {
        let mut record: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
        record.retain(|name, _| !names::is_timed(name));
        Value::Object(record).to_string()
    };
    let metrics: Vec<_> = metrics.lines().map(untimed).collect();
    result.insert("metrics".to_owned(), metrics.join("\n"));
    let log = fs::read_to_string(folder.join("logs/shogi_training_log.txt")).unwrap();
    result.insert("log".to_owned(), log);
    result
}

fn assert_same(found: &BTreeMap<String, String>, expected: &BTreeMap<String, String>, when: &str) {
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{when}");
    for (name, content) in expected {
        assert!(&found[name] == content, "{name} differs {when}");
    }
}

fn uninterrupted(update: u64) -> BTreeMap<String, String> {
    let runs = tempfile::tempdir().unwrap();
    train_to(runs.path(), update);
    result(runs.path())
}

#[test]
fn a_run_that_was_stopped_goes_on_exactly_where_it_was() {
    let expected = uninterrupted(12);
    assert!(expected.contains_key("frozen-1.safetensors"), "earlier selves are part of it");
    assert!(expected.contains_key("evaluated.safetensors"), "and evaluations");
    for stops in [&[6][..], &[1, 5, 9]] {
        let runs = tempfile::tempdir().unwrap();
        stops.iter().for_each(|&stop| train_to(runs.path(), stop));
        train_to(runs.path(), 12);
        assert_same(&result(runs.path()), &expected, &format!("after stops at {stops:?}"));
    }
}

#[test]
fn a_run_with_a_teacher_goes_on_exactly_where_its_last_checkpoint_was() {
    let mut config = config();
    config.opponents.share = 0.0;
    config.training.teacher = Teaching::Search;
    config.teacher.simulations = 6;
    let straight = tempfile::tempdir().unwrap();
    train_by(config.clone(), straight.path(), 8);
    let expected = result(straight.path());
    assert!(expected["metrics"].contains(names::TEACHER_KL), "{}", expected["metrics"]);
    let runs = tempfile::tempdir().unwrap();
    train_by(config.clone(), runs.path(), 5);
    // As if it had been killed before it could save the fifth update.
    fs::remove_dir_all(runs.path().join("run/checkpoints/update-0000000005")).unwrap();
    train_by(config, runs.path(), 8);
    assert_same(&result(runs.path()), &expected, "with a teacher");
}

#[test]
fn a_run_goes_on_with_fewer_earlier_selves_than_it_had() {
    let runs = tempfile::tempdir().unwrap();
    let mut config = config();
    config.opponents.slots = 4;
    train_by(config.clone(), runs.path(), 10);
    assert!(result(runs.path()).contains_key("frozen-3.safetensors"));
    config.opponents.slots = 1;
    train_by(config, runs.path(), 12);
    let result = result(runs.path());
    assert!(result.contains_key("frozen-0.safetensors"));
    assert!(!result.contains_key("frozen-1.safetensors"), "there is room for one");
}

#[test]
fn a_damaged_checkpoint_costs_no_more_than_the_updates_since_the_one_before() {
    let expected = uninterrupted(10);
    for damaged in ["learner.safetensors", "trainer.json", "frozen-0.safetensors", "manifest.json"]
    {
        let runs = tempfile::tempdir().unwrap();
        train_to(runs.path(), 6);
        let file = runs.path().join("run/checkpoints/update-0000000006").join(damaged);
        let content = fs::read(&file).unwrap();
        fs::write(&file, &content[..content.len() / 2]).unwrap();
        train_to(runs.path(), 10);
        assert_same(&result(runs.path()), &expected, &format!("after damage to {damaged}"));
    }
}

/// What the test below does when it is started as a process of its own.
const CHILD: &str = "KEISEI_TEST_TRAINS_IN";

#[test]
fn a_run_that_was_killed_at_any_moment_goes_on_as_if_it_had_not_been() {
    if let Some(runs) = env::var_os(CHILD) {
        train_to(Path::new(&runs), 60);
        return;
    }
    let expected = uninterrupted(60);
    let long_enough = |folder: &Path, lines: usize| {
        let text = fs::read_to_string(folder.join("metrics.jsonl")).unwrap_or_default();
        text.lines().count() >= lines
    };
    let writing = |folder: &Path, lines: usize| {
        let entries = fs::read_dir(folder.join("checkpoints")).into_iter().flatten().flatten();
        let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        long_enough(folder, lines) && names.any(|name| name.starts_with(".unfinished"))
    };
    let runs = tempfile::tempdir().unwrap();
    let folder = runs.path().join("run");
    // Each process goes on where the one before was killed.
    kill_when(runs.path(), || long_enough(&folder, 1));
    kill_when(runs.path(), || writing(&folder, 10));
    kill_when(runs.path(), || long_enough(&folder, 25));
    kill_when(runs.path(), || writing(&folder, 40));
    train_to(runs.path(), 60);
    assert_same(&result(runs.path()), &expected, "after four kills");
}

/// Trains in a process of its own, and kills it at the moment `now` holds.
fn kill_when(runs: &Path, now: impl Fn() -> bool) {
    struct Guard(Child);
    impl Drop for Guard {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
    let test = "resume::a_run_that_was_killed_at_any_moment_goes_on_as_if_it_had_not_been";
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", test])
        .env(CHILD, runs)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = Guard(child.unwrap());
    let start = Instant::now();
    while !now() {
        assert!(child.0.try_wait().unwrap().is_none(), "the process ended before it was killed");
        assert!(start.elapsed() < Duration::from_secs(60), "the moment never came");
        sleep(Duration::from_micros(200));
    }
}

#[test]
fn a_run_ends_when_its_moves_are_used_up_and_then_stays_finished() {
    let runs = tempfile::tempdir().unwrap();
    let mut short = config();
    short.training.total_steps = 3 * 128;
    let mut session = begin(runs.path(), short.clone(), u64::MAX).unwrap();
    assert_eq!(session.train(&AtomicBool::new(false)).unwrap(), End::Finished);
    assert_eq!(session.trainer().progress().updates, 3);
    drop(session);
    let mut session = begin(runs.path(), short, u64::MAX).unwrap();
    assert_eq!(session.train(&AtomicBool::new(false)).unwrap(), End::Finished);
    assert_eq!(session.trainer().progress().updates, 3);
    assert!(session.folder().is_finished());
    let models = fs::read_dir(runs.path().join("run/models")).unwrap();
    let models: Vec<_> =
        models.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(models.contains(&"shogi_ppo_agent_step_384.safetensors".to_owned()), "{models:?}");
}

#[test]
fn a_finished_run_that_is_extended_is_unfinished_until_its_new_end() {
    let runs = tempfile::tempdir().unwrap();
    let mut config = config();
    config.training.total_steps = 128;
    let mut session = begin(runs.path(), config.clone(), u64::MAX).unwrap();
    assert!(!session.folder().is_finished());
    session.train(&AtomicBool::new(false)).unwrap();
    assert!(session.folder().is_finished());
    drop(session);
    config.training.total_steps = 256;
    let mut session = begin(runs.path(), config, u64::MAX).unwrap();
    assert!(!session.folder().is_finished());
    assert_eq!(session.train(&AtomicBool::new(true)).unwrap(), End::Interrupted);
    assert!(!session.folder().is_finished());
    session.train(&AtomicBool::new(false)).unwrap();
    assert!(session.folder().is_finished());
}

#[test]
fn an_interrupted_run_saves_before_it_ends() {
    let runs = tempfile::tempdir().unwrap();
    let mut session = begin(runs.path(), config(), u64::MAX).unwrap();
    assert_eq!(session.train(&AtomicBool::new(true)).unwrap(), End::Interrupted);
    drop(session);
    assert_eq!(begin(runs.path(), config(), 1).unwrap().trainer().progress().updates, 0);
}

#[test]
fn a_checkpoint_of_something_else_is_refused_in_plain_words() {
    let runs = tempfile::tempdir().unwrap();
    train_to(runs.path(), 2);
    let mut other = config();
    other.rollout.games = 16;
    let message = begin(runs.path(), other, 4).map(|_| ()).unwrap_err().to_string();
    assert_eq!(message, "the checkpoint has 8 games, but rollout.games is 16");
    let manifest = runs.path().join("run/checkpoints/update-0000000002/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let cases = [
        ("\"game\": \"shogi\"", "\"game\": \"chess\"", "is for game chess, but shogi is needed"),
        (
            "\"actions\": \"compact\"",
            "\"actions\": \"full\"",
            "actions full, but compact is needed",
        ),
        ("\"encoding\": 1", "\"encoding\": 99", "encoding version 99, but 1 is needed"),
    ];
    for (from, to, expected) in cases {
        assert!(text.contains(from), "{text}");
        fs::write(&manifest, text.replace(from, to)).unwrap();
        let message = begin(runs.path(), config(), 4).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_run_without_a_seed_draws_one_and_keeps_it() {
    let runs = tempfile::tempdir().unwrap();
    let mut unseeded = config();
    unseeded.env.seed = None;
    let seed = begin(runs.path(), unseeded.clone(), 1).unwrap().trainer().seed();
    assert_eq!(begin(runs.path(), unseeded, 1).unwrap().trainer().seed(), seed);
    let written = fs::read_to_string(runs.path().join("run/config.toml")).unwrap();
    assert!(written.contains(&format!("seed = {seed}\n")), "{written}");
}

#[test]
fn a_log_outside_the_runs_folder_is_only_ever_added_to() {
    let runs = tempfile::tempdir().unwrap();
    let log = runs.path().join("shared.log");
    fs::write(&log, "somebody else's line\n").unwrap();
    let mut shared = config();
    shared.logging.log_file = Some(log.display().to_string());
    for update in [2, 3] {
        let mut session = begin(runs.path(), shared.clone(), update).unwrap();
        session.train(&AtomicBool::new(false)).unwrap();
        drop(session);
        let mut text = fs::read_to_string(&log).unwrap();
        assert!(text.starts_with("somebody else's line\n"));
        assert_eq!(text.matches("PPO Update").count() as u64, update);
        text.push_str("and another\n");
        fs::write(&log, text).unwrap();
    }
}
