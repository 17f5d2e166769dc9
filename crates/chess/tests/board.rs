//! The board: its pieces, its squares, its sets of squares and its text.

mod common;

use common::{game, mv, position};
use keisei_chess::{
    BOARD_SIZE, BitBoard, Chess, Color, File, Piece, PieceKind, Position, Rank, Setup, Square,
};
use keisei_game::{Game, Side};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn tokens_0_to_12_stand_for_the_empty_square_blacks_pieces_and_whites_both_ways() {
    for (token, letter) in (1..=12).zip("pnbrqkPNBRQK".chars()) {
        let piece = Piece::from_letter(letter).unwrap();
        assert_eq!((piece.token(), piece.letter()), (token, letter));
        assert_eq!(Piece::from_token(token), Some(piece));
        assert_eq!(piece.to_string(), letter.to_string());
    }
    assert_eq!(Piece::from_token(0), None, "an empty square has no piece");
    assert_eq!(Piece::from_token(13), None);
    assert_eq!(Piece::from_letter(' '), None);
}

#[test]
fn every_kind_has_its_steps_for_both_colours_and_three_kinds_slide() {
    let count = PieceKind::ALL.map(|kind| kind.steps().len());
    assert_eq!(count, [3, 8, 4, 4, 8, 8], "pawn to king");
    let sliders: Vec<_> = PieceKind::ALL.into_iter().filter(|kind| kind.is_slider()).collect();
    assert_eq!(sliders, [PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen]);
}

#[test]
fn one_vector_of_a_piece_stands_for_all_that_mirror_it() {
    let vectors: [(PieceKind, &[(i8, i8)]); 5] = [
        (PieceKind::Knight, &[(2, 1)]),
        (PieceKind::Bishop, &[(1, 1)]),
        (PieceKind::Rook, &[(1, 0)]),
        (PieceKind::Queen, &[(1, 0), (1, 1)]),
        (PieceKind::King, &[(1, 0), (1, 1)]),
    ];
    for (kind, vectors) in vectors {
        let mut all: Vec<_> = vectors
            .iter()
            .flat_map(|&(x, y)| [(x, y), (y, x)])
            .flat_map(|(x, y)| [(x, y), (-x, y), (x, -y), (-x, -y)])
            .collect();
        let mut steps = kind.steps().to_vec();
        all.sort();
        all.dedup();
        steps.sort();
        assert_eq!(steps, all, "{kind}");
    }
}

#[test]
fn a_game_starts_from_the_standard_position_with_its_32_pieces() {
    assert_eq!(Position::start().to_string(), START);
    assert_eq!(Chess::new().position(), &position(START));
    let ranks = Rank::ALL.into_iter().rev();
    let squares = ranks.flat_map(|rank| File::ALL.map(|file| Square::new(file, rank)));
    let tokens: Vec<_> =
        squares.filter_map(|square| Position::start().piece_at(square)).map(Piece::token).collect();
    let expected = [
        4, 2, 3, 5, 6, 3, 2, 4, 1, 1, 1, 1, 1, 1, 1, 1, //
        7, 7, 7, 7, 7, 7, 7, 7, 10, 8, 9, 11, 12, 9, 8, 10,
    ];
    assert_eq!(tokens, expected);
}

#[test]
fn a_board_may_be_set_up_by_hand_with_either_side_to_move() {
    let king = |color| Piece::new(color, PieceKind::King);
    let mut setup = Setup::EMPTY
        .with(Square::E1, king(Color::White))
        .with(Square::E8, king(Color::Black))
        .with(Square::A7, Piece::new(Color::White, PieceKind::Pawn));
    for (turn, fen) in [
        (Color::White, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"),
        (Color::Black, "4k3/P7/8/8/8/8/8/4K3 b - - 0 1"),
    ] {
        setup.turn = turn;
        let position = Position::try_from(setup.clone()).unwrap();
        assert_eq!(position.to_string(), fen);
        assert_eq!(position.turn(), turn);
    }
}

#[test]
fn the_text_board_has_ranks_on_the_left_files_below_and_capitals_for_white() {
    let start = "
  +---+---+---+---+---+---+---+---+
8 | r | n | b | q | k | b | n | r |
  +---+---+---+---+---+---+---+---+
7 | p | p | p | p | p | p | p | p |
  +---+---+---+---+---+---+---+---+
6 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
5 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
4 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
3 |   |   |   |   |   |   |   |   |
  +---+---+---+---+---+---+---+---+
2 | P | P | P | P | P | P | P | P |
  +---+---+---+---+---+---+---+---+
1 | R | N | B | Q | K | B | N | R |
  +---+---+---+---+---+---+---+---+
    a   b   c   d   e   f   g   h \n";
    assert_eq!(format!("\n{}", Chess::new().board_text()), start);
    let mut game = Chess::new();
    common::play(&mut game, "e2e4");
    let rank = |text: &str, number: char| {
        text.lines().find(|line| line.starts_with(number)).unwrap().to_owned()
    };
    assert_eq!(rank(&game.board_text(), '4'), "4 |   |   |   |   | P |   |   |   |");
    assert_eq!(rank(&game.board_text(), '2'), "2 | P | P | P | P |   | P | P | P |");
}

#[test]
fn a_square_is_named_by_its_file_letter_and_its_rank_counted_from_1() {
    let start = Position::start();
    let at = |name: &str| start.piece_at(name.parse().unwrap()).map(Piece::letter);
    assert_eq!([at("a1"), at("d1"), at("e8"), at("h7")], ['R', 'Q', 'k', 'p'].map(Some));
    assert_eq!([at("a3"), at("h6")], [None, None]);
    let all: Vec<_> = Square::ALL.iter().map(Square::to_string).collect();
    assert_eq!((all[0].as_str(), all[1].as_str(), all[63].as_str()), ("a1", "b1", "h8"));
}

#[test]
fn it_can_be_asked_whether_a_kind_of_piece_is_still_on_the_board() {
    let mut game = game("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    let queen = Piece::new(Color::Black, PieceKind::Queen);
    assert!(game.position().has(queen));
    assert!(!game.position().has(Piece::new(Color::White, PieceKind::Queen)));
    common::play(&mut game, "e4d5");
    assert!(!game.position().has(queen), "it was captured");
    game.undo();
    assert!(game.position().has(queen), "and is back");
}

#[test]
fn the_pieces_present_are_those_with_a_square() {
    let letters =
        |position: &Position| position.pieces_present().map(Piece::letter).collect::<String>();
    assert_eq!(letters(&Position::start()), "PNBRQKpnbrqk");
    assert_eq!(letters(&position("1n2k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1")), "NKnk");
}

#[test]
fn each_piece_has_its_own_set_of_squares() {
    let start = Position::start();
    let dump = |color, kind| start.pieces_of(color, kind);
    assert_eq!(dump(Color::White, PieceKind::Pawn), Rank::Second.bitboard());
    assert_eq!(dump(Color::White, PieceKind::Knight), squares("b1 g1"));
    assert_eq!(dump(Color::White, PieceKind::King), squares("e1"));
    assert_eq!(dump(Color::Black, PieceKind::Pawn), Rank::Seventh.bitboard());
    assert_eq!(dump(Color::Black, PieceKind::Queen), squares("d8"));
    assert_eq!(dump(Color::Black, PieceKind::King), squares("e8"));
    let sum = Piece::all().map(|piece| dump(piece.color, piece.kind));
    assert_eq!(sum.fold(BitBoard::EMPTY, |all, one| all | one), start.occupied());
}

#[test]
fn a_set_of_squares_is_read_joined_inverted_counted_and_listed_with_the_right_axes() {
    let (one, two) = (squares("a1 c2"), squares("c2 h8"));
    assert!(one.has(Square::C2) && !one.has(Square::B3), "file c, rank 2");
    assert_eq!(one | two, squares("a1 c2 h8"), "an or, so that c2 counts once");
    assert_eq!(one | two, two | one);
    assert_eq!((!one).len(), 62);
    assert!(BitBoard::EMPTY.is_empty() && !one.is_empty());
    let names: Vec<_> = (one | two).into_iter().map(|square| square.to_string()).collect();
    assert_eq!(names, ["a1", "c2", "h8"]);
    let text = format!("{one:#?}");
    let rows: Vec<_> = text.lines().map(str::trim).filter(|row| row.len() == 15).collect();
    assert_eq!((rows.len(), rows[6], rows[7]), (8, ". . X . . . . .", "X . . . . . . ."));
}

fn squares(names: &str) -> BitBoard {
    names.split(' ').map(|name| name.parse::<Square>().unwrap()).collect()
}

#[test]
fn a_piece_says_in_words_what_and_whose_it_is() {
    let knight = Piece::from_letter('n').unwrap();
    assert_eq!((knight.color, knight.kind), (Color::Black, PieceKind::Knight));
    assert_eq!(format!("{} {}", knight.color, knight.kind), "Black knight");
    let copy = Piece { color: Color::White, ..knight };
    assert_eq!((copy.letter(), knight.letter()), ('N', 'n'), "a copy with another colour");
}

#[test]
fn the_twelve_pieces_are_numbered_alike_for_every_board() {
    for (letter, id) in "PNBRQKpnbrqk".chars().zip(1..) {
        let piece = Piece::from_letter(letter).unwrap();
        assert_eq!((piece.id(), Piece::from_id(id)), (id, Some(piece)));
    }
    assert_eq!([0, 13].map(Piece::from_id), [None, None]);
    let mut expected = [[0; BOARD_SIZE]; BOARD_SIZE];
    expected[0] = [4, 2, 3, 5, 6, 3, 2, 4];
    expected[1] = [1; BOARD_SIZE];
    expected[6] = [7; BOARD_SIZE];
    expected[7] = [10, 8, 9, 11, 12, 9, 8, 10];
    assert_eq!(Position::start().piece_ids(), expected);
    // Another board, made later, numbers its pieces from the same beginning.
    let other = position("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1").piece_ids();
    assert_eq!((other[7][4], other[4][3], other[2][2], other[0][4]), (12, 11, 2, 6));
    let mut moved = Position::start();
    moved.play(mv("g1f3")).unwrap();
    assert_eq!((moved.piece_ids()[0][6], moved.piece_ids()[2][5]), (0, 2));
}

#[test]
fn both_numbers_of_every_piece_are_printed_on_request() {
    let table = Piece::table();
    assert_eq!(table.lines().count(), 12);
    assert!(table.starts_with("white pawn : 1, token 7\nwhite knight : 2, token 8\n"), "{table}");
    assert!(table.ends_with("black king : 12, token 6\n"), "{table}");
}

#[test]
fn pseudo_legal_moves_are_those_of_one_colour_whatever_happens_to_its_king() {
    // White's rook is pinned and it is White's turn; both colours are asked.
    let position = position("4r1k1/P7/8/8/8/8/4R3/4K3 w - - 0 1");
    let moves = |color| {
        let mut moves: Vec<_> =
            position.pseudo_legal_moves(color).map(|mv| mv.to_string()).collect();
        moves.sort();
        moves
    };
    let white = moves(Color::White);
    assert!(white.contains(&"e2a2".to_owned()), "a pinned rook leaves its file: {white:?}");
    assert!(white.contains(&"e2e8".to_owned()) && !white.contains(&"e2e1".to_owned()));
    assert_eq!(white.iter().filter(|mv| mv.starts_with("a7a8")).count(), 4);
    assert!(moves(Color::Black).contains(&"e8e2".to_owned()));
    for mv in position.legal_moves() {
        assert!(white.contains(&mv.to_string()), "{mv}");
    }
    assert!(!position.king_is_vulnerable(Color::White));
    let checked = self::position("4r1k1/8/8/8/8/8/8/4K3 w - - 0 1");
    assert!(checked.king_is_vulnerable(Color::White) && !checked.king_is_vulnerable(Color::Black));
}

#[test]
fn white_is_the_first_side_and_each_colour_has_its_opponent() {
    assert_eq!(Color::from(Side::First), Color::White);
    for color in Color::ALL {
        assert_eq!(Color::from(Side::from(color)), color);
        assert_eq!(!Side::from(color), Side::from(!color));
        assert_ne!(!color, color);
    }
}

#[test]
fn a_copy_of_a_board_does_not_change_with_it() {
    let before = Position::start();
    let mut after = before.clone();
    after.play(mv("e2e4")).unwrap();
    assert_eq!(before, Position::start());
    assert_ne!(before, after);
}

#[test]
fn a_turn_can_be_passed_except_in_check() {
    let passed = position("4k3/8/8/8/8/8/8/R3K3 b - - 100 60").pass().unwrap();
    assert_eq!(passed.to_string(), "4k3/8/8/8/8/8/8/R3K3 w - - 101 61");
    assert_eq!(position("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").pass(), None);
}
