//! The network in integers against the network in f32.

use keisei_encode::Actions;
use keisei_encode::animal::Arrivals;
use keisei_encode::chess::AlphaZero;
use keisei_encode::shogi::{Compact, Full};
use pulp::Arch;

use super::samples::Samples;
use super::{shaken, tiny, tiny_networks};
use crate::cpu::simd::forced::ARCH;
use crate::cpu::{Tier, forced};
use crate::{
    Evaluation, Evaluator, InferencePrecision, Learner, NetConfig, NetEvaluator, Normalization,
    PolicyHead,
};

fn network<A: Actions>(config: &NetConfig, precision: InferencePrecision) -> NetEvaluator<A> {
    let learner = shaken::<A>(config, 3);
    NetEvaluator::from_weights(&learner.weights()).unwrap().with_precision(precision)
}

/// Evaluates with the instructions of `tier`, which this processor has.
fn evaluate_with<A: Actions>(
    tier: Tier,
    network: &mut NetEvaluator<A>,
    samples: &Samples<A>,
) -> Vec<Evaluation> {
    let arch = match tier {
        Tier::Portable => Arch::Scalar,
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 => Arch::V3(pulp::x86::V3::try_new().expect("the tier is here")),
        _ => Arch::new(),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .start_handler(move |_| {
            ARCH.set(Some(arch));
            forced::TIER.set(Some(tier));
        })
        .build()
        .unwrap();
    pool.install(|| network.evaluate(&samples.observations, &samples.legal()))
}

fn is_close_to_floats<A: Actions>(config: &NetConfig) {
    let samples = Samples::<A>::new(21, 5);
    let [exact, rounded] = [InferencePrecision::F32, InferencePrecision::Int16].map(|precision| {
        network::<A>(config, precision).evaluate(&samples.observations, &samples.legal())
    });
    for (exact, rounded) in exact.iter().zip(&rounded) {
        assert!((exact.value - rounded.value).abs() < 5e-3, "{config:?}");
        let pairs = exact.policy.iter().zip(&rounded.policy);
        let divergence: f32 = pairs.map(|(p, q)| p * (p / q).ln()).sum();
        assert!(divergence.abs() < 1e-4, "{config:?}: {divergence}");
    }
}

fn is_the_same_on_all_tiers<A: Actions>(config: &NetConfig) {
    let samples = Samples::<A>::new(13, 7);
    let mut network = network::<A>(config, InferencePrecision::Int16);
    let usual = network.evaluate(&samples.observations, &samples.legal());
    for &tier in Tier::ALL.iter().filter(|&&tier| forced::is_here(tier)) {
        assert_eq!(evaluate_with(tier, &mut network, &samples), usual, "{tier:?}, {config:?}");
    }
}

/// Networks whose channels fill vectors, half of one, or none.
fn networks() -> Vec<NetConfig> {
    let wide = [16, 32, 48, 64, 80, 128].map(|channels| NetConfig { channels, ..tiny() });
    tiny_networks().into_iter().chain(wide).collect()
}

#[test]
fn integers_say_nearly_what_floats_say() {
    for config in networks() {
        is_close_to_floats::<Compact>(&config);
        is_close_to_floats::<AlphaZero>(&config);
        is_close_to_floats::<Arrivals>(&config);
    }
    is_close_to_floats::<Full>(&NetConfig { policy_head: PolicyHead::Linear, ..tiny() });
}

#[test]
fn integers_give_the_same_bits_with_all_vector_instructions() {
    for config in networks() {
        is_the_same_on_all_tiers::<Compact>(&config);
        is_the_same_on_all_tiers::<AlphaZero>(&config);
        is_the_same_on_all_tiers::<Arrivals>(&config);
    }
    let document = NetConfig { blocks: 1, channels: 256, ..NetConfig::document() };
    assert_eq!(document.normalization, Normalization::Batch);
    is_the_same_on_all_tiers::<Full>(&document);
}

#[test]
fn a_position_in_integers_does_not_depend_on_the_others_in_its_batch() {
    let samples = Samples::<Compact>::new(19, 11);
    let mut network = network::<Compact>(&tiny(), InferencePrecision::Int16);
    let together = network.evaluate(&samples.observations, &samples.legal());
    for (i, evaluation) in together.iter().enumerate() {
        let alone = network.evaluate(&samples.observations[i..=i], &[&samples.legal[i]]);
        assert_eq!(alone[0], *evaluation);
    }
}
