//! The numbering of the moves of chess.

use std::collections::HashSet;

use keisei_chess::{Move, PieceKind, Square};
use keisei_encode::Actions;
use keisei_encode::chess::AlphaZero;
use keisei_game::Side;

fn number(side: Side, text: &str) -> usize {
    AlphaZero::index(side, text.parse().unwrap())
}

/// Where a square lies in a plane for White.
fn place(square: Square) -> usize {
    (7 - square.rank() as usize) * 8 + square.file() as usize
}

#[test]
fn known_moves_have_the_numbers_of_the_table() {
    let known = [
        // Ahead by one and two, then clockwise.
        ("e2e3", 0, Square::E2),
        ("e2e4", 1, Square::E2),
        ("a1a8", 6, Square::A1),
        ("c1h6", 7 + 4, Square::C1),
        ("a4h4", 14 + 6, Square::A4),
        ("c8h3", 21 + 4, Square::C8),
        ("d8d1", 28 + 6, Square::D8),
        ("h8a1", 35 + 6, Square::H8),
        ("h4a4", 42 + 6, Square::H4),
        ("h1a8", 49 + 6, Square::H1),
        // Castling is the king's move.
        ("e1g1", 14 + 1, Square::E1),
        ("e1c1", 42 + 1, Square::E1),
        // Knights, clockwise.
        ("d4e6", 56, Square::D4),
        ("d4f5", 57, Square::D4),
        ("d4f3", 58, Square::D4),
        ("d4e2", 59, Square::D4),
        ("d4c2", 60, Square::D4),
        ("d4b3", 61, Square::D4),
        ("d4b5", 62, Square::D4),
        ("d4c6", 63, Square::D4),
        // A queen is a plain step; the others have planes of their own.
        ("b7b8q", 0, Square::B7),
        ("b7c8q", 7, Square::B7),
        ("b7a8q", 49, Square::B7),
        ("b7a8n", 64, Square::B7),
        ("b7b8n", 65, Square::B7),
        ("b7c8n", 66, Square::B7),
        ("b7a8b", 67, Square::B7),
        ("b7b8b", 68, Square::B7),
        ("b7c8r", 72, Square::B7),
    ];
    for (text, plane, from) in known {
        assert_eq!(number(Side::First, text), plane * 64 + place(from), "{text}");
        let flipped = text.parse::<Move>().unwrap().flipped();
        let black = AlphaZero::index(Side::Second, flipped);
        assert_eq!(black, plane * 64 + place(from), "{text} by Black");
    }
    assert_eq!(number(Side::First, "a8a7"), 28 * 64, "the first square is a8");
}

/// All moves that some piece can make, as the mover sees the board.
fn all_moves() -> Vec<Move> {
    let mut moves = Vec::new();
    for from in Square::ALL {
        for to in Square::ALL {
            let (files, ranks) = (
                (from.file() as i8 - to.file() as i8).abs(),
                (from.rank() as i8 - to.rank() as i8).abs(),
            );
            let queen = files == 0 || ranks == 0 || files == ranks;
            if from != to && (queen || files * ranks == 2) {
                moves.push(Move::new(from, to));
            }
            if from as usize / 8 == 6 && to as usize / 8 == 7 && files <= 1 {
                let lesser = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook];
                moves.extend(lesser.map(|kind| Move::new(from, to).promoting(kind).unwrap()));
            }
        }
    }
    moves
}

#[test]
fn every_move_of_either_colour_has_a_number_of_its_own() {
    let moves = all_moves();
    assert_eq!(moves.len(), 1858);
    for side in Side::ALL {
        let seen = |mv: Move| if side == Side::First { mv } else { mv.flipped() };
        let numbers: HashSet<_> =
            moves.iter().map(|&mv| AlphaZero::index(side, seen(mv))).collect();
        assert_eq!(numbers.len(), moves.len());
        assert!(numbers.iter().all(|&number| number < AlphaZero::COUNT));
        for &mv in &moves {
            assert_eq!(AlphaZero::seen_move(AlphaZero::index(side, seen(mv))), Some(mv));
        }
    }
}

#[test]
fn a_promotion_to_a_queen_has_the_number_of_the_plain_step() {
    for text in ["b7a8", "b7b8", "b7c8"] {
        let queen = number(Side::First, &format!("{text}q"));
        assert_eq!(queen, number(Side::First, text));
        assert_ne!(queen, number(Side::First, &format!("{text}r")));
    }
}

#[test]
fn the_mirror_exchanges_left_and_right() {
    for (text, image) in [
        ("e2e4", "d2d4"),
        ("c1h6", "f1a6"),
        ("h8a1", "a8h1"),
        ("g1f3", "b1c3"),
        ("d4f5", "e4c5"),
        ("b7a8n", "g7h8n"),
        ("b7b8r", "g7g8r"),
    ] {
        let mirrored = AlphaZero::mirrored(number(Side::First, text));
        assert_eq!(mirrored, number(Side::First, image), "{text}");
    }
}
