//! FEN: what is read, what is written and what is refused.

mod common;

use common::position;
use keisei_chess::{Position, Setup};

fn refusal(fen: &str) -> String {
    fen.parse::<Position>().expect_err(fen).to_string()
}

#[test]
fn a_board_alone_is_read_up_to_the_first_blank_and_written_back() {
    for text in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "8/8/3q4/8/8/8/8/K6k"] {
        let setup = Setup::from_board_fen(text).unwrap();
        assert_eq!(setup.board_fen(), text);
        assert_eq!(Setup::from_board_fen(&format!("{text} b KQkq - 3 9")).unwrap(), setup);
        assert_eq!(setup.to_string(), format!("{text} w - - 0 1"));
    }
    assert!(Setup::from_board_fen("").is_err() && Setup::from_board_fen("8/8").is_err());
}

#[test]
fn a_fen_is_written_as_it_was_read() {
    for fen in common::STARTS {
        assert_eq!(position(fen).to_string(), fen);
    }
    let fen = "8/8/8/8/8/8/8/8 b KQkq e3 65535 0";
    assert_eq!(fen.parse::<Setup>().unwrap().to_string(), fen, "a setup promises nothing");
}

#[test]
fn the_numbers_may_be_left_out_and_spaces_do_not_matter() {
    let fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1";
    assert_eq!(position("4k3/8/8/8/8/8/P7/4K3 w - -").to_string(), fen);
    assert_eq!(position("  4k3/8/8/8/8/8/P7/4K3  w -   - 0 1 ").to_string(), fen);
}

#[test]
fn the_en_passant_square_follows_every_double_step() {
    let mut position = Position::start();
    position.play(common::mv("a2a4")).unwrap();
    assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR b KQkq a3 0 1");
    assert_eq!(common::position(&position.to_string()), position);
}

#[test]
fn a_text_that_is_no_fen_is_refused_by_field_and_value() {
    let board = "4k3/8/8/8/8/8/8/4K3";
    for (fen, message) in [
        (String::new(), "the FEN ends before the board"),
        (board.to_owned(), "the FEN ends before the side to move"),
        (format!("{board} w"), "the FEN ends before the castling rights"),
        (format!("{board} w -"), "the FEN ends before the en-passant square"),
        (format!("{board} w - - 0"), "the FEN ends before the move number"),
        (
            format!("{board} w - - 0 1 x"),
            "\"x\" follows the last field of the FEN, the move number",
        ),
        ("8/8 w - - 0 1".to_owned(), "the board \"8/8\" has 2 ranks instead of 8"),
        (
            "4k3/8/7/8/8/8/8/4K3 w - - 0 1".to_owned(),
            "rank 6 of the board, \"7\", has 7 squares instead of 8",
        ),
        (
            "4k3/8/8/8/8/ppppppppp/8/4K3 w - - 0 1".to_owned(),
            "rank 3 of the board, \"ppppppppp\", has 9 squares instead of 8",
        ),
        (
            "4k3/8/8/8/8/8/7x/4K3 w - - 0 1".to_owned(),
            "'x' in rank 2 of the board is neither a piece (pnbrqk, PNBRQK) nor 1 to 8",
        ),
        (
            "4k3/9/8/8/8/8/8/4K3 w - - 0 1".to_owned(),
            "'9' in rank 7 of the board is neither a piece (pnbrqk, PNBRQK) nor 1 to 8",
        ),
        (format!("{board} W - - 0 1"), "the side to move is \"W\"; write w or b"),
        (
            format!("{board} w KK - 0 1"),
            "the castling rights are \"KK\"; write - or some of KQkq, each once",
        ),
        (
            format!("{board} w HA - 0 1"),
            "the castling rights are \"HA\"; write - or some of KQkq, each once",
        ),
        (
            format!("{board} w - e9 0 1"),
            "the en-passant square is \"e9\"; write - or a square such as e3",
        ),
        (
            format!("{board} w - - -1 1"),
            "the halfmove clock is \"-1\"; write a number from 0 to 65535",
        ),
        (
            format!("{board} w - - 0 70000"),
            "the move number is \"70000\"; write a number from 1 to 65535",
        ),
    ] {
        assert_eq!(refusal(&fen), message, "{fen}");
    }
}

#[test]
fn a_board_that_no_game_can_show_is_refused_with_its_reason() {
    for (fen, message) in [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "White has 2 kings"),
        ("8/8/8/8/8/4k3/4K3/8 w - - 0 1", "the kings on e2 and e3 stand side by side"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn cannot stand on h8, on the first or last rank"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "a pawn cannot stand on a1, on the first or last rank"),
        (
            "rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKBNR w - - 0 1",
            "White has 17 pieces; a player has 16",
        ),
        (
            "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
            "Black's pawns (9) and promoted pieces (0) are more than 8",
        ),
        (
            "4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1",
            "White's pawns (8) and promoted pieces (1) are more than 8",
        ),
        (
            "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
            "it is White's turn, yet the piece on e1 already attacks the king on e8",
        ),
        (
            "4k3/5P2/3N4/8/8/8/8/4RK2 b - - 0 1",
            "3 pieces give check to the king on e8; one move gives check with two at most",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "White cannot have a castling right: no rook on h1"),
        ("r2k4/8/8/8/8/8/8/4K3 w q - 0 1", "Black cannot have a castling right: no king on e8"),
        (
            "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
            "e3 cannot be an en-passant square with White to move: wrong rank",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 b - e3 0 1",
            "e3 cannot be an en-passant square: White has no pawn on e4",
        ),
        ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", "e3 cannot be an en-passant square: e2 is occupied"),
        (
            "4k3/8/5N2/8/2pP4/8/8/4K3 b - d3 0 1",
            "d3 cannot be an en-passant square: f6 gave check before the pawn moved",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "the move number is 0; moves are numbered from 1"),
    ] {
        assert_eq!(refusal(fen), message, "{fen}");
    }
}

#[test]
fn a_check_that_the_double_step_itself_gives_or_uncovers_is_allowed() {
    for fen in ["8/8/8/3k4/4P3/8/8/4K3 b - e3 0 1", "8/7k/8/8/2P5/8/8/1B2K3 b - c3 0 1"] {
        if let Err(error) = fen.parse::<Position>() {
            panic!("{fen}: {error}");
        }
    }
}
