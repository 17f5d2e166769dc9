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
fn it_has_a_network_to_play_with() {
    let said = answers(&["uci"], &["uci", "isready", "position startpos", "go nodes 20"]);
    assert!(!said.iter().any(|line| line.starts_with("info string")), "{said:?}");
    for command in ["uci", "usi"] {
        assert!(succeeds(&["help", command]).contains("the built-in network plays"));
    }
}
