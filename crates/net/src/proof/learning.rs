//! What an update does.

use std::sync::Arc;

use keisei_cluster::Threads;
use keisei_encode::chess::AlphaZero;
use keisei_encode::shogi::Compact;
use keisei_encode::{Actions, Observation};

use super::samples::Samples;
use super::{IMITATION, SETTINGS, shaken, tiny, tiny_networks};
use crate::cpu::simd::forced;
use crate::net_evaluator::evaluation;
use crate::{
    CpuLearner, Evaluator, Learner, Losses, NetConfig, Normalization, Outputs, Selection,
    UpdateSettings,
};

fn update<A: Actions>(learner: &mut CpuLearner<A>, samples: &Samples<A>) -> Losses {
    samples.update(learner, &SETTINGS)
}

fn first_ratios_are_one<A: Actions>(config: &NetConfig) {
    let mut learner = shaken::<A>(config, 1);
    let mut samples = Samples::<A>::new(100, 2);
    // Again after the first update, because that moves weights and statistics.
    for _ in 0..2 {
        samples.act_with(&mut learner, 0.0);
        let losses = update(&mut learner, &samples);
        assert!(losses.max_ratio_error < 1e-4, "{config:?}: {losses:?}");
        assert!(losses.approx_kl.abs() < 1e-6 && losses.clip_fraction == 0.0);
    }
    // The second time on the same data the policy has moved.
    assert!(update(&mut learner, &samples).max_ratio_error > 1e-4);
}

#[test]
fn right_after_acting_every_ratio_is_one() {
    for config in tiny_networks() {
        first_ratios_are_one::<Compact>(&config);
        first_ratios_are_one::<AlphaZero>(&config);
    }
}

#[test]
fn a_fixed_batch_is_learnt_by_heart() {
    let mut learner = CpuLearner::<Compact>::new(&NetConfig::default(), 0).unwrap();
    let mut samples = Samples::<Compact>::new(48, 3);
    samples.act_with(&mut learner, 0.0);
    samples.advantages.fill(1.0);
    let settings = UpdateSettings { entropy_weight: 0.0, ..SETTINGS };
    let legal = samples.legal();
    let minibatches = vec![(0..48).collect(); 201];
    let losses = learner.update(&samples.transitions(&legal), &[minibatches], &settings, None);
    let [first, .., last] = &losses[..] else { panic!("one loss a minibatch") };
    assert!(last.value < 0.1 * first.value, "{first:?} {last:?}");
    // All actions were good: all that clipping allows is reached.
    assert!(last.clip_fraction > 0.9 && last.policy < -1.19, "{last:?}");
}

/// A learner with some noise in what it learns from, which moves its policy at once.
fn moving(samples: &mut Samples<Compact>) -> CpuLearner<Compact> {
    let mut learner = shaken::<Compact>(&tiny(), 4);
    samples.act_with(&mut learner, 0.1);
    learner
}

#[test]
fn minibatches_of_several_epochs_are_learnt_from_as_if_each_were_asked_for_alone() {
    let mut samples = Samples::<Compact>::new(60, 5);
    let (mut learner, mut again) = (moving(&mut samples), moving(&mut samples));
    let legal = samples.legal();
    let transitions = samples.transitions(&legal);
    // In another order than the transitions, one of them in both epochs.
    let epochs: [Vec<Selection>; 2] = [
        vec![(0..40).rev().collect(), (40..60).collect()],
        vec![(0..60).step_by(3).collect(), [7].into_iter().collect()],
    ];
    let losses = learner.update(&transitions, &epochs, &SETTINGS, None);
    let one = |selection: &Selection| {
        again.update(&transitions, &[vec![selection.clone()]], &SETTINGS, None)[0]
    };
    let alone: Vec<_> = epochs.iter().flatten().map(one).collect();
    assert_eq!(losses, alone);
    assert!(learner.state() == again.state());
}

#[test]
fn the_step_whose_divergence_is_above_the_target_is_the_last() {
    let mut samples = Samples::<Compact>::new(60, 5);
    let (mut learner, mut again) = (moving(&mut samples), moving(&mut samples));
    let legal = samples.legal();
    let transitions = samples.transitions(&legal);
    let epochs = vec![vec![(0..60).collect(); 2]; 4];
    let all = learner.update(&transitions, &epochs, &SETTINGS, None);
    assert_eq!(all.len(), 8);
    let target = f64::from(all[4].approx_kl);
    let first = all.iter().position(|losses| losses.is_past(Some(target))).unwrap();
    let found = again.update(&transitions, &epochs, &SETTINGS, Some(target));
    assert_eq!(found, all[..=first]);
    assert!(found.len() < all.len());
}

#[test]
fn given_policies_and_values_are_imitated() {
    let mut learner = CpuLearner::<Compact>::new(&NetConfig::default(), 0).unwrap();
    let samples = Samples::<Compact>::new(48, 3);
    let (legal, policies) = (samples.legal(), samples.policies());
    let examples = samples.examples(&legal, &policies);
    let minibatches = vec![(0..48).collect(); 200];
    let losses = learner.imitate(&examples, &minibatches, &IMITATION);
    let [first, .., last] = &losses[..] else { panic!("one loss a minibatch") };
    assert!(last.value < 0.1 * first.value, "{first:?} {last:?}");
    assert!(last.approx_kl < 0.3 * first.approx_kl, "{first:?} {last:?}");
    assert!(last.policy < first.policy && last.clip_fraction == 0.0);
}

#[test]
fn an_example_that_is_not_finite_changes_nothing() {
    let mut learner = shaken::<Compact>(&tiny(), 6);
    let mut samples = Samples::<Compact>::new(20, 7);
    let before = learner.state();
    let good = (samples.policies[3][0], samples.returns[4]);
    for bad in [(f32::NAN, good.1), (good.0, f32::INFINITY)] {
        (samples.policies[3][0], samples.returns[4]) = bad;
        let (legal, policies) = (samples.legal(), samples.policies());
        let examples = samples.examples(&legal, &policies);
        let losses = learner.imitate(&examples, &[(0..20).collect()], &IMITATION);
        assert!(!losses[0].is_finite() && learner.state() == before);
    }
}

#[test]
#[should_panic(expected = "example 0: one probability a legal action")]
fn an_example_without_a_probability_for_each_action_is_refused() {
    let samples = Samples::<Compact>::new(1, 0);
    let legal = samples.legal();
    let examples = samples.examples(&legal, &[&[1.0]]);
    shaken::<Compact>(&tiny(), 0).imitate(&examples, &[[0].into_iter().collect()], &IMITATION);
}

#[test]
fn threads_and_their_number_change_nothing() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut learner = CpuLearner::<Compact>::new(&NetConfig::default(), 4).unwrap();
            let mut samples = Samples::<Compact>::new(200, 5);
            samples.act_with(&mut learner, 0.1);
            for _ in 0..4 {
                update(&mut learner, &samples);
                let (legal, policies) = (samples.legal(), samples.policies());
                let minibatches = [(0..120).collect(), (120..200).collect()];
                learner.imitate(&samples.examples(&legal, &policies), &minibatches, &IMITATION);
            }
            learner.state()
        })
    };
    let once = run(4);
    assert!(once == run(4), "the same run twice");
    assert!(once == run(1), "on one thread");
}

/// The state after a few steps on `ranks` ranks, each with its share of 8 shards.
fn learned_on(ranks: usize, config: &NetConfig) -> Vec<Vec<u8>> {
    const SHARDS: usize = 8;
    // Shards need not be equally large; one is empty.
    let ends = [10, 13, 40, 40, 77, 80, 111, 120];
    Threads::run(ranks, |ranks| {
        let mut learner = shaken::<Compact>(config, 4).among(Arc::clone(&ranks));
        let mut samples = Samples::<Compact>::new(120, 5);
        samples.act_with(&mut shaken::<Compact>(config, 4), 0.1);
        let own = SHARDS / ranks.size();
        let shards = ranks.rank() * own..(ranks.rank() + 1) * own;
        let first = if shards.start == 0 { 0 } else { ends[shards.start - 1] };
        let shards: Vec<_> = ends[shards].iter().map(|end| end - first).collect();
        let (legal, policies) = (samples.legal(), samples.policies());
        let places = first..first + shards[own - 1];
        for _ in 0..3 {
            let places = places.clone().collect();
            let selection = Selection { places, shards: shards.clone(), total: 120 };
            let epochs = [vec![selection.clone()]];
            learner.update(&samples.transitions(&legal), &epochs, &SETTINGS, None);
            learner.imitate(&samples.examples(&legal, &policies), &[selection], &IMITATION);
        }
        learner.state()
    })
}

#[test]
fn one_two_four_and_eight_ranks_learn_the_same_bytes() {
    for normalization in [Normalization::None, Normalization::Batch] {
        let config = NetConfig { normalization, ..tiny() };
        let alone = learned_on(1, &config).remove(0);
        for ranks in [2, 4, 8] {
            let states = learned_on(ranks, &config);
            assert!(states.iter().all(|state| *state == alone), "{ranks} ranks, {normalization:?}");
        }
    }
}

#[test]
fn more_shards_than_fit_into_the_memory_at_once_change_nothing() {
    let run = |parts: usize| {
        let mut learner = shaken::<Compact>(&tiny(), 4);
        learner.keep_parts(parts);
        let mut samples = Samples::<Compact>::new(64, 5);
        samples.act_with(&mut shaken::<Compact>(&tiny(), 4), 0.1);
        let legal = samples.legal();
        let shards = (1..=8).map(|shard| 8 * shard).collect();
        let minibatch = Selection { shards, ..(0..64).collect() };
        learner.update(&samples.transitions(&legal), &[vec![minibatch]], &SETTINGS, None);
        learner.state()
    };
    assert!(run(1) == run(8) && run(2) == run(8) && run(4) == run(8));
}

#[test]
fn processors_with_narrower_vectors_learn_the_same() {
    let run = || {
        let mut learner = shaken::<Compact>(&tiny(), 4);
        let mut samples = Samples::<Compact>::new(30, 5);
        samples.act_with(&mut learner, 0.1);
        let (legal, all) = (samples.legal(), (0..30).collect());
        let (_, gradient) = learner.ppo_gradient(&samples.transitions(&legal), &all, &SETTINGS);
        let evaluations = learner.evaluate(&samples.observations, &samples.legal());
        (gradient, evaluations)
    };
    let (gradient, evaluations) = run();
    let mut levels = vec![pulp::Arch::Scalar];
    #[cfg(target_arch = "x86_64")]
    levels.extend(pulp::x86::V3::try_new().map(pulp::Arch::V3));
    for arch in levels {
        let (other_gradient, other_evaluations) = forced::with(arch, run);
        for (one, other) in gradient.iter().zip(&other_gradient) {
            assert!((one - other).abs() < 1e-5, "{arch:?}: {one} {other}");
        }
        for (one, other) in evaluations.iter().zip(&other_evaluations) {
            assert!((one.value - other.value).abs() < 1e-5, "{arch:?}");
            let probs = one.policy.iter().zip(&other.policy);
            assert!(probs.map(|(one, other)| (one - other).abs()).all(|error| error < 1e-5));
        }
    }
}

#[test]
fn what_is_not_finite_changes_nothing() {
    let mut learner = shaken::<Compact>(&tiny(), 6);
    let mut samples = Samples::<Compact>::new(20, 7);
    samples.act_with(&mut learner, 0.1);
    update(&mut learner, &samples);
    let before = learner.state();
    let good = (samples.advantages[3], samples.returns[4], samples.old_log_probs[5]);
    for bad in [f32::NAN, f32::INFINITY] {
        for place in 0..3 {
            (samples.advantages[3], samples.returns[4], samples.old_log_probs[5]) = good;
            match place {
                0 => samples.advantages[3] = bad,
                1 => samples.returns[4] = bad,
                _ => samples.old_log_probs[5] = -bad,
            }
            assert!(!update(&mut learner, &samples).is_finite());
            assert!(learner.state() == before);
        }
    }
    (samples.advantages[3], samples.returns[4], samples.old_log_probs[5]) = good;
    let settings = UpdateSettings { learning_rate: f32::NAN, ..SETTINGS };
    samples.update(&mut learner, &settings);
    assert!(learner.state() == before);
    assert!(update(&mut learner, &samples).is_finite());
    assert!(learner.state() != before);
}

#[test]
fn the_gradient_of_all_weights_together_is_clipped() {
    let mut learner = shaken::<Compact>(&tiny(), 8);
    let mut samples = Samples::<Compact>::new(20, 9);
    samples.act_with(&mut learner, 0.1);
    let settings = UpdateSettings { max_gradient_norm: 1e-3, ..SETTINGS };
    let losses = samples.update(&mut learner, &settings);
    assert!(losses.gradient_norm > 1e-2);
    // Adam's first mean is a tenth of the gradient it was given.
    let norm = learner.adam().means.iter().map(|mean| mean * mean).sum::<f32>().sqrt();
    assert!((norm / 1e-4 - 1.0).abs() < 1e-3, "{norm}");
}

#[test]
fn actions_that_are_never_legal_are_never_learnt_about() {
    let mut learner = shaken::<Compact>(&tiny(), 10);
    let mut samples = Samples::<Compact>::new(1, 0);
    samples.act_with(&mut learner, 0.1);
    let (legal, all) = (samples.legal(), [0].into_iter().collect());
    let (_, gradient) = learner.ppo_gradient(&samples.transitions(&legal), &all, &SETTINGS);
    let bias = learner.architecture().weights.iter().find(|t| t.name == "policy.bias").unwrap();
    let planes: Vec<bool> = gradient[bias.range.clone()].iter().map(|&g| g != 0.0).collect();
    // In the start position nothing promotes, is dropped or moves back.
    assert!(planes[0] && planes[3] && planes[4]);
    assert!(planes[10..].iter().all(|&learnt| !learnt));
}

#[test]
fn values_stay_between_a_loss_and_a_win() {
    let mut learner = shaken::<Compact>(&tiny(), 11);
    learner.change(|parameters| parameters.weights.iter_mut().for_each(|weight| *weight *= 30.0));
    let samples = Samples::<Compact>::new(40, 12);
    let evaluations = learner.evaluate(&samples.observations, &samples.legal());
    assert!(evaluations.iter().all(|e| (-1.0..=1.0).contains(&e.value)));
    assert!(evaluations.iter().any(|e| e.value.abs() > 0.99));
    for evaluation in evaluations {
        assert!((evaluation.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
#[should_panic(expected = "a position has a legal action")]
fn a_position_without_legal_actions_is_refused() {
    let samples = Samples::<Compact>::new(1, 0);
    shaken::<Compact>(&tiny(), 0).evaluate(&samples.observations, &[&[]]);
}

#[test]
fn a_position_is_evaluated_alike_in_any_company() {
    let mut learner = shaken::<Compact>(&NetConfig::default(), 13);
    let samples = Samples::<Compact>::new(21, 14);
    let together = learner.evaluate(&samples.observations, &samples.legal());
    for (i, evaluation) in together.iter().enumerate() {
        let alone: [Observation<Compact>; 1] = [samples.observations[i]];
        assert_eq!(&learner.evaluate(&alone, &[&samples.legal[i]])[0], evaluation);
    }
}

#[test]
fn the_logits_of_all_positions_are_those_of_their_policies_bit_by_bit() {
    let mut learner = shaken::<Compact>(&tiny(), 13);
    let samples = Samples::<Compact>::new(21, 14);
    let (observations, legal) = (&samples.observations, samples.legal());
    let expected = learner.evaluate(observations, &legal);
    // What was said before is forgotten.
    let mut outputs = Outputs { logits: vec![0.5], values: vec![0.5] };
    let mut evaluator = learner.evaluator();
    let asked: [&mut dyn Evaluator<Observation<Compact>>; 2] = [&mut learner, &mut evaluator];
    for network in asked {
        network.evaluate_into(observations, &legal, &mut outputs);
        let mut rest = &outputs.logits[..];
        for (i, expected) in expected.iter().enumerate() {
            let (logits, after) = rest.split_at(legal[i].len());
            assert_eq!(evaluation(logits.to_vec(), outputs.values[i]), *expected);
            rest = after;
        }
        assert!(rest.is_empty() && outputs.values.len() == expected.len());
    }
}

#[test]
fn the_first_policy_is_nearly_uniform_and_a_function_of_the_seed() {
    let new = |seed| CpuLearner::<Compact>::new(&NetConfig::default(), seed).unwrap();
    assert!(new(1).state() == new(1).state());
    assert!(new(1).state() != new(2).state());
    let samples = Samples::<Compact>::new(30, 15);
    let evaluations = new(1).evaluate(&samples.observations, &samples.legal());
    for evaluation in evaluations {
        let uniform = 1.0 / evaluation.policy.len() as f32;
        assert!(evaluation.policy.iter().all(|prob| (prob / uniform - 1.0).abs() < 0.1));
    }
}

#[test]
fn statistics_move_towards_what_the_layers_see() {
    let config = NetConfig { normalization: crate::Normalization::Batch, ..tiny() };
    let mut learner = CpuLearner::<Compact>::new(&config, 16).unwrap();
    let mut samples = Samples::<Compact>::new(40, 17);
    samples.act_with(&mut learner, 0.0);
    // With a rate of almost 0 only the statistics move, until they are those of the samples.
    let settings = UpdateSettings { learning_rate: 1e-12, ..SETTINGS };
    let mut step = || {
        let before = learner.parameters().statistics.clone();
        samples.update(&mut learner, &settings);
        let after = &learner.parameters().statistics;
        let moves = before.iter().zip(after).map(|(before, after)| (before - after).abs());
        moves.fold(0.0, f32::max)
    };
    let first = step();
    let last = (0..400).map(|_| step()).last().unwrap();
    assert!(first > 1e-2 && last < 1e-5, "{first} {last}");
    let variances = learner.architecture().statistics.iter().filter(|t| t.name.ends_with("var"));
    for tensor in variances {
        let statistics = &learner.parameters().statistics[tensor.range.clone()];
        assert!(statistics.iter().all(|&variance| variance >= 0.0 && variance != 1.0));
    }
}
