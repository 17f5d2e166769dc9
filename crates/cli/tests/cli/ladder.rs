//! `keisei ladder`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::{fails, scratch, succeeds};

/// A folder of its own for the test `name`, which is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn the_checkpoints_of_a_run_are_rated() {
    let runs = folder("ladder-runs");
    let name = runs.to_str().unwrap();
    let train = "train --preset cpu-smoke --run first --seed 3 --steps 2000 --runs";
    succeeds(&[&train.split(' ').collect::<Vec<_>>()[..], &[name]].concat());
    let run = runs.join("first");
    let words =
        "--as policy,net --simulations 2 --checkpoints 2 --rounds 2 --rungs mate1 --max-moves 60";
    let words: Vec<_> = words.split(' ').collect();
    let arguments = [&["ladder", run.to_str().unwrap()], &words[..]].concat();
    let text = succeeds(&arguments);
    assert!(text.contains("policy @ ") && text.contains("2 simulations @ "), "{text}");
    assert!(text.contains("random play is 0"), "{text}");
    let read = |name: &str| fs::read_to_string(run.join("ladder").join(name)).unwrap();
    let table: Value = serde_json::from_str(&read("ladder.json")).unwrap();
    let rows = table["rows"].as_array().unwrap();
    let candidates: Vec<_> = rows.iter().filter(|row| row["candidate"].is_object()).collect();
    assert!(candidates.len() >= 2, "{table}");
    for row in candidates {
        assert!(row["rating"]["elo"].is_number() && row["candidate"]["step"].is_number(), "{row}");
    }
    assert!(read("ladder.md").contains("| player | Elo |"));
    assert!(read("ladder.svg").starts_with("<svg"));
    // What was played is not played again.
    assert_eq!(succeeds(&arguments), text);
}

#[test]
fn the_rungs_are_played_against_each_other() {
    let folder = folder("ladder-calibration");
    let out = folder.to_str().unwrap();
    let words = "ladder --calibrate --rungs mate1,greedy --rounds 3 --max-moves 150 --out";
    let text = succeeds(&[&words.split(' ').collect::<Vec<_>>()[..], &[out]].concat());
    for pair in ["mate1 vs random: +", "greedy vs random: +", "greedy vs mate1: +"] {
        assert!(text.contains(pair), "{text}");
    }
    let calibration = fs::read_to_string(folder.join("calibration.json")).unwrap();
    let calibration: Value = serde_json::from_str(&calibration).unwrap();
    assert_eq!(calibration["games"].as_array().unwrap().len(), 3);
}

#[test]
fn who_is_measured_anew_plays_among_those_who_keep_their_games() {
    let folder = folder("ladder-anew");
    let out = folder.to_str().unwrap();
    let words = "ladder --calibrate --rungs mate1,greedy --with level:1 --only level:1 --rounds 1 \
                 --reach 1 --max-moves 60 --out";
    let arguments: Vec<_> = words.split_whitespace().chain([out]).collect();
    let text = succeeds(&arguments);
    assert!(text.contains("level:1 vs ") || text.contains(" vs level:1: +"), "{text}");
    assert!(!text.contains("greedy vs mate1: "), "{text}");
    let calibration = fs::read_to_string(folder.join("calibration.json")).unwrap();
    assert!(calibration.contains("\"first\":\"SF d5\""), "the others' games are kept");
    let error = fails(2, &[&arguments[..], &["--only", "nobody"]].concat());
    assert!(error.contains("\"nobody\" is neither a rung nor connects them"), "{error}");
}

#[test]
fn what_cannot_be_rated_is_named() {
    let error = fails(1, &["ladder", "no-such-run", "--rungs", "mate1"]);
    assert!(error.contains("cannot read no-such-run"), "{error}");
    let error = fails(2, &["ladder", "no-such-run", "--rungs", "mate2"]);
    assert!(error.contains("there is no rung \"mate2\"; the rungs are random, mate1"), "{error}");
}
