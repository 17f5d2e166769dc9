//! Training from the command line: runs, their settings, going on.

use std::path::PathBuf;

use crate::{fails, scratch, stdout, succeeds};

/// An empty folder for runs.
fn runs(name: &str) -> PathBuf {
    let folder = scratch(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_run_leaves_settings_checkpoints_models_metrics_log_and_games() {
    let runs = runs("train-leaves");
    let place = runs.to_str().unwrap();
    let said = succeeds(&["train", "--preset", "cpu-smoke", "--run", "a", "--runs", place]);
    assert!(said.contains("4 updates, 1024 moves\nfinished"), "{said}");
    let run = runs.join("a");
    for path in ["config.toml", "checkpoints", "models", "metrics.jsonl", "tensorboard", "games"] {
        assert!(run.join(path).exists(), "{path}");
    }
    let log = std::fs::read_to_string(run.join("logs/shogi_training_log.txt")).unwrap();
    assert!(log.contains("PPO Update. PolicyLoss: "), "{log}");
    let listed = succeeds(&["runs", "--runs", place]);
    assert!(listed.contains("finished") && listed.contains("1024 moves"), "{listed}");
}

#[test]
fn a_run_in_two_parts_ends_with_the_weights_of_one_in_one_part() {
    let runs = runs("train-parts");
    let place = runs.to_str().unwrap();
    let train = |name: &str, steps: &str| {
        succeeds(&[
            "train",
            "--preset",
            "cpu-smoke",
            "--run",
            name,
            "--steps",
            steps,
            "--runs",
            place,
            // Schedules follow the steps that are planned, so they are kept flat here.
            "--set",
            "rewind.share_end=0.8",
        ])
    };
    train("whole", "1024");
    train("parts", "512");
    assert!(train("parts", "1024").contains("going on after 512 moves"));
    let weights = |name: &str| {
        let file = "models/shogi_ppo_agent_step_1024.safetensors";
        std::fs::read(runs.join(name).join(file)).unwrap()
    };
    assert!(weights("whole") == weights("parts"), "the weights differ");
}

#[test]
fn without_a_name_an_unfinished_run_of_the_preset_goes_on() {
    let runs = runs("train-unnamed");
    let place = runs.to_str().unwrap();
    let begin = ["train", "--preset", "cpu-smoke", "--runs", place];
    succeeds(&begin);
    let run = std::fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(run.join("finished")).unwrap();
    assert!(succeeds(&begin).contains("going on after 1024 moves"));
    assert_eq!(std::fs::read_dir(&runs).unwrap().count(), 1);
}

#[test]
fn sizes_that_do_not_fit_are_refused_before_anything_is_learned() {
    let runs = runs("train-sizes");
    let place = runs.to_str().unwrap();
    for (setting, reason) in [
        ("env.action_space_size=6480", "no room for promotions and drops"),
        ("env.input_channels=45", "46 planes"),
        ("training.gama=1", "gamma"),
        ("training.gamma=2", "training.gamma"),
    ] {
        let arguments = ["train", "--preset", "cpu-smoke", "--runs", place, "--set", setting];
        let said = fails(1, &arguments);
        assert!(said.contains(reason), "{setting}: {said}");
    }
}

#[test]
fn settings_are_shown_explained_and_checked() {
    let shown = succeeds(&["config", "show", "--preset", "cpu", "--set", "network.blocks=7"]);
    assert!(shown.contains("blocks = 7"), "{shown}");
    let explained = succeeds(&["config", "explain", "training.gamma"]);
    assert!(explained.starts_with("training.gamma = 0.99"), "{explained}");
    assert!(succeeds(&["config", "check", "--preset", "document"]).contains("can be used"));
    assert!(fails(1, &["config", "explain", "training.gama"]).contains("training.gama"));
}

#[test]
fn an_environment_variable_changes_a_setting() {
    let command =
        crate::keisei(&["config", "show"]).env("KEISEI__TRAINING__GAMMA", "0.5").assert().success();
    assert!(stdout(&command).contains("gamma = 0.5"));
}
