//! The generator against a plain reading of the rules.

use std::collections::BTreeSet;

use keisei_game::{Game, SplitMix64};
use keisei_shogi::{Bitboard, Color, Move, PieceKind, Position, Square};

use crate::boards::{alone, is_dead};
use crate::naive::Board;
use crate::random::{besieged, random_game, random_position, scattered};

fn assert_same_moves(position: &Position, board: &Board) {
    let moves: BTreeSet<Move> = position.legal_moves().iter().copied().collect();
    let expected = board.legal_moves();
    assert_eq!(moves.len(), position.legal_moves().len(), "a move is listed twice in {position}");
    assert!(
        moves == expected,
        "{position}: missing {:?}, wrong {:?}",
        expected.difference(&moves),
        moves.difference(&expected)
    );
}

#[test]
fn every_piece_on_every_square_of_an_empty_board_has_the_moves_of_the_plain_rules() {
    for color in Color::ALL {
        for kind in PieceKind::ALL {
            for square in Square::all().filter(|&square| !is_dead(color, kind, square)) {
                let position = alone(color, kind, square);
                assert_same_moves(&position, &Board::of(&position));
            }
        }
    }
}

#[test]
fn positions_of_random_games_have_the_legal_moves_of_the_plain_rules() {
    let mut rng = SplitMix64::new(1);
    for _ in 0..1500 {
        let game = random_game(&mut rng);
        let position = game.position();
        assert_same_moves(position, &Board::of(position));
    }
}

#[test]
fn scattered_positions_have_the_legal_moves_of_the_plain_rules() {
    let mut rng = SplitMix64::new(2);
    for _ in 0..2000 {
        let position = scattered(&mut rng);
        assert_same_moves(&position, &Board::of(&position));
    }
}

#[test]
fn positions_with_a_king_in_trouble_have_the_legal_moves_of_the_plain_rules() {
    let mut rng = SplitMix64::new(4);
    let (mut uchifuzume, mut pins, mut double_checks) = (0, 0, 0);
    for _ in 0..8000 {
        let position = besieged(&mut rng);
        let board = Board::of(&position);
        assert_same_moves(&position, &board);
        uchifuzume += board.mating_pawn_drops().len();
        pins += Color::ALL.map(|color| position.pinned(color).len()).iter().sum::<usize>();
        double_checks += usize::from(position.checkers().len() == 2);
    }
    // The sample is worth something only if the hard rules occur in it.
    assert!(
        uchifuzume >= 200 && pins >= 500 && double_checks >= 100,
        "{uchifuzume} uchifuzume, {pins} pins, {double_checks} double checks"
    );
}

#[test]
fn attackers_checkers_and_pinned_pieces_are_those_of_the_plain_rules() {
    let mut rng = SplitMix64::new(3);
    for _ in 0..500 {
        let position = random_position(rng.next_u64());
        let board = Board::of(&position);
        for color in Color::ALL {
            let checkers = board.checkers(color);
            assert_eq!(position.is_in_check(color), !checkers.is_empty(), "{position}");
            assert_eq!(set(position.pinned(color)), board.shields(color), "{position}");
        }
        assert_eq!(set(position.checkers()), board.checkers(position.turn()), "{position}");
        for square in Square::all() {
            for color in Color::ALL {
                let attackers = set(position.attackers_to(square, color));
                assert_eq!(attackers, board.attackers(square, color), "{square} in {position}");
            }
        }
    }
}

fn set(squares: Bitboard) -> BTreeSet<Square> {
    squares.into_iter().collect()
}
