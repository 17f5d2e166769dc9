//! The learner over libtorch says and learns what the learner on the CPU does.

use std::sync::Arc;

use keisei_cluster::Threads;
use keisei_encode::animal::Arrivals;
use keisei_encode::chess::AlphaZero;
use keisei_encode::shogi::{Compact, Full};
use keisei_encode::{Actions, Encode, Observation};
use tch::{Kind, Tensor};

use super::planes::{Layout, Planes};
use super::{TorchDevice, TorchEvaluator, TorchLearner};
use crate::architecture::Board;
use crate::backend::Precision;
use crate::proof::samples::Samples;
use crate::proof::{IMITATION, SETTINGS, shaken, tiny, tiny_networks};
use crate::{
    CpuLearner, Encoding, Evaluation, Evaluator, Learner, Losses, NetConfig, Normalization,
    PolicyHead, Selection, StateError, UpdateSettings,
};

/// The GPU, where there is one.
fn device() -> TorchDevice {
    TorchDevice::gpu().unwrap_or(TorchDevice::CPU)
}

/// Both learners with the same random numbers.
fn pair<A: Actions>(config: &NetConfig, seed: u64) -> (CpuLearner<A>, TorchLearner<A>) {
    let cpu = shaken::<A>(config, seed);
    let mut torch = TorchLearner::<A>::new(config, 99, device(), Precision::Full).unwrap();
    torch.restore(&cpu.state()).unwrap();
    (cpu, torch)
}

/// A GPU computes convolutions of f32 with fewer bits.
fn tolerance() -> f32 {
    if device().is_gpu() { 2e-2 } else { 1e-4 }
}

#[track_caller]
fn near(found: f32, expected: f32, tolerance: f32, what: &str) {
    let most = tolerance * expected.abs().max(1.0);
    assert!((found - expected).abs() <= most, "{what}: {found} is not {expected}");
}

#[track_caller]
fn same_evaluations(found: &[Evaluation], expected: &[Evaluation], tolerance: f32) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        near(found.value, expected.value, tolerance, "value");
        assert_eq!(found.policy.len(), expected.policy.len());
        for (&found, &expected) in found.policy.iter().zip(&expected.policy) {
            near(found, expected, tolerance, "probability");
        }
    }
}

fn same_losses(found: &Losses, expected: &Losses, tolerance: f32) {
    near(found.policy, expected.policy, tolerance, "policy loss");
    near(found.value, expected.value, tolerance, "value loss");
    near(found.entropy, expected.entropy, tolerance, "entropy");
    near(found.approx_kl, expected.approx_kl, tolerance, "approx_kl");
    near(found.old_approx_kl, expected.old_approx_kl, tolerance, "old_approx_kl");
    near(found.max_ratio_error, expected.max_ratio_error, tolerance, "max_ratio_error");
    near(found.gradient_norm, expected.gradient_norm, tolerance, "gradient_norm");
    // A ratio at the very edge may fall on either side.
    near(found.clip_fraction, expected.clip_fraction, 0.05, "clip_fraction");
}

/// All numbers of a saved state that are not where they should be, by their worst distance as a
/// share of the norm of their tensor.
fn worst_distance(found: &[u8], expected: &[u8]) -> f32 {
    let [found, expected] = [found, expected].map(|bytes| {
        safetensors::SafeTensors::deserialize(bytes).expect("a state is a file of tensors")
    });
    let mut worst = 0.0_f32;
    for name in expected.names() {
        let numbers = |file: &safetensors::SafeTensors<'_>| -> Vec<f32> {
            let tensor = file.tensor(name).unwrap();
            let (numbers, _) = tensor.data().as_chunks();
            numbers.iter().map(|&number| f32::from_le_bytes(number)).collect()
        };
        let (found, expected) = (numbers(&found), numbers(&expected));
        assert_eq!(found.len(), expected.len(), "{name}");
        let square = |numbers: &mut dyn Iterator<Item = f32>| numbers.map(|n| n * n).sum::<f32>();
        let apart = square(&mut found.iter().zip(&expected).map(|(a, b)| a - b)).sqrt();
        worst = worst.max(apart / square(&mut expected.iter().copied()).sqrt().max(1e-6));
    }
    worst
}

fn learns_the_same<A: Actions>(config: &NetConfig, settings: &UpdateSettings) {
    let (mut cpu, mut torch) = pair::<A>(config, 3);
    let mut samples = Samples::<A>::new(40, 5);
    samples.act_with(&mut cpu, 0.3);
    let legal = samples.legal();
    let expected = cpu.evaluate(&samples.observations, &legal);
    same_evaluations(&torch.evaluate(&samples.observations, &legal), &expected, tolerance());
    let mut evaluator =
        TorchEvaluator::<A>::from_weights(&cpu.weights(), device(), Precision::Full).unwrap();
    same_evaluations(&evaluator.evaluate(&samples.observations, &legal), &expected, tolerance());
    let before = cpu.state();
    let losses = samples.update(&mut cpu, settings);
    same_losses(&samples.update(&mut torch, settings), &losses, tolerance());
    let (found, expected) = (torch.state(), cpu.state());
    let (moved, apart) = (worst_distance(&before, &expected), worst_distance(&found, &expected));
    assert!(moved > 0.01 && apart < tolerance(), "{config:?}: moved {moved}, apart {apart}");
    // What was learnt is what is evaluated.
    let expected = cpu.evaluate(&samples.observations, &legal);
    same_evaluations(&torch.evaluate(&samples.observations, &legal), &expected, tolerance());
    // Where rounding decides over a cut-off they part a little.
    samples.update(&mut cpu, settings);
    samples.update(&mut torch, settings);
    let expected = cpu.evaluate(&samples.observations, &legal);
    same_evaluations(&torch.evaluate(&samples.observations, &legal), &expected, 10.0 * tolerance());
}

#[test]
fn evaluations_losses_and_steps_are_those_of_the_cpu() {
    let other = UpdateSettings {
        clip_value: true,
        relative_entropy: true,
        entropy_weight: 0.3,
        value_weight: 1.5,
        ..SETTINGS
    };
    for config in tiny_networks() {
        for settings in [SETTINGS, other] {
            learns_the_same::<Compact>(&config, &settings);
            learns_the_same::<AlphaZero>(&config, &settings);
            learns_the_same::<Arrivals>(&config, &settings);
        }
    }
    let linear = NetConfig { policy_head: PolicyHead::Linear, ..tiny() };
    learns_the_same::<Full>(&linear, &SETTINGS);
}

#[test]
fn two_ranks_learn_what_one_learns() {
    for normalization in [Normalization::None, Normalization::Batch] {
        let config = NetConfig { normalization, ..tiny() };
        let mut samples = Samples::<Compact>::new(40, 5);
        samples.act_with(&mut pair::<Compact>(&config, 3).0, 0.3);
        let states = |size: usize| {
            Threads::run(size, |ranks| {
                let mut torch = pair::<Compact>(&config, 3).1.among(Arc::clone(&ranks));
                let legal = samples.legal();
                // Parts of different sizes.
                let own = match (size, ranks.rank()) {
                    (1, _) => 0..40,
                    (_, 0) => 0..13,
                    _ => 13..40,
                };
                let minibatch = Selection { total: 40, ..own.collect() };
                let transitions = samples.transitions(&legal);
                let losses = torch.update(&transitions, &[vec![minibatch]], &SETTINGS, None);
                (losses[0], torch.state())
            })
        };
        let (losses, expected) = states(1).remove(0);
        let together = states(2);
        assert!(together[0].1 == together[1].1, "the ranks have come apart");
        same_losses(&together[0].0, &losses, tolerance());
        let apart = worst_distance(&together[0].1, &expected);
        assert!(apart < tolerance(), "{config:?}: {apart}");
    }
}

fn imitates_the_same<A: Actions>(config: &NetConfig) {
    let (mut cpu, mut torch) = pair::<A>(config, 3);
    let samples = Samples::<A>::new(40, 5);
    let (legal, policies) = (samples.legal(), samples.policies());
    let examples = samples.examples(&legal, &policies);
    let before = cpu.state();
    // One that is filled up, in another order than the examples, and one of a single position.
    let minibatches = [(0..39).rev().step_by(2).collect(), [38].into_iter().collect()];
    let expected = cpu.imitate(&examples, &minibatches, &IMITATION);
    let found = torch.imitate(&examples, &minibatches, &IMITATION);
    for (found, expected) in found.iter().zip(&expected) {
        same_losses(found, expected, tolerance());
    }
    let (found, expected) = (torch.state(), cpu.state());
    let (moved, apart) = (worst_distance(&before, &expected), worst_distance(&found, &expected));
    assert!(moved > 0.01 && apart < tolerance(), "{config:?}: moved {moved}, apart {apart}");
}

#[test]
fn losses_and_steps_of_imitation_are_those_of_the_cpu() {
    for config in tiny_networks() {
        imitates_the_same::<Compact>(&config);
        imitates_the_same::<AlphaZero>(&config);
    }
}

fn updates_the_same<A: Actions>(config: &NetConfig, settings: &UpdateSettings) {
    let (mut cpu, mut torch) = pair::<A>(config, 3);
    let mut samples = Samples::<A>::new(40, 5);
    samples.act_with(&mut cpu, 0.2);
    let legal = samples.legal();
    let before = cpu.state();
    // One that is filled up, in another order than the transitions, and one of a single position.
    let epochs = [vec![(0..39).rev().step_by(2).collect(), [38].into_iter().collect()]];
    let expected = cpu.update(&samples.transitions(&legal), &epochs, settings, None);
    let found = torch.update(&samples.transitions(&legal), &epochs, settings, None);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        same_losses(found, expected, tolerance());
    }
    let (found, expected) = (torch.state(), cpu.state());
    let (moved, apart) = (worst_distance(&before, &expected), worst_distance(&found, &expected));
    assert!(moved > 0.01 && apart < tolerance(), "{config:?}: moved {moved}, apart {apart}");
}

#[test]
fn minibatches_of_a_rollout_are_learnt_from_as_on_the_cpu() {
    for config in tiny_networks() {
        for relative_entropy in [false, true] {
            let settings = UpdateSettings { relative_entropy, entropy_weight: 0.3, ..SETTINGS };
            updates_the_same::<Compact>(&config, &settings);
            updates_the_same::<AlphaZero>(&config, &settings);
            // Some positions have a single legal action.
            updates_the_same::<Arrivals>(&config, &settings);
        }
    }
}

#[test]
fn an_epoch_is_finished_before_its_divergence_ends_an_update() {
    let (mut cpu, mut torch) = pair::<Compact>(&tiny(), 2);
    let mut samples = Samples::<Compact>::new(40, 6);
    samples.act_with(&mut cpu, 0.2);
    let legal = samples.legal();
    let transitions = samples.transitions(&legal);
    let epochs = vec![vec![(0..20).collect(), (20..40).collect(), (0..40).collect()]; 3];
    // Every ratio is off by some noise: the first step is already too far.
    let mut steps = |target| torch.update(&transitions, &epochs, &SETTINGS, target).len();
    assert_eq!([Some(0.0), Some(1e9), None].map(&mut steps), [3, 9, 9]);
    assert_eq!(cpu.update(&transitions, &epochs, &SETTINGS, Some(0.0)).len(), 1);
    let header = crate::Header::read(&torch.weights()).unwrap();
    assert_eq!(header.step, 21);
}

#[test]
fn what_is_not_finite_spoils_no_minibatch_that_does_not_have_it() {
    let (mut cpu, mut torch) = pair::<Compact>(&tiny(), 5);
    let mut samples = Samples::<Compact>::new(20, 6);
    samples.act_with(&mut cpu, 0.2);
    samples.advantages[0] = f32::NAN;
    let legal = samples.legal();
    let minibatches = vec![(0..10).collect(), (10..20).collect()];
    let losses = torch.update(&samples.transitions(&legal), &[minibatches], &SETTINGS, None);
    assert_eq!([losses[0].is_finite(), losses[1].is_finite()], [false, true]);
    assert_eq!(crate::Header::read(&torch.weights()).unwrap().step, 1);
}

fn planes_are_those_of_the_encoding<A: Actions>(encoding: Encoding) {
    let samples = Samples::<A>::new(40, 8);
    let view = encoding.view::<A::Game>().unwrap();
    let sources = view.sources.expect("a view with sources")();
    let (squares, columns) = (<A::Game as Encode>::SQUARES, <A::Game as Encode>::COLUMNS);
    let board = Board { rows: squares / columns, columns };
    let attacks = view.attack_board();
    let bytes = Observation::<A>::default().as_ref().len();
    let layout = Layout { sources: &sources, attacks: &attacks, board, bytes };
    let planes = Planes::new(&layout, device(), Kind::Float);
    let bytes: Vec<u8> =
        samples.observations.iter().flat_map(|packed| packed.as_ref().iter().copied()).collect();
    let bytes = Tensor::from_slice(&bytes).to_device(device().0).view([40, -1]);
    let expanded = planes.expand(&bytes);
    let padded = sources.len().next_multiple_of(8);
    assert_eq!(expanded.size(), [40, padded, board.rows, board.columns].map(|size| size as i64));
    let mut expected = vec![0.0; view.planes * squares];
    for (i, packed) in samples.observations.iter().enumerate() {
        let mut found = super::device::download(&expanded.get(i as i64).flatten(0, -1));
        let rest = found.split_off(sources.len() * squares);
        (view.expand)(packed, &mut expected);
        assert_eq!(found, expected);
        assert!(rest.iter().all(|&number| number == 0.0));
    }
}

#[test]
fn planes_made_on_the_device_are_those_of_the_encoding() {
    planes_are_those_of_the_encoding::<Compact>(Encoding::Own);
    planes_are_those_of_the_encoding::<Compact>(Encoding::Attacks);
    planes_are_those_of_the_encoding::<AlphaZero>(Encoding::Own);
    planes_are_those_of_the_encoding::<AlphaZero>(Encoding::Attacks);
    planes_are_those_of_the_encoding::<Arrivals>(Encoding::Own);
}

#[test]
fn a_run_goes_on_from_one_learner_to_the_other_and_back() {
    for config in tiny_networks() {
        let (mut cpu, mut torch) = pair::<Compact>(&config, 1);
        let mut samples = Samples::<Compact>::new(30, 2);
        samples.act_with(&mut cpu, 0.2);
        let legal = samples.legal();
        for _ in 0..2 {
            samples.update(&mut torch, &SETTINGS);
        }
        cpu.restore(&torch.state()).unwrap();
        assert!(cpu.state() == torch.state() && cpu.weights() == torch.weights());
        samples.update(&mut cpu, &SETTINGS);
        torch.restore(&cpu.state()).unwrap();
        assert!(cpu.state() == torch.state());
        let expected = cpu.evaluate(&samples.observations, &legal);
        same_evaluations(&torch.evaluate(&samples.observations, &legal), &expected, tolerance());
    }
}

#[test]
fn the_same_seed_begins_with_the_same_weights() {
    let cpu = CpuLearner::<Compact>::new(&tiny(), 7).unwrap();
    let torch = TorchLearner::<Compact>::new(&tiny(), 7, device(), Precision::Mixed).unwrap();
    assert!(cpu.state() == torch.state());
}

#[test]
fn sixteen_bits_are_near_thirty_two_and_learn() {
    let config = NetConfig { blocks: 2, channels: 16, ..NetConfig::default() };
    let (mut cpu, _) = pair::<Compact>(&config, 4);
    let mut mixed = TorchLearner::<Compact>::new(&config, 0, device(), Precision::Mixed).unwrap();
    mixed.restore(&cpu.state()).unwrap();
    let mut samples = Samples::<Compact>::new(40, 6);
    samples.act_with(&mut cpu, 0.2);
    let legal = samples.legal();
    let expected = cpu.evaluate(&samples.observations, &legal);
    same_evaluations(&mixed.evaluate(&samples.observations, &legal), &expected, 0.1);
    let losses = samples.update(&mut cpu, &SETTINGS);
    same_losses(&samples.update(&mut mixed, &SETTINGS), &losses, 0.2);
    assert!(cpu.state() != mixed.state());
    // What acts is what learns.
    samples.act_with(&mut mixed, 0.0);
    let ratio = samples.update(&mut mixed, &SETTINGS).max_ratio_error;
    assert!(ratio < 0.01, "{ratio}");
}

/// Networks of sizes that kernels of our own compute on a GPU, blocks of several positions and of
/// parts of the channels among them.
#[test]
fn gradients_in_sixteen_bits_point_where_those_in_thirty_two_do() {
    for (channels, global_pool) in [(32, true), (64, true), (64, false), (128, true)] {
        let config = NetConfig { blocks: 3, channels, global_pool, ..NetConfig::default() };
        let cpu = shaken::<Compact>(&config, 4);
        let samples = Samples::<Compact>::new(100, 6);
        let (legal, policies) = (samples.legal(), samples.policies());
        let examples = samples.examples(&legal, &policies);
        let [(gradient, outputs), (expected, outputs_expected)] =
            [Precision::Mixed, Precision::Full].map(|precision| {
                let mut learner =
                    TorchLearner::<Compact>::new(&config, 0, device(), precision).unwrap();
                learner.restore(&cpu.state()).unwrap();
                let outputs = learner.evaluate(&samples.observations, &legal);
                (learner.imitation_gradient(&examples, &IMITATION), outputs)
            });
        same_evaluations(&outputs, &outputs_expected, 0.1);
        let norm = |gradient: &Tensor| gradient.square().sum(None).sqrt();
        let cosine = (&gradient * &expected).sum(None) / norm(&gradient) / norm(&expected);
        let ratio = norm(&gradient) / norm(&expected);
        let (cosine, ratio) = (f64::try_from(cosine).unwrap(), f64::try_from(ratio).unwrap());
        assert!(cosine > 0.995, "{config:?}: {cosine}");
        assert!((ratio - 1.0).abs() < 0.03, "{config:?}: {ratio}");
    }
}

#[test]
fn a_position_is_evaluated_alike_in_any_company() {
    let (mut cpu, mut torch) = pair::<Compact>(&tiny(), 2);
    let samples = Samples::<Compact>::new(5000, 3);
    let legal = samples.legal();
    let all = torch.evaluate(&samples.observations, &legal);
    same_evaluations(&all, &cpu.evaluate(&samples.observations, &legal), tolerance());
    for range in [0..1, 4095..4097, 4990..5000] {
        let some = torch.evaluate(&samples.observations[range.clone()], &legal[range.clone()]);
        same_evaluations(&some, &all[range], tolerance());
    }
    assert!(torch.evaluate(&[] as &[Observation<Compact>], &[]).is_empty());
}

#[test]
fn a_step_that_is_not_finite_changes_nothing() {
    let (mut cpu, mut torch) = pair::<Compact>(&tiny(), 5);
    let mut samples = Samples::<Compact>::new(20, 6);
    samples.act_with(&mut cpu, 0.2);
    let before = torch.state();
    let broken = UpdateSettings { learning_rate: f32::NAN, ..SETTINGS };
    samples.update(&mut torch, &broken);
    assert!(torch.state() == before);
    samples.advantages[3] = f32::NAN;
    assert!(!samples.update(&mut torch, &SETTINGS).is_finite());
    assert!(torch.state() == before);
}

#[test]
fn what_is_for_something_else_is_refused() {
    let learner = CpuLearner::<Compact>::new(&tiny(), 0).unwrap();
    let chess =
        TorchEvaluator::<AlphaZero>::from_weights(&learner.weights(), device(), Precision::Full);
    assert!(matches!(chess.unwrap_err(), StateError::Mismatch { key, .. } if key == "game"));
    let larger = NetConfig { channels: 6, ..tiny() };
    let mut other = TorchLearner::<Compact>::new(&larger, 0, device(), Precision::Full).unwrap();
    let before = other.state();
    assert!(other.restore(&learner.state()).is_err());
    assert!(other.state() == before);
}
