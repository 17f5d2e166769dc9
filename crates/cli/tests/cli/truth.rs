//! `keisei truth`.

use serde_json::Value;

use crate::{fails, scratch, succeeds};

/// A game of two lions and a chick, which is solved in a moment.
const SMALL: [&str; 2] = ["--position", "1l1/1c1/3/1L1 w - 1"];

#[test]
fn players_are_measured_against_a_table_that_is_made_once() {
    let table = scratch("truth-small.table");
    let _ = std::fs::remove_file(&table);
    let name = table.to_str().unwrap();
    let arguments = ["truth", "random", "ab:3", "--table", name, "--games", "40", "--json"];
    let measure = || {
        let text = succeeds(&[&arguments[..], &SMALL].concat());
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let first = measure();
    assert!(table.exists());
    assert_eq!(measure(), first, "the same with the table read from its file");
    let share = |player: usize| {
        let won = &first[player]["random_games"]["won"];
        won["kept"].as_f64().unwrap() / won["positions"].as_f64().unwrap()
    };
    assert_eq!(first[0]["player"], "any move");
    assert_eq!(first[1]["player"], "random");
    assert!((share(0) - share(1)).abs() < 0.2, "random play keeps what any move keeps");
    assert!(share(2) > share(1), "looking ahead keeps more");
}

#[test]
fn a_table_that_cannot_be_written_is_refused_before_the_game_is_solved() {
    let table = scratch("no-such-folder/truth.table");
    let message = fails(1, &["truth", "random", "--table", table.to_str().unwrap()]);
    assert!(message.contains("cannot write"), "{message}");
    assert!(!message.contains("solving"), "{message}");
}

#[test]
fn a_file_that_is_no_table_and_a_table_of_another_game_are_refused() {
    let other = scratch("truth-other.table");
    std::fs::write(&other, "something else entirely").unwrap();
    let message = fails(1, &["truth", "random", "--table", other.to_str().unwrap()]);
    assert!(message.contains("no table of animal shogi"), "{message}");

    let small = scratch("truth-refused.table");
    let _ = std::fs::remove_file(&small);
    let name = small.to_str().unwrap();
    succeeds(&[&["truth", "random", "--table", name, "--games", "1"], &SMALL[..]].concat());
    let message = fails(1, &["truth", "random", "--table", name]);
    assert!(message.contains("the table does not hold gle/1c1/1C1/ELG b - 1"), "{message}");
}
