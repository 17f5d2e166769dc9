//! How many simulations a second a search makes.
//!
//! `cargo run --release -p keisei-engine --example search_speed [seconds]`
//!
//! First without a network, which is the speed of the search itself; then with a network of the
//! `cpu` preset at several batch sizes.
#![allow(clippy::print_stdout, missing_docs, reason = "an example")]

use std::time::{Duration, Instant};

use keisei_chess::Chess;
use keisei_encode::Encode;
use keisei_engine::search::{LeafMates, Search, SearchSettings};
use keisei_engine::{Arena, Limits, Signal};
use keisei_game::{Game, random_game};
use keisei_net::{CpuLearner, Evaluator, Learner, NetConfig, NetEvaluator, Uniform};
use keisei_shogi::Shogi;

fn main() {
    let seconds = std::env::args().nth(1).map_or(3.0, |text| text.parse().unwrap());
    let time = Duration::from_secs_f64(seconds);
    println!("without a network:");
    for mates in [LeafMates::Off, LeafMates::One] {
        let settings = SearchSettings { leaf_mates: mates, ..usual() };
        for (name, game) in [("start", Shogi::new()), ("middle", middle())] {
            measure(&format!("  shogi {name}, mates {mates:?}"), &game, Uniform, &settings, time);
        }
        measure(
            &format!("  chess start, mates {mates:?}"),
            &Chess::new(),
            Uniform,
            &settings,
            time,
        );
    }
    println!("network of the cpu preset (3 × 32):");
    let learner = CpuLearner::<<Shogi as Encode>::Actions>::new(&NetConfig::default(), 0).unwrap();
    let network: NetEvaluator<<Shogi as Encode>::Actions> =
        NetEvaluator::from_weights(&learner.weights()).unwrap();
    for batch in [1, 4, 16, 64] {
        let settings = SearchSettings { batch, ..usual() };
        measure(
            &format!("  shogi start, batch {batch}"),
            &Shogi::new(),
            network.clone(),
            &settings,
            time,
        );
    }
}

fn usual() -> SearchSettings {
    SearchSettings { memory: 4096, ..SearchSettings::default() }
}

/// A position with pieces in hand.
fn middle() -> Shogi {
    let mut game = Shogi::new();
    random_game(&mut game, 12, 80);
    assert!(game.outcome().is_none());
    Shogi::from_notation(&game.notation()).unwrap()
}

fn measure<G: Arena, E: Evaluator<<G as Encode>::Packed> + Clone>(
    name: &str,
    game: &G,
    evaluator: E,
    settings: &SearchSettings,
    time: Duration,
) {
    let mut search = Search::new(evaluator, settings.clone());
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let mut depth = 0;
    let limits = Limits::move_time(time);
    let found = search.think(game, &limits, &Signal::new(), &mut |report| depth = report.depth);
    let (spent, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let made = found.simulations as f64;
    // On a busy machine the rate per CPU second says more.
    let (rate, per_cpu) = (made / spent, made / cpu);
    println!("{name}: {rate:.0} simulations/s, {per_cpu:.0} per CPU second, depth {depth}");
}

/// The CPU time of this process so far, where the system tells.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    ticks / 100.0
}
