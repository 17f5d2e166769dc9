//! The network and its loss against a plain second computation in f64.

mod integers;
mod learning;
mod reference;
pub(crate) mod samples;
mod saving;
mod symmetry;

use keisei_encode::animal::Arrivals;
use keisei_encode::chess::AlphaZero;
use keisei_encode::shogi::{Compact, Full};
use keisei_encode::{Actions, Encode};

use crate::architecture::Parameters;
use crate::{
    CpuLearner, Encoding, Evaluator, ImitationSettings, NetConfig, Normalization, PolicyHead,
    UpdateSettings,
};
use reference::{Numbers, Reference};
use samples::Samples;

pub(crate) const SETTINGS: UpdateSettings = UpdateSettings {
    learning_rate: 1e-3,
    clip_epsilon: 0.2,
    value_weight: 0.5,
    clip_value: false,
    entropy_weight: 0.01,
    relative_entropy: false,
    max_gradient_norm: 0.5,
};

pub(crate) const IMITATION: ImitationSettings =
    ImitationSettings { learning_rate: 1e-3, value_weight: 0.5, max_gradient_norm: 0.5 };

pub(crate) fn tiny() -> NetConfig {
    NetConfig { blocks: 2, channels: 5, value_hidden: 7, ..NetConfig::default() }
}

/// Tiny networks of every kind.
pub(crate) fn tiny_networks() -> Vec<NetConfig> {
    let batch = Normalization::Batch;
    vec![
        tiny(),
        NetConfig { policy_head: PolicyHead::Linear, normalization: batch, ..tiny() },
        NetConfig { global_pool: false, blocks: 1, channels: 17, ..tiny() },
        NetConfig { value_planes: 3, blocks: 1, ..tiny() },
        NetConfig { value_planes: 2, blocks: 1, normalization: batch, ..tiny() },
    ]
}

/// A learner whose every number is random, so that nothing is hidden behind a zero.
pub(crate) fn shaken<A: Actions>(config: &NetConfig, seed: u64) -> CpuLearner<A> {
    let mut learner = CpuLearner::<A>::new(config, seed).unwrap();
    let mut rng = keisei_game::SplitMix64::new(seed);
    let mut noise = || rng.below(2001) as f32 / 1000.0 - 1.0;
    learner.change(|Parameters { weights, statistics }| {
        weights.iter_mut().for_each(|weight| *weight += 0.1 * noise());
        statistics.iter_mut().for_each(|number| *number += 0.2 * noise());
    });
    learner
}

fn agrees_with_the_reference<A: Actions>(config: &NetConfig) {
    let mut learner = shaken::<A>(config, 3);
    let samples = Samples::<A>::new(21, 5);
    let evaluations = learner.evaluate(&samples.observations, &samples.legal());
    let reference = Reference { architecture: learner.architecture() };
    let numbers = Numbers::from(learner.parameters());
    for (i, evaluation) in evaluations.iter().enumerate() {
        let legal = &samples.legal[i];
        let (log_probs, value) = reference.evaluate(&numbers, &samples.planes(i), legal, A::cell);
        assert!((f64::from(evaluation.value) - value).abs() < 1e-5, "{config:?}");
        assert_eq!(evaluation.policy.len(), legal.len());
        for (&prob, log) in evaluation.policy.iter().zip(&log_probs) {
            assert!((f64::from(prob) - log.exp()).abs() < 1e-5, "{config:?}");
        }
    }
}

#[test]
fn values_and_policies_are_those_of_a_plain_computation() {
    for config in tiny_networks() {
        agrees_with_the_reference::<Compact>(&config);
        agrees_with_the_reference::<AlphaZero>(&config);
        agrees_with_the_reference::<Arrivals>(&config);
    }
    agrees_with_the_reference::<Full>(&NetConfig { policy_head: PolicyHead::Linear, ..tiny() });
}

/// Squares of the encoding's planes must be numbered as those of actions in `cell`.
fn computes_what_the_planes_say<A: Actions>(encoding: Encoding, cell: fn(usize) -> Option<usize>) {
    let config = NetConfig { encoding, ..tiny() };
    let mut learner = shaken::<A>(&config, 3);
    let samples = Samples::<A>::new(9, 5);
    let evaluations = learner.evaluate(&samples.observations, &samples.legal());
    let reference = Reference { architecture: learner.architecture() };
    let numbers = Numbers::from(learner.parameters());
    let view = encoding.view::<A::Game>().unwrap();
    for (i, evaluation) in evaluations.iter().enumerate() {
        let mut planes = vec![0.0; view.planes * <A::Game as Encode>::SQUARES];
        (view.expand)(&samples.observations[i], &mut planes);
        let (log_probs, value) = reference.evaluate(&numbers, &planes, &samples.legal[i], cell);
        assert!((f64::from(evaluation.value) - value).abs() < 1e-5);
        for (&prob, log) in evaluation.policy.iter().zip(&log_probs) {
            assert!((f64::from(prob) - log.exp()).abs() < 1e-5);
        }
    }
}

#[test]
fn a_network_with_other_planes_than_the_games_own_computes_what_they_say() {
    // dlshogi numbers the squares of its planes as those of actions, so a cell is an action's number.
    computes_what_the_planes_say::<Compact>(Encoding::Dlshogi, Some);
    computes_what_the_planes_say::<Compact>(Encoding::Attacks, Compact::cell);
    computes_what_the_planes_say::<AlphaZero>(Encoding::Attacks, AlphaZero::cell);
}

#[test]
fn an_encoding_of_another_game_is_refused_by_name() {
    fn refused<A: Actions>(encoding: Encoding) -> String {
        let config = NetConfig { encoding, ..tiny() };
        CpuLearner::<A>::new(&config, 1).map(|_| ()).unwrap_err().to_string()
    }
    let error = refused::<AlphaZero>(Encoding::Dlshogi);
    assert_eq!(error, "encoding is \"dlshogi\", but chess is not encoded so");
    let error = refused::<Arrivals>(Encoding::Attacks);
    assert_eq!(error, "encoding is \"attacks\", but animal is not encoded so");
}

#[test]
fn the_gradient_of_the_whole_loss_is_its_numerical_derivative() {
    let plain = SETTINGS;
    let other = UpdateSettings {
        clip_value: true,
        relative_entropy: true,
        entropy_weight: 0.3,
        value_weight: 1.5,
        ..SETTINGS
    };
    for (config, settings) in tiny_networks().iter().zip([plain, other, other, plain, other]) {
        let mut learner = shaken::<Compact>(config, 8);
        let mut samples = Samples::<Compact>::new(10, 6);
        samples.act_with(&mut learner, 0.3);
        let (legal, all) = (samples.legal(), (0..10).collect());
        let (sums, gradient) = learner.ppo_gradient(&samples.transitions(&legal), &all, &settings);
        let losses = sums.losses(0.0);
        let reference = Reference { architecture: learner.architecture() };
        let numbers = Numbers::from(learner.parameters());
        let loss = |numbers: &Numbers| reference.loss(numbers, &samples, &settings);
        let exact = loss(&numbers);
        assert!((f64::from(losses.policy) - exact.policy).abs() < 1e-5);
        assert!((f64::from(losses.value) - exact.value).abs() < 1e-5);
        assert!((f64::from(losses.entropy) - exact.entropy).abs() < 1e-4);
        assert!((f64::from(losses.approx_kl) - exact.approx_kl).abs() < 1e-5);
        is_the_derivative(&learner, &numbers, &gradient, |numbers| loss(numbers).total);
    }
}

#[test]
fn the_gradient_of_imitation_is_its_numerical_derivative() {
    for config in tiny_networks() {
        let mut learner = shaken::<Compact>(&config, 8);
        let samples = Samples::<Compact>::new(10, 6);
        let (legal, policies) = (samples.legal(), samples.policies());
        let (examples, selection) = (samples.examples(&legal, &policies), (0..10).collect());
        let (sums, gradient) = learner.imitation_gradient(&examples, &selection, &IMITATION);
        let losses = sums.losses(0.0);
        let reference = Reference { architecture: learner.architecture() };
        let numbers = Numbers::from(learner.parameters());
        let loss = |numbers: &Numbers| reference.imitation_loss(numbers, &samples, &IMITATION);
        let exact = loss(&numbers);
        assert!((f64::from(losses.policy) - exact.policy).abs() < 1e-5);
        assert!((f64::from(losses.value) - exact.value).abs() < 1e-5);
        assert!((f64::from(losses.entropy) - exact.entropy).abs() < 1e-4);
        assert!((f64::from(losses.approx_kl) - exact.approx_kl).abs() < 1e-5);
        is_the_derivative(&learner, &numbers, &gradient, |numbers| loss(numbers).total);
    }
}

/// Checks some numbers of `gradient` against differences of `loss`.
fn is_the_derivative(
    learner: &CpuLearner<Compact>,
    numbers: &Numbers,
    gradient: &[f32],
    loss: impl Fn(&Numbers) -> f64,
) {
    let norm = gradient.iter().map(|&g| f64::from(g).powi(2)).sum::<f64>().sqrt();
    let mut checked = 0;
    for tensor in &learner.architecture().weights {
        // Some numbers of every tensor, the first and the last among them.
        let last = tensor.range.len() - 1;
        for i in [0, 1, 2, 3, 4].map(|part| tensor.range.start + part * last / 4) {
            let derivative = |delta: f64| {
                let at = |sign: f64| {
                    let mut moved = numbers.clone();
                    moved.weights[i] += sign * delta;
                    loss(&moved)
                };
                (at(1.0) - at(-1.0)) / (2.0 * delta)
            };
            // Where the kink of a ReLU lies between the two points, a closer look decides.
            let error = [1e-4, 1e-6, 1e-7]
                .map(|delta| (derivative(delta) - f64::from(gradient[i])).abs())
                .into_iter()
                .fold(f64::INFINITY, f64::min);
            assert!(error < 1e-4 * norm, "{} {i}: {error} of {}", tensor.name, gradient[i]);
            checked += 1;
        }
    }
    assert!(checked > 50);
}
