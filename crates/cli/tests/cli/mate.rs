//! `keisei mate`.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{fails, file, succeeds};

#[test]
fn a_mate_is_printed_in_usi_and_in_japanese() {
    let text = succeeds(&["mate", "k8/9/G8/9/9/9/9/9/8K b Rp 1"]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "Mate in 3 plies, the shortest");
    assert_eq!(lines[1], "R*9b 9a8a 9c8b");
    assert_eq!(lines[2], "☗９二飛 ☖８一玉 ☗８二金");
    assert!(lines[3].contains(" nodes in ") && lines[3].ends_with(" nodes/s"), "{text}");
}

#[test]
fn a_pawn_that_may_not_mate_leaves_no_mate() {
    let text = succeeds(&["mate", "7nk/9/8G/9/9/9/9/9/K8", "b", "P", "1"]);
    assert!(text.starts_with("No mate\n"), "{text}");
}

#[test]
fn json_tells_all() {
    let text = succeeds(&["mate", "--json", "--game", "chess", "8/7k/R7/1R6/8/8/8/7K w - - 0 1"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["result"], "mate");
    assert_eq!(report["plies"], 3);
    assert_eq!(report["shortest"], true);
    assert_eq!(report["moves"][0], "b5b7");
    assert_eq!(report["notation"][0], "Rb7+");
    assert!(report["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn a_limit_that_is_too_narrow_leaves_the_answer_open() {
    let position = "9/7k1/9/9/9/9/9/9/9 b RB 1";
    let text = succeeds(&["mate", position, "--nodes", "1000", "--memory", "1"]);
    assert!(text.starts_with("Unknown\n"), "{text}");
    let text = succeeds(&["mate", position, "--plies", "3"]);
    assert!(text.starts_with("No mate\n"), "{text}");
}

#[test]
fn a_file_is_solved_line_by_line() {
    let lines = "# two problems\n\n4k4/9/4P4/9/9/9/9/9/4K4 b G 1;1\n7nk/9/8G/9/9/9/9/9/K8 b P 1\n";
    let name = file("mates.txt", lines);
    let text = succeeds(&["mate", "--file", &name]);
    assert!(text.contains("b G 1: mate in 1 ply, the shortest ("), "{text}");
    assert!(text.contains("b P 1: no mate ("), "{text}");
    assert!(text.contains("2 positions: 1 mate, 1 no mate, 0 unknown; "), "{text}");
    let json = succeeds(&["mate", "--json", "--file", &name]);
    let results: Vec<Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!([&results[0]["result"], &results[1]["result"]], ["mate", "no mate"]);
}

#[test]
fn what_cannot_be_solved_is_refused_with_the_reason() {
    assert!(fails(2, &["mate"]).contains("POSITION"));
    assert!(fails(2, &["mate", "nonsense"]).contains("nonsense"));
    assert!(fails(2, &["mate", "startpos", "--seconds", "0"]).contains("seconds above 0"));
    let mated = fails(2, &["mate", "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1"]);
    assert!(mated.contains("the game is over: black wins by checkmate"), "{mated}");
    assert!(fails(2, &["mate", "startpos", "--memory", "1048576"]).contains("--memory"));
    let empty = file("no-mates.txt", "# nothing\n\n");
    assert!(fails(1, &["mate", "--file", &empty]).contains("has no position to solve"));
    let name = file("bad-mates.txt", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1\nnonsense\n");
    assert!(fails(1, &["mate", "--file", &name]).contains("line 2"));
}

#[test]
fn an_interrupt_prints_what_is_known() {
    let easy = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let name = file("long-mates.txt", &format!("{easy}\n9/7k1/9/9/9/9/9/9/9 b RB 1\n{easy}\n"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_keisei"))
        .args(["mate", "--file", &name, "--seconds", "1000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    lines.read_line(&mut said).unwrap();
    assert!(said.contains("mate in 1 ply"), "{said}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    lines.read_to_string(&mut said).unwrap();
    // The signal may come before the second position is begun, but the third is never reached.
    let (one, two) = ("1 position: 1 mate, 0 no", "2 positions: 1 mate, 0 no mate, 1 unknown; ");
    assert!(said.contains(one) || said.contains(two), "{said}");
    assert!(child.wait().unwrap().success());
}
