//! `keisei usi` as a shogi GUI starts it.

use crate::{fails, keisei, stderr, stdout};

/// What the engine says to `lines`.
pub(crate) fn answers(arguments: &[&str], lines: &[&str]) -> Vec<String> {
    let assert = keisei(arguments).write_stdin(lines.join("\n")).assert().success();
    assert_eq!(stderr(&assert), "");
    stdout(&assert).lines().map(str::to_owned).collect()
}

#[test]
fn it_presents_itself_gets_ready_and_plays() {
    let said = answers(&["usi"], &["usi", "isready", "position startpos", "go nodes 20"]);
    assert!(said[0].starts_with("id name Keisei "), "{said:?}");
    let has = |line: &str| said.iter().any(|said| said == line);
    assert!(has("option name USI_Ponder type check default false"), "{said:?}");
    assert!(has("option name EvalFile type filename default <empty>"), "{said:?}");
    assert!(has("usiok") && has("readyok"), "{said:?}");
    // It has a network to play with, so there is nothing to remark.
    assert!(!said.iter().any(|line| line.starts_with("info string")), "{said:?}");
    assert!(said.last().is_some_and(|line| line.starts_with("bestmove ")), "{said:?}");
}

#[test]
fn it_finds_mates() {
    let position = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let said = answers(&["usi"], &[position, "go mate infinite"]);
    assert!(["checkmate G*5b", "checkmate timeout"].contains(&said[0].as_str()), "{said:?}");
}

#[test]
fn a_model_that_cannot_be_read_is_named_when_the_gui_waits_for_it() {
    let said = answers(&["usi", "--model", "no/such/file"], &["usi", "isready", "go nodes 1"]);
    let has = |line: &str| said.iter().any(|said| said == line);
    assert!(has("option name EvalFile type filename default no/such/file"), "{said:?}");
    let error = |line: &&String| line.starts_with("info string error: no/such/file: ");
    assert_eq!(said.iter().filter(error).count(), 2, "{said:?}");
    assert!(has("readyok") && has("bestmove resign"), "{said:?}");
}

#[test]
fn another_player_plays_if_it_is_named() {
    let said = answers(
        &["usi", "--player", "mate1"],
        &["usi", "isready", "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go byoyomi 1000"],
    );
    assert!(said[0].starts_with("id name Keisei ") && said[0].ends_with(" mate1"), "{said:?}");
    assert_eq!(said.last().map(String::as_str), Some("bestmove G*5b"));
    let said = answers(&["usi", "--player", "uci:stockfish"], &["isready"]);
    assert!(said[0].contains("does not play shogi"), "{said:?}");
    assert_eq!(said[1], "readyok");
}

#[test]
fn a_gui_chooses_a_level_and_goes_back_to_full_strength() {
    let said = answers(
        &["usi"],
        &[
            "usi",
            "setoption name Level value 1",
            "isready",
            "position startpos",
            "go nodes 20",
            "setoption name Level value strongest",
            "isready",
            "go nodes 20",
        ],
    );
    let offer = "option name Level type combo default Strongest var Strongest var 1 var 2";
    assert!(said.iter().any(|line| line.starts_with(offer)), "{said:?}");
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 2, "{said:?}");
    assert!(!said.iter().any(|line| line.starts_with("info string")), "{said:?}");
    // The first level plays by its policy alone.
    assert!(said.iter().any(|line| line.contains("nodes 1 ")), "{said:?}");
}

#[test]
fn unknown_arguments_are_refused() {
    assert!(fails(2, &["usi", "--player", "grandmaster"]).contains("grandmaster"));
    assert!(fails(2, &["usi", "--modle", "x"]).contains("--model"));
}
