//! Whether libtorch computes on this machine's GPU what the CPU does, and how fast.
//!
//! `cargo run --release -p keisei-net --features torch --example torch_speed`
//!
//! docs/gpu.md says what libtorch needs. With the argument `search`, libtorch tries all ways to
//! compute a convolution and keeps the fastest. Without a GPU smaller batches are measured.
#![allow(clippy::print_stdout, missing_docs, unreachable_pub, reason = "an example")]

mod shared;

use std::time::Instant;

use keisei_encode::shogi::Compact;
use keisei_net::{
    CpuLearner, Evaluator, Learner, Losses, NetConfig, Precision, TorchDevice, TorchLearner,
};
use shared::Experience;

fn main() {
    let device = TorchDevice::gpu().unwrap_or(TorchDevice::CPU);
    println!("GPUs: {}", tch::Cuda::device_count());
    tch::Cuda::cudnn_set_benchmark(std::env::args().any(|arg| arg == "search"));
    agreement(device);
    let (acting, learning, seconds) =
        if device.is_gpu() { (8192, 16_384, 3.0) } else { (256, 512, 1.0) };
    let mut first = TorchLearner::<Compact>::new(&network(3, 32), 0, device, Precision::Full);
    let first = first.as_mut().unwrap();
    let mut experience = Experience::new(learning, first);
    for (blocks, channels) in [(3, 32), (6, 128), (10, 128)] {
        for precision in [Precision::Full, Precision::Mixed] {
            let config = network(blocks, channels);
            let mut learner = TorchLearner::<Compact>::new(&config, 1, device, precision).unwrap();
            let legal: Vec<&[u32]> = experience.legal.iter().map(Vec::as_slice).collect();
            let observations = &experience.observations[..acting];
            let evaluate = rate(acting, seconds, || {
                learner.evaluate(observations, &legal[..acting]);
            });
            let update = rate(learning, seconds, || {
                experience.update(&mut learner, &legal);
            });
            // Acted in one size of batch, learnt from in another: the ratio should still be 1.
            let (old_log_probs, old_values) = act(&mut learner, &experience, acting);
            (experience.old_log_probs, experience.old_values) = (old_log_probs, old_values);
            let legal = experience.legal();
            let losses = experience.update(&mut learner, &legal);
            println!(
                "{blocks}×{channels} {precision:?}: evaluate {evaluate:.0}/s in batches of \
                 {acting}, update {update:.0}/s in batches of {learning}, together {:.0}/s; first \
                 ratio off by {:.1e}",
                1.0 / (1.0 / evaluate + 1.0 / update),
                losses.max_ratio_error
            );
        }
    }
}

fn network(blocks: usize, channels: usize) -> NetConfig {
    NetConfig { blocks, channels, value_hidden: 256, ..NetConfig::default() }
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
    (0..3).for_each(|_| work());
    let start = Instant::now();
    let mut rounds = 0;
    while start.elapsed().as_secs_f64() < seconds {
        work();
        rounds += 1;
    }
    f64::from(rounds) * positions as f64 / start.elapsed().as_secs_f64()
}
