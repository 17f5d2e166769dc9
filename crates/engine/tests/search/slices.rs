//! Searches in parts.

use keisei_engine::search::{Found, Search, SearchSettings};
use keisei_engine::{Limits, Signal};
use keisei_game::{Game, Rules};
use keisei_net::Uniform;
use keisei_shogi::{Move, Shogi};

use super::{SHOGI, repeatable, think};

fn game() -> Shogi {
    Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None))
}

/// A search of so many simulations with a pause after every batch, and how many parts it had.
fn in_parts(settings: SearchSettings, simulations: u64) -> (Found<Move>, usize) {
    let mut search = Search::new(Uniform, settings);
    let (signal, limits) = (Signal::new(), Limits::nodes(simulations));
    let mut run = search.begin(&game(), &limits, &signal);
    let mut parts = 1;
    while !search.go_on(&mut run, &signal, &mut |_| (), &mut || true) {
        parts += 1;
    }
    (search.end(run, &mut |_| ()), parts)
}

#[test]
fn pauses_change_nothing_of_what_a_search_finds() {
    for simulations in [40, 2_000] {
        let whole = think(&mut Search::new(Uniform, repeatable()), &game(), simulations);
        let (found, parts) = in_parts(repeatable(), simulations);
        assert_eq!(found, whole);
        assert!(parts > 3, "{parts} parts");
    }
}

#[test]
fn a_search_that_is_ended_early_answers_by_what_it_knows() {
    let mut search = Search::new(Uniform, repeatable());
    let signal = Signal::new();
    let limits = Limits { infinite: true, ..Limits::default() };
    let mut run = search.begin(&game(), &limits, &signal);
    assert!(!search.go_on(&mut run, &signal, &mut |_| (), &mut || true));
    let mut lines = 0;
    let found = search.end(run, &mut |_| lines += 1);
    assert!(found.visits.iter().any(|(mv, _)| *mv == found.best));
    assert_eq!(lines, 1);
}
