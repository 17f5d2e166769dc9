//! What goes wrong is said, and the session goes on.

use keisei_chess::Chess;
use keisei_engine::Arena;
use keisei_shogi::Shogi;

use crate::gui::{Gui, start};
use crate::tester::{Habit, Tester};

/// What a tester with `habit` says to `go nodes 1` after `setup`.
fn answer<G: Arena>(habit: Habit, setup: &str) -> Vec<String> {
    let mut gui = Gui::new::<G>(Tester::with(habit));
    gui.send(setup);
    gui.send("go nodes 1");
    let mut lines = vec![gui.hear()];
    while !lines.iter().any(|line| line.starts_with("bestmove")) {
        lines.push(gui.hear());
    }
    lines.retain(|line| !line.starts_with("info depth"));
    lines
}

#[test]
fn a_malformed_position_is_named_and_the_one_before_is_kept() {
    let mut gui = Gui::new::<Shogi>(Tester::default());
    gui.send("position startpos moves 1g1f");
    for (wrong, problem) in [
        ("position", "expected startpos or sfen, found \"\""),
        ("position fen 8/8", "expected startpos or sfen, found \"fen\""),
        ("position startpos 7g7f", "expected moves, found \"7g7f\""),
        ("position startpos moves 7g7f hello", "move 2: \"hello\" is "),
    ] {
        gui.send(wrong);
        let line = gui.hear();
        assert!(line.starts_with(&format!("info string error: position: {problem}")), "{line}");
    }
    gui.send("go nodes 1");
    assert_eq!(gui.hear_answer(), "bestmove 1a1b ponder 1f1e");
}

#[test]
fn wrong_options_are_refused_by_name() {
    let mut gui = Gui::new::<Chess>(Tester::default());
    gui.follow(
        "> setoption name Hash value 0
         < info string error: option Hash: expected a number from 1 to 16384, found \"0\"
         > setoption name PONDER value perhaps
         < info string error: option Ponder: expected true or false, found \"perhaps\"
         > setoption name UCI_Chess960 value true
         < info string error: there is no option \"UCI_Chess960\"",
    );
}

#[test]
fn unknown_commands_are_ignored_and_named_only_in_debug_mode() {
    let mut gui = Gui::new::<Chess>(Tester::default());
    gui.send("xyzzy");
    gui.send("");
    gui.hear_nothing();
    gui.send("debug on");
    gui.send("register later");
    assert_eq!(gui.hear(), "info string ignored: register later");
    gui.send("debug off");
    gui.send("usi");
    gui.hear_nothing();
}

#[test]
fn without_a_network_it_is_ready_but_says_why_it_cannot_play() {
    let mut gui = Gui::new::<Shogi>(Tester::with(Habit::HasNoNetwork));
    gui.follow(
        "> isready
         < info string error: cannot read \"none\": no such file
         < readyok
         > go byoyomi 100
         < info string error: cannot read \"none\": no such file
         < bestmove resign",
    );
    let lines = answer::<Chess>(Habit::HasNoNetwork, "isready");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove (none)"));
}

#[test]
fn a_player_that_fails_loses_the_move_but_not_the_session() {
    let lines = answer::<Shogi>(Habit::Fails, "usinewgame");
    assert_eq!(lines, ["info string error: tester: out of order", "bestmove resign"]);
    let lines = answer::<Shogi>(Habit::PlaysIllegally, "usinewgame");
    assert!(lines[0].starts_with("info string error: tester: 1a1b is illegal"), "{lines:?}");
    assert_eq!(lines[1], "bestmove resign");
}

#[test]
fn a_player_that_panics_ends_the_session_with_an_error() {
    let mut gui = Gui::new::<Shogi>(Tester::with(Habit::Panics));
    gui.send("go nodes 1");
    assert_eq!(gui.wait_for_end().unwrap_err().to_string(), "the player has failed");
}

#[test]
fn giving_up_is_said_where_there_is_a_word_for_it() {
    assert_eq!(answer::<Shogi>(Habit::GivesUp, ""), ["bestmove resign"]);
    assert_eq!(answer::<Chess>(Habit::GivesUp, ""), ["bestmove a2a3"]);
}

#[test]
fn a_win_is_declared_only_where_there_is_one() {
    let entered = "position sfen KGGSSBBRR/LL7/9/9/9/9/9/9/4k4 b 9P 1";
    assert_eq!(answer::<Shogi>(Habit::DeclaresWins, entered), ["bestmove win"]);
    let lines = answer::<Shogi>(Habit::DeclaresWins, "position startpos");
    assert_eq!(lines[0], "info string error: tester: there is no win to declare");
}

#[test]
fn positions_without_a_move_have_an_answer() {
    let mated = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
    assert_eq!(answer::<Shogi>(Habit::Hasty, mated), ["bestmove resign"]);
    let stalemate = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(answer::<Chess>(Habit::Hasty, stalemate), ["bestmove (none)"]);
    let bare_kings = "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert!(answer::<Chess>(Habit::Hasty, bare_kings)[0].starts_with("bestmove e1"));
}

#[test]
fn a_gui_that_stops_listening_ends_the_session() {
    use std::io::Write;
    let (from, mut to, session) = start::<Shogi>(Tester::default());
    drop(from);
    writeln!(to, "go infinite\nusi").unwrap();
    let error = session.join().unwrap().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}
