//! What holds in every position, against the naive generator.

use keisei_animal::{Animal, Board, Move, Position, Square};
use keisei_game::{Game, SplitMix64};
use proptest::prelude::*;

use super::naive::Naive;
use super::{STARTS, position};

/// The position after up to `plies` random moves, or the last one that is not over.
fn random_position(start: &str, seed: u64, plies: usize) -> Position {
    let mut game = Animal::from_notation(start).unwrap();
    let mut rng = SplitMix64::new(seed);
    for _ in 0..plies {
        let Some(mv) = rng.choose(&game.legal_moves()) else { break };
        game.play(mv).unwrap();
    }
    *game.position()
}

/// Every move there could be by its form.
fn all_moves() -> Vec<Move> {
    let squares = || Square::all();
    let steps = squares().flat_map(|from| {
        squares()
            .flat_map(move |to| [false, true].map(|promotes| Move::Step { from, to, promotes }))
    });
    let drops =
        squares().flat_map(|to| keisei_animal::HandKind::ALL.map(|kind| Move::Drop { kind, to }));
    steps.chain(drops).collect()
}

proptest! {
    #[test]
    fn moves_and_what_they_lead_to_agree_with_the_rule_book(
        start in 0..STARTS.len(), seed: u64, plies in 0usize..80,
    ) {
        let position = random_position(STARTS[start], seed, plies);
        let text = position.to_string();
        let naive = Naive::read(&text);
        prop_assert_eq!(naive.write(), text.clone());
        prop_assert_eq!(position.board().lost().is_some(), naive.lost());
        if !naive.lost() {
            prop_assert_eq!(position.in_check(), naive.attacks_lion(position.turn() != keisei_game::Side::First));
        }
        let mut expected: Vec<_> =
            naive.moves().into_iter().map(|(mv, next)| (mv, next.write())).collect();
        let mut found: Vec<_> = position.legal_moves().iter().map(|&mv| {
            let mut next = position;
            next.play_unchecked(mv);
            (mv.to_string(), next.to_string())
        }).collect();
        expected.sort();
        found.sort();
        prop_assert_eq!(found, expected, "{}", text);
    }

    #[test]
    fn a_move_is_legal_if_and_only_if_it_is_generated(
        start in 0..STARTS.len(), seed: u64, plies in 0usize..80,
    ) {
        let position = random_position(STARTS[start], seed, plies);
        let listed = position.legal_moves();
        for mv in all_moves() {
            prop_assert_eq!(position.is_legal(mv), listed.contains(&mv), "{} in {}", mv, position);
            prop_assert_eq!(position.check_legal(mv).is_ok(), position.is_legal(mv));
        }
    }

    #[test]
    fn a_turned_or_mirrored_board_has_turned_or_mirrored_moves(
        start in 0..STARTS.len(), seed: u64, plies in 0usize..80,
    ) {
        let board = random_position(STARTS[start], seed, plies).board();
        let sorted = |mut moves: Vec<Move>| { moves.sort(); moves };
        let moves = board.legal_moves();
        let image_moves = |map: fn(Move) -> Move| sorted(moves.iter().map(|&mv| map(mv)).collect());
        let image = |image: Board| sorted(image.legal_moves().to_vec());
        prop_assert_eq!(image(board.rotated()), image_moves(Move::rotated));
        prop_assert_eq!(image(board.mirrored()), image_moves(Move::mirrored));
        prop_assert_eq!(board.rotated().rotated(), board);
        prop_assert_eq!(board.mirrored().mirrored(), board);
    }

    #[test]
    fn different_boards_have_different_keys(one: u64, two: u64, plies in 0usize..40) {
        let [one, two] = [one, two].map(|seed| random_position(STARTS[0], seed, plies));
        prop_assert_eq!(one.key() == two.key(), one.board() == two.board());
    }

    #[test]
    fn made_up_text_is_read_or_refused(text in "[lgecLGEC+1-4/]{0,16} [bwx] [GECgec0-9-]{1,5} [0-9]{1,2}") {
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
    }
}

#[test]
fn animal_shogi_obeys_the_laws_of_every_game() {
    keisei_game::conformance::check::<Animal>(&STARTS, 60, 200);
}

#[test]
fn games_that_are_over_from_the_start_obey_the_laws_too() {
    let over = ["g1e/1L1/3/E1G w Cc 9", "gLe/1c1/3/E1G w Cl 9", "2L/3/1l1/3 w - 1"];
    keisei_game::conformance::check::<Animal>(&[over[0], over[2]], 1, 10);
    assert!(over[1].parse::<Position>().is_err(), "a lion is never held");
    assert_eq!(position(over[2]).legal_moves().len(), 0);
}
