//! An illegal move is refused with the rule that it breaks.

mod common;

use common::{game, mv, position};
use keisei_chess::{CastlingBan, IllegalMove, PieceKind, Square};
use keisei_game::Game;

/// What is said about `text` in `fen`.
fn said(fen: &str, text: &str) -> String {
    let before = position(fen);
    let mut after = before.clone();
    let rule = after.play(mv(text)).expect_err(text);
    assert_eq!(before, after, "a refused move changes nothing");
    rule.to_string()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_move_from_an_empty_square_or_with_the_wrong_piece_says_so() {
    assert_eq!(said(START, "e4e5"), "there is no piece on e4");
    assert_eq!(said(START, "e7e5"), "the pawn on e7 is Black's, and it is White's turn");
    assert_eq!(said(START, "a1a2"), "White's own pawn stands on a2");
    assert_eq!(said(START, "e2e2"), "White's own pawn stands on e2");
}

#[test]
fn a_move_that_the_piece_cannot_make_says_how() {
    assert_eq!(said(START, "b1b3"), "a knight does not move from b1 to b3");
    assert_eq!(said(START, "e2e5"), "a pawn does not move from e2 to e5");
    assert_eq!(
        said(START, "a1a4"),
        "the rook on a1 cannot go to a4: the piece on a2 is in the way"
    );
    assert_eq!(
        said(START, "e2d3"),
        "a pawn moves diagonally only to capture, and there is nothing to capture on d3"
    );
    let blocked = "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1";
    let said_of = |to: &str| said(blocked, &format!("e2{to}"));
    assert_eq!(said_of("e3"), "the pawn on e2 cannot go to e3: the piece on e3 is in the way");
    assert_eq!(said_of("e4"), "the pawn on e2 cannot go to e4: the piece on e3 is in the way");
    let far = position("4k3/8/8/p7/p7/8/8/R3K3 w - - 0 1").check_legal(mv("a1a8"));
    let by =
        |by| IllegalMove::Blocked { kind: PieceKind::Rook, from: Square::A1, to: Square::A8, by };
    assert_eq!(far, Err(by(Square::A4)), "the nearest piece is named");
    let far = position("r3k3/8/8/P7/P7/8/8/4K3 b - - 0 1").check_legal(mv("a8a1"));
    assert!(matches!(far, Err(IllegalMove::Blocked { by: Square::A5, .. })), "from above too");
}

#[test]
fn a_promotion_that_is_missing_or_misplaced_is_named() {
    let fen = "4k3/P7/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(said(fen, "a7a8"), "a pawn that reaches a8 must be promoted: add q, r, b or n");
    assert_eq!(said(fen, "a1b1q"), "a rook that goes to b1 is not promoted");
    assert_eq!(said(START, "e2e4q"), "a pawn that goes to e4 is not promoted");
}

#[test]
fn a_move_that_leaves_the_king_in_check_names_king_and_attacker() {
    let pinned = "4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1";
    assert_eq!(said(pinned, "e2d3"), "the king on e1 would be in check from e8");
    let in_check = "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1";
    assert_eq!(said(in_check, "a2a3"), "the king on e1 would be in check from e8");
    assert_eq!(said(in_check, "e1e2"), "the king on e2 would be in check from e8");
    let kings = "8/8/8/8/8/4k3/8/4K3 w - - 0 1";
    assert_eq!(said(kings, "e1e2"), "the king on e2 would be in check from e3");
    let en_passant = "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1";
    assert_eq!(said(en_passant, "d4e3"), "the king on a4 would be in check from h4");
}

#[test]
fn castling_that_is_not_allowed_says_why() {
    let ban = |fen: &str, text: &str| match position(fen).check_legal(mv(text)) {
        Err(IllegalMove::Castling(ban)) => ban,
        other => panic!("{other:?}"),
    };
    let (f1, f3, e3) = (Square::F1, Square::F3, Square::E3);
    assert_eq!(
        ban("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1"),
        CastlingBan::RightLost { rook: Square::H1 }
    );
    assert_eq!(ban(START, "e1g1"), CastlingBan::Blocked(f1));
    assert_eq!(ban("4k3/8/8/8/8/8/8/4K1NR w K - 0 1", "e1g1"), CastlingBan::Blocked(Square::G1));
    assert_eq!(ban("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "e1c1"), CastlingBan::InCheck(e3));
    assert_eq!(
        ban("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1g1"),
        CastlingBan::Attacked { square: f1, attacker: f3 }
    );
    assert_eq!(
        said("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1g1"),
        "castling is not allowed: the king would come to f1, which is attacked from f3"
    );
    assert_eq!(
        said("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1c1"),
        "castling is not allowed: the king or the rook on a1 has moved"
    );
    assert_eq!(
        game("4k3/8/8/8/8/8/8/4KR2 w - - 0 1").parse_move("e1f1").unwrap_err().to_string(),
        "e1f1 is illegal: White's own rook stands on f1"
    );
    let game = game("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    assert_eq!(
        game.parse_move("e1h1").unwrap_err().to_string(),
        "e1g1 is illegal: castling is not allowed: the king or the rook on h1 has moved"
    );
}

#[test]
fn a_game_names_the_move_and_the_rule_or_the_text_that_is_no_move() {
    let mut game = game(START);
    assert_eq!(
        game.play(mv("e2e5")).unwrap_err().to_string(),
        "e2e5 is illegal: a pawn does not move from e2 to e5"
    );
    assert_eq!(
        game.parse_move("e4").unwrap_err().to_string(),
        "\"e4\" is not a UCI move: write e2e4, e1g1 or e7e8q"
    );
    assert_eq!(game.ply(), 0);
}
