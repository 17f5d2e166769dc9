//! How the pieces go, promote and are dropped.

use keisei_animal::IllegalMove;
use keisei_game::{Game, Side};

use super::{moves, played, position};

#[test]
fn the_start_has_four_moves() {
    let start = "gle/1c1/1C1/ELG b - 1";
    assert_eq!(position(start), keisei_animal::Position::start());
    assert_eq!(moves(start), ["1d1c", "2c2b", "2d1c", "2d3c"]);
}

#[test]
fn each_piece_goes_one_step_its_own_way() {
    // The piece stands on 2b, the lions in corners.
    let reached = |board: &str| {
        let of_piece = |mv: &String| mv.starts_with("2b");
        let moves: Vec<_> = moves(&format!("{board} b - 1")).into_iter().filter(of_piece).collect();
        moves.iter().map(|mv| mv[2..].to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(reached("3/1G1/l2/2L"), "1b 2a 2c 3b");
    assert_eq!(reached("3/1E1/l2/2L"), "1a 1c 3a 3c");
    assert_eq!(reached("3/1C1/l2/2L"), "2a+");
    assert_eq!(reached("3/1+C1/l2/2L"), "1a 1b 2a 2c 3a 3b");
    assert_eq!(reached("l2/1L1/3/3"), "1a 1b 1c 2a 2c 3a 3b 3c");
}

#[test]
fn a_chick_that_moves_to_the_last_rank_becomes_a_hen() {
    let start = "2l/1C1/3/L2 b - 1";
    assert_eq!(played(start, "2b2a+").notation(), "1+Cl/3/3/L2 w - 2");
    assert_eq!(played(start, "2b2a").notation(), "1+Cl/3/3/L2 w - 2", "whether it says so or not");
    let white = "2l/3/1c1/L2 w - 1";
    assert_eq!(played(white, "2c2d+").notation(), "2l/3/3/L+c1 b - 2");
}

#[test]
fn a_chick_dropped_on_the_last_rank_stays_a_chick_that_cannot_move() {
    let game = played("2l/3/3/L2 b C 1", "C*3a 1a1b");
    assert_eq!(game.notation(), "C2/2l/3/L2 b - 3");
    assert!(game.legal_moves().iter().all(|mv| !mv.to_string().starts_with("3a")));
}

#[test]
fn a_captured_hen_is_a_chick_in_hand() {
    assert_eq!(
        played("2l/3/1+c1/1L1 b - 1", "2d2c")
            .position()
            .in_hand(Side::First, keisei_animal::HandKind::Chick),
        1
    );
    assert_eq!(played("2l/3/1+c1/1L1 b - 1", "2d2c").notation(), "2l/3/1L1/3 w C 2");
}

#[test]
fn pieces_are_dropped_on_every_empty_square() {
    let drops: Vec<_> =
        moves("2l/3/1C1/L2 b CE 1").into_iter().filter(|mv| mv.contains('*')).collect();
    assert_eq!(drops.len(), 2 * 9);
    // A second chick on the file, on the last rank, and one that mates: all allowed.
    for legal in ["C*2d", "C*1b", "C*3a"] {
        assert!(drops.iter().any(|mv| mv == legal), "{legal}");
    }
    assert!(!drops.iter().any(|mv| mv == "C*2c" || mv == "E*1a"), "occupied");
}

#[test]
fn an_illegal_move_is_refused_with_the_rule_that_it_breaks() {
    let start = position("gle/1c1/1C1/ELG b - 1");
    let rule = |text: &str| start.check_legal(text.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(rule("2b2c"), "the first player has no piece on 2b");
    assert_eq!(rule("1d2c"), "a giraffe does not go from 1d to 2c");
    assert_eq!(rule("2d1d"), "1d is occupied");
    assert_eq!(rule("2c2b+"), IllegalMove::Promotion.to_string());
    assert_eq!(rule("E*3c"), "there is no elephant in hand");
    let over = position("g1e/1L1/3/E1G w Cc 9");
    assert_eq!(over.check_legal("3a3b".parse().unwrap()), Err(IllegalMove::GameOver));
    let held = position("1l1/3/3/1L1 b C 1");
    assert_eq!(
        held.check_legal("C*2a".parse().unwrap()).unwrap_err().to_string(),
        "2a is occupied"
    );
}

#[test]
fn a_lion_may_stay_or_step_into_reach() {
    // The giraffe attacks the lion, which may stay, and may go where the giraffe reaches.
    let start = "2l/3/1g1/1L1 b C 1";
    assert!(position(start).in_check());
    let moves = moves(start);
    assert!(moves.contains(&"C*3a".to_owned()));
    assert!(moves.contains(&"2d1c".to_owned()));
}
