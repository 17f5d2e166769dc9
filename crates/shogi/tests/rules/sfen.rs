//! Positions as SFEN text: what is read, and what is refused with its reason.

use keisei_shogi::{
    Color, HandKind, PieceKind, Position, PositionError, SetupError, SfenError, Shogi,
};

use crate::boards::{position, square};
use crate::random::STARTS;

fn setup_error(sfen: &str) -> SetupError {
    match sfen.parse::<Position>() {
        Err(PositionError::Setup(error)) => error,
        other => panic!("{sfen}: {other:?}"),
    }
}

fn sfen_error(sfen: &str) -> SfenError {
    match sfen.parse::<Position>() {
        Err(PositionError::Sfen(error)) => error,
        other => panic!("{sfen}: {other:?}"),
    }
}

#[test]
fn positions_are_written_as_they_are_read() {
    for sfen in STARTS {
        assert_eq!(position(sfen).to_string(), sfen);
    }
}

#[test]
fn a_position_holds_what_its_sfen_says() {
    let position =
        position("8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124");
    let piece = |name| position.piece_at(square(name)).unwrap();
    assert_eq!((piece("7b").kind, piece("7b").color), (PieceKind::Dragon, Color::Black));
    assert_eq!((piece("2h").kind, piece("2h").color), (PieceKind::Dragon, Color::White));
    assert_eq!((piece("5i").kind, piece("5i").color), (PieceKind::Tokin, Color::White));
    assert_eq!(position.king(Color::White), Some(square("9d")));
    assert_eq!(position.king(Color::Black), Some(square("8h")));
    assert_eq!((position.turn(), position.move_number()), (Color::White, 124));
    assert_eq!(position.hand(Color::Black).count(HandKind::Silver), 1);
    let white = position.hand(Color::White);
    assert_eq!(HandKind::ALL.map(|kind| white.count(kind)), [3, 0, 1, 0, 1, 1, 0]);
}

#[test]
fn the_move_number_may_be_left_out() {
    assert_eq!(position("4k4/9/9/9/9/9/9/9/4K4 b -").move_number(), 1);
}

#[test]
fn each_fault_of_the_text_has_its_own_error() {
    let row = |text: &str| format!("4k4/9/9/{text}/9/9/9/9/4K4 b - 1");
    assert!(matches!(sfen_error(""), SfenError::MissingFields(_, 0)));
    assert!(matches!(sfen_error("4k4/9/9/9/9/9/9/9/4K4 b"), SfenError::MissingFields(_, 2)));
    assert_eq!(
        sfen_error("4k4/9/9/9/9/9/9/9/4K4 b - 1 moves"),
        SfenError::TrailingField("moves".to_owned())
    );
    assert_eq!(sfen_error("4k4/9/9/9/9/9/9/4K4 b - 1"), SfenError::RowCount(8));
    assert_eq!(sfen_error("4k4/9/9/9/9/9/9/9/4K4/9 b - 1"), SfenError::RowCount(10));
    let width = |text: &str, width| SfenError::RowWidth { row: 'd', text: text.to_owned(), width };
    assert_eq!(sfen_error(&row("8")), width("8", 8));
    assert_eq!(sfen_error(&row("55")), width("55", 10));
    assert_eq!(sfen_error(&row("")), width("", 0));
    let unknown = |letter| SfenError::UnknownPiece { letter, row: 'd' };
    assert_eq!(sfen_error(&row("4x4")), unknown('x'));
    assert_eq!(sfen_error(&row("4歩4")), unknown('歩'));
    assert_eq!(sfen_error(&row("90")), unknown('0'));
    let unpromotable = |letter| SfenError::Unpromotable { letter, row: 'd' };
    assert_eq!(sfen_error(&row("4+G4")), unpromotable('G'));
    assert_eq!(sfen_error(&row("4+k4")), unpromotable('k'));
    assert_eq!(sfen_error("4k4/9/9/9/9/9/9/9/4K4 B - 1"), SfenError::Side("B".to_owned()));
    assert_eq!(
        sfen_error("4k4/9/9/9/9/9/9/9/4K4 b PKp 1"),
        SfenError::HandPiece { letter: 'K', place: 2, text: "PKp".to_owned() }
    );
    for (hands, piece) in [("3B", 'B'), ("19p", 'p'), ("5G", 'G'), ("2", ' '), ("PP0P", '0')] {
        assert_eq!(
            sfen_error(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1")),
            SfenError::HandCount { piece, text: hands.to_owned() }
        );
    }
    for number in ["-1", "1.5", "65536", "x"] {
        assert_eq!(
            sfen_error(&format!("4k4/9/9/9/9/9/9/9/4K4 b - {number}")),
            SfenError::MoveNumber(number.to_owned())
        );
    }
}

#[test]
fn two_kings_of_a_colour_are_refused_by_their_squares() {
    for (sfen, color) in [
        ("4k4/9/9/9/9/9/9/4K4/4K4 b - 1", Color::Black),
        ("4k4/4k4/9/9/9/9/9/9/4K4 b - 1", Color::White),
    ] {
        let rank = if color == Color::Black { ["5h", "5i"] } else { ["5a", "5b"] };
        let [first, second] = rank.map(square);
        assert_eq!(setup_error(sfen), SetupError::TwoKings { color, first, second });
    }
}

#[test]
fn a_board_without_kings_is_refused() {
    assert_eq!(setup_error("9/9/9/9/9/9/9/9/9 b 2R 1"), SetupError::NoKing);
}

#[test]
fn nifu_is_refused_for_either_colour() {
    for (sfen, color, squares) in [
        ("4k4/9/P8/9/9/9/P8/9/4K4 b - 1", Color::Black, ["9c", "9g"]),
        ("4k4/8p/9/9/9/9/9/8p/4K4 b - 1", Color::White, ["1b", "1h"]),
    ] {
        let [first, second] = squares.map(square);
        let file = first.file();
        assert_eq!(setup_error(sfen), SetupError::TwoPawns { color, file, first, second });
    }
}

#[test]
fn pieces_that_could_never_move_are_refused() {
    use PieceKind::{Knight, Lance, Pawn};
    for (sfen, color, kind, at) in [
        ("P3k4/9/9/9/9/9/9/9/4K4 b - 1", Color::Black, Pawn, "9a"),
        ("L3k4/9/9/9/9/9/9/9/4K4 b - 1", Color::Black, Lance, "9a"),
        ("N3k4/9/9/9/9/9/9/9/4K4 b - 1", Color::Black, Knight, "9a"),
        ("4k4/N8/9/9/9/9/9/9/4K4 b - 1", Color::Black, Knight, "9b"),
        ("4k4/9/9/9/9/9/9/9/4K3p b - 1", Color::White, Pawn, "1i"),
        ("4k4/9/9/9/9/9/9/9/4K3l b - 1", Color::White, Lance, "1i"),
        ("4k4/9/9/9/9/9/9/9/4K3n b - 1", Color::White, Knight, "1i"),
        ("4k4/9/9/9/9/9/9/8n/4K4 b - 1", Color::White, Knight, "1h"),
    ] {
        assert_eq!(setup_error(sfen), SetupError::DeadPiece { color, kind, square: square(at) });
    }
    assert!("4k4/P7L/9/9/9/9/9/8p/4K4 b - 1".parse::<Position>().is_ok());
}

#[test]
fn more_pieces_than_a_set_has_are_refused_on_board_and_in_both_hands_together() {
    for (sfen, kind, count, total) in [
        ("4k4/9/R8/9/9/9/9/9/4K4 b Rr 1", PieceKind::Rook, 3, 2),
        ("4k4/9/+B8/9/9/9/9/9/4K4 b Bb 1", PieceKind::Bishop, 3, 2),
        ("4k4/9/+S8/9/9/9/9/9/4K4 b 2S2s 1", PieceKind::Silver, 5, 4),
        ("4k4/9/9/9/9/9/9/9/4K4 b 3G2g 1", PieceKind::Gold, 5, 4),
        ("4k4/9/+P8/9/9/9/9/9/4K4 b 9P9p 1", PieceKind::Pawn, 19, 18),
    ] {
        assert_eq!(setup_error(sfen), SetupError::TooMany { kind, count, total });
    }
}

#[test]
fn a_side_that_is_not_to_move_must_not_be_in_check() {
    assert_eq!(
        setup_error("4k4/9/9/9/9/9/9/9/3KR4 b - 1").to_string(),
        "Black is to move, but the king of White on 5a is in check from 5i"
    );
}

#[test]
fn a_position_line_gives_the_game_so_far() {
    use keisei_game::Game;
    let game: Shogi = "position startpos moves 7g7f 3c3d 8h2b+".parse().unwrap();
    assert_eq!(game.ply(), 3);
    let sfen = "4k4/9/9/9/9/9/9/9/4K4 w - 1";
    let game: Shogi = format!("position sfen {sfen} moves 5a5b").parse().unwrap();
    assert_eq!(game.start().to_string(), sfen);
    assert_eq!(game.notation(), "9/4k4/9/9/9/9/9/9/4K4 b - 2");
    assert_eq!(format!("sfen {sfen}").parse::<Shogi>().unwrap().ply(), 0);
    for (line, fault) in [
        ("", "expected startpos or sfen, found \"\""),
        ("position fen", "expected startpos or sfen, found \"fen\""),
        ("position startpos 7g7f", "expected moves, found \"7g7f\""),
        ("position startpos moves 7g7f 7f7e", "move 2: 7f7e is illegal: the pawn on 7f is Black's"),
        ("position startpos moves 7g7x", "move 1: \"7g7x\" is not a USI move"),
        (
            "position sfen 9/9 b - 1",
            "\"9/9 b - 1\" is no shogi position: the board has 2 rows instead of 9",
        ),
    ] {
        let refused = line.parse::<Shogi>().unwrap_err().to_string();
        assert!(refused.starts_with(fault), "{line}: {refused}");
    }
}

#[test]
fn people_may_leave_out_what_a_position_line_says_of_itself() {
    use keisei_game::{PositionLine, Start};
    let read = |text| {
        let PositionLine { start, moves, .. } = PositionLine::read::<Shogi>(text);
        (start, moves.join(" "))
    };
    let board = vec!["4k4/9/9/9/9/9/9/9/4K4", "b", "R", "1"];
    for (text, start, moves) in [
        ("position startpos moves 7g7f 3c3d", Start::Standard, "7g7f 3c3d"),
        ("startpos 7g7f", Start::Standard, "7g7f"),
        ("moves 7g7f", Start::Standard, "7g7f"),
        ("7g7f 3c3d", Start::Standard, "7g7f 3c3d"),
        ("", Start::Standard, ""),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b R 1", Start::Notation(board.clone()), ""),
        ("4k4/9/9/9/9/9/9/9/4K4  b R 1 R*5b", Start::Notation(board.clone()), "R*5b"),
        ("4k4/9/9/9/9/9/9/9/4K4 b R R*5b", Start::Notation(board[..3].to_vec()), "R*5b"),
        ("two moves 7a6b", Start::Name("two"), "7a6b"),
        ("position foo", Start::Name("foo"), ""),
    ] {
        assert_eq!(read(text), (start, moves.to_owned()), "{text}");
    }
}
