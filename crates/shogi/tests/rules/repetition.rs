//! Sennichite and perpetual check.

use keisei_game::{Game, Outcome, Reason};
use keisei_shogi::{Color, Shogi};

use crate::boards::{both_colours, game, play, position};

const DRAW: Option<Outcome> = Some(Outcome::draw(Reason::Repetition));

#[test]
fn the_fourth_occurrence_is_a_draw_and_the_third_is_not() {
    let mut game = Shogi::new();
    // The start counts as the first occurrence.
    for earlier in 1..=2 {
        play(&mut game, "2h3h 8b7b 3h2h 7b8b");
        assert_eq!(game.repetitions(), earlier);
        assert_eq!(game.outcome(), None);
    }
    play(&mut game, "2h3h 8b7b 3h2h");
    assert_eq!(game.outcome(), None, "every other position occurred three times");
    play(&mut game, "7b8b");
    assert_eq!(game.repetitions(), 3);
    assert_eq!((game.outcome(), game.ply()), (DRAW, 12));
    assert!(!game.outcome().unwrap().truncated());
    assert_eq!((game.winner(), game.reward()), (None, 0.0));
    assert!(game.legal_moves().is_empty());
}

#[test]
fn a_later_position_repeats_as_well_as_the_start() {
    let mut game = Shogi::new();
    play(&mut game, "7g7f 3c3d");
    play(&mut game, &"2h3h 8b7b 3h2h 7b8b ".repeat(2));
    play(&mut game, "2h3h 8b7b 3h2h");
    assert_eq!(game.outcome(), None);
    play(&mut game, "7b8b");
    assert_eq!((game.outcome(), game.ply()), (DRAW, 14));
}

#[test]
fn occurrences_need_not_follow_each_other() {
    let mut game = Shogi::new();
    // Three ways around, each of another length, back to the start.
    play(&mut game, "2h3h 8b7b 3h2h 7b8b");
    play(&mut game, "4i4h 6a6b 5i5h 5a5b 5h5i 5b5a 4h4i 6b6a");
    assert_eq!(game.repetitions(), 2);
    play(&mut game, "3i4h 7a6b 4h3i 6b7a");
    assert_eq!(game.outcome(), DRAW);
}

#[test]
fn the_same_board_with_other_hands_is_another_position() {
    let mut game = game("8k/9/9/9/9/9/9/4R4/K8 w 9p 1");
    let board = |game: &Shogi| game.notation().split(' ').next().unwrap().to_owned();
    let first = board(&game);
    for _ in 0..5 {
        // White drops a pawn, Black's rook takes it and goes home.
        play(&mut game, "P*5e 5h5e 1a2a 5e5f 2a1a 5f5h");
        assert_eq!(board(&game), first);
        assert_eq!((game.repetitions(), game.outcome()), (0, None));
    }
    let keys: std::collections::HashSet<_> = game.keys().iter().collect();
    assert_eq!(keys.len(), game.keys().len());
}

#[test]
fn the_same_board_with_the_other_side_to_move_is_another_position() {
    let mut game = game("8k/9/9/9/9/9/9/9/K8 b - 1");
    // Black's king goes round a triangle, then White's: the board is back every five plies.
    for round in 1..=3 {
        play(&mut game, "9i8i 1a2a 8i9h 2a1a 9h9i");
        assert_eq!(game.position().turn(), Color::White);
        assert_eq!((game.repetitions(), game.outcome()), (round - 1, None));
        play(&mut game, "1a2a 9i8i 2a1b 8i9i 1b1a");
        assert_eq!(game.repetitions(), round);
    }
    assert_eq!((game.outcome(), game.ply()), (DRAW, 30));
}

#[test]
fn keys_differ_by_hands_and_turn_and_not_by_the_move_number() {
    let key = |sfen: &str| position(sfen).key();
    let plain = key("4k4/9/9/9/9/9/9/9/4K4 b - 1");
    assert_eq!(key("4k4/9/9/9/9/9/9/9/4K4 b - 77"), plain);
    assert_ne!(key("4k4/9/9/9/9/9/9/9/4K4 w - 1"), plain);
    let held = ["P", "p", "2P", "2p", "G", "g", "Pp"];
    let mut keys: Vec<_> =
        held.iter().map(|hand| key(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hand} 1"))).collect();
    keys.push(plain);
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), held.len() + 1);
}

/// Black's rook checks on the two top rows for ever; the checker is to move.
const CHASE: &str = "8k/R8/9/9/9/9/9/9/K8 b - 1";

#[test]
fn a_perpetual_checker_loses_with_the_checker_to_move() {
    for view in both_colours(CHASE) {
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, &"9b9a 1a1b 9a9b 1b1a ".repeat(2));
        view.play(&mut game, "9b9a 1a1b 9a9b");
        assert_eq!(game.outcome(), None);
        view.play(&mut game, "1b1a");
        let winner = view.color(Color::White).into();
        assert_eq!(game.outcome(), Some(Outcome::win(winner, Reason::PerpetualCheck)));
        assert_eq!(game.winner(), Some(view.color(Color::White)));
        // The side that was checked moved last.
        assert_eq!(game.reward(), 1.0);
    }
}

#[test]
fn a_perpetual_checker_loses_with_the_checked_side_to_move() {
    for view in both_colours("R7k/9/9/9/9/9/9/9/K8 w - 1") {
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, &"1a1b 9a9b 1b1a 9b9a ".repeat(2));
        view.play(&mut game, "1a1b 9a9b 1b1a");
        assert_eq!(game.outcome(), None);
        view.play(&mut game, "9b9a");
        let winner = view.color(Color::White).into();
        assert_eq!(game.outcome(), Some(Outcome::win(winner, Reason::PerpetualCheck)));
        // The checker moved last.
        assert_eq!(game.reward(), -1.0);
    }
}

#[test]
fn quiet_moves_before_the_first_occurrence_do_not_excuse_a_perpetual_checker() {
    for view in both_colours("8k/1R7/9/9/9/9/9/9/K8 b - 1") {
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, "8b9b 1a2a");
        view.play(&mut game, &"9b9a 2a2b 9a9b 2b2a ".repeat(3));
        let winner = view.color(Color::White).into();
        assert_eq!(game.outcome(), Some(Outcome::win(winner, Reason::PerpetualCheck)));
    }
}

#[test]
fn one_quiet_move_between_the_occurrences_makes_a_plain_draw() {
    for view in both_colours(CHASE) {
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, &"9b9a 1a1b 9a9b 1b1a ".repeat(2));
        // The rook goes away and back without a check.
        view.play(&mut game, "9b9c 1a2a 9c9b 2a1a");
        assert_eq!(game.outcome(), DRAW);
        // Only the very first move is quiet.
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, "9b9c 1a1b 9c9b 1b1a");
        view.play(&mut game, &"9b9a 1a1b 9a9b 1b1a ".repeat(2));
        assert_eq!(game.outcome(), DRAW);
    }
}

#[test]
fn checks_on_alternate_moves_make_a_plain_draw() {
    for view in both_colours("8k/9/R8/9/9/9/9/9/K8 b - 1") {
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, &"9c9a 1a1b 9a9c 1b1a ".repeat(3));
        assert_eq!(game.outcome(), DRAW);
    }
}
