//! `keisei perft`.

use serde_json::Value;

use crate::{fails, file, keisei, stderr, stdout, succeeds};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn without_arguments_it_counts_five_plies_from_the_start() {
    let text = succeeds(&["perft"]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(START));
    let count = lines.next().unwrap();
    assert!(count.starts_with("depth 5: 19861490 nodes in "), "{count}");
    assert!(count.contains(" Mnodes/s (bulk, "), "{count}");
}

#[test]
fn every_mode_and_number_of_threads_gives_the_same_count() {
    for mode in ["bulk", "count", "make"] {
        for threads in ["1", "3"] {
            let text = succeeds(&["perft", "--depth", "3", "--mode", mode, "--threads", threads]);
            assert!(text.contains("depth 3: 25470 nodes"), "{text}");
        }
    }
}

#[test]
fn a_depth_of_zero_counts_the_position_itself() {
    assert!(succeeds(&["perft", "--depth", "0"]).contains("depth 0: 1 nodes"));
}

#[test]
fn chess_is_counted_from_its_own_start() {
    let text = succeeds(&["perft", "--game", "chess", "--depth", "4"]);
    assert!(text.contains("depth 4: 197281 nodes"), "{text}");
}

#[test]
fn division_names_the_count_below_every_move() {
    let text = succeeds(&["perft", "--depth", "3", "--divide", "--handicap", "two"]);
    let counts = text.lines().filter_map(|line| line.split_once(": "));
    let (moves, total): (Vec<_>, Vec<_>) = counts.partition(|(name, _)| !name.starts_with("depth"));
    let sum: u64 = moves.iter().map(|(_, nodes)| nodes.parse::<u64>().unwrap()).sum();
    assert_eq!(moves.len(), 26);
    assert!(total[0].1.starts_with(&format!("{sum} nodes")), "{text}");
}

#[test]
fn json_holds_what_the_text_says() {
    let text = succeeds(&["perft", "--depth", "2", "--divide", "--json", "--mode", "count"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["game"], "shogi");
    assert_eq!(report["position"], START);
    assert_eq!(report["depth"], 2);
    assert_eq!(report["mode"], "count");
    assert_eq!(report["nodes"], 900);
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    let branches = report["divide"].as_array().unwrap();
    assert_eq!(branches.len(), 30);
    assert!(branches.iter().any(|branch| branch["move"] == "7g7f" && branch["nodes"] == 30));
}

#[test]
fn a_bad_position_is_named_with_the_reason() {
    let error = fails(2, &["perft", "--position", "9/9 b - 1"]);
    assert!(error.contains("\"9/9 b - 1\" is no shogi position: the board has 2 rows"), "{error}");
    let error = fails(2, &["perft", "--handicap", "pawn"]);
    assert!(error.contains("\"pawn\" is no handicap"), "{error}");
    let error = fails(2, &["perft", "--game", "chess", "--handicap", "two"]);
    assert!(error.contains("chess has no handicaps"), "{error}");
    let error = fails(2, &["perft", "--depth", "deep"]);
    assert!(error.contains("'deep'"), "{error}");
}

#[test]
fn a_right_file_passes_line_by_line() {
    let text = format!("# the start\n{START};1;30\n\n{START}; 3; 25470\nstartpos;2;900\n");
    let text = succeeds(&["perft", "--check", &file("right.txt", &text)]);
    assert!(text.contains("line 2: depth 1, 30 nodes, ok\n"), "{text}");
    assert!(text.contains("line 4: depth 3, 25470 nodes, ok\n"), "{text}");
    assert!(text.contains("\n3 of 3 lines agree: 26400 nodes in "), "{text}");
}

#[test]
fn a_wrong_count_is_named_with_its_line_and_fails() {
    let path = file("wrong.txt", &format!("{START};1;30\n{START};2;901\n"));
    let run = keisei(&["perft", "--check", &path]).assert().code(1);
    let expected = format!("line 2: expected 901 nodes at depth 2, found 900: {START}\n");
    assert!(stdout(&run).contains(&expected), "{}", stdout(&run));
    assert!(stderr(&run).contains("1 of 2 lines of"), "{}", stderr(&run));
}

#[test]
fn malformed_lines_are_named_and_the_others_still_checked() {
    let lines = [
        format!("{START};1"),
        format!("{START};one;30"),
        format!("{START};1;thirty"),
        "9/9 b - 1;1;30".to_owned(),
        format!("{START};1;30"),
        format!("{START};1;{0}\n{START};1;{0}", u64::MAX),
    ];
    let path = file("malformed.txt", &lines.join("\n"));
    let run = keisei(&["perft", "--check", &path]).assert().code(1);
    let out = stdout(&run);
    let expected = [
        "line 1: expected `position;depth;count`, found \"lnsgkgsnl/",
        "line 2: \"one\" is no depth",
        "line 3: \"thirty\" is no count",
        "line 4: \"9/9 b - 1\" is no shogi position",
        "line 5: depth 1, 30 nodes, ok",
        "line 6: expected 18446744073709551615 nodes at depth 1, found 30",
        "1 of 7 lines agree",
    ];
    for expected in expected {
        assert!(out.contains(expected), "{expected} is not in {out}");
    }
    assert!(stderr(&run).contains("6 of 7 lines of"));
}

#[test]
fn a_check_can_be_read_by_a_program() {
    let path = file("check.json.txt", &format!("{START};1;31\nnonsense\n"));
    let run = keisei(&["perft", "--check", &path, "--json"]).assert().code(1);
    let report: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(report["lines"], 2);
    assert_eq!(report["faults"][0]["line"], 2);
    assert!(report["faults"][0]["malformed"].as_str().unwrap().contains("nonsense"));
    assert_eq!(report["faults"][1]["line"], 1);
    assert_eq!(report["faults"][1]["expected"], 31);
    assert_eq!(report["faults"][1]["found"], 30);
}

#[test]
fn a_file_without_counts_or_without_existence_fails() {
    let empty = file("empty.txt", "# nothing\n");
    assert!(fails(1, &["perft", "--check", &empty]).contains("has no line to check"));
    assert!(fails(1, &["perft", "--check", "no-such-file"]).contains("cannot read no-such-file"));
}

#[test]
fn a_chess_file_is_checked_as_chess() {
    let position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let path = file("chess.txt", &format!("{position};3;97862\n"));
    let text = succeeds(&["perft", "--game", "chess", "--check", &path]);
    assert!(text.contains("1 of 1 lines agree"), "{text}");
}
