//! Counts, determinism, threads and memory.

use keisei_chess::Chess;
use keisei_engine::search::{Found, Search, SearchSettings};
use keisei_engine::{Limits, Signal};
use keisei_game::{Game, Rules};
use keisei_net::{Evaluation, Evaluator, Uniform};
use keisei_shogi::Shogi;

use super::{CHESS, Judge, SHOGI, found, repeatable, think, total};

/// A number that changes with every move and count.
fn checksum<M: ToString>(found: &Found<M>) -> u64 {
    let text = |(mv, visits): &(M, u32)| format!("{}:{visits};", mv.to_string());
    let text: String = found.visits.iter().map(text).collect();
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn visits_are_the_same_on_every_machine() {
    let shogi = found::<Shogi>(SHOGI, 3_000, repeatable());
    let chess = found::<Chess>(CHESS, 3_000, repeatable());
    assert_eq!((total(&shogi), total(&chess)), (3_000, 3_000));
    assert_eq!(
        (checksum(&shogi), checksum(&chess)),
        (16_593_411_491_026_223_419, 18_308_154_317_743_833_597)
    );
}

#[test]
fn the_prior_and_the_value_guide_the_search() {
    // A judge who counts the side's own pieces on the board: taking one is good.
    let own = |seen: &[u8]| {
        let own = seen[..64].iter().filter(|&&cell| (1..=6).contains(&cell)).count() as f32;
        let other = seen[..64].iter().filter(|&&cell| cell > 6).count() as f32;
        (own - other) / 16.0
    };
    let game = Chess::with_rules(
        "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    let found = think(&mut Search::new(Judge(own), repeatable()), &game, 300);
    assert_eq!(found.best.to_string(), "e4d5");
    assert!(found.value > 0.0);
}

#[test]
fn several_threads_share_a_tree() {
    for (threads, batch) in [(2, 1), (3, 8), (4, 64)] {
        let settings = SearchSettings { threads, batch, ..repeatable() };
        let found = found::<Shogi>(SHOGI, 2_000, settings.clone());
        assert_eq!((found.simulations, total(&found)), (2_000, 2_000));
        let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
        assert!(game.legal_moves().contains(&found.best));
        let small = super::found::<Shogi>(SHOGI, 40, settings);
        assert_eq!((small.simulations, total(&small)), (40, 40));
    }
}

/// Evaluates nothing once there are two of it.
struct Faint(bool);

impl Clone for Faint {
    fn clone(&self) -> Self {
        Self(true)
    }
}

impl<P> Evaluator<P> for Faint {
    fn evaluate(&mut self, observations: &[P], legal: &[&[u32]]) -> Vec<Evaluation> {
        assert!(!self.0, "this thread faints");
        Uniform.evaluate(observations, legal)
    }
}

#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn a_search_ends_when_one_of_its_threads_panics() {
    let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let settings = SearchSettings { threads: 2, ..repeatable() };
    think(&mut Search::new(Faint(false), settings), &game, 100_000);
}

#[test]
fn several_threads_prove_a_mate() {
    let settings = SearchSettings { threads: 3, ..repeatable() };
    let found = found::<Chess>("8/7k/R7/1R6/8/8/8/7K w - - 0 1", 100_000, settings);
    assert_eq!((found.best.to_string().as_str(), found.mate), ("b5b7", Some(3)));
}

#[test]
fn a_full_tree_stops_growing_and_the_search_goes_on() {
    let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let settings = SearchSettings { memory: 1, ..repeatable() };
    let mut search = Search::new(Uniform, settings);
    let mut fullness = None;
    let limits = Limits::nodes(20_000);
    let found = search.think(&game, &limits, &Signal::new(), &mut |report| {
        fullness = report.hash_full;
    });
    assert_eq!(fullness, Some(1000));
    assert_eq!(found.simulations, 20_000);
    assert!(game.legal_moves().contains(&found.best));
}

#[test]
fn as_many_lines_are_reported_as_asked_for() {
    let game = Chess::with_rules(CHESS.parse().unwrap(), Rules::between_programs(None));
    let settings = SearchSettings { multi_pv: 3, ..repeatable() };
    let mut reports = Vec::new();
    Search::new(Uniform, settings).think(
        &game,
        &Limits::nodes(500),
        &Signal::new(),
        &mut |report| {
            reports.push(report.clone());
        },
    );
    let last = &reports[reports.len() - 3..];
    assert_eq!(last.iter().map(|report| report.line).collect::<Vec<_>>(), [1, 2, 3]);
    for report in last {
        assert_eq!(report.nodes, 500);
        assert!(report.selective_depth >= Some(report.depth) && report.depth > 0);
        let mut line = game.clone();
        report.moves.iter().for_each(|&mv| line.play(mv).unwrap());
    }
    assert!(last[0].moves[0] != last[1].moves[0] && last[1].moves[0] != last[2].moves[0]);
}

#[test]
fn a_temperature_makes_games_differ_and_the_seed_decides_how() {
    let best = |seed| {
        let settings = SearchSettings { temperature: 1.0, gumbel_up_to: 0, seed, ..repeatable() };
        found::<Shogi>(SHOGI, 200, settings).best
    };
    assert_eq!(best(1), best(1));
    assert!((2..10).any(|seed| best(seed) != best(1)));
}
