//! Laws that hold in every position and every game, tried on random ones.

use std::collections::{BTreeSet, HashMap};

use keisei_game::{Game, SplitMix64};
use keisei_shogi::{Color, HandKind, Move, Position, Setup};
use proptest::prelude::*;
use proptest::test_runner::Config;

use crate::boards::{exchanged, mirrored};
use crate::random::{random_game, random_position};

fn positions() -> impl Strategy<Value = Position> {
    any::<u64>().prop_map(random_position).no_shrink()
}

fn cases(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}

fn set(moves: &[Move]) -> BTreeSet<Move> {
    moves.iter().copied().collect()
}

/// Every move that can be written at all.
fn representable() -> impl Iterator<Item = Move> {
    (0..=u16::MAX).filter_map(Move::from_bits)
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn make_and_unmake_restore_every_field(before in positions()) {
        for &mv in &before.legal_moves() {
            let mut position = before;
            let undo = position.make(mv);
            prop_assert_ne!(position, before);
            prop_assert_eq!(undo.mv(), mv);
            position.unmake(undo);
            prop_assert_eq!(position, before, "{}", mv);
        }
    }

    #[test]
    fn the_incremental_key_is_the_key_of_the_position_read_anew(before in positions()) {
        for &mv in &before.legal_moves() {
            let mut position = before;
            position.play_unchecked(mv);
            let again = Position::try_from(position.setup()).unwrap();
            prop_assert_eq!(position.key(), again.key(), "{}", mv);
            prop_assert_eq!(position, again, "{}", mv);
        }
    }

    #[test]
    fn sfen_and_usi_round_trip(position in positions()) {
        let sfen = position.to_string();
        prop_assert_eq!(sfen.parse::<Position>(), Ok(position));
        prop_assert_eq!(sfen.parse::<Setup>().unwrap().to_string(), sfen);
        for &mv in &position.legal_moves() {
            prop_assert_eq!(mv.to_string().parse(), Ok(mv));
            prop_assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        }
    }

    #[test]
    fn captures_and_quiet_moves_are_the_legal_moves_split_in_two(position in positions()) {
        let (captures, quiets) = (position.legal_captures(), position.legal_quiets());
        prop_assert!(captures.iter().all(|mv| position.piece_at(mv.to()).is_some()));
        prop_assert!(quiets.iter().all(|mv| position.piece_at(mv.to()).is_none()));
        let both: BTreeSet<_> = captures.iter().chain(&quiets).copied().collect();
        prop_assert_eq!(&both, &set(&position.legal_moves()));
        prop_assert_eq!(both.len(), captures.len() + quiets.len());
    }

    #[test]
    fn checking_moves_are_those_after_which_the_other_side_is_in_check(position in positions()) {
        let moves = position.legal_moves();
        let checking = moves.iter().copied().filter(|&mv| {
            let mut after = position;
            after.play_unchecked(mv);
            after.is_in_check(!position.turn())
        });
        let checking: BTreeSet<_> = checking.collect();
        prop_assert_eq!(set(&position.legal_checks()), checking.clone());
        for &mv in &moves {
            prop_assert_eq!(position.gives_check(mv), checking.contains(&mv), "{}", mv);
        }
    }

    #[test]
    fn the_count_is_the_length_of_the_list_and_nothing_is_listed_twice(position in positions()) {
        let moves = position.legal_moves();
        prop_assert_eq!(moves.len(), set(&moves).len());
        prop_assert_eq!(moves.len(), position.count_legal_moves());
        prop_assert_eq!(!moves.is_empty(), position.has_legal_moves());
        prop_assert_eq!(position.is_checkmate(), position.in_check() && moves.is_empty());
    }

    #[test]
    fn turned_round_with_colours_exchanged_the_moves_are_the_same(position in positions()) {
        let other = exchanged(&position);
        let moves: BTreeSet<_> = position.legal_moves().iter().map(|mv| mv.rotated()).collect();
        prop_assert_eq!(set(&other.legal_moves()), moves);
        prop_assert_eq!(exchanged(&other), position);
    }

    #[test]
    fn in_a_mirror_the_moves_are_mirrored(position in positions()) {
        let other = mirrored(&position);
        let moves: BTreeSet<_> = position.legal_moves().iter().map(|mv| mv.mirrored()).collect();
        prop_assert_eq!(set(&other.legal_moves()), moves);
        prop_assert_eq!(mirrored(&other), position);
    }

    #[test]
    fn no_legal_move_leaves_the_own_king_in_check(position in positions()) {
        for &mv in &position.legal_moves() {
            let mut after = position;
            after.play_unchecked(mv);
            prop_assert!(!after.is_in_check(position.turn()), "{}", mv);
        }
    }

    #[test]
    fn no_move_makes_or_loses_a_piece(position in positions()) {
        let total = |position: &Position| {
            let held = Color::ALL.map(|color| {
                let hand = position.hand(color);
                HandKind::ALL.map(|kind| u32::from(hand.count(kind))).iter().sum::<u32>()
            });
            position.occupied().len() as u32 + held.iter().sum::<u32>()
        };
        for &mv in &position.legal_moves() {
            let mut after = position;
            after.play_unchecked(mv);
            prop_assert_eq!(total(&after), total(&position), "{}", mv);
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn of_all_13689_moves_exactly_the_generated_ones_are_legal(position in positions()) {
        let legal = set(&position.legal_moves());
        let mut tried = 0;
        for mv in representable() {
            tried += 1;
            prop_assert_eq!(position.is_legal(mv), legal.contains(&mv), "{}", mv);
        }
        prop_assert_eq!(tried, 13_689);
    }

    #[test]
    fn illegal_moves_are_refused_and_change_nothing(position in positions(), seed: u64) {
        let legal = set(&position.legal_moves());
        let mut rng = SplitMix64::new(seed);
        let moves: Vec<_> = representable().filter(|mv| !legal.contains(mv)).collect();
        for _ in 0..100 {
            let mv = rng.choose(&moves).unwrap();
            let mut after = position;
            prop_assert!(after.play(mv).is_err(), "{}", mv);
            prop_assert_eq!(after, position);
        }
    }

    #[test]
    fn a_game_undone_passes_through_all_its_positions(seed: u64) {
        let game = random_game(&mut SplitMix64::new(seed));
        let mut replayed = *game.start();
        let mut positions = vec![replayed];
        for &mv in game.moves() {
            replayed.play(mv).unwrap();
            positions.push(replayed);
        }
        prop_assert_eq!(&replayed, game.position());
        let keys: Vec<_> = positions.iter().map(Position::key).collect();
        prop_assert_eq!(game.keys(), keys);
        let mut undone = game.clone();
        while undone.undo().is_some() {
            positions.pop();
            prop_assert_eq!(Some(undone.position()), positions.last());
            prop_assert_eq!(undone.keys().len(), positions.len());
            prop_assert_eq!(undone.outcome(), None);
        }
        prop_assert_eq!(positions.len(), 1);
    }
}

#[test]
fn different_positions_have_different_keys() {
    let mut seen: HashMap<u64, String> = HashMap::new();
    for seed in 0..5000 {
        let position = random_position(seed);
        let text = Setup { move_number: 1, ..position.setup() }.to_string();
        let earlier = seen.insert(position.key(), text.clone());
        assert!(earlier.is_none_or(|earlier| earlier == text), "{text}");
    }
    assert!(seen.len() > 4000);
}
