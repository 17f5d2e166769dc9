//! Mates are found, proven and played.

use keisei_chess::Chess;
use keisei_engine::search::{LeafMates, Search, SearchSettings};
use keisei_engine::{Arena, Limits, Score, Signal};
use keisei_game::{Game, Rules};
use keisei_net::Uniform;
use keisei_shogi::Shogi;

use super::{found, repeatable};

/// The gold that is dropped is taken, and a tokin mates.
const SHOGI_IN_THREE: &str = "4kg3/9/4P4/9/9/9/9/9/K3L4 b G 1";

/// The move and the number of plies of the mate that a search without a network proves.
fn proven<G: Arena>(start: &str, simulations: u64, mates: LeafMates) -> (String, Option<i32>) {
    let settings = SearchSettings { leaf_mates: mates, root_mate: 0, ..repeatable() };
    let found = found::<G>(start, simulations, settings);
    (found.best.to_string(), found.mate)
}

#[test]
fn a_mate_in_one_is_found_by_trying_moves() {
    let (mv, mate) = proven::<Shogi>("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 2_000, LeafMates::Off);
    assert_eq!((mv.as_str(), mate), ("G*5b", Some(1)));
    let (mv, mate) = proven::<Chess>("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 500, LeafMates::Off);
    assert_eq!((mv.as_str(), mate), ("a1a8", Some(1)));
}

#[test]
fn mates_in_three_and_five_plies_are_proven_without_any_knowledge() {
    let ladder = "8/7k/R7/1R6/8/8/8/7K w - - 0 1";
    for mates in [LeafMates::Off, LeafMates::One, LeafMates::Three] {
        let (mv, mate) = proven::<Chess>(ladder, 3_000, mates);
        assert_eq!(mate, Some(3), "{mates:?}: {mv}");
    }
    let morphy = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
    let (mv, mate) = proven::<Chess>(morphy, 30_000, LeafMates::One);
    assert_eq!((mv.as_str(), mate), ("f6a6", Some(5)));
    let (mv, mate) = proven::<Shogi>(SHOGI_IN_THREE, 3_000, LeafMates::One);
    assert_eq!((mv.as_str(), mate), ("G*5b", Some(3)));
}

#[test]
fn a_side_that_cannot_escape_is_reported_as_mated() {
    // Black to move is in check; after its only move there is a mate in one.
    let (_, mate) = proven::<Chess>("7k/R7/8/8/8/8/8/1R5K b - - 0 1", 500, LeafMates::Off);
    assert_eq!(mate, Some(-2));
}

#[test]
fn what_is_proven_ends_the_search_and_is_told_as_a_mate() {
    let game = Chess::with_rules(
        "8/7k/R7/1R6/8/8/8/7K w - - 0 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    let mut search = Search::new(Uniform, repeatable());
    let mut reports = Vec::new();
    let found = search.think(&game, &Limits::nodes(1_000_000), &Signal::new(), &mut |report| {
        reports.push(report.clone());
    });
    assert!(found.simulations < 10_000, "{}", found.simulations);
    let last = reports.last().unwrap();
    assert_eq!(last.score, Score::Mate(3));
    assert_eq!(last.moves.first().map(ToString::to_string).as_deref(), Some("b5b7"));
    assert_eq!(last.moves.len(), 3, "{:?}", last.moves);
    assert_eq!(last.win_rate, Some(1.0));
}

#[test]
fn a_mate_at_the_root_is_found_with_one_simulation() {
    for start in ["4k4/9/4P4/9/9/9/9/9/4K4 b G 1", SHOGI_IN_THREE] {
        let found = found::<Shogi>(start, 1, repeatable());
        assert!(found.mate.is_some_and(|plies| plies > 0), "{start}");
        assert_eq!(found.value, 1.0);
    }
}
