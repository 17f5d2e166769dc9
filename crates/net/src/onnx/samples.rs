//! Positions with a network's answers, for whoever runs its model elsewhere.

use keisei_encode::{Actions, Encode, Observation, Ports};
use safetensors::Dtype;
use safetensors::tensor::{TensorView, serialize};

use crate::evaluator::Evaluator;
use crate::learner::StateError;
use crate::net_evaluator::NetEvaluator;

/// What a model's inputs and outputs are for these positions, as safetensors: the policy as
/// probabilities over all actions, legal or not.
///
/// # Errors
///
/// If the weights are damaged, or not for the actions `A`.
pub fn samples<A: Actions>(
    weights: &[u8],
    observations: &[Observation<A>],
) -> Result<Vec<u8>, StateError> {
    let mut network = NetEvaluator::<A>::from_weights(weights)?;
    let view = network.header().network.encoding.view::<A::Game>().map_err(super::bad_network)?;
    let Ports { inputs, policy, value, value_is_chance } = view.ports;
    let (count, squares) = (observations.len(), <A::Game as Encode>::SQUARES);
    let columns = <A::Game as Encode>::COLUMNS;
    let mut tensors = Vec::new();
    let mut first = 0;
    for &(name, planes) in inputs {
        let mut all = vec![0.0; view.planes * squares];
        let mut bytes = Vec::new();
        for observation in observations {
            (view.expand)(observation, &mut all);
            bytes.extend(to_bytes(&all[first * squares..(first + planes) * squares]));
        }
        tensors.push((name, vec![count, planes, squares / columns, columns], bytes));
        first += planes;
    }
    let actions: Vec<u32> = (0..A::COUNT as u32).collect();
    let answers = network.evaluate(observations, &vec![&actions[..]; count]);
    let chance = |value: f32| if value_is_chance { (1.0 + value) / 2.0 } else { value };
    let values: Vec<f32> = answers.iter().map(|answer| chance(answer.value)).collect();
    let policies: Vec<f32> = answers.into_iter().flat_map(|answer| answer.policy).collect();
    tensors.push((policy, vec![count, A::COUNT], to_bytes(&policies)));
    tensors.push((value, vec![count, 1], to_bytes(&values)));
    let views = tensors.iter().map(|(name, shape, bytes)| {
        let view = TensorView::new(Dtype::F32, shape.clone(), bytes);
        (*name, view.expect("shape and numbers belong together"))
    });
    Ok(serialize(views, None).expect("tensors that are whole can be written"))
}

fn to_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
