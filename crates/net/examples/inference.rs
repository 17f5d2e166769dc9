//! How many positions a second a network evaluates in f32 and in integers, by batch.
//!
//! `cargo run --release -p keisei-net --example inference [blocks] [channels] [rounds] [FOLDER]`
//!
//! The precisions take turns, and the best turn counts. On Linux the time is the processor time of
//! all threads, so that it means something on a busy machine too; `RAYON_NUM_THREADS=1` measures
//! one core. Weights and positions are written to FOLDER, for `python/compare_onnx.py`.
#![allow(
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    dead_code,
    reason = "an example that shares its positions with others"
)]

mod shared;

use std::time::{Duration, Instant};

use keisei_encode::Encode;
use keisei_encode::shogi::Compact;
use keisei_net::{
    CpuLearner, Evaluation, Evaluator, InferencePrecision, Learner, NetConfig, NetEvaluator,
};
use keisei_shogi::Shogi;
use safetensors::Dtype;
use safetensors::tensor::{TensorView, serialize};
use shared::Experience;

const BATCHES: [usize; 5] = [1, 8, 16, 64, 256];
const TURN: Duration = Duration::from_millis(200);

fn main() {
    let number = |i, default| std::env::args().nth(i).map_or(default, |text| text.parse().unwrap());
    let config =
        NetConfig { blocks: number(1, 6), channels: number(2, 64), ..NetConfig::default() };
    let learner = CpuLearner::<Compact>::new(&config, 0).unwrap();
    let network = NetEvaluator::<Compact>::from_weights(&learner.weights()).unwrap();
    let experience = Experience::new(BATCHES[BATCHES.len() - 1], &mut network.clone());
    let legal = experience.legal();
    if let Some(folder) = std::env::args().nth(4) {
        std::fs::write(format!("{folder}/weights.safetensors"), learner.weights()).unwrap();
        let evaluations = network.clone().evaluate(&experience.observations, &legal);
        write_positions(&experience, &evaluations, &format!("{folder}/positions.safetensors"));
    }
    let names = InferencePrecision::ALL.map(|(_, name)| name).join(" | ");
    println!("{} × {}, positions a second of processor time", config.blocks, config.channels);
    println!("| batch | {names} | times f32 |");
    for batch in BATCHES {
        let mut networks = InferencePrecision::ALL.map(|(p, _)| network.clone().with_precision(p));
        let mut best = networks.each_ref().map(|_| 0.0_f64);
        for _ in 0..number(3, 8) {
            for (network, best) in networks.iter_mut().zip(&mut best) {
                let (start, used, mut done) = (Instant::now(), processor_time(), 0);
                while start.elapsed() < TURN {
                    network.evaluate(&experience.observations[..batch], &legal[..batch]);
                    done += batch;
                }
                let used = processor_time().zip(used).map(|(now, then)| now - then);
                let used = used.unwrap_or_else(|| start.elapsed().as_secs_f64());
                *best = best.max(done as f64 / used);
            }
        }
        let rates = best.map(|rate| format!("{rate:.0}")).join(" | ");
        println!("| {batch} | {rates} | {:.2} |", best[best.len() - 1] / best[0]);
    }
}

/// Writes the planes of positions, and their values.
fn write_positions(experience: &Experience, evaluations: &[Evaluation], path: &str) {
    let count = evaluations.len();
    let mut planes = vec![0.0; count * Shogi::PLANES * Shogi::SQUARES];
    keisei_encode::expand_batch::<Shogi>(&experience.observations, &mut planes);
    let values: Vec<f32> = evaluations.iter().map(|evaluation| evaluation.value).collect();
    let bytes = |numbers: &[f32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>();
    let (planes, values) = (bytes(&planes), bytes(&values));
    let tensors = [
        ("planes", TensorView::new(Dtype::F32, vec![count, Shogi::PLANES, 9, 9], &planes).unwrap()),
        ("values", TensorView::new(Dtype::F32, vec![count], &values).unwrap()),
    ];
    std::fs::write(path, serialize(tensors, None).unwrap()).unwrap();
}

/// The processor time of all threads so far, in seconds, where the system tells.
fn processor_time() -> Option<f64> {
    let nanoseconds = |task: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    Some(tasks.filter_map(nanoseconds).sum::<f64>() / 1e9)
}
