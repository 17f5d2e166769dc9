//! The start of an even game.

use keisei_game::{Game, Side};
use keisei_shogi::{Color, HandKind, Move, Piece, PieceKind, Position, Shogi, Square};

use crate::boards::{mv, square};

/// Row a first, file 9 on the left.
const BOARD: [&str; 9] = [
    "lnsgkgsnl",
    ".r.....b.",
    "ppppppppp",
    ".........",
    ".........",
    ".........",
    "PPPPPPPPP",
    ".B.....R.",
    "LNSGKGSNL",
];

#[test]
fn all_81_squares_of_the_start_hold_what_the_rules_put_there() {
    let position = Position::start();
    for (row, letters) in (0..).zip(BOARD) {
        for (column, letter) in (0..).zip(letters.chars()) {
            let square = Square::at(row, column).unwrap();
            let symbol = position.piece_at(square).map_or(".".to_owned(), Piece::symbol);
            assert_eq!(symbol, letter.to_string(), "{square}");
        }
    }
}

#[test]
fn rooks_bishops_and_kings_stand_on_their_squares() {
    let position = Position::start();
    for (name, color, kind) in [
        ("2h", Color::Black, PieceKind::Rook),
        ("8h", Color::Black, PieceKind::Bishop),
        ("8b", Color::White, PieceKind::Rook),
        ("2b", Color::White, PieceKind::Bishop),
        ("5i", Color::Black, PieceKind::King),
        ("5a", Color::White, PieceKind::King),
    ] {
        assert_eq!(position.piece_at(square(name)), Some(Piece::new(color, kind)), "{name}");
    }
    assert_eq!(position.king(Color::Black), Some(square("5i")));
    assert_eq!(position.king(Color::White), Some(square("5a")));
}

#[test]
fn the_start_is_the_usual_sfen_with_black_to_play_move_1_and_empty_hands() {
    let start = Position::start();
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_eq!(start.to_string(), sfen);
    assert_eq!(sfen.parse(), Ok(start));
    assert_eq!(Position::default(), start);
    assert_eq!((start.turn(), start.move_number()), (Color::Black, 1));
    assert!(Color::ALL.iter().all(|&color| start.hand(color).is_empty()));
    assert!(!start.in_check());
}

#[test]
fn black_has_thirty_moves_at_the_start() {
    assert_eq!(Position::start().legal_moves().len(), 30);
}

#[test]
fn a_new_game_is_at_the_start_with_nothing_played_and_nobody_winning() {
    let game = Shogi::new();
    assert_eq!(*game.position(), Position::start());
    assert_eq!(game.turn(), Side::First);
    assert_eq!((game.moves().len(), game.ply(), game.repetitions()), (0, 0, 0));
    assert_eq!(game.keys(), [Position::start().key()]);
    assert_eq!((game.is_over(), game.winner(), game.outcome()), (false, None, None));
    assert_eq!(game.reward(), 0.0);
}

#[test]
fn colours_and_kinds_have_the_numbers_of_the_rules() {
    assert_eq!(Color::ALL.map(|color| color as u8), [0, 1]);
    let kinds = PieceKind::ALL.map(|kind| kind as u8);
    assert_eq!(kinds.to_vec(), (0..14).collect::<Vec<u8>>());
    assert_eq!((PieceKind::Pawn as u8, PieceKind::King as u8), (0, 7));
    assert_eq!((PieceKind::Tokin as u8, PieceKind::Dragon as u8), (8, 13));
}

#[test]
fn pawn_7g7f_goes_from_row_6_column_2_to_row_5_column_2_without_promotion() {
    let pawn = mv("7g7f");
    let from = pawn.from().unwrap();
    let fields =
        [from.row(), from.column(), pawn.to().row(), pawn.to().column(), pawn.promotes().into()];
    assert_eq!(fields, [6, 2, 5, 2, 0]);
    let at = |row, column| Square::at(row, column).unwrap();
    assert_eq!(Move::new(at(6, 2), at(5, 2), false), pawn);
    let drop = Move::drop(HandKind::Pawn, at(4, 4));
    assert_eq!((drop.to_string().as_str(), drop.from()), ("P*5e", None));
}
