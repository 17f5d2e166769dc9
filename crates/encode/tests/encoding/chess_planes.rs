//! The planes of chess, worked out by hand.

use keisei_chess::Chess;
use keisei_encode::Encode;
use keisei_game::Game;

use crate::sample::{View, game, played};

fn see(position: &str, moves: &str) -> View<Chess> {
    View::of(&game(position, moves))
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn an_observation_is_21_planes_of_eight_rows_of_eight_numbers_packed_into_72_bytes() {
    assert_eq!((Chess::PLANES, Chess::SQUARES), (21, 8 * 8));
    assert_eq!(Chess::new().planes().len(), 21 * 8 * 8);
    assert_eq!(Chess::new().pack().as_ref().len(), 72);
}

#[test]
fn own_pieces_are_on_planes_0_to_5_and_the_opponents_on_6_to_11_pawn_to_king() {
    let view = see(START, "");
    assert_eq!(view.ones(0), (0..8).map(|column| (6, column)).collect::<Vec<_>>());
    assert_eq!(view.ones(6), (0..8).map(|column| (1, column)).collect::<Vec<_>>());
    let pairs = [[1, 6], [2, 5], [0, 7]];
    for (kind, columns) in pairs.into_iter().enumerate() {
        assert_eq!(view.ones(1 + kind), columns.map(|column| (7, column)));
        assert_eq!(view.ones(7 + kind), columns.map(|column| (0, column)));
    }
    assert_eq!((view.ones(4), view.ones(5)), (vec![(7, 3)], vec![(7, 4)]));
    assert_eq!((view.ones(10), view.ones(11)), (vec![(0, 3)], vec![(0, 4)]));
}

#[test]
fn black_sees_the_ranks_from_the_other_side_and_the_files_as_they_are() {
    let view = see(START, "e2e4");
    assert_eq!(view.ones(5), [(7, 4)], "own king on e8");
    assert_eq!(view.ones(10), [(0, 3)], "the other queen on d1");
    let mut pawns: Vec<_> =
        (0..8).filter(|&column| column != 4).map(|column| (1, column)).collect();
    pawns.push((3, 4));
    assert_eq!(view.ones(6), pawns);
}

#[test]
fn castling_rights_fill_planes_12_to_15_own_short_own_long_then_the_opponents() {
    let rights = |fen: &str| see(fen, "").constants(12..16);
    assert_eq!(rights("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), [1.0; 4]);
    assert_eq!(rights("r3k2r/8/8/8/8/8/8/R3K2R w K - 0 1"), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(rights("r3k2r/8/8/8/8/8/8/R3K2R w Q - 0 1"), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(rights("r3k2r/8/8/8/8/8/8/R3K2R w k - 0 1"), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(rights("r3k2r/8/8/8/8/8/8/R3K2R w q - 0 1"), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(rights("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1"), [0.0, 1.0, 1.0, 0.0]);
}

#[test]
fn plane_16_shows_the_square_of_an_en_passant_capture_that_is_legal() {
    let view = see("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5");
    assert_eq!(view.ones(16), [(2, 3)], "d6 for White");
    let view = see("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4");
    assert_eq!(view.ones(16), [(2, 4)], "e3 for Black");
}

#[test]
fn plane_16_is_empty_if_no_pawn_can_capture_en_passant() {
    assert_eq!(see(START, "e2e4").ones(16), [], "no pawn is beside it");
    // The capture would uncover the rook's attack on the king.
    let pinned = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1";
    let view = see(pinned, "e2e4");
    assert_eq!(view.ones(16), []);
    assert_eq!(see(pinned, "e2e3").ones(16), [], "no double step");
}

#[test]
fn planes_17_and_18_say_that_the_position_occurred_once_or_more_often_before() {
    let mut game = Chess::new();
    for expected in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]] {
        assert_eq!(View::of(&game).constants(17..19), expected);
        game = played(game, "g1f3 g8f6 f3g1 f6g8");
    }
}

#[test]
fn plane_19_is_the_number_of_moves_without_progress_over_100() {
    let clock = |position: &str, moves| see(position, moves).constant(19);
    assert_eq!(clock(START, ""), 0.0);
    assert_eq!(clock(START, "g1f3 g8f6 f3g1"), 0.03);
    assert_eq!(clock(START, "g1f3 g8f6 e2e4"), 0.0);
    assert_eq!(clock("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2"), 1.0);
    assert_eq!(clock("4k3/8/8/8/8/8/8/R3K3 w - - 148 120", "a1a2"), 1.49);
}

#[test]
fn plane_20_is_1_if_white_is_to_move_and_else_0() {
    assert_eq!(see(START, "").constant(20), 1.0);
    assert_eq!(see(START, "e2e4").constant(20), 0.0);
}

#[test]
fn there_is_no_mirror_while_anybody_may_castle() {
    for rights in ["KQkq", "K", "Q", "k", "q"] {
        let game: Chess = game(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1"), "");
        assert_eq!(Chess::mirrored(&game.pack()), None, "{rights}");
    }
    let game: Chess = game("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "");
    assert!(Chess::mirrored(&game.pack()).is_some());
}

#[test]
fn packed_observations_count_the_moves() {
    assert_eq!(played(Chess::new(), "e2e4 e7e5 g1f3").pack().move_count(), 3);
}

#[test]
#[should_panic(expected = "21 planes of 64 squares")]
fn planes_of_another_size_are_refused() {
    Chess::expand(&Chess::new().pack(), &mut [0.0; 20 * 64]);
}
