//! Illegal moves are refused by the rule they break, and change nothing.

use keisei_game::Game;
use keisei_shogi::{Color, HandKind, IllegalMove, MoveError, MoveParseError, PieceKind, Shogi};

use crate::boards::{View, both_colours, game, mv, square};

/// Tries the move in a game, and demands this refusal and an untouched game.
fn assert_refused(sfen: &str, text: &str, rule: impl Fn(&View) -> IllegalMove) {
    for view in both_colours(sfen) {
        let refused = MoveError::Illegal { mv: view.mv(text), rule: rule(&view) };
        let before = view.game(Shogi::RULES);
        let mut game = before.clone();
        assert_eq!(game.play(view.mv(text)), Err(refused.clone()), "{sfen}");
        assert_eq!(game.parse_move(&view.mv(text).to_string()), Err(refused));
        assert_eq!(game.position(), before.position());
        assert_eq!((game.moves(), game.keys()), (before.moves(), before.keys()));
        assert_eq!(game.outcome(), before.outcome());
        let mut position = view.position;
        assert_eq!(position.play(view.mv(text)), Err(rule(&view)));
        assert_eq!(position, view.position);
        assert!(!view.allows(text));
    }
}

const OPEN: &str = "4k4/9/9/4p4/4R4/2P6/9/9/4K4 b G 1";

#[test]
fn a_move_from_an_empty_square() {
    assert_refused(OPEN, "1g1f", |view| IllegalMove::NoPiece(view.square("1g")));
}

#[test]
fn a_move_of_the_other_sides_piece() {
    assert_refused(OPEN, "5d5e", |view| IllegalMove::NotYours {
        from: view.square("5d"),
        color: view.color(Color::White),
        kind: PieceKind::Pawn,
    });
}

#[test]
fn a_move_onto_an_own_piece() {
    assert_refused("3k5/9/9/9/4R4/4P4/9/9/4K4 b - 1", "5e5f", |view| IllegalMove::OwnPiece {
        to: view.square("5f"),
        kind: PieceKind::Pawn,
    });
}

#[test]
fn a_move_to_the_square_it_comes_from() {
    assert_refused(OPEN, "5e5e", |view| IllegalMove::OwnPiece {
        to: view.square("5e"),
        kind: PieceKind::Rook,
    });
}

#[test]
fn a_move_in_a_way_the_piece_does_not_go() {
    assert_refused(OPEN, "5e4d", |view| IllegalMove::Unreachable {
        kind: PieceKind::Rook,
        from: view.square("5e"),
        to: view.square("4d"),
    });
    assert_refused(OPEN, "7f7d", |view| IllegalMove::Unreachable {
        kind: PieceKind::Pawn,
        from: view.square("7f"),
        to: view.square("7d"),
    });
}

#[test]
fn a_slide_through_a_piece_names_the_piece_in_the_way() {
    assert_refused(OPEN, "5e5b", |view| IllegalMove::Blocked {
        kind: PieceKind::Rook,
        from: view.square("5e"),
        to: view.square("5b"),
        blocker: view.square("5d"),
    });
}

#[test]
fn a_slide_through_two_pieces_names_the_first_one_in_the_way() {
    assert_refused("4k4/9/4p4/4g4/4R4/9/9/9/4K4 b - 1", "5e5b", |view| IllegalMove::Blocked {
        kind: PieceKind::Rook,
        from: view.square("5e"),
        to: view.square("5b"),
        blocker: view.square("5d"),
    });
}

#[test]
fn a_promotion_of_a_piece_that_does_not_promote() {
    let sfen = "k8/4G4/6+P2/9/9/9/9/9/4K4 b - 1";
    assert_refused(sfen, "5b5a+", |_| IllegalMove::Unpromotable(PieceKind::Gold));
    assert_refused(sfen, "3c3b+", |_| IllegalMove::Unpromotable(PieceKind::Tokin));
    let sfen = "9/4K4/9/9/9/9/9/9/k8 b - 1";
    assert_refused(sfen, "5b5a+", |_| IllegalMove::Unpromotable(PieceKind::King));
}

#[test]
fn a_promotion_outside_the_zone() {
    assert_refused(OPEN, "7f7e+", |view| IllegalMove::OutsideZone {
        from: view.square("7f"),
        to: view.square("7e"),
    });
}

#[test]
fn a_forced_promotion_left_out_is_refused_by_a_position_and_made_up_for_by_a_game() {
    for view in both_colours("k8/7P1/9/9/9/9/9/9/4K4 b - 1") {
        let rule = IllegalMove::MustPromote { kind: PieceKind::Pawn, to: view.square("2a") };
        assert_eq!(view.position.check_legal(view.mv("2b2a")), Err(rule));
        let game = view.game(Shogi::RULES);
        assert_eq!(game.parse_move(&view.mv("2b2a").to_string()), Ok(view.mv("2b2a+")));
    }
}

#[test]
fn a_forced_promotion_that_would_expose_the_king_is_not_played() {
    assert_refused("k8/r6PK/9/9/9/9/9/9/9 b - 1", "2b2a", |view| IllegalMove::MustPromote {
        kind: PieceKind::Pawn,
        to: view.square("2a"),
    });
}

#[test]
fn a_drop_of_a_piece_that_is_not_in_hand() {
    assert_refused(OPEN, "S*1g", |_| IllegalMove::NotInHand(HandKind::Silver));
}

#[test]
fn a_drop_on_an_occupied_square() {
    assert_refused(OPEN, "G*5d", |view| IllegalMove::DropOnPiece(view.square("5d")));
    assert_refused(OPEN, "G*5e", |view| IllegalMove::DropOnPiece(view.square("5e")));
}

#[test]
fn a_drop_where_the_piece_could_never_move() {
    let sfen = "k8/9/9/9/9/9/9/9/4K4 b NLP 1";
    for (text, kind) in [
        ("P*5a", PieceKind::Pawn),
        ("L*5a", PieceKind::Lance),
        ("N*5a", PieceKind::Knight),
        ("N*5b", PieceKind::Knight),
    ] {
        assert_refused(sfen, text, |view| IllegalMove::DeadDrop { kind, to: view.mv(text).to() });
    }
}

#[test]
fn a_second_pawn_on_a_file_names_the_first() {
    assert_refused("k8/9/9/9/9/2P6/9/9/4K4 b P 1", "P*7c", |view| IllegalMove::TwoPawns {
        to: view.square("7c"),
        pawn: view.square("7f"),
    });
}

#[test]
fn a_pawn_drop_that_mates() {
    assert_refused("7nk/9/8G/9/9/9/9/9/K8 b P 1", "P*1b", |view| {
        IllegalMove::DropPawnMate(view.square("1b"))
    });
}

#[test]
fn a_move_or_a_drop_that_does_not_answer_a_check() {
    let sfen = "k3r4/9/9/9/9/9/P8/9/4K4 b G 1";
    assert_refused(sfen, "9g9f", |view| IllegalMove::StillInCheck(view.square("5a")));
    assert_refused(sfen, "G*1e", |view| IllegalMove::StillInCheck(view.square("5a")));
}

#[test]
fn a_move_that_exposes_the_king() {
    assert_refused("k3r4/9/9/9/9/9/9/4G4/4K4 b - 1", "5h4h", |view| {
        IllegalMove::ExposesKing(view.square("5a"))
    });
}

#[test]
fn a_king_that_steps_into_check() {
    assert_refused("k4r3/9/9/9/9/9/9/9/4K4 b - 1", "5i4h", |view| IllegalMove::KingIntoCheck {
        to: view.square("4h"),
        attacker: view.square("4a"),
    });
}

#[test]
fn refusals_are_told_in_the_words_of_the_game() {
    let told = |sfen: &str, text: &str| game(sfen).play(mv(text)).unwrap_err().to_string();
    for (sfen, text, expected) in [
        (OPEN, "1g1f", "1g1f is illegal: there is no piece on 1g"),
        (OPEN, "5d5e", "5d5e is illegal: the pawn on 5d is White's"),
        (OPEN, "5e4d", "5e4d is illegal: a rook cannot go from 5e to 4d"),
        (
            OPEN,
            "5e5b",
            "5e5b is illegal: the rook on 5e cannot reach 5b: the piece on 5d is in the way",
        ),
        (OPEN, "S*1g", "S*1g is illegal: there is no silver in hand"),
        (
            "7nk/9/8G/9/9/9/9/9/K8 b P 1",
            "P*1b",
            "P*1b is illegal: uchifuzume: a pawn dropped on 1b would give checkmate",
        ),
    ] {
        assert_eq!(told(sfen, text), expected);
    }
}

#[test]
fn a_text_that_is_no_move_is_refused_as_such() {
    for text in ["", "resign", "7g7", "7g7f+x", "K*5e", "0a1b", "７七７六"] {
        let refused = MoveError::Text(MoveParseError(text.to_owned()));
        assert_eq!(Shogi::new().parse_move(text), Err(refused));
    }
}

#[test]
fn a_refused_move_may_be_followed_by_a_legal_one() {
    let mut game = Shogi::new();
    assert!(game.play(mv("7g7e")).is_err());
    game.play(mv("7g7f")).unwrap();
    assert_eq!(game.position().piece_at(square("7f")).unwrap().symbol(), "P");
}
