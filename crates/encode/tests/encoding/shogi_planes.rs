//! The planes of shogi, worked out by hand.

use keisei_encode::shogi::move_count_plane;
use keisei_encode::{Encode, check_sizes, shogi};
use keisei_game::Game;
use keisei_shogi::Shogi;

use crate::sample::{View, game, played};

fn see(position: &str) -> View<Shogi> {
    View::of(&game(position, ""))
}

/// Black has every kind once, on the two bottom ranks from the left.
const ALL_KINDS: &str = "8k/9/9/9/9/9/9/PLNSGBR2/+P+L+N+S+B+RK2";

#[test]
fn an_observation_is_46_planes_of_nine_rows_of_nine_numbers() {
    assert_eq!((Shogi::PLANES, Shogi::SQUARES), (46, 9 * 9));
    let start = Shogi::new();
    assert_eq!(start.planes().len(), 46 * 9 * 9);
    let after = played(start, "7g7f 3c3d 8h2b+ 3a2b");
    assert_eq!(after.planes().len(), 46 * 9 * 9);
    assert_eq!(check_sizes::<shogi::Compact>(46, 2187), Ok(()));
    assert!(check_sizes::<shogi::Compact>(47, 2187).is_err());
}

#[test]
fn own_pieces_are_on_planes_0_to_13_in_the_order_p_l_n_s_g_b_r_and_promoted_and_king() {
    let view = see(&format!("{ALL_KINDS} b - 1"));
    let unpromoted = (0..7).map(|kind| (kind, vec![(7, kind)]));
    let promoted = (0..6).map(|kind| (7 + kind, vec![(8, kind)]));
    let expected: Vec<_> = unpromoted.chain(promoted).chain([(13, vec![(8, 6)])]).collect();
    assert_eq!(view.pieces(0..14), expected);
    assert_eq!(view.pieces(14..28), [(27, vec![(0, 8)])]);
}

#[test]
fn the_opponents_pieces_are_on_planes_14_to_27_in_the_same_order() {
    // White sees the board turned round.
    let view = see(&format!("{ALL_KINDS} w - 1"));
    let unpromoted = (0..7).map(|kind| (14 + kind, vec![(1, 8 - kind)]));
    let promoted = (0..6).map(|kind| (21 + kind, vec![(0, 8 - kind)]));
    let expected: Vec<_> = unpromoted.chain(promoted).chain([(27, vec![(0, 2)])]).collect();
    assert_eq!(view.pieces(14..28), expected);
    assert_eq!(view.pieces(0..14), [(13, vec![(8, 0)])]);
}

#[test]
fn every_piece_of_the_start_is_on_one_plane() {
    let view = View::of(&Shogi::new());
    let counts: Vec<_> = (0..28).map(|plane| view.ones(plane).len()).collect();
    let one_side = [9, 2, 2, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 1];
    assert_eq!(counts, [one_side, one_side].concat());
    assert_eq!(view.ones(5), [(7, 1)], "own bishop on 8h");
    assert_eq!(view.ones(6), [(7, 7)], "own rook on 2h");
    assert_eq!(view.ones(13), [(8, 4)], "own king on 5i");
    assert_eq!(view.ones(19), [(1, 7)], "the other bishop on 2b");
    assert_eq!(view.ones(20), [(1, 1)], "the other rook on 8b");
    assert_eq!(view.ones(27), [(0, 4)], "the other king on 5a");
}

#[test]
fn white_sees_the_board_turned_by_180_degrees() {
    let view = View::of(&played(Shogi::new(), "7g7f"));
    let own_pawns: Vec<_> = (0..9).map(|column| (6, column)).collect();
    assert_eq!(view.ones(0), own_pawns);
    // 7f is row 5, column 2 for Black, so row 3, column 6 for White.
    let mut pawns: Vec<_> =
        (0..9).filter(|&column| column != 6).map(|column| (2, column)).collect();
    pawns.push((3, 6));
    assert_eq!(view.ones(14), pawns);
    assert_eq!(view.ones(5), [(7, 1)], "2b is at the lower left");
    assert_eq!(view.ones(13), [(8, 4)]);
}

#[test]
fn hands_are_constant_planes_of_the_count_over_18_4_4_4_4_2_2() {
    let hands = "4k4/9/9/9/9/9/9/9/4K4 b R2G3SN5P2b4l9p 1";
    let black = [5.0 / 18.0, 0.0, 0.25, 0.75, 0.5, 0.0, 0.5];
    let white = [0.5, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let view = see(hands);
    assert_eq!(view.constants(28..35), black);
    assert_eq!(view.constants(35..42), white);
    let view = see(&hands.replace(" b ", " w "));
    assert_eq!(view.constants(28..35), white, "own hand first");
    assert_eq!(view.constants(35..42), black);
}

#[test]
fn a_hand_with_all_pieces_of_a_set_fills_its_planes_with_ones() {
    let view = see("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1");
    assert_eq!(view.constants(28..42), [[1.0; 7], [0.0; 7]].concat());
}

#[test]
fn plane_42_is_1_if_black_is_to_move_and_else_0() {
    assert_eq!(View::of(&Shogi::new()).constant(42), 1.0);
    assert_eq!(View::of(&played(Shogi::new(), "7g7f")).constant(42), 0.0);
    assert_eq!(View::of(&played(Shogi::new(), "7g7f 3c3d")).constant(42), 1.0);
}

#[test]
fn planes_43_44_45_say_that_the_position_occurred_once_twice_three_times_before() {
    let mut game = Shogi::new();
    assert_eq!(View::of(&game).constants(43..46), [0.0, 0.0, 0.0]);
    for expected in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        game = played(game, "2h3h 8b7b");
        assert_eq!(game.outcome(), None);
        game = played(game, "3h2h 7b8b");
        assert_eq!(View::of(&game).constants(43..46), expected);
    }
    assert!(game.outcome().is_some(), "the fourth occurrence ends the game");
}

#[test]
fn the_move_count_is_a_plane_for_whoever_wants_it() {
    let (start, after) = (Shogi::new(), played(Shogi::new(), "7g7f 3c3d 2g2f 8c8d 2f2e"));
    assert_eq!(move_count_plane(&start.pack()), [0.0; 81]);
    assert_eq!(move_count_plane(&after.pack()), [5.0 / 500.0; 81]);
    // It is no part of the 46.
    assert_eq!(after.pack().move_count(), 5);
    assert_eq!(after.planes().len(), 46 * 81);
}

#[test]
fn a_packed_observation_has_100_bytes() {
    assert_eq!(Shogi::new().pack().as_ref().len(), 100);
}

#[test]
#[should_panic(expected = "46 planes of 81 squares")]
fn planes_of_another_size_are_refused() {
    Shogi::expand(&Shogi::new().pack(), &mut [0.0; 45 * 81]);
}
