//! `keisei stats`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::{fails, keisei, scratch, stderr, stdout, succeeds};

/// A folder of its own for the test `name`, with three games of shogi in two files, one of them
/// deeper, a game of chess, and two files that are left out.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    // What an earlier run left there would be counted too.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("deeper")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    // Black wins, then Black loses, both after 7g7f; then Black wins after 2g2f.
    write(
        "a.csa",
        "PI\n+\n+7776FU\n-3334FU\n+2726FU\n%TORYO\n/\nPI\n+\n+7776FU\n-8384FU\n%TORYO\n",
    );
    write("deeper/b.usi", "startpos moves 2g2f resign\n");
    write("c.pgn", "[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    write("broken.csa", "PI\n+\n+7775FU\n");
    write("notes.txt", "no record\n");
    folder
}

#[test]
fn moves_are_counted_with_their_scores_the_most_frequent_first() {
    let folder = folder("stats-moves");
    let run = keisei(&["stats", folder.to_str().unwrap()]).assert().success();
    let text = stdout(&run);
    assert!(text.starts_with("3 games of shogi, "), "{text}");
    assert!(text.contains(": 3 times\n"), "{text}");
    let rows: Vec<Vec<_>> = text
        .lines()
        .skip_while(|line| !line.contains("played"))
        .skip(1)
        .take(2)
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["2", "66.7%", "50.0%", "1", "0", "1", "7g7f", "☗７六歩"]);
    assert_eq!(rows[1], ["1", "33.3%", "100.0%", "1", "0", "0", "2g2f", "☗２六歩"]);
    assert!(text.contains("a.csa, game 2\n"), "{text}");
    let left_out = stderr(&run);
    assert!(left_out.contains("broken.csa") && left_out.contains("line 3"), "{left_out}");
    assert!(!left_out.contains("notes.txt"), "{left_out}");
}

#[test]
fn a_position_is_found_by_its_moves_and_from_both_sides() {
    let folder = folder("stats-position");
    let folder = folder.to_str().unwrap();
    let found = |arguments: &[&str]| {
        let text = succeeds(&[&["stats", folder, "--json"], arguments].concat());
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let report = found(&["--position", "startpos moves 7g7f"]);
    assert_eq!(report["found"].as_array().unwrap().len(), 2);
    assert_eq!(report["moves"].as_array().unwrap().len(), 2);
    assert_eq!(report["found"][1]["ply"], 1);
    assert_eq!(report["found"][1]["number"], 2);
    let nowhere = found(&["--position", "ten"]);
    assert_eq!(nowhere["found"].as_array().unwrap().len(), 0);
    // The start with White to move is the start seen from the other side.
    let turned = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    assert_eq!(found(&["--position", turned])["moves"].as_array().unwrap().len(), 0);
    let turned = found(&["--position", turned, "--both-sides"]);
    assert_eq!(turned["moves"][0]["move"], "3c3d");
    assert_eq!(turned["moves"][0]["played"], 2);
}

#[test]
fn chess_games_are_counted_apart() {
    let folder = folder("stats-chess");
    let text = succeeds(&["stats", folder.to_str().unwrap(), "--game", "chess"]);
    assert!(text.starts_with("1 game of chess, "), "{text}");
    assert!(text.contains("e2e4 e4\n"), "{text}");
}

#[test]
fn favourites_are_marked_and_unmarked() {
    let folder = folder("stats-favorites");
    let folder = folder.to_str().unwrap();
    let list = scratch("stats-favorites.txt");
    let _ = fs::remove_file(&list);
    let list = list.to_str().unwrap();
    let marked = |arguments: &[&str]| {
        let text = succeeds(&[&["stats", folder, "--favorites", list], arguments].concat());
        text.contains("2g2f ☗２六歩★")
    };
    assert!(marked(&["--favorite", "2g2f"]));
    assert!(marked(&[]));
    assert!(!marked(&["--favorite", "2g2f"]));
    let error = fails(2, &["stats", folder, "--favorites", list, "--favorite", "2g2e"]);
    assert!(error.contains("2g2e is illegal"), "{error}");
}

#[test]
fn folders_without_records_and_bad_positions_are_refused() {
    let empty = scratch("stats-empty");
    fs::create_dir_all(&empty).unwrap();
    let error = fails(1, &["stats", empty.to_str().unwrap()]);
    assert!(error.contains("holds no records of shogi"), "{error}");
    assert_eq!(fails(1, &["stats", empty.to_str().unwrap(), "--json"]), error);
    assert!(fails(1, &["stats", "no-such-folder"]).contains("cannot read no-such-folder"));
    let error = fails(2, &["stats", empty.to_str().unwrap(), "--position", "9/9 b - 1"]);
    assert!(error.contains("\"9/9 b - 1\" is no shogi position"), "{error}");
}
