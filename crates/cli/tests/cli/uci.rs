//! `keisei uci` as a chess GUI starts it.

use crate::succeeds;
use crate::usi::answers;

#[test]
fn it_presents_itself_gets_ready_and_plays() {
    let said = answers(
        &["uci"],
        &["uci", "setoption name Move Overhead value 10", "isready", "ucinewgame", "go nodes 20"],
    );
    let has = |line: &str| said.iter().any(|said| said == line);
    assert!(has("option name Move Overhead type spin default 50 min 0 max 10000"), "{said:?}");
    assert!(has("uciok") && has("readyok"), "{said:?}");
    assert!(said.last().is_some_and(|line| line.starts_with("bestmove ")), "{said:?}");
}

#[test]
fn without_a_move_it_says_so() {
    let position = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(answers(&["uci"], &[position, "go depth 3"]), ["bestmove (none)"]);
}

#[test]
fn help_promises_no_network_that_there_is_not() {
    let help = succeeds(&["help", "uci"]);
    assert!(help.contains("There is no built-in network for chess"), "{help}");
    assert!(!help.contains("[default"), "{help}");
    assert!(succeeds(&["help", "usi"]).contains("the built-in network plays"));
}
