//! How many positions a second a network evaluates and learns from.
//!
//! `cargo run --release -p keisei-net --example speed [blocks] [channels]`
//!
//! `python/compare.py` measures the same network in PyTorch.
#![allow(clippy::print_stdout, missing_docs, unreachable_pub, reason = "an example")]

mod shared;

use std::time::Instant;

use keisei_encode::shogi::Compact;
use keisei_net::{CpuLearner, Evaluator, NetConfig};
use shared::Experience;

const INFERENCE_BATCH: usize = 256;
const MINIBATCH: usize = 2048;
const SECONDS: f64 = 5.0;

fn main() {
    let number = |i, default| std::env::args().nth(i).map_or(default, |text| text.parse().unwrap());
    let default = NetConfig::default();
    let config = NetConfig {
        blocks: number(1, default.blocks),
        channels: number(2, default.channels),
        ..default
    };
    let mut learner = CpuLearner::<Compact>::new(&config, 0).unwrap();
    println!("{config:?}: {} parameters", learner.parameter_count());
    let experience = Experience::new(MINIBATCH, &mut learner);
    let legal = experience.legal();
    let inference = rate("inference", INFERENCE_BATCH, || {
        learner.evaluate(&experience.observations[..INFERENCE_BATCH], &legal[..INFERENCE_BATCH]);
    });
    let update = rate("update", MINIBATCH, || {
        experience.update(&mut learner, &legal);
    });
    let plies = 1.0 / (1.0 / inference + 2.0 / update);
    println!("one evaluation and two epochs: {plies:.0} plies/s");
}

/// Does `work` on `positions` positions again and again and says how many a second that was.
fn rate(name: &str, positions: usize, mut work: impl FnMut()) -> f64 {
    work();
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let mut rounds = 0;
    while start.elapsed().as_secs_f64() < SECONDS {
        work();
        rounds += 1;
    }
    let done = f64::from(rounds) * positions as f64;
    let rate = done / start.elapsed().as_secs_f64();
    // On a busy machine the rate per CPU second says more.
    let per_cpu = done / (cpu_seconds() - cpu);
    println!("{name}: {rate:.0} positions/s, {per_cpu:.0} per CPU second");
    rate
}

/// The CPU time of this process so far, where the system tells.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    ticks / 100.0
}
