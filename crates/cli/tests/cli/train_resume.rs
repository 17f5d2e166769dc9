//! Runs that are killed or asked to end, and go on as if they had not been.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use keisei_train::checkpoint;
use keisei_train::metrics::{names, read_records};

use crate::train::runs;

/// Twenty updates with everything that a run can have, in small.
fn train(run: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keisei"));
    let (runs, name) = (run.parent().unwrap(), run.file_name().unwrap());
    command.args(["train", "--preset", "cpu-smoke", "--steps", "5120", "--runs"]).arg(runs);
    command.arg("--run").arg(name);
    for setting in [
        "env.mirror=true",
        "env.min_moves_per_game=20",
        "training.learning_rate_end=1e-4",
        "training.warmup_updates=3",
        "training.checkpoint_interval=2",
        "evaluation.eval_interval=7",
        "evaluation.eval_games=2",
        "opponents.share=0.4",
        "opponents.slots=2",
        "opponents.interval=3",
    ] {
        command.args(["--set", setting]);
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(output: &Output) -> String {
    let Output { stdout, stderr, .. } = output;
    format!("{}{}", String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr))
}

/// Trains to the end.
fn finish(run: &Path) {
    let output = train(run).output().unwrap();
    let said = text(&output);
    assert!(output.status.success() && said.contains("20 updates, 5120 moves"), "{said}");
}

/// All that must not depend on whether a run was interrupted: its weights, what its learner and its
/// games go on from, its metrics and its log. What tells the time is left out.
fn result(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let newest = checkpoint::read(&run.join("checkpoints/update-0000000020")).unwrap();
    let mut result = newest.files;
    let trainer = result.remove("trainer.json").unwrap();
    let mut trainer: serde_json::Value = serde_json::from_slice(&trainer).unwrap();
    (trainer["progress"]["seconds"], trainer["files"]) = Default::default();
    result.insert("trainer.json".to_owned(), trainer.to_string().into());
    let mut records = read_records(&run.join("metrics.jsonl"));
    records.iter_mut().for_each(|record| record.values.retain(|name, _| !names::is_timed(name)));
    result.insert("metrics".to_owned(), format!("{records:#?}").into());
    for file in ["models/shogi_ppo_agent_step_5120.safetensors", "logs/shogi_training_log.txt"] {
        result.insert(file.to_owned(), fs::read(run.join(file)).unwrap());
    }
    result
}

#[track_caller]
fn assert_same(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    assert!(found.keys().eq(expected.keys()), "{:?} {:?}", found.keys(), expected.keys());
    for (name, content) in expected {
        assert!(&found[name] == content, "{name} differs");
    }
}

/// A run that nobody interrupted, and an empty folder for one that somebody does.
fn uninterrupted(name: &str) -> (BTreeMap<String, Vec<u8>>, PathBuf) {
    let runs = runs(name);
    finish(&runs.join("whole"));
    (result(&runs.join("whole")), runs.join("interrupted"))
}

/// Waits until `now` holds of a process that trains.
fn wait_until(child: &mut Child, now: impl Fn() -> bool) {
    let start = Instant::now();
    while !now() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended too early");
        assert!(start.elapsed() < Duration::from_secs(120), "the moment never came");
        sleep(Duration::from_micros(200));
    }
}

fn has_updates(run: &Path, count: usize) -> bool {
    read_records(&run.join("metrics.jsonl")).len() >= count
}

/// Whether a checkpoint is just being written.
fn is_saving(run: &Path) -> bool {
    let entries = fs::read_dir(run.join("checkpoints")).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.any(|name| name.starts_with(".unfinished"))
}

#[test]
fn a_run_that_was_killed_at_any_moment_ends_with_the_same_bytes() {
    let (expected, run) = uninterrupted("train-killed");
    let moments: [&dyn Fn() -> bool; 5] = [
        // While the first checkpoint is written, after some updates, while others are written.
        &|| is_saving(&run),
        &|| has_updates(&run, 3),
        &|| has_updates(&run, 6) && is_saving(&run),
        &|| has_updates(&run, 11),
        &|| has_updates(&run, 14) && is_saving(&run),
    ];
    for now in moments {
        let mut child = train(&run).spawn().unwrap();
        wait_until(&mut child, now);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    finish(&run);
    assert_same(&result(&run), &expected);
}

#[test]
fn a_run_that_is_asked_to_end_saves_and_goes_on_with_the_same_bytes() {
    let (expected, run) = uninterrupted("train-asked");
    for (signal, updates) in [("TERM", 4), ("INT", 9), ("HUP", 13)] {
        let mut child = train(&run).spawn().unwrap();
        wait_until(&mut child, || has_updates(&run, updates));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let said = text(&output);
        assert!(output.status.success(), "{signal}: {said}");
        assert!(said.contains("stopping after this update"), "{signal}: {said}");
        assert!(said.contains("saved; go on with: keisei train --run interrupted"), "{said}");
    }
    finish(&run);
    assert_same(&result(&run), &expected);
}
