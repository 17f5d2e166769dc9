//! How many positions a second the default network evaluates and learns from.
//!
//! `cargo run --release -p keisei-net --example speed [blocks] [channels]`
//!
//! `python/compare.py` measures the same network in PyTorch.
#![allow(clippy::print_stdout, reason = "its purpose")]

use std::time::Instant;

use keisei_encode::{Encode, legal_actions, shogi::Compact};
use keisei_game::{Game, SplitMix64, random_game};
use keisei_net::{CpuLearner, Evaluator, Learner, Minibatch, NetConfig, UpdateSettings};
use keisei_shogi::Shogi;

const INFERENCE_BATCH: usize = 256;
const MINIBATCH: usize = 2048;
const SECONDS: f64 = 4.0;

fn main() {
    let number = |i, default| std::env::args().nth(i).map_or(default, |text| text.parse().unwrap());
    let default = NetConfig::default();
    let config = NetConfig {
        blocks: number(1, default.blocks),
        channels: number(2, default.channels),
        ..default
    };
    let mut learner = CpuLearner::<Compact>::new(&config, 0).unwrap();
    let (observations, legal) = positions(MINIBATCH);
    let legal: Vec<&[u32]> = legal.iter().map(Vec::as_slice).collect();
    println!("{config:?}: {} parameters", learner.parameter_count());

    let inference = rate("inference", INFERENCE_BATCH, || {
        learner.evaluate(&observations[..INFERENCE_BATCH], &legal[..INFERENCE_BATCH]);
    });

    let evaluations = learner.evaluate(&observations, &legal);
    let minibatch = Minibatch {
        observations: &observations,
        legal: &legal,
        chosen: &vec![0; MINIBATCH],
        old_log_probs: &evaluations.iter().map(|e| e.policy[0].ln()).collect::<Vec<_>>(),
        old_values: &evaluations.iter().map(|e| e.value).collect::<Vec<_>>(),
        advantages: &(0..MINIBATCH).map(|i| (i % 5) as f32 - 2.0).collect::<Vec<_>>(),
        returns: &(0..MINIBATCH).map(|i| (i % 3) as f32 - 1.0).collect::<Vec<_>>(),
    };
    let settings = UpdateSettings {
        learning_rate: 1e-3,
        clip_epsilon: 0.2,
        value_weight: 0.5,
        clip_value: false,
        entropy_weight: 0.01,
        relative_entropy: true,
        max_gradient_norm: 0.5,
    };
    let update = rate("update", MINIBATCH, || {
        learner.update(&minibatch, &settings);
    });
    let ply = 1.0 / inference + 2.0 / update;
    println!("one evaluation and two epochs: {:.0} plies/s", 1.0 / ply);
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
    match cpu_seconds() - cpu {
        used if used > 0.0 => {
            println!("{name}: {rate:.0} positions/s, {:.0} per CPU second", done / used);
        }
        _ => println!("{name}: {rate:.0} positions/s"),
    }
    rate
}

/// The CPU time of this process so far, or 0 where the system does not tell.
fn cpu_seconds() -> f64 {
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else { return 0.0 };
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    ticks / 100.0
}

/// Positions of random games with their legal actions.
fn positions(count: usize) -> (Vec<<Shogi as Encode>::Packed>, Vec<Vec<u32>>) {
    let mut rng = SplitMix64::new(0);
    let (mut observations, mut legal) = (Vec::new(), Vec::new());
    while observations.len() < count {
        let mut game = Shogi::new();
        random_game(&mut game, rng.next_u64(), rng.below(200));
        if game.outcome().is_none() {
            observations.push(game.pack());
            let actions = legal_actions::<Compact>(game.position());
            legal.push(actions.iter().map(|&(index, _)| index as u32).collect());
        }
    }
    (observations, legal)
}
