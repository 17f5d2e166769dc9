//! When a piece may promote, must promote or cannot promote.

use keisei_game::Game;
use keisei_shogi::{
    Color, IllegalMove, Move, Piece, PieceKind, Position, Promotion, Shogi, Square,
};

use crate::boards::{View, alone, both_colours, is_dead, mv, square};

use PieceKind::{Bishop, Gold, King, Knight, Lance, Pawn, Rook, Silver};

fn in_zone(color: Color, square: Square) -> bool {
    match color {
        Color::Black => square.row() <= 2,
        Color::White => square.row() >= 6,
    }
}

/// Every move of every lonely piece that can stand on a square.
fn each_lonely_move(kinds: &[PieceKind], mut visit: impl FnMut(&Position, Piece, Move)) {
    for color in Color::ALL {
        for &kind in kinds {
            for from in Square::all().filter(|&from| !is_dead(color, kind, from)) {
                let position = alone(color, kind, from);
                for &mv in &position.legal_moves() {
                    visit(&position, Piece::new(color, kind), mv);
                }
            }
        }
    }
}

#[test]
fn pawn_lance_and_knight_must_promote_where_they_could_never_move_again() {
    let mut forced = 0;
    each_lonely_move(&[Pawn, Lance, Knight], |position, piece, mv| {
        let from = mv.from().unwrap();
        let plain = Move::new(from, mv.to(), false);
        if is_dead(piece.color, piece.kind, mv.to()) {
            forced += 1;
            assert!(mv.promotes(), "{mv} in {position}");
            let refused = IllegalMove::MustPromote { kind: piece.kind, to: mv.to() };
            assert_eq!(position.check_legal(plain), Err(refused), "{mv} in {position}");
        } else {
            assert!(position.is_legal(plain), "{mv} in {position}");
        }
    });
    // Each colour: pawns reach the last row from 9 squares, lances from 8 × 9, knights the last
    // two rows by 2 × 16 jumps.
    assert_eq!(forced, 2 * (9 + 72 + 32));
}

#[test]
fn every_promotable_piece_promotes_exactly_when_its_move_touches_the_zone() {
    let kinds = [Pawn, Lance, Knight, Silver, Bishop, Rook];
    each_lonely_move(&kinds, |position, piece, mv| {
        let from = mv.from().unwrap();
        let touches = in_zone(piece.color, from) || in_zone(piece.color, mv.to());
        let promoting = mv.promoting().unwrap();
        assert_eq!(position.is_legal(promoting), touches, "{promoting} in {position}");
        assert_eq!(position.legal_moves().contains(&promoting), touches, "{promoting}");
        let expected = match (touches, is_dead(piece.color, piece.kind, mv.to())) {
            (false, _) => Promotion::No,
            (true, false) => Promotion::May,
            (true, true) => Promotion::Must,
        };
        assert_eq!(Position::promotion(piece.color, piece.kind, from, mv.to()), expected);
    });
}

#[test]
fn gold_king_and_promoted_pieces_never_promote() {
    let kinds = PieceKind::ALL.into_iter().filter(|kind| kind.promoted().is_none());
    let kinds: Vec<_> = kinds.collect();
    assert_eq!((kinds.len(), kinds[0], kinds[1]), (8, Gold, King));
    each_lonely_move(&kinds, |position, piece, mv| {
        assert!(!mv.promotes(), "{mv} in {position}");
        let promoting = mv.promoting().unwrap();
        assert_eq!(position.check_legal(promoting), Err(IllegalMove::Unpromotable(piece.kind)));
    });
}

/// The moves between two squares.
fn between(view: &View, from: &str, to: &str) -> Vec<String> {
    let start = format!("{from}{to}");
    view.legal().into_iter().filter(|text| text.starts_with(&start)).collect()
}

#[test]
fn an_optional_promotion_gives_two_moves_entering_within_and_leaving_the_zone() {
    for view in both_colours("9/9/4S4/S8/9/9/9/9/K7k b - 1") {
        assert_eq!(between(&view, "9d", "9c"), ["9d9c", "9d9c+"], "entering");
        assert_eq!(between(&view, "5c", "5b"), ["5c5b", "5c5b+"], "within");
        assert_eq!(between(&view, "5c", "4d"), ["5c4d", "5c4d+"], "leaving");
    }
    for view in both_colours("9/9/9/4S4/9/9/9/9/K7k b - 1") {
        assert_eq!(between(&view, "5d", "4e"), ["5d4e"], "outside");
    }
}

#[test]
fn a_forced_promotion_gives_one_move() {
    for view in both_colours("9/P8/8N/1L7/9/9/9/9/K6k1 b - 1") {
        assert_eq!(between(&view, "9b", "9a"), ["9b9a+"]);
        assert_eq!(between(&view, "1c", "2a"), ["1c2a+"]);
        assert_eq!(between(&view, "8d", "8a"), ["8d8a+"]);
        assert_eq!(between(&view, "8d", "8b"), ["8d8b", "8d8b+"]);
        assert_eq!(between(&view, "8d", "8c"), ["8d8c", "8d8c+"]);
    }
}

#[test]
fn promotion_may_be_declined_wherever_the_piece_could_ever_move_again_even_if_blocked_now() {
    // On 8b and on 4c the way ahead is blocked by golds.
    for view in both_colours("1G2G1G2/9/1L6S/3N5/4N4/9/9/9/K7k b - 1") {
        assert!(view.allows("8c8b") && view.allows("8c8b+"), "lance behind its own gold");
        assert!(view.allows("1c1b") && view.allows("1c1b+"), "silver in the zone");
        assert!(view.allows("5e4c") && view.allows("5e4c+"), "knight behind its own golds");
        assert!(!view.allows("6d5b") && view.allows("6d5b+"), "knight on the second row");
    }
    for view in both_colours("9/S8/9/9/9/9/9/9/K7k b - 1") {
        assert!(view.allows("9b9a") && view.allows("9b9a+"), "silver on the last row");
    }
}

#[test]
fn a_promotion_changes_the_kind_and_a_declined_one_does_not() {
    for (kind, promoted) in [
        (Pawn, PieceKind::Tokin),
        (Lance, PieceKind::PromotedLance),
        (Knight, PieceKind::PromotedKnight),
        (Silver, PieceKind::PromotedSilver),
        (Bishop, PieceKind::Horse),
        (Rook, PieceKind::Dragon),
    ] {
        for (color, from) in [(Color::Black, "5d"), (Color::White, "5f")] {
            let start = alone(color, kind, square(from));
            let mut promotions = 0;
            for &mv in &start.legal_moves() {
                let mut after = start;
                after.play(mv).unwrap();
                let expected = if mv.promotes() { promoted } else { kind };
                assert_eq!(after.piece_at(mv.to()), Some(Piece::new(color, expected)), "{mv}");
                promotions += usize::from(mv.promotes());
            }
            assert!(promotions > 0, "{color} {kind}");
        }
    }
}

#[test]
fn a_game_promotes_a_piece_that_must_promote_even_if_the_move_does_not_say_so() {
    for view in both_colours("9/P8/8N/1L7/9/9/9/9/K6k1 b - 1") {
        for text in ["9b9a", "1c2a", "8d8a"] {
            let mut game: Shogi = view.game(Shogi::RULES);
            view.play(&mut game, text);
            let played = game.moves()[0];
            assert!(played.promotes());
            let piece = game.position().piece_at(played.to()).unwrap();
            assert!(piece.is_promoted(), "{text}");
            let read = view.game(Shogi::RULES).parse_move(&view.mv(text).to_string());
            assert_eq!(read, Ok(played), "a text is read as it is played");
        }
        // A position does not guess.
        let mut position = view.position;
        assert!(matches!(position.play(view.mv("9b9a")), Err(IllegalMove::MustPromote { .. })));
        assert_eq!(position, view.position);
    }
}

#[test]
fn an_optional_promotion_that_is_not_asked_for_does_not_happen() {
    let mut game = Shogi::new();
    for text in ["7g7f", "3c3d", "8h2b"] {
        game.play(mv(text)).unwrap();
    }
    let bishop = game.position().piece_at(mv("8h2b").to());
    assert_eq!(bishop, Some(Piece::new(Color::Black, Bishop)));
}
