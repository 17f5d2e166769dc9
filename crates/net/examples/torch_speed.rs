//! Whether libtorch computes on this machine's GPU what the CPU does, and how fast.
//!
//! `cargo run --release -p keisei-net --features torch --example torch_speed -- [WORDS]`
//!
//! The words are networks (`6x64 6x128`), `seconds=1.5` for each number, `full` for 32 bits too,
//! and `search`, with which libtorch tries all ways to compute a convolution and keeps the fastest.
//! Learning is measured as training asks for it: a rollout is uploaded and gone through in
//! minibatches three times. Without a GPU everything is smaller. `python/gpu_speed.py` measures the
//! same networks in PyTorch; docs/gpu.md says what libtorch needs.
#![allow(clippy::print_stdout, missing_docs, unreachable_pub, reason = "an example")]

mod shared;

use std::time::Instant;

use keisei_encode::shogi::Compact;
use keisei_net::{
    CpuLearner, Evaluator, Examples, ImitationSettings, Learner, Losses, NetConfig, Outputs,
    Precision, Selection, TorchDevice, TorchLearner,
};
use shared::{Experience, SETTINGS};

const EPOCHS: usize = 3;

const IMITATION: ImitationSettings =
    ImitationSettings { learning_rate: 1e-3, value_weight: 0.5, max_gradient_norm: 0.5 };

fn main() {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|found| found == word);
    let device = TorchDevice::gpu().unwrap_or(TorchDevice::CPU);
    let (minibatch, minibatches, usual_seconds, usual_networks) = match device.is_gpu() {
        true => (8192, 8, 1.5, vec![(6, 64), (6, 128)]),
        false => (256, 2, 0.2, vec![(3, 32)]),
    };
    let seconds = words.iter().find_map(|word| word.strip_prefix("seconds="));
    let seconds = seconds.map_or(usual_seconds, |number| number.parse().expect("seconds"));
    let size = |word: &String| {
        let (blocks, channels) = word.split_once('x')?;
        Some((blocks.parse().ok()?, channels.parse().ok()?))
    };
    let mut networks: Vec<(usize, usize)> = words.iter().filter_map(size).collect();
    if networks.is_empty() {
        networks = usual_networks;
    }
    println!("GPUs: {}", tch::Cuda::device_count());
    tch::Cuda::cudnn_set_benchmark(has("search"));
    agreement(device);
    let mut first = TorchLearner::<Compact>::new(&network(3, 32), 0, device, Precision::Full);
    // A few positions, again and again: the device cannot tell.
    let experience = Experience::new(2 * minibatch, first.as_mut().unwrap());
    let experience = repeated(experience, minibatches / 2);
    println!(
        "positions/s; evaluation in batches of {minibatch}, learning in minibatches of it, \
         {EPOCHS} × {minibatches} for each upload"
    );
    for (blocks, channels) in networks {
        let precisions: &[_] = match has("full") {
            true => &[Precision::Full, Precision::Mixed],
            false => &[Precision::Mixed],
        };
        for &precision in precisions {
            let config = network(blocks, channels);
            let learner = TorchLearner::<Compact>::new(&config, 1, device, precision).unwrap();
            print!("{blocks} × {channels} {precision:?}: ");
            measure(learner, &experience, minibatch, seconds);
        }
    }
}

/// Says how many positions a second the learner evaluates and learns from.
fn measure(mut learner: TorchLearner<Compact>, experience: &Experience, size: usize, seconds: f64) {
    let (legal, count) = (experience.legal(), experience.observations.len());
    let mut outputs = Outputs::default();
    let observations = &experience.observations[..size];
    let evaluate = rate(size, seconds, || {
        learner.evaluate_into(observations, &legal[..size], &mut outputs);
    });
    // Acted in one size of batch, learnt from in another: the ratio should still be 1.
    let (old_log_probs, old_values) = act(&mut learner, experience, 2 * size);
    let mut transitions = experience.transitions(&legal);
    (transitions.old_log_probs, transitions.old_values) = (&old_log_probs, &old_values);
    let all = [vec![(0..size).collect()]];
    let ratio_error = learner.update(&transitions, &all, &SETTINGS, None)[0].max_ratio_error;
    // As if they had been shuffled: each minibatch takes its positions from everywhere.
    let minibatch = |first: usize| (first..count).step_by(count / size).collect();
    let epoch: Vec<Selection> = (0..count / size).map(minibatch).collect();
    let epochs = vec![epoch; EPOCHS];
    let update = rate(EPOCHS * count, seconds, || {
        learner.update(&transitions, &epochs, &SETTINGS, None);
    });
    let policies: Vec<_> =
        legal.iter().map(|legal| vec![1.0 / legal.len() as f32; legal.len()]).collect();
    let policies: Vec<_> = policies.iter().map(Vec::as_slice).collect();
    let examples = Examples {
        observations: &experience.observations,
        legal: &legal,
        policies: &policies,
        returns: &experience.returns,
    };
    let minibatches = epochs.concat();
    let imitate = rate(EPOCHS * count, seconds, || {
        learner.imitate(&examples, &minibatches, &IMITATION);
    });
    println!(
        "evaluate {evaluate:.0}, update {update:.0}, imitate {imitate:.0}; a move evaluated once \
         and learnt from {EPOCHS} times: {:.0}; first ratio off by {ratio_error:.1e}",
        1.0 / (1.0 / evaluate + EPOCHS as f64 / update),
    );
}

/// The same so many times.
fn repeated(experience: Experience, times: usize) -> Experience {
    Experience {
        observations: experience.observations.repeat(times),
        legal: vec![experience.legal; times].concat(),
        chosen: experience.chosen.repeat(times),
        old_log_probs: experience.old_log_probs.repeat(times),
        old_values: experience.old_values.repeat(times),
        advantages: experience.advantages.repeat(times),
        returns: experience.returns.repeat(times),
    }
}

fn network(blocks: usize, channels: usize) -> NetConfig {
    NetConfig { blocks, channels, value_hidden: 128, ..NetConfig::default() }
}

/// What the network gives the actions and positions of `experience`.
fn act(
    learner: &mut TorchLearner<Compact>,
    experience: &Experience,
    batch: usize,
) -> (Vec<f32>, Vec<f32>) {
    let legal = experience.legal();
    let batches = experience.observations.chunks(batch).zip(legal.chunks(batch));
    let evaluations = batches.flat_map(|(seen, legal)| learner.evaluate(seen, legal));
    let chosen = experience.chosen.iter().map(|&chosen| chosen as usize);
    evaluations.zip(chosen).map(|(e, chosen)| (e.policy[chosen].ln(), e.value)).unzip()
}

/// Compares a network and one update of it with the CPU's.
fn agreement(device: TorchDevice) {
    let config = network(3, 32);
    let mut cpu = CpuLearner::<Compact>::new(&config, 1).unwrap();
    let experience = Experience::new(1024, &mut cpu);
    let legal = experience.legal();
    // Some updates first: at the start parts of the network are still zero.
    for _ in 0..5 {
        experience.update(&mut cpu, &legal);
    }
    let state = cpu.state();
    let expected = cpu.evaluate(&experience.observations, &legal);
    let expected_losses = experience.update(&mut cpu, &legal);
    println!("CPU: {expected_losses:?}");
    let after = cpu.evaluate(&experience.observations, &legal);
    for (precision, most) in [(Precision::Full, 0.01), (Precision::Mixed, 0.1)] {
        let mut learner = TorchLearner::<Compact>::new(&config, 9, device, precision).unwrap();
        learner.restore(&state).unwrap();
        let found = learner.evaluate(&experience.observations, &legal);
        let losses = experience.update(&mut learner, &legal);
        println!("{precision:?}: {losses:?}");
        let updated = learner.evaluate(&experience.observations, &legal);
        for (found, expected, when) in [(found, &expected, "before"), (updated, &after, "after")] {
            let worst = found.iter().zip(expected).fold((0.0_f32, 0.0_f32), |worst, (a, b)| {
                let policy = a.policy.iter().zip(&b.policy).map(|(a, b)| (a - b).abs());
                (worst.0.max((a.value - b.value).abs()), policy.fold(worst.1, f32::max))
            });
            println!(
                "{precision:?} {when} an update: values off by {:.1e}, probabilities by {:.1e}",
                worst.0, worst.1
            );
            assert!(worst.0 < most && worst.1 < most, "too far from the CPU");
        }
        let norm = |losses: &Losses| losses.gradient_norm;
        let apart = (norm(&losses) / norm(&expected_losses) - 1.0).abs();
        assert!(apart < 2.0 * most, "the gradient's norm is {apart} off");
    }
}

/// Does `work` on `positions` positions again and again and says how many a second that was.
fn rate(positions: usize, seconds: f64, mut work: impl FnMut()) -> f64 {
    (0..2).for_each(|_| work());
    let start = Instant::now();
    let mut rounds = 0;
    while rounds == 0 || start.elapsed().as_secs_f64() < seconds {
        work();
        rounds += 1;
    }
    f64::from(rounds) * positions as f64 / start.elapsed().as_secs_f64()
}
