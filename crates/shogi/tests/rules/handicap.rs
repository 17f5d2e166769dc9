//! Handicap games: White lacks pieces and moves first.

use keisei_game::{Game, Reason, Side, SplitMix64};
use keisei_shogi::{Bitboard, Color, Handicap, PieceKind, Position, Shogi, Square, attacks};

use crate::boards::{mv, position, square, squares};
use crate::naive::Board;

const EIGHT_PIECE: &str = "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";

#[test]
fn each_handicap_lacks_exactly_its_pieces() {
    for (handicap, missing) in [
        (Handicap::None, ""),
        (Handicap::Lance, "1a"),
        (Handicap::RightLance, "9a"),
        (Handicap::Bishop, "2b"),
        (Handicap::Rook, "8b"),
        (Handicap::RookLance, "8b 1a"),
        (Handicap::TwoPiece, "8b 2b"),
        (Handicap::ThreePiece, "8b 2b 9a"),
        (Handicap::FourPiece, "8b 2b 9a 1a"),
        (Handicap::FivePiece, "8b 2b 9a 1a 2a"),
        (Handicap::SixPiece, "8b 2b 9a 1a 8a 2a"),
        (Handicap::EightPiece, "8b 2b 9a 1a 8a 2a 7a 3a"),
        (Handicap::TenPiece, "8b 2b 9a 1a 8a 2a 7a 3a 6a 4a"),
    ] {
        let (position, even) = (handicap.position(), Position::start());
        for square in Square::all() {
            let expected = even.piece_at(square).filter(|_| !squares(missing).has(square));
            assert_eq!(position.piece_at(square), expected, "{handicap}: {square}");
        }
        assert!(Color::ALL.iter().all(|&color| position.hand(color).is_empty()), "{handicap}");
        let first = if handicap == Handicap::None { Color::Black } else { Color::White };
        assert_eq!((position.turn(), position.move_number()), (first, 1), "{handicap}");
    }
}

#[test]
fn a_handicap_game_opens_with_white() {
    let mut game = Shogi::handicap(Handicap::EightPiece);
    assert_eq!(*game.position(), position(EIGHT_PIECE));
    assert_eq!(game.turn(), Side::Second);
    assert!(game.play(mv("7g7f")).is_err());
    game.play(mv("5a5b")).unwrap();
    game.play(mv("7g7f")).unwrap();
    game.reset();
    assert_eq!(game.turn(), Side::Second);
}

#[test]
fn whites_gold_on_6a_attacks_five_squares_and_has_four_moves() {
    let position = position(EIGHT_PIECE);
    let attacked =
        attacks::attacks(Color::White, PieceKind::Gold, square("6a"), position.occupied());
    assert_eq!(attacked, squares("5a 5b 6b 7a 7b"));
    let moves = position.legal_moves();
    let gold: Bitboard =
        moves.iter().filter(|mv| mv.from() == Some(square("6a"))).map(|mv| mv.to()).collect();
    // Its own king stands on 5a.
    assert_eq!(gold, squares("5b 6b 7a 7b"));
    assert!(!moves.contains(&mv("6a5i")) && !position.is_legal(mv("6a5i")));
}

#[test]
fn all_of_whites_moves_in_the_eight_piece_handicap_are_legal() {
    let position = position(EIGHT_PIECE);
    let moves = position.legal_moves();
    let plain = Board::of(&position).legal_moves();
    assert_eq!(moves.len(), plain.len());
    for &mv in &moves {
        assert!(position.is_legal(mv) && plain.contains(&mv), "{mv}");
    }
}

#[test]
fn handicap_games_are_played_by_the_plain_rules_to_their_end() {
    for (handicap, seed) in Handicap::ALL.into_iter().zip(1..) {
        let mut game = Shogi::handicap(handicap);
        let mut rng = SplitMix64::new(seed);
        while let Some(mv) = rng.choose(&game.legal_moves()) {
            if game.ply().is_multiple_of(8) {
                let listed = game.position().legal_moves().iter().copied().collect();
                assert_eq!(Board::of(game.position()).legal_moves(), listed, "{}", game.notation());
            }
            game.play(mv).unwrap();
        }
        let outcome = game.outcome().expect("a game without moves is over");
        let mated = Board::of(game.position()).legal_moves().is_empty();
        match outcome.reason() {
            Reason::Checkmate | Reason::NoMoves => assert!(mated, "{handicap}"),
            Reason::MoveLimit => assert_eq!(game.ply(), 500, "{handicap}"),
            reason => assert!(matches!(reason, Reason::Repetition | Reason::PerpetualCheck)),
        }
        assert_eq!(mated, game.position().legal_moves().is_empty(), "{handicap}");
    }
}
