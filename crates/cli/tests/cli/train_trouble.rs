//! Runs that meet trouble say what it is and lose nothing.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::train::runs;
use crate::{fails, keisei, stderr, stdout};

/// Trains the run `a` in `runs` to 512 moves, or 1024 in all, with these arguments more.
fn arguments<'a>(runs: &'a Path, steps: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let place = runs.to_str().unwrap();
    let usual = ["train", "--preset", "cpu-smoke", "--run", "a", "--runs", place, "--steps", steps];
    // Schedules follow the moves that are planned, so they are kept flat here.
    [&usual[..], &["--set", "rewind.share_end=0.8"], more].concat()
}

/// What is said on standard output and standard error by a run that ends well.
fn trains(runs: &Path, steps: &str, more: &[&str]) -> String {
    let done = keisei(&arguments(runs, steps, more)).assert().success();
    stdout(&done) + &stderr(&done)
}

fn weights(runs: &Path) -> Vec<u8> {
    fs::read(runs.join("a/models/shogi_ppo_agent_step_1024.safetensors")).unwrap()
}

/// The weights that a run without trouble ends with.
fn expected(name: &str) -> Vec<u8> {
    let runs = runs(name);
    trains(&runs, "1024", &[]);
    weights(&runs)
}

/// Goes on to 1024 moves, and compares with a run that had no trouble.
#[track_caller]
fn assert_nothing_lost(runs: &Path, name: &str) {
    trains(runs, "1024", &[]);
    assert!(weights(runs) == expected(name), "the weights differ");
}

#[test]
fn a_checkpoint_of_another_game_numbering_or_encoding_is_refused_and_left_alone() {
    let runs = runs("trouble-mismatch");
    trains(&runs, "512", &[]);
    let chess = [
        "--set",
        "env.game=chess",
        "--set",
        "env.input_channels=21",
        "--set",
        "env.action_space_size=4672",
    ];
    let said = fails(1, &arguments(&runs, "1024", &chess));
    assert!(said.contains("the checkpoint is for game shogi, but chess is needed"), "{said}");
    let full = ["--set", "env.action_space_size=13527", "--set", "network.policy_head=linear"];
    let said = fails(1, &arguments(&runs, "1024", &full));
    assert!(said.contains("for the actions compact, but full is needed"), "{said}");
    let manifest = runs.join("a/checkpoints/update-0000000002/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"encoding\": 1", "\"encoding\": 99")).unwrap();
    let said = fails(1, &arguments(&runs, "1024", &[]));
    assert!(said.contains("encoding version 99, but 1 is needed"), "{said}");
    fs::write(&manifest, text).unwrap();
    let other = ["--set", "network.channels=16"];
    let said = fails(1, &arguments(&runs, "1024", &other));
    assert!(said.contains("channels"), "{said}");
    assert_nothing_lost(&runs, "trouble-mismatch-not");
}

#[test]
fn a_damaged_checkpoint_is_passed_over_for_the_one_before() {
    let runs = runs("trouble-damaged");
    trains(&runs, "512", &[]);
    let file = runs.join("a/checkpoints/update-0000000002/learner.safetensors");
    let content = fs::read(&file).unwrap();
    fs::write(&file, &content[..content.len() / 2]).unwrap();
    let said = trains(&runs, "512", &[]);
    assert!(said.contains("update-0000000002") && said.contains("passed over"), "{said}");
    assert_nothing_lost(&runs, "trouble-damaged-not");
}

#[test]
fn when_no_checkpoint_can_be_used_the_run_does_not_begin_anew_over_them() {
    let runs = runs("trouble-all-damaged");
    trains(&runs, "512", &[]);
    for entry in fs::read_dir(runs.join("a/checkpoints")).unwrap() {
        fs::write(entry.unwrap().path().join("trainer.json"), "{}").unwrap();
    }
    let metrics = fs::read(runs.join("a/metrics.jsonl")).unwrap();
    let said = fails(1, &arguments(&runs, "1024", &[]));
    assert!(said.contains("no checkpoint in") && said.contains("trainer.json"), "{said}");
    assert_eq!(fs::read(runs.join("a/metrics.jsonl")).unwrap(), metrics);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let runs = runs("trouble-folder");
    fs::write(&runs, "a file").unwrap();
    let said = fails(1, &arguments(&runs, "512", &[]));
    assert!(said.contains("trouble-folder/a: "), "{said}");
    assert_eq!(fs::read_to_string(&runs).unwrap(), "a file");
}

#[test]
fn a_log_on_a_full_device_is_given_up_with_a_warning() {
    let runs = runs("trouble-full-log");
    let said = trains(&runs, "1024", &["--set", "logging.log_file=/dev/full"]);
    assert!(said.contains("the training log is no longer written"), "{said}");
    assert!(said.contains("No space left on device"), "{said}");
    assert!(weights(&runs) == expected("trouble-full-log-not"), "the weights differ");
}

#[test]
fn a_disk_that_takes_no_more_checkpoints_ends_the_run_with_an_error_and_the_last_one_kept() {
    let runs = runs("trouble-full");
    trains(&runs, "512", &[]);
    // Files may not grow past 32 KiB, less than the learner's state; the signal for it is ignored,
    // so that writing fails as on a full disk.
    let limited = |steps: &str| {
        let script = "ulimit -f 32; trap '' XFSZ; exec \"$0\" \"$@\"";
        let program = env!("CARGO_BIN_EXE_keisei");
        let mut command = Command::new("bash");
        command.args(["-c", script, program]).args(arguments(&runs, steps, &[]));
        command.output().unwrap()
    };
    let output = limited("1024");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("the checkpoint could not be written"), "{said}");
    assert!(said.contains("learner.safetensors: File too large"), "{said}");
    assert!(runs.join("a/checkpoints/update-0000000002/manifest.json").exists());
    assert_nothing_lost(&runs, "trouble-full-not");
}

#[test]
fn an_opponent_that_nobody_knows_is_refused_before_anything_is_learned() {
    let runs = runs("trouble-opponent");
    let more = ["--set", "evaluation.opponents=[\"meijin\"]"];
    let said = fails(1, &arguments(&runs, "512", &more));
    assert!(said.contains("meijin") && said.contains("random"), "{said}");
    assert!(!runs.join("a/checkpoints").exists());
}
