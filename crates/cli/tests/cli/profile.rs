//! `keisei profile`.

use serde_json::Value;

use crate::{fails, file, scratch, succeeds};

#[test]
fn phases_are_printed_by_total_time_and_saved() {
    for game in ["shogi", "chess"] {
        let path = scratch(&format!("{game}-profile.json"));
        let path = path.to_str().unwrap();
        let text = succeeds(&["profile", "--game", game, "--repeat", "1", "--save", path]);
        let totals = text
            .lines()
            .filter(|line| !line.contains("calls"))
            .filter_map(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
        let totals: Vec<_> = totals.collect();
        assert!(totals.len() >= 10, "{text}");
        assert!(totals.is_sorted_by(|a, b| a >= b), "{text}");
        let saved: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(saved["game"], game);
        assert_eq!(saved["phases"].as_array().unwrap().len(), totals.len());
    }
}

#[test]
fn the_workload_is_the_same_in_every_run() {
    let calls = |name| {
        let path = scratch(name);
        let path = path.to_str().unwrap();
        succeeds(&["profile", "--repeat", "1", "--save", path]);
        let saved: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let phases = saved["phases"].as_array().unwrap();
        let calls = phases.iter().map(|phase| (phase["name"].clone(), phase["calls"].clone()));
        calls.collect::<Vec<_>>()
    };
    assert_eq!(calls("first-run.json"), calls("second-run.json"));
}

#[test]
fn two_saved_profiles_are_set_side_by_side() {
    let profile = |seconds: f64| {
        format!(
            r#"{{"game":"shogi","phases":[{{"name":"legal moves","calls":10,"seconds":{seconds}}}]}}"#
        )
    };
    let (before, after) = (file("before.json", &profile(2.0)), file("after.json", &profile(0.5)));
    let text = succeeds(&["profile", "--compare", &before, &after]);
    let line = text.lines().find(|line| line.ends_with("legal moves")).unwrap();
    let words: Vec<_> = line.split_whitespace().collect();
    assert_eq!(words[..7], ["2.000", "200.00", "ms", "0.500", "50.00", "ms", "4.00x"]);
}

#[test]
fn profiles_that_do_not_compare_are_refused() {
    let shogi = file("one.json", r#"{"game":"shogi","phases":[]}"#);
    let chess = file("other.json", r#"{"game":"chess","phases":[]}"#);
    let error = fails(2, &["profile", "--compare", &shogi, &chess]);
    assert!(error.contains("a profile of shogi does not compare with one of chess"), "{error}");
    let broken = file("broken.json", "{}");
    assert!(fails(1, &["profile", "--compare", &shogi, &broken]).contains("is no saved profile"));
    let error = fails(1, &["profile", "--compare", &shogi, "no-such-file"]);
    assert!(error.contains("cannot read no-such-file"), "{error}");
    assert!(fails(2, &["profile", "--compare", &shogi]).contains("2 values required"));
}
