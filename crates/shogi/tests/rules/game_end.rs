//! How games end, in which order the ends are tested, and who is rewarded.

use keisei_game::{Game, Outcome, Reason, Side};
use keisei_shogi::{Color, MoveError, Position, Rules, Shogi};

use crate::boards::{both_colours, game, mv, play, position};

fn limit(moves: usize) -> Rules {
    Rules { move_limit: Some(moves), ..Shogi::RULES }
}

const MATE_IN_ONE: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

#[test]
fn the_mated_player_loses_and_the_mover_is_rewarded() {
    for view in both_colours(MATE_IN_ONE) {
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, "G*5b");
        let winner = view.color(Color::Black);
        assert_eq!(game.outcome(), Some(Outcome::win(winner.into(), Reason::Checkmate)));
        assert_eq!((game.is_over(), game.winner()), (true, Some(winner)));
        assert_eq!(game.reward(), 1.0);
        assert!(game.legal_moves().is_empty());
    }
}

#[test]
fn a_player_without_a_move_loses_even_if_not_in_check() {
    for view in both_colours("8k/9/6G2/7N1/9/9/9/9/K8 b - 1") {
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, "3c3b");
        assert!(!game.position().in_check());
        let winner = view.color(Color::Black).into();
        assert_eq!(game.outcome(), Some(Outcome::win(winner, Reason::NoMoves)));
        assert_eq!(game.reward(), 1.0);
    }
}

#[test]
fn a_game_that_goes_on_rewards_nobody() {
    let mut game = Shogi::new();
    play(&mut game, "7g7f");
    assert_eq!((game.outcome(), game.winner(), game.reward()), (None, None, 0.0));
    assert!(!game.is_over());
}

#[test]
fn a_game_set_up_in_a_mate_is_over_at_once() {
    let game = game("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Checkmate)));
}

#[test]
fn the_move_limit_is_a_truncated_draw() {
    let mut game = Shogi::with_rules(Position::start(), limit(3));
    play(&mut game, "7g7f 3c3d");
    assert_eq!(game.outcome(), None);
    play(&mut game, "2g2f");
    let outcome = game.outcome().unwrap();
    assert_eq!(outcome, Outcome::draw(Reason::MoveLimit));
    assert!(outcome.truncated());
    assert_eq!((game.winner(), game.reward()), (None, 0.0));
}

#[test]
fn the_usual_limit_is_500_moves() {
    assert_eq!(Shogi::RULES.move_limit, Some(500));
    let limited = (0..).find_map(|seed| {
        let mut game = game("lnsgkgsnl/9/9/9/9/9/9/9/LNSGKGSNL b - 1");
        keisei_game::random_game(&mut game, seed, 600);
        game.outcome().is_some_and(Outcome::truncated).then_some(game)
    });
    assert_eq!(limited.map(|game| game.ply()), Some(500));
}

#[test]
fn without_a_limit_a_game_goes_on() {
    let rules = Rules { move_limit: None, ..Shogi::RULES };
    let longest = (0..50).map(|seed| {
        let mut game = Shogi::with_rules(position("4k4/9/9/9/9/9/9/9/4K4 b - 1"), rules);
        keisei_game::random_game(&mut game, seed, 600);
        game.ply()
    });
    assert!(longest.max() > Some(500));
}

#[test]
fn a_mate_on_the_last_allowed_move_wins() {
    for view in both_colours(MATE_IN_ONE) {
        let mut game = view.game(limit(1));
        view.play(&mut game, "G*5b");
        let winner = view.color(Color::Black).into();
        assert_eq!(game.outcome(), Some(Outcome::win(winner, Reason::Checkmate)));
    }
}

#[test]
fn a_player_left_without_a_move_at_the_limit_loses() {
    let mut game = Shogi::with_rules(position("8k/9/6G2/7N1/9/9/9/9/K8 b - 1"), limit(1));
    play(&mut game, "3c3b");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::NoMoves)));
}

#[test]
fn a_repetition_on_the_last_allowed_move_is_a_repetition() {
    let mut game = Shogi::with_rules(Position::start(), limit(12));
    play(&mut game, &"2h3h 8b7b 3h2h 7b8b ".repeat(3));
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::Repetition)));
    assert!(!game.outcome().unwrap().truncated());
}

#[test]
fn a_perpetual_check_on_the_last_allowed_move_is_lost() {
    let mut game = Shogi::with_rules(position("8k/R8/9/9/9/9/9/9/K8 b - 1"), limit(12));
    play(&mut game, &"9b9a 1a1b 9a9b 1b1a ".repeat(3));
    assert_eq!(game.outcome(), Some(Outcome::win(Side::Second, Reason::PerpetualCheck)));
}

#[test]
fn either_side_may_resign_at_any_time() {
    for side in Side::ALL {
        for moves in ["", "7g7f"] {
            let mut game = Shogi::new();
            play(&mut game, moves);
            game.resign(side);
            assert_eq!(game.outcome(), Some(Outcome::win(!side, Reason::Resignation)));
            assert_eq!(game.winner(), Some(Color::from(!side)));
            let mover = !game.turn();
            assert_eq!(game.reward(), if mover == side { -1.0 } else { 1.0 });
        }
    }
}

#[test]
fn a_finished_game_takes_no_moves_and_no_resignation() {
    for view in both_colours(MATE_IN_ONE) {
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, "G*5b");
        let outcome = game.outcome().unwrap();
        game.resign(view.color(Color::Black).into());
        assert_eq!(game.outcome(), Some(outcome));
        assert_eq!(game.play(view.mv("5a4a")), Err(MoveError::GameOver(outcome)));
        assert_eq!(game.ply(), 1);
    }
    let mut game = Shogi::new();
    game.resign(Side::First);
    let refused = game.play(mv("7g7f")).unwrap_err();
    assert_eq!(refused.to_string(), "the game is over: second wins by resignation");
    assert_eq!(*game.position(), Position::start());
}

#[test]
fn an_adjudication_ends_a_game_once() {
    let mut game = Shogi::new();
    game.adjudicate(Outcome::win(Side::Second, Reason::Timeout));
    game.adjudicate(Outcome::draw(Reason::Agreement));
    assert_eq!(game.outcome(), Some(Outcome::win(Side::Second, Reason::Timeout)));
}

#[test]
fn reset_restores_every_field_of_a_game() {
    let rules = Rules { move_limit: Some(77), try_rule: true, ..Shogi::RULES };
    let starts = ["4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "4k4/9/9/9/9/9/9/9/4K4 w RBGSNLPrbgsnlp 9"];
    for start in [Position::start(), position(starts[0]), position(starts[1])] {
        let mut game = Shogi::with_rules(start, rules);
        keisei_game::random_game(&mut game, 3, 40);
        game.resign(Side::First);
        assert!(game.is_over() && game.ply() > 0);
        game.reset();
        assert_eq!((*game.position(), *game.start()), (start, start));
        assert_eq!(game.turn(), start.turn().into());
        assert_eq!(game.rules(), rules);
        assert_eq!(game.keys(), [start.key()]);
        assert_eq!((game.moves().len(), game.ply(), game.repetitions()), (0, 0, 0));
        assert_eq!((game.outcome(), game.is_over(), game.winner()), (None, false, None));
        assert_eq!(game.reward(), 0.0);
    }
}

#[test]
fn a_reset_even_game_has_black_to_move_with_empty_hands() {
    let mut game = Shogi::new();
    play(&mut game, "7g7f 3c3d 8h2b+");
    assert!(!game.position().hand(Color::Black).is_empty());
    game.reset();
    assert_eq!(*game.position(), Position::start());
    assert_eq!(game.position().turn(), Color::Black);
    assert!(Color::ALL.iter().all(|&color| game.position().hand(color).is_empty()));
}

#[test]
fn a_move_updates_board_hands_turn_history_and_count() {
    let mut game = Shogi::new();
    play(&mut game, "7g7f 3c3d 8h2b+");
    assert_eq!(
        game.notation(),
        "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4"
    );
    assert_eq!(game.turn(), Side::Second);
    assert_eq!((game.ply(), game.moves()), (3, &[mv("7g7f"), mv("3c3d"), mv("8h2b+")][..]));
    assert_eq!(game.keys().len(), 4);
    assert_eq!(game.keys()[3], game.position().key());
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let played = |seed| {
        let mut game = Shogi::with_rules(Position::start(), limit(100));
        keisei_game::random_game(&mut game, seed, 200);
        (game.moves().to_vec(), game.outcome())
    };
    let games: Vec<_> = (0..10).map(played).collect();
    assert_eq!(games, (0..10).map(played).collect::<Vec<_>>());
    assert_ne!(games[0], games[1]);
    assert!(games.iter().all(|(moves, _)| moves.len() <= 100));
}
