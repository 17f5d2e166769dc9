//! The `keisei` command as its users call it.

mod analyze;
mod animal;
mod convert;
mod csa;
mod export;
mod ladder;
mod match_command;
mod mate;
mod perft;
mod play;
mod play_players;
mod problems;
mod profile;
mod report;
mod samples;
mod serve;
mod show;
mod stats;
mod train;
mod train_resume;
mod train_trouble;
mod train_view;
mod truth;
mod uci;
mod usi;

use std::path::PathBuf;

use assert_cmd::Command;
use assert_cmd::assert::Assert;

/// `keisei` with `arguments`.
fn keisei(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keisei"));
    command.args(arguments);
    command
}

/// What `keisei` prints when it succeeds.
fn succeeds(arguments: &[&str]) -> String {
    stdout(&keisei(arguments).assert().success())
}

/// What `keisei` says on standard error when it ends with exit code `code`.
fn fails(code: i32, arguments: &[&str]) -> String {
    stderr(&keisei(arguments).assert().code(code))
}

fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("the output is UTF-8")
}

fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).expect("the messages are UTF-8")
}

/// A path for a file of the test `name`.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The path of a file with `text`.
fn file(name: &str, text: &str) -> String {
    let path = scratch(name);
    std::fs::write(&path, text).expect("the scratch folder can be written");
    path.to_str().expect("the scratch folder has a plain name").to_owned()
}

#[test]
fn without_a_command_it_explains_itself_and_fails_as_misused() {
    let help = fails(2, &[]);
    assert!(help.contains("Usage: keisei <COMMAND>") && help.contains("Examples:"), "{help}");
}

#[test]
fn every_command_has_help_with_examples() {
    for command in [
        "analyze", "convert", "csa", "export", "import", "ladder", "match", "mate", "models",
        "perft", "play", "profile", "report", "serve", "show", "stats", "train", "uci", "usi",
    ] {
        let help = succeeds(&[command, "--help"]);
        assert!(help.contains("Examples:\n  keisei"), "{command}: {help}");
    }
}

#[test]
fn the_built_in_network_is_in_the_help_of_every_command_that_takes_players() {
    for command in ["analyze", "match", "play", "uci", "usi"] {
        let help = succeeds(&[command, "--help"]);
        assert!(help.contains("net:shipped"), "{command}: {help}");
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_keisei"))
        .args(["play", "--black", "random", "--white", "random", "--seed", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
}
