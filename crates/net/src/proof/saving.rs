//! Saved states and weights.

use keisei_encode::Actions;
use keisei_encode::chess::AlphaZero;
use keisei_encode::shogi::{Compact, Full};

use super::samples::Samples;
use super::{SETTINGS, shaken, tiny, tiny_networks};
use crate::architecture::Architecture;
use crate::{
    ConfigError, CpuLearner, Evaluator, Header, Learner, NetConfig, NetEvaluator, PolicyHead,
    StateError, in_half_precision,
};

fn updates<A: Actions>(learner: &mut CpuLearner<A>, samples: &Samples<A>, count: usize) {
    for _ in 0..count {
        samples.update(learner, &SETTINGS);
    }
}

#[test]
fn a_restored_learner_goes_on_as_if_nothing_had_happened() {
    for config in tiny_networks() {
        let mut learner = shaken::<Compact>(&config, 1);
        let mut samples = Samples::<Compact>::new(30, 2);
        samples.act_with(&mut learner, 0.2);
        updates(&mut learner, &samples, 3);
        let mut restored = CpuLearner::<Compact>::new(&config, 99).unwrap();
        restored.restore(&learner.state()).unwrap();
        assert!(restored.state() == learner.state());
        updates(&mut learner, &samples, 3);
        updates(&mut restored, &samples, 3);
        assert!(restored.state() == learner.state());
        assert_eq!(Header::read(&restored.weights()).unwrap().step, 6);
    }
}

#[test]
fn an_evaluator_made_from_weights_says_what_the_learner_says() {
    for config in tiny_networks() {
        let mut learner = shaken::<AlphaZero>(&config, 3);
        let samples = Samples::<AlphaZero>::new(20, 4);
        let expected = learner.evaluate(&samples.observations, &samples.legal());
        let evaluator = NetEvaluator::<AlphaZero>::from_weights(&learner.weights()).unwrap();
        assert_eq!(evaluator.header().network, config);
        std::thread::scope(|scope| {
            for mut evaluator in [evaluator.clone(), evaluator] {
                let (samples, expected) = (&samples, &expected);
                scope.spawn(move || {
                    let found = evaluator.evaluate(&samples.observations, &samples.legal());
                    assert_eq!(&found, expected);
                });
            }
        });
    }
}

#[test]
fn an_evaluator_taken_from_a_learner_does_not_learn_with_it() {
    let mut learner = shaken::<Compact>(&tiny(), 5);
    let mut samples = Samples::<Compact>::new(20, 6);
    samples.act_with(&mut learner, 0.2);
    let mut evaluator = learner.evaluator();
    let before = learner.evaluate(&samples.observations, &samples.legal());
    updates(&mut learner, &samples, 2);
    assert_eq!(evaluator.evaluate(&samples.observations, &samples.legal()), before);
    assert_ne!(learner.evaluate(&samples.observations, &samples.legal()), before);
    assert_eq!(evaluator.header().step, 0);
}

#[test]
fn weights_are_taken_over_without_the_memory_of_the_optimiser() {
    let mut teacher = shaken::<Compact>(&tiny(), 5);
    let mut samples = Samples::<Compact>::new(20, 6);
    samples.act_with(&mut teacher, 0.2);
    let mut learner = CpuLearner::<Compact>::new(&tiny(), 7).unwrap();
    updates(&mut learner, &samples, 2);
    learner.load_weights(&teacher.weights()).unwrap();
    assert!(learner.state() == teacher.state());
}

#[test]
fn what_is_for_something_else_is_refused_by_name() {
    let linear = NetConfig { policy_head: PolicyHead::Linear, ..tiny() };
    let learner = CpuLearner::<Compact>::new(&linear, 0).unwrap();
    let refusal = |error: StateError| match error {
        StateError::Mismatch { key, found, expected } => (key, found, expected),
        other => panic!("{other}"),
    };
    let (key, found, expected) =
        refusal(NetEvaluator::<AlphaZero>::from_weights(&learner.weights()).unwrap_err());
    assert_eq!((&*key, &*found, &*expected), ("game", "shogi", "chess"));
    let (key, found, expected) =
        refusal(NetEvaluator::<Full>::from_weights(&learner.weights()).unwrap_err());
    assert_eq!((&*key, &*found, &*expected), ("actions", "compact", "full"));
    let larger = NetConfig { channels: 6, ..linear };
    let mut other = CpuLearner::<Compact>::new(&larger, 0).unwrap();
    let before = other.state();
    let error = other.restore(&learner.state()).unwrap_err();
    assert!(error.to_string().contains("\\\"channels\\\":5"), "{error}");
    assert_eq!(refusal(error).0, "network");
    assert!(other.state() == before);
    let mut header = Header::read(&learner.weights()).unwrap();
    header.encoding += 1;
    let error = NetEvaluator::<Compact>::from_weights(&header.write(&[])).unwrap_err();
    assert_eq!(refusal(error).0, "encoding");
}

#[test]
fn planes_of_actions_are_refused_where_actions_are_not_planes() {
    let error = CpuLearner::<Full>::new(&NetConfig::default(), 0).unwrap_err();
    assert_eq!(error, ConfigError::NoPlanes { actions: "full" });
}

#[test]
fn damaged_files_are_refused_and_change_nothing() {
    let mut learner = CpuLearner::<Compact>::new(&tiny(), 8).unwrap();
    let state = learner.state();
    let mut restore = |bytes: &[u8]| learner.restore(bytes).unwrap_err();
    assert!(matches!(restore(b""), StateError::Format(_)));
    assert!(matches!(restore(&state[..state.len() - 1]), StateError::Format(_)));
    assert!(matches!(restore(&state[8..]), StateError::Format(_)));
    let architecture = Architecture::of::<Compact>(&tiny()).unwrap();
    let header = Header::read(&state).unwrap();
    let weights = vec![0.5; architecture.weights.last().unwrap().range.end];
    let missing = restore(&header.write(&[("", &architecture.weights[1..], &weights)]));
    assert_eq!(missing.to_string(), "tensor \"input.weight\": is missing");
    let mut tensors = architecture.weights.clone();
    tensors[1].shape = vec![1, 5];
    let shape = restore(&header.write(&[("", &tensors, &weights)]));
    assert_eq!(shape.to_string(), "tensor \"input.bias\": has the shape [1, 5], but [5] is needed");
    let mut spoilt = weights.clone();
    spoilt[architecture.weights[3].range.start] = f32::NAN;
    let not_finite = restore(&header.write(&[("", &architecture.weights, &spoilt)]));
    assert_eq!(not_finite, StateError::NotFinite(architecture.weights[3].name.clone()));
    // Weights alone are no state: what the optimiser remembers is missing.
    let no_state = restore(&header.write(&[("", &architecture.weights, &weights)]));
    assert!(no_state.to_string().starts_with("tensor \"adam.mean."), "{no_state}");
    assert!(learner.state() == state);
}

#[test]
fn the_documents_network_has_the_documents_layers() {
    let architecture = Architecture::of::<Compact>(&NetConfig::document()).unwrap();
    let shape = |name: &str| {
        let tensor = architecture.weights.iter().find(|tensor| tensor.name == name);
        tensor.unwrap_or_else(|| panic!("{name} is missing")).shape.clone()
    };
    assert_eq!(shape("input.weight"), [256, 46, 3, 3]);
    assert_eq!(shape("input.norm.weight"), [256]);
    for i in 0..10 {
        assert_eq!(shape(&format!("blocks.{i}.first.weight")), [256, 256, 3, 3]);
        assert_eq!(shape(&format!("blocks.{i}.second.norm.bias")), [256]);
    }
    assert_eq!(architecture.blocks.len(), 10);
    assert_eq!(shape("policy.weight"), [2, 256, 1, 1]);
    assert_eq!(shape("policy.linear.weight"), [2187, 162]);
    assert_eq!(shape("value.weight"), [1, 256, 1, 1]);
    assert_eq!(shape("value.hidden.weight"), [256, 81]);
    assert_eq!(shape("value.out.weight"), [1, 256]);
}

#[test]
fn weights_in_half_the_bytes_say_nearly_the_same_and_teach_a_learner() {
    let learner = shaken::<Compact>(&tiny(), 5);
    let (whole, state) = (learner.weights(), learner.state());
    let half = in_half_precision(&whole).unwrap();
    assert!(half.len() < whole.len() * 6 / 10, "{} of {}", half.len(), whole.len());
    assert!(in_half_precision(&half).unwrap() == half, "halved twice");
    assert!(in_half_precision(&state).unwrap() == half, "the optimiser's memory is left out");
    assert_eq!(Header::read(&half).unwrap(), Header::read(&whole).unwrap());
    let samples = Samples::<Compact>::new(20, 6);
    let says = |bytes: &[u8]| {
        let mut evaluator = NetEvaluator::<Compact>::from_weights(bytes).unwrap();
        evaluator.evaluate(&samples.observations, &samples.legal())
    };
    for (whole, half) in says(&whole).iter().zip(says(&half)) {
        assert!((whole.value - half.value).abs() < 0.01, "{} {}", whole.value, half.value);
        let mut pairs = whole.policy.iter().zip(&half.policy);
        assert!(pairs.all(|(one, other)| (one - other).abs() < 0.01));
    }
    CpuLearner::<Compact>::new(&tiny(), 7).unwrap().load_weights(&half).unwrap();
}
