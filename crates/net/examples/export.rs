//! Writes a network, a minibatch and what the learner makes of it, for `python/compare.py`.
//!
//! `cargo run --release -p keisei-net --example export -- FOLDER`
#![allow(clippy::print_stdout, missing_docs, unreachable_pub, reason = "an example")]

mod shared;

use std::collections::HashMap;
use std::path::PathBuf;

use keisei_encode::shogi::Compact;
use keisei_encode::{Actions, Encode};
use keisei_net::{CpuLearner, Evaluator, Learner, NetConfig};
use keisei_shogi::Shogi;
use safetensors::Dtype;
use safetensors::tensor::{TensorView, serialize};
use shared::Experience;

const COUNT: usize = 2048;

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).expect("a folder"));
    std::fs::create_dir_all(&folder).unwrap();
    let mut learner = CpuLearner::<Compact>::new(&NetConfig::default(), 1).unwrap();
    let experience = Experience::new(COUNT, &mut learner);
    let legal = experience.legal();
    // Some updates first: at the start parts of the network are still zero.
    for _ in 0..5 {
        experience.update(&mut learner, &legal);
    }
    std::fs::write(folder.join("weights.safetensors"), learner.weights()).unwrap();
    let evaluations = learner.evaluate(&experience.observations, &legal);
    let losses = experience.update(&mut learner, &legal);
    std::fs::write(folder.join("updated.safetensors"), learner.weights()).unwrap();

    let mut planes = vec![0.0; COUNT * Shogi::PLANES * Shogi::SQUARES];
    keisei_encode::expand_batch::<Shogi>(&experience.observations, &mut planes);
    let (mut mask, mut probs) =
        (vec![0.0; COUNT * Compact::COUNT], vec![0.0; COUNT * Compact::COUNT]);
    for (i, (legal, evaluation)) in legal.iter().zip(&evaluations).enumerate() {
        for (&action, &prob) in legal.iter().zip(&evaluation.policy) {
            let place = i * Compact::COUNT + action as usize;
            (mask[place], probs[place]) = (1.0, prob);
        }
    }
    let chosen: Vec<f32> =
        legal.iter().zip(&experience.chosen).map(|(legal, &c)| legal[c as usize] as f32).collect();
    let cells: Vec<f32> = (0..Compact::COUNT).map(|a| Compact::cell(a).unwrap() as f32).collect();
    let values: Vec<f32> = evaluations.iter().map(|evaluation| evaluation.value).collect();
    let expected = vec![losses.policy, losses.value, losses.entropy, losses.gradient_norm];
    let tensors = [
        ("planes", vec![COUNT, Shogi::PLANES, 9, 9], &planes),
        ("mask", vec![COUNT, Compact::COUNT], &mask),
        ("probs", vec![COUNT, Compact::COUNT], &probs),
        ("chosen", vec![COUNT], &chosen),
        ("cells", vec![Compact::COUNT], &cells),
        ("values", vec![COUNT], &values),
        ("old_log_probs", vec![COUNT], &experience.old_log_probs),
        ("advantages", vec![COUNT], &experience.advantages),
        ("returns", vec![COUNT], &experience.returns),
        ("losses", vec![4], &expected),
    ];
    let bytes: HashMap<_, Vec<u8>> = tensors
        .iter()
        .map(|(name, _, values)| (*name, values.iter().flat_map(|v| v.to_le_bytes()).collect()))
        .collect();
    let views = tensors.iter().map(|(name, shape, _)| {
        (*name, TensorView::new(Dtype::F32, shape.clone(), &bytes[name]).unwrap())
    });
    std::fs::write(folder.join("batch.safetensors"), serialize(views, None).unwrap()).unwrap();
    println!("{losses:?}");
}
