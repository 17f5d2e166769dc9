//! The root of a small search.

use keisei_chess::Chess;
use keisei_engine::search::{Search, SearchSettings};
use keisei_game::{Game, Rules};
use keisei_net::Uniform;
use keisei_shogi::Shogi;

use super::{CHESS, SHOGI, found, repeatable, think, total};

#[test]
fn exactly_the_simulations_asked_for_are_made() {
    for simulations in [1, 2, 3, 7, 15, 16, 17, 31, 32, 50, 63, 64] {
        for batch in [1, 4, 64] {
            let settings = SearchSettings { batch, ..repeatable() };
            let shogi = found::<Shogi>(SHOGI, simulations, settings.clone());
            assert_eq!((shogi.simulations, total(&shogi)), (simulations, simulations));
            let chess = found::<Chess>(CHESS, simulations, settings);
            assert_eq!((chess.simulations, total(&chess)), (simulations, simulations));
        }
    }
}

#[test]
fn the_budget_is_halved_over_the_candidates() {
    let visits = |simulations| {
        let found = found::<Shogi>(SHOGI, simulations, repeatable());
        let mut visits: Vec<_> = found.visits.into_iter().map(|(_, visits)| visits).collect();
        visits.sort_unstable_by(|a, b| b.cmp(a));
        visits.truncate(17);
        visits
    };
    // 16 once; 8 of them again; 4 of these twice more.
    assert_eq!(visits(32), [4, 4, 4, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    assert_eq!(visits(5), [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn as_many_simulations_as_the_limit_are_planned_too() {
    // Planned, all 16 candidates are tried; by PUCT, even 30 equal moves are.
    let tried = |simulations| {
        let found = found::<Shogi>(SHOGI, simulations, repeatable());
        found.visits.iter().filter(|(_, visits)| *visits > 0).count()
    };
    let limit = SearchSettings::default().gumbel_up_to;
    assert_eq!((tried(limit - 1), tried(limit), tried(limit + 1)), (16, 16, 30));
}

#[test]
fn noise_makes_other_candidates_and_the_seed_decides_which() {
    let visited = |seed| {
        let settings = SearchSettings { noise: 1.0, seed, ..repeatable() };
        found::<Shogi>(SHOGI, 8, settings).visits
    };
    assert_eq!(visited(1), visited(1));
    assert_ne!(visited(1), visited(2));
}

#[test]
fn a_kept_tree_does_not_change_the_budget() {
    let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let mut search = Search::new(Uniform, repeatable());
    let first = think(&mut search, &game, 40);
    let second = think(&mut search, &game, 20);
    assert_eq!((first.simulations, second.simulations), (40, 20));
    assert_eq!(total(&second), 60);
}
