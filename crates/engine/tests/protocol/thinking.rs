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
fn the_time_on_the_way_is_told_to_the_player() {
    let tester = Tester::default();
    let mut gui = Gui::new::<Shogi>(tester.clone());
    gui.send("setoption name networkdelay value 100");
    gui.send("go btime 0 wtime 0 byoyomi 1000");
    assert!(gui.hear_answer().starts_with("bestmove"));
    let told = tester.take_told();
    assert!(told[0].contains("latency: 100ms"), "{told:?}");
}

#[test]
fn searchmoves_are_the_moves_that_the_player_may_choose_from() {
    let tester = Tester::default();
    let mut gui = Gui::new::<Shogi>(tester.clone());
    gui.follow(
        "> go nodes 5 searchmoves 7g7f 2g2f
         < info depth 1 score cp 12 nodes 3 time 0 pv 2g2f 1a1b
         < bestmove 2g2f ponder 1a1b
         > go searchmoves 7g7f 7g7e
         < info string searchmoves: \"7g7e\" is no legal move
         < info depth 1 score cp 12 nodes 3 time 0 pv 7g7f 1a1b
         < bestmove 7g7f ponder 1a1b",
    );
    let mut gui = Gui::new::<Chess>(tester);
    gui.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    gui.send("go searchmoves e1g1");
    assert!(gui.hear_answer().starts_with("bestmove e1g1"));
}

#[test]
fn the_rules_that_a_gui_sets_hold_for_the_game_at_hand() {
    let mut gui = Gui::new::<Shogi>(Tester::with(Habit::DeclaresWins));
    let entered = "position sfen KGGSSBBRR/LL7/9/9/9/9/9/9/4k4 b 9P 1";
    gui.send(entered);
    gui.send("go nodes 1");
    assert_eq!(gui.hear_answer(), "bestmove win");
    gui.send("setoption name EnteringKingRule value NoEnteringKing");
    gui.send("go nodes 1");
    assert!(gui.hear().starts_with("info depth 1"));
    assert!(gui.hear().ends_with("there is no win to declare"));
    assert_eq!(gui.hear(), "bestmove resign");
    gui.send("setoption name EnteringKingRule value CSARule24");
    gui.send("go nodes 1");
    assert_eq!(gui.hear_answer(), "bestmove win");
}

#[test]
fn a_book_that_a_gui_asks_for_is_no_mistake() {
    let mut gui = Gui::new::<Shogi>(Tester::default());
    gui.send("setoption name USI_OwnBook value false");
    gui.hear_nothing();
    gui.send("setoption name USI_OwnBook value true");
    assert_eq!(gui.hear(), "info string there is no book: all moves are thought out");
}
