//! How games end.

use keisei_animal::{Animal, MoveError};
use keisei_game::{Game, Outcome, Reason, Rules, Side};

use super::{played, position};

#[test]
fn whoever_catches_the_lion_wins() {
    let game = played("gle/1c1/1C1/ELG b - 1", "2c2b 3a3b 2b2a");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::KingCaptured)));
    assert_eq!(game.notation(), "1+Ce/g2/3/ELG w C 4");
    assert!(game.legal_moves().is_empty());
    assert!(matches!(game.parse_move("3b3c"), Err(MoveError::GameOver(_))));
}

#[test]
fn a_lion_that_cannot_be_taken_on_the_last_rank_wins() {
    let game = played("3/L2/2l/3 b - 1", "3b3a");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Try)));
    let game = played("3/2L/l2/3 w - 1", "3c3d");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::Second, Reason::Try)));
}

#[test]
fn a_lion_that_enters_in_reach_has_not_won_and_can_be_taken() {
    let start = "1g1/L2/2l/3 b - 1";
    assert_eq!(played(start, "3b3a").outcome(), None);
    let taken = played(start, "3b3a 2a3a");
    assert_eq!(taken.outcome(), Some(Outcome::win(Side::Second, Reason::KingCaptured)));
}

#[test]
fn an_entered_lion_that_is_left_alone_wins_when_it_is_out_of_reach() {
    let start = "1g1/L2/2l/3 b - 1";
    // The giraffe goes away; the lion stays on the last rank.
    let game = played(start, "3b3a 2a1a");
    assert_eq!(game.outcome(), None, "the lion's own side is to move");
    let game = played("1g1/L2/2l/3 b C 1", "3b3a 2a1a C*2c");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Try)));
}

#[test]
fn a_lion_on_its_own_first_rank_wins_nothing() {
    assert_eq!(Animal::new().outcome(), None);
    assert_eq!(position("1l1/3/3/1L1 w - 1").board().lost(), None);
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let start = "gle/1c1/1C1/ELG b - 1";
    let shuffle = "1d1c 3a3b 1c1d 3b3a ";
    let twice = played(start, shuffle);
    assert_eq!((twice.outcome(), twice.repetitions()), (None, 1));
    let thrice = played(start, &shuffle.repeat(2));
    assert_eq!(thrice.outcome(), Some(Outcome::draw(Reason::Repetition)));
}

#[test]
fn a_position_with_other_hands_is_another_position() {
    let game = played("1l1/3/3/1L1 b Cc 1", "C*2b 2a1a 2d1d");
    assert_eq!(game.repetitions(), 0);
}

#[test]
fn whoever_cannot_move_loses() {
    // The lion, the giraffe, the elephant and both chicks stand in each other's way.
    let game = Animal::from_notation("LGE/CC1/2l/3 b - 1").unwrap();
    assert_eq!(game.outcome(), Some(Outcome::win(Side::Second, Reason::NoMoves)));
}

#[test]
fn the_move_limit_draws_unless_the_last_move_wins() {
    let start = position("3/L2/2l/3 b - 1");
    let rules = Rules { move_limit: Some(1), ..Animal::RULES };
    let mut game = Animal::with_rules(start, rules);
    game.play(game.parse_move("3b2b").unwrap()).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::MoveLimit)));
    let mut game = Animal::with_rules(start, rules);
    game.play(game.parse_move("3b3a").unwrap()).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Try)));
}
