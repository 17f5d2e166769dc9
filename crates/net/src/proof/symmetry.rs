//! Left and right.

use keisei_encode::shogi::Compact;
use keisei_encode::{Actions, Encode};
use keisei_shogi::Shogi;

use super::samples::Samples;
use super::{shaken, tiny};
use crate::{CpuLearner, Evaluator};

const SIDE: usize = 9;
const SQUARES: usize = 81;

fn mirrored_square(square: usize) -> usize {
    square / SIDE * SIDE + SIDE - 1 - square % SIDE
}

/// Makes each weight that of `mirror`, where it leads to a smaller place.
fn fold(weights: &mut [f32], mirror: impl Fn(usize) -> usize) {
    for place in 0..weights.len() {
        weights[place] = weights[mirror(place).min(place)];
    }
}

/// A network that cannot tell left from right.
fn symmetric() -> CpuLearner<Compact> {
    let mut learner = shaken::<Compact>(&tiny(), 1);
    let tensors = learner.architecture().weights.clone();
    // The plane that each plane of actions becomes in a mirror.
    let mirrored_plane = |plane: usize| Compact::mirrored(plane * SQUARES) / SQUARES;
    learner.change(|parameters| {
        for tensor in tensors {
            let weights = &mut parameters.weights[tensor.range.clone()];
            match (tensor.name.as_str(), tensor.shape.as_slice()) {
                ("policy.weight" | "policy.bias", shape) => {
                    let width: usize = shape[1..].iter().product();
                    fold(weights, |i| mirrored_plane(i / width) * width + i % width);
                }
                ("value.hidden.weight", _) => {
                    fold(weights, |i| i / SQUARES * SQUARES + mirrored_square(i % SQUARES));
                }
                (_, [_, _, 3, 3]) => fold(weights, |i| i / 3 * 3 + 2 - i % 3),
                _ => {}
            }
        }
    });
    learner
}

#[test]
fn a_network_that_cannot_tell_left_from_right_plays_the_mirrored_move_in_a_mirror() {
    let mut learner = symmetric();
    let samples = Samples::<Compact>::new(40, 2);
    let mirrored: Vec<_> = samples
        .observations
        .iter()
        .map(|seen| Shogi::mirrored(seen).expect("shogi has a mirror"))
        .collect();
    let mirror = |actions: &Vec<u32>| -> Vec<u32> {
        actions.iter().map(|&action| Compact::mirrored(action as usize) as u32).collect()
    };
    let mirrored_legal: Vec<_> = samples.legal.iter().map(mirror).collect();
    let mirrored_legal: Vec<&[u32]> = mirrored_legal.iter().map(Vec::as_slice).collect();
    let plain = learner.evaluate(&samples.observations, &samples.legal());
    let mirrored = learner.evaluate(&mirrored, &mirrored_legal);
    let mut differ = false;
    for (plain, mirrored) in plain.iter().zip(&mirrored) {
        assert!((plain.value - mirrored.value).abs() < 1e-5);
        for (one, other) in plain.policy.iter().zip(&mirrored.policy) {
            assert!((one - other).abs() < 1e-5);
        }
        differ |= (plain.policy[0] - mirrored.policy[plain.policy.len() - 1]).abs() > 1e-3;
    }
    assert!(differ, "all probabilities are alike");
}

#[test]
fn the_planes_of_actions_lie_on_the_board_as_observations_do() {
    for action in 0..Compact::COUNT {
        let cell = Compact::cell(action).unwrap();
        let mirror = Compact::cell(Compact::mirrored(action)).unwrap();
        assert_eq!(mirror % SQUARES, mirrored_square(cell % SQUARES));
    }
    let cells: std::collections::HashSet<_> = (0..Compact::COUNT).map(Compact::cell).collect();
    assert_eq!(cells.len(), Compact::COUNT);
}
