//! Commands during a search: each `go` has exactly one answer, at the right time.

use keisei_chess::Chess;
use keisei_shogi::Shogi;

use crate::gui::Gui;
use crate::tester::{Habit, Tester};

#[test]
fn an_early_answer_waits_for_stop_or_for_the_move_that_was_guessed() {
    for (go, release) in
        [("go infinite", "stop"), ("go ponder btime 1 wtime 1", "ponderhit"), ("go ponder", "stop")]
    {
        let mut gui = Gui::new::<Shogi>(Tester::with(Habit::Hasty));
        gui.send(go);
        assert!(gui.hear().starts_with("info depth 1"));
        gui.hear_nothing();
        gui.send(release);
        assert_eq!(gui.hear(), "bestmove 1g1f ponder 1a1b");
        gui.hear_nothing();
        assert_eq!(gui.quit(), [""; 0]);
    }
}

#[test]
fn a_search_ends_with_its_answer_when_another_begins() {
    let mut gui = Gui::new::<Shogi>(Tester::default());
    gui.send("go infinite");
    gui.send("position startpos moves 1g1f");
    gui.send("go infinite");
    assert_eq!(gui.hear_answer(), "bestmove 1g1f ponder 1a1b");
    gui.send("stop");
    assert_eq!(gui.hear_answer(), "bestmove 1a1b ponder 1f1e");
    gui.hear_nothing();
}

#[test]
fn a_position_during_a_search_is_for_the_next_one() {
    let mut gui = Gui::new::<Chess>(Tester::default());
    gui.send("go infinite");
    gui.send("position startpos moves e2e4");
    gui.send("stop");
    assert_eq!(gui.hear_answer(), "bestmove a2a3 ponder a7a5");
    gui.send("go nodes 1");
    assert_eq!(gui.hear_answer(), "bestmove a7a5 ponder a2a3");
}

#[test]
fn clocks_that_come_with_the_guessed_move_are_heeded() {
    let tester = Tester::default();
    let mut gui = Gui::new::<Shogi>(tester.clone());
    gui.send("setoption name NetworkDelay value 0");
    gui.send("go ponder");
    assert!(gui.hear().starts_with("info depth 1"));
    gui.send("ponderhit btime 7000 wtime 8000 byoyomi 1000");
    assert_eq!(gui.hear_answer(), "bestmove 1g1f ponder 1a1b");
    gui.hear_nothing();
    let told = tester.take_told();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[1].contains("[7s, 8s]") && told[1].contains("byoyomi: 1s"), "{told:?}");
    assert!(told[1].contains("ponder: false"), "{told:?}");
}

#[test]
fn what_is_said_without_a_search_changes_nothing() {
    let mut gui = Gui::new::<Shogi>(Tester::default());
    for line in ["stop", "ponderhit", "gameover lose", "ponderhit btime 1 wtime 1"] {
        gui.send(line);
        gui.hear_nothing();
    }
    gui.send("go infinite");
    assert!(gui.hear().starts_with("info depth 1"));
    gui.send("ponderhit");
    gui.hear_nothing();
    gui.send("gameover draw");
    assert_eq!(gui.hear(), "bestmove 1g1f ponder 1a1b");
}

#[test]
fn quit_ends_a_search_and_the_session() {
    for go in ["go infinite", "go ponder", "go mate infinite"] {
        let mut gui = Gui::new::<Shogi>(Tester::default());
        gui.send(go);
        let rest = gui.quit();
        assert!(rest.len() <= 2, "{rest:?}");
    }
}

#[test]
fn the_end_of_input_ends_a_search_with_an_answer() {
    let mut gui = Gui::new::<Shogi>(Tester::default());
    gui.send("go infinite");
    let (result, rest) = gui.leave();
    assert!(result.is_ok());
    assert_eq!(rest.last().map(String::as_str), Some("bestmove 1g1f ponder 1a1b"));
}

#[test]
fn a_new_game_is_told_to_the_player() {
    let tester = Tester::default();
    let mut gui = Gui::new::<Chess>(tester.clone());
    gui.send("ucinewgame");
    gui.hear_nothing();
    assert_eq!(tester.take_told(), ["new game"]);
}

#[test]
fn the_time_on_the_way_is_taken_off() {
    let tester = Tester::default();
    let mut gui = Gui::new::<Shogi>(tester.clone());
    gui.send("setoption name networkdelay value 100");
    gui.send("go btime 0 wtime 0 byoyomi 1000");
    assert!(gui.hear_answer().starts_with("bestmove"));
    let told = tester.take_told();
    assert!(told[0].contains("byoyomi: 900ms"), "{told:?}");
}
