//! Training from the command line: runs, their settings, going on.

use std::path::PathBuf;

use crate::{fails, scratch, stdout, succeeds};

/// An empty folder for runs.
pub(crate) fn runs(name: &str) -> PathBuf {
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
        assert!(!runs.exists(), "{setting}: a folder was left behind");
    }
}

#[test]
fn a_run_that_cannot_begin_leaves_no_folder_and_a_missing_python_is_named() {
    let runs = runs("train-refused");
    let place = runs.to_str().unwrap();
    let begin = ["train", "--preset", "cpu-smoke", "--runs", place, "--set"];
    let no_python = ["wandb.enabled=true", "--set", "wandb.python=no-such-python"];
    let said = fails(1, &[&begin[..], &no_python].concat());
    let expected = "no-such-python: this Python (wandb.python) cannot be started";
    assert!(said.contains(expected), "{said}");
    let unknown = ["evaluation.opponents=[\"meijin\"]"];
    assert!(fails(1, &[&begin[..], &unknown].concat()).contains("\"meijin\""));
    assert_eq!(std::fs::read_dir(&runs).unwrap().count(), 0, "folders were left behind");
}

#[test]
fn a_run_of_another_preset_does_not_go_on() {
    let runs = runs("train-other-preset");
    let place = runs.to_str().unwrap();
    succeeds(&["train", "--preset", "cpu-smoke", "--runs", place, "--steps", "256"]);
    let run = std::fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(run.join("finished")).unwrap();
    let small = [
        "rollout.games=16",
        "rollout.steps=16",
        "training.minibatch_size=64",
        "network.channels=8",
        "rewind.seed_games=0",
        "evaluation.mate_positions=0",
    ];
    let small = small.iter().flat_map(|setting| ["--set", setting]);
    // The preset without a name on the command line: its name begins that of the other.
    let begin = ["train", "--runs", place, "--steps", "256"];
    let arguments: Vec<_> = begin.into_iter().chain(small).collect();
    let said = succeeds(&arguments);
    assert!(!said.contains("going on"), "{said}");
    assert_eq!(std::fs::read_dir(&runs).unwrap().count(), 2);
}

#[test]
fn models_are_found_where_the_settings_put_them() {
    let runs = runs("train-model-dir");
    let place = runs.to_str().unwrap();
    let begin = ["train", "--preset", "cpu-smoke", "--run", "a", "--runs", place];
    let elsewhere = ["--steps", "256", "--set", "logging.model_dir=weights"];
    let said = succeeds(&[&begin[..], &elsewhere].concat());
    let models = runs.join("a/weights").display().to_string();
    assert!(said.contains(&format!("the models are in {models}")), "{said}");
    assert!(!runs.join("a/models").exists());
    assert!(succeeds(&["report", "a", "--runs", place]).contains(&models));
    let player = format!("policy:{}", runs.join("a").display());
    succeeds(&["play", "--black", &player, "--white", "random", "--seed", "1"]);
    let run = runs.join("a").display().to_string();
    let ladder = "--as policy --checkpoints 1 --rounds 2 --rungs random --max-moves 20";
    let arguments: Vec<_> = ["ladder", &run].into_iter().chain(ladder.split(' ')).collect();
    succeeds(&arguments);
}

#[test]
fn runs_are_kept_where_the_settings_say() {
    let runs = runs("train-runs-dir");
    let setting = format!("logging.runs_dir={}", runs.display());
    let begin = ["train", "--preset", "cpu-smoke", "--run", "a", "--steps", "256"];
    succeeds(&[&begin[..], &["--set", &setting]].concat());
    assert!(runs.join("a/config.toml").exists());
    let listed =
        crate::keisei(&["runs"]).env("KEISEI__LOGGING__RUNS_DIR", &runs).assert().success();
    assert!(stdout(&listed).starts_with("a "), "{}", stdout(&listed));
}

#[test]
fn the_log_level_decides_how_much_is_said() {
    let runs = runs("train-level");
    let place = runs.to_str().unwrap();
    let said = |level: &str| {
        let setting = format!("logging.log_level={level}");
        let arguments = ["train", "--preset", "cpu-smoke", "--runs", place, "--new", "--steps"];
        let done = crate::keisei(&[&arguments[..], &["1024", "--set", &setting]].concat());
        crate::stderr(&{ done }.assert().success())
    };
    assert_eq!(said("WARN"), "");
    let updates = |said: &str| said.lines().filter(|line| line.contains(" moves, ")).count();
    let info = said("INFO");
    assert!(info.contains("sampled against random") && !info.contains("saved"), "{info}");
    let debug = said("DEBUG");
    assert!(updates(&debug) == 4 && debug.contains("saved"), "{debug}");
    assert!(said("TRACE").contains("a rollout begins"));
}

#[test]
fn settings_that_this_build_cannot_honour_are_refused_or_told() {
    let runs = runs("train-honour");
    let place = runs.to_str().unwrap();
    let begin = ["train", "--preset", "cpu-smoke", "--runs", place, "--set"];
    let said = fails(1, &[&begin[..], &["training.distributed=true"]].concat());
    assert!(said.contains("training.distributed = true, but one process learns"), "{said}");
    for (setting, told) in [
        ("env.device=cuda", "env.device is cuda, but this build learns on the CPU"),
        ("training.mixed_precision=true", "training.mixed_precision is true, but"),
    ] {
        let said = succeeds(&[&begin[..], &[setting, "--steps", "256"]].concat());
        assert!(said.contains(told), "{setting}: {said}");
    }
}

#[test]
fn a_run_says_how_fast_it_was_and_where_its_time_went() {
    let runs = runs("train-speed");
    let place = runs.to_str().unwrap();
    let said = succeeds(&["train", "--preset", "cpu-smoke", "--run", "a", "--runs", place]);
    for part in [" moves a second", "acting ", "learning ", "evaluating ", "network's arithmetic"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let metrics = std::fs::read_to_string(runs.join("a/metrics.jsonl")).unwrap();
    let updates = metrics.lines().filter(|line| line.contains("losses/policy_loss"));
    for line in updates {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let time = |name: &str| line[format!("time/{name}")].as_f64().unwrap();
        assert!(time("acting") <= time("rollout") && time("learning") <= time("update"), "{line}");
        let network = (time("acting") + time("learning")) / (time("rollout") + time("update"));
        assert!((time("network_share") - network).abs() < 1e-6, "{line}");
    }
}

#[test]
fn evaluations_are_against_any_players_that_the_settings_name() {
    let runs = runs("train-opponents");
    let place = runs.to_str().unwrap();
    let opponents = "evaluation.opponents=[\"mate1\", \"random\", \"ab:1\"]";
    let begin = ["train", "--preset", "cpu-smoke", "--run", "a", "--runs", place];
    succeeds(&[&begin[..], &["--steps", "512", "--set", opponents]].concat());
    let metrics = std::fs::read_to_string(runs.join("a/metrics.jsonl")).unwrap();
    for name in ["mate1", "random", "ab:1"] {
        assert!(metrics.contains(&format!("\"eval/score_vs_{name}\":")), "{name}: {metrics}");
    }
    assert!(runs.join("a/games/update-0000000002-ab_1-greedy.usi").exists());
}

#[test]
fn settings_are_shown_explained_and_checked() {
    let shown = succeeds(&["config", "show", "--preset", "cpu", "--set", "network.blocks=7"]);
    assert!(shown.contains("blocks = 7"), "{shown}");
    let explained = succeeds(&["config", "explain", "training.gamma"]);
    assert!(explained.starts_with("training.gamma = 0.99"), "{explained}");
    let explained = succeeds(&["config", "explain", "training.minutes"]);
    assert!(explained.contains("does not go on exactly"), "{explained}");
    assert!(succeeds(&["config", "check", "--preset", "document"]).contains("can be used"));
    assert!(fails(1, &["config", "explain", "training.gama"]).contains("training.gama"));
    assert!(succeeds(&["config", "explain"]).contains("KEISEI__TRAINING__GAMMA=0.99"));
}

#[test]
fn settings_are_shown_as_training_begins_with_them() {
    let shown = succeeds(&["config", "show"]);
    assert_eq!(shown, succeeds(&["config", "show", "--preset", "cpu"]));
    assert_ne!(shown, succeeds(&["config", "show", "--preset", "document"]));
    assert!(succeeds(&["config", "explain", "training"]).contains("preset cpu"));
}

#[test]
fn a_run_that_goes_on_is_named_where_it_refuses_something() {
    let runs = runs("train-named-in-errors");
    let place = runs.to_str().unwrap();
    let begin = ["train", "--preset", "cpu-smoke", "--runs", place, "--steps", "256"];
    succeeds(&begin);
    let run = std::fs::read_dir(&runs).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(run.join("finished")).unwrap();
    let name = run.file_name().unwrap().to_str().unwrap();
    let refuses = |arguments: &[&str]| fails(1, &[&begin[..], arguments].concat());
    let said = refuses(&["--set", "network.blocks=4"]);
    let expected = format!("the run {name} goes on (--new begins another run): ");
    assert!(said.contains(&expected), "{said}");
    let said = refuses(&["--set", "training.gama=1"]);
    assert!(said.contains(&expected), "{said}");
}

#[test]
fn a_begun_run_refuses_another_seed_and_another_preset() {
    let runs = runs("train-another-seed");
    let place = runs.to_str().unwrap();
    let begin = ["train", "--run", "a", "--runs", place, "--steps", "256"];
    let with = |arguments: &[&'static str]| [&begin[..], arguments].concat();
    let as_before = with(&["--preset", "cpu-smoke", "--seed", "1"]);
    succeeds(&as_before);
    let said = fails(1, &with(&["--seed", "77"]));
    assert!(said.contains("the run a has begun with the seed 1, not 77"), "{said}");
    let said = fails(1, &with(&["--preset", "animal"]));
    assert!(said.contains("the run a has begun with the preset cpu-smoke, not animal"), "{said}");
    assert!(succeeds(&as_before).contains("seed 1"));
}

#[test]
fn a_folder_that_cannot_be_made_is_named_with_its_reason_once() {
    let said = fails(1, &["train", "--preset", "cpu-smoke", "--runs", "/proc/no-such-folder"]);
    assert!(said.contains("/proc/no-such-folder"), "{said}");
    assert_eq!(said.matches("os error").count(), 1, "{said}");
}

#[test]
fn a_check_refuses_what_training_refuses() {
    let cases = [
        (&["env.action_space_size=6480"][..], "no room for promotions and drops"),
        (&["env.input_channels=40"], "46 planes"),
        (&["env.game=chess"], "planes"),
        (&["training.distributed=true"], "one process learns"),
        (&["evaluation.opponents=[\"meijin\"]"], "\"meijin\""),
        (&["env.action_space_size=13527"], "policy_head"),
        (&["env.move_count_plane=true"], "no such plane"),
        (&["demo.enabled=true", "demo.model_path=a.safetensors"], "--white net:a.safetensors"),
    ];
    for (settings, reason) in cases {
        let set: Vec<_> = settings.iter().flat_map(|setting| ["--set", *setting]).collect();
        let check = ["config", "check", "--preset", "cpu-smoke"];
        let said = fails(1, &[&check[..], &set].concat());
        assert!(said.contains(reason), "{settings:?}: {said}");
        let runs = runs("train-checked");
        let train = ["train", "--preset", "cpu-smoke", "--runs", runs.to_str().unwrap()];
        assert_eq!(fails(1, &[&train[..], &set].concat()), said, "{settings:?}");
    }
}

#[test]
fn a_variable_that_is_meant_for_keisei_but_names_no_setting_is_refused() {
    for (name, expected) in [
        ("KEISEI_TRAINING_GAMMA", "KEISEI__TRAINING__GAMMA"),
        ("KEISEI__TRAINING__GAMA", "is \"gamma\" meant?"),
    ] {
        let refused = crate::keisei(&["config", "show"]).env(name, "0.5").assert().code(1);
        let said = crate::stderr(&refused);
        assert!(said.contains(name) && said.contains(expected), "{said}");
    }
}

#[test]
fn an_environment_variable_changes_a_setting() {
    let command =
        crate::keisei(&["config", "show"]).env("KEISEI__TRAINING__GAMMA", "0.5").assert().success();
    assert!(stdout(&command).contains("gamma = 0.5"));
}
