//! Growing a network: a larger one that says the same and has room to learn more.
//!
//! What is new begins with random weights, as in any network, but nothing that was there listens to
//! it yet: the weights from a new plane or channel to an old one are 0, and new blocks add nothing.
//! Learning takes it up from there.

use keisei_encode::Actions;

use crate::adam::Adam;
use crate::architecture::{Architecture, Tensor, len};
use crate::config::{Encoding, NetConfig, Normalization};
use crate::learner::StateError;
use crate::weights::{Header, open, read_parameters, write_state};

/// The state of a learner with the network `network` that begins with `weights`, which may be those
/// of a smaller network. What is new follows from `seed`.
///
/// # Errors
///
/// If the weights are not for the actions `A`, or for a network that cannot grow into this one.
pub fn initial_state<A: Actions>(
    weights: &[u8],
    network: &NetConfig,
    seed: u64,
) -> Result<Vec<u8>, StateError> {
    let found = Header::read(weights)?;
    let old = architecture::<A>(&found.network)?;
    let file = open(weights, &Header::new::<A>(found.network.clone(), 0))?;
    let known = read_parameters(&file, &old)?;
    let new = architecture::<A>(network)?;
    let header = Header::new::<A>(network.clone(), 0);
    let parameters = match found.network == *network {
        true => known,
        false => {
            found.network.check_growth(network)?;
            let mut grown = new.init(seed);
            for tensor in &new.weights {
                let old = old.weights.iter().find(|old| old.name == tensor.name);
                let old = old.map(|old| (old, &known.weights[old.range.clone()]));
                grow(tensor, &mut grown.weights[tensor.range.clone()], old);
            }
            grown
        }
    };
    Ok(write_state(&header, &new, &parameters, &Adam::new(len(&new.weights))))
}

fn architecture<A: Actions>(network: &NetConfig) -> Result<Architecture, StateError> {
    Architecture::of::<A>(network).map_err(|e| StateError::Format(format!("network: {e}")))
}

impl NetConfig {
    /// Checks that a network of this shape can grow into `larger`.
    fn check_growth(&self, larger: &Self) -> Result<(), StateError> {
        let sizes = |network: &Self| {
            [network.blocks, network.channels, network.value_planes, network.value_hidden]
        };
        // The planes of attacks begin with the game's own.
        let encoding = match (self.encoding, larger.encoding) {
            (Encoding::Own, Encoding::Attacks) => Encoding::Attacks,
            (same, _) => same,
        };
        let same_kind = Self {
            encoding,
            blocks: larger.blocks,
            channels: larger.channels,
            value_planes: larger.value_planes,
            value_hidden: larger.value_hidden,
            ..self.clone()
        } == *larger;
        let grows = sizes(self).iter().zip(sizes(larger)).all(|(&old, new)| old <= new);
        match same_kind && grows && self.normalization == Normalization::None {
            true => Ok(()),
            false => {
                let text = |network: &Self| serde_json::to_string(network).expect("plain data");
                Err(StateError::Growth { from: text(self), to: text(larger) })
            }
        }
    }
}

/// Puts the `known` numbers of a tensor among the initial ones of a larger one.
fn grow(tensor: &Tensor, numbers: &mut [f32], known: Option<(&Tensor, &[f32])>) {
    let Some((old, known)) = known else {
        if tensor.name.ends_with(".second.weight") {
            numbers.fill(0.0);
        }
        return;
    };
    let sides = |tensor: &Tensor| match tensor.shape[..] {
        [outputs] => (outputs, 1),
        [outputs, inputs, ..] => (outputs, inputs),
        [] => unreachable!("a tensor has a shape"),
    };
    let ((outputs, inputs), (old_outputs, old_inputs)) = (sides(tensor), sides(old));
    let taps = numbers.len() / (outputs * inputs);
    // A pooled channel comes twice, among the means and among the maxima.
    let halves = if tensor.name.ends_with(".pool.weight") { 2 } else { 1 };
    let (half, old_half) = (inputs / halves, old_inputs / halves);
    for (output, row) in numbers.chunks_exact_mut(inputs * taps).take(old_outputs).enumerate() {
        for (input, weights) in row.chunks_exact_mut(taps).enumerate() {
            let channel = input % half;
            if channel < old_half {
                let input = input / half * old_half + channel;
                let start = (output * old_inputs + input) * taps;
                weights.copy_from_slice(&known[start..start + taps]);
            } else {
                weights.fill(0.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use keisei_encode::chess::AlphaZero;
    use keisei_encode::shogi::Compact;

    use super::*;
    use crate::learner::Learner;
    use crate::proof::samples::Samples;
    use crate::proof::{IMITATION, shaken, tiny};
    use crate::{CpuLearner, Evaluator};

    fn grown<A: Actions>(old: &CpuLearner<A>, network: &NetConfig) -> CpuLearner<A> {
        let mut learner = CpuLearner::new(network, 0).unwrap();
        learner.restore(&initial_state::<A>(&old.weights(), network, 7).unwrap()).unwrap();
        learner
    }

    fn says_the_same<A: Actions>(network: &NetConfig) {
        let mut old = shaken::<A>(&tiny(), 3);
        let mut new = grown(&old, network);
        let samples = Samples::<A>::new(30, 5);
        let legal = samples.legal();
        let expected = old.evaluate(&samples.observations, &legal);
        for (found, expected) in new.evaluate(&samples.observations, &legal).iter().zip(&expected) {
            assert!((found.value - expected.value).abs() < 1e-5, "{network:?}");
            let pairs = found.policy.iter().zip(&expected.policy);
            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-5), "{network:?}");
        }
    }

    #[test]
    fn a_network_that_has_grown_says_the_same() {
        let NetConfig { blocks, channels, value_planes, value_hidden, .. } = tiny();
        let same = tiny();
        let wider = NetConfig { channels: channels + 5, ..tiny() };
        let deeper = NetConfig { blocks: blocks + 2, ..tiny() };
        let larger = NetConfig { value_hidden: value_hidden + 3, ..wider.clone() };
        let more_value = NetConfig { value_planes: value_planes + 2, ..tiny() };
        let all = NetConfig { blocks: blocks + 1, value_planes: value_planes + 2, ..larger };
        for network in [same, wider, deeper, more_value, all.clone()] {
            says_the_same::<Compact>(&network);
            says_the_same::<AlphaZero>(&network);
        }
        let encoding = Encoding::Attacks;
        says_the_same::<Compact>(&NetConfig { encoding, ..tiny() });
        says_the_same::<Compact>(&NetConfig { encoding, ..all });
    }

    #[test]
    fn a_network_that_sees_attacks_goes_on_seeing_them_when_it_grows() {
        let network = NetConfig { encoding: Encoding::Attacks, value_planes: 2, ..tiny() };
        let mut old = shaken::<Compact>(&network, 3);
        let larger = NetConfig { channels: network.channels + 3, value_planes: 3, ..network };
        let mut new = grown(&old, &larger);
        let samples = Samples::<Compact>::new(10, 5);
        let legal = samples.legal();
        let expected = old.evaluate(&samples.observations, &legal);
        for (found, expected) in new.evaluate(&samples.observations, &legal).iter().zip(&expected) {
            assert!((found.value - expected.value).abs() < 1e-5);
        }
    }

    #[test]
    fn what_is_new_takes_part_after_a_few_steps() {
        let larger = NetConfig {
            encoding: Encoding::Attacks,
            blocks: tiny().blocks + 1,
            channels: 16,
            value_planes: 3,
            ..tiny()
        };
        let mut learner = grown(&shaken::<Compact>(&tiny(), 3), &larger);
        let before = learner.parameters().weights.clone();
        let samples = Samples::<Compact>::new(40, 5);
        let (legal, policies) = (samples.legal(), samples.policies());
        let minibatches = vec![(0..40).collect(); 3];
        learner.imitate(&samples.examples(&legal, &policies), &minibatches, &IMITATION);
        for tensor in &learner.architecture().weights {
            let range = tensor.range.clone();
            let (after, before) = (&learner.parameters().weights[range.clone()], &before[range]);
            assert!(after != before, "{} has not learned", tensor.name);
        }
        // The weights from a new plane to an old channel, and from a new plane to an old unit.
        let architecture = learner.architecture();
        let parts = [(&architecture.input, 60), (&architecture.value_hidden, 81 + 40)];
        for (layer, input) in parts {
            let kernel = layer.kernel(0, input);
            assert!(before[kernel.clone()].iter().all(|&weight| weight == 0.0));
            assert!(learner.parameters().weights[kernel].iter().any(|&weight| weight != 0.0));
        }
    }

    #[test]
    fn a_network_cannot_shrink_or_change_its_kind() {
        let weights = shaken::<Compact>(&tiny(), 3).weights();
        let smaller = NetConfig { blocks: 0, ..tiny() };
        let other = NetConfig { global_pool: !tiny().global_pool, ..tiny() };
        let elsewhere = NetConfig { encoding: Encoding::Dlshogi, ..tiny() };
        for network in [smaller, other, elsewhere] {
            let error = initial_state::<Compact>(&weights, &network, 0).unwrap_err();
            let error = error.to_string();
            assert!(error.contains("cannot grow into"), "{error}");
            assert!(error.contains("value_planes") && error.contains("\"attacks\""), "{error}");
        }
        let seeing = NetConfig { encoding: Encoding::Attacks, value_planes: 2, ..tiny() };
        let weights = shaken::<Compact>(&seeing, 3).weights();
        let blind = NetConfig { encoding: Encoding::Own, ..seeing.clone() };
        let fewer = NetConfig { value_planes: 1, ..seeing };
        for network in [blind, fewer] {
            let error = initial_state::<Compact>(&weights, &network, 0).unwrap_err();
            assert!(error.to_string().contains("cannot grow into"), "{error}");
        }
    }
}
