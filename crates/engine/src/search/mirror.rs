//! Evaluating positions together with their mirror images.

use keisei_encode::{Actions, Encode};
use keisei_net::{Evaluation, Evaluator};

type Seen<A> = <<A as Actions>::Game as Encode>::Packed;

/// The mean of what `evaluator` says of each position and of its mirror image, where the rules have
/// one.
pub(super) fn evaluate<A: Actions>(
    evaluator: &mut impl Evaluator<Seen<A>>,
    observations: &[Seen<A>],
    legal: &[&[u32]],
) -> Vec<Evaluation> {
    let mut views = observations.to_vec();
    let mut mirrored = Vec::new();
    let mut actions = Vec::new();
    for (place, observation) in observations.iter().enumerate() {
        if let Some(image) = A::Game::mirrored(observation) {
            views.push(image);
            mirrored.push(place);
            let mirror = |&action: &u32| A::mirrored(action as usize) as u32;
            actions.push(legal[place].iter().map(mirror).collect::<Vec<_>>());
        }
    }
    let mut all: Vec<&[u32]> = legal.to_vec();
    all.extend(actions.iter().map(Vec::as_slice));
    let mut evaluations = evaluator.evaluate(&views, &all);
    let images = evaluations.split_off(observations.len());
    for (place, image) in mirrored.into_iter().zip(images) {
        let one = &mut evaluations[place];
        one.value = (one.value + image.value) / 2.0;
        for (probability, other) in one.policy.iter_mut().zip(image.policy) {
            *probability = (*probability + other) / 2.0;
        }
    }
    evaluations
}
