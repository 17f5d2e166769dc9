//! Evaluating a position together with its left–right mirror image.

use keisei_encode::{Actions, Encode, Observation};

use crate::evaluator::{Evaluation, Evaluator};

/// The mean of what `evaluator` says of each position and of its mirror image, in one batch. A
/// position of a game without a mirror image is evaluated alone.
///
/// A network that learnt from one view only is a little surer of one hand than of the other; the
/// mean of both views has no such preference, and plays better for twice the work.
pub fn evaluate_mirrored<A: Actions>(
    evaluator: &mut (impl Evaluator<Observation<A>> + ?Sized),
    observations: &[Observation<A>],
    legal: &[&[u32]],
) -> Vec<Evaluation> {
    let mut views = observations.to_vec();
    let (mut mirrored, mut actions) = (Vec::new(), Vec::new());
    for (place, observation) in observations.iter().enumerate() {
        if let Some(image) = A::Game::mirrored(observation) {
            views.push(image);
            mirrored.push(place);
            actions.push(mirrored_actions::<A>(legal[place]));
        }
    }
    let all: Vec<_> = legal.iter().copied().chain(actions.iter().map(Vec::as_slice)).collect();
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

/// The same actions in the mirror.
fn mirrored_actions<A: Actions>(actions: &[u32]) -> Vec<u32> {
    actions.iter().map(|&action| A::mirrored(action as usize) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_encode::legal_actions;
    use keisei_encode::shogi::Compact;
    use keisei_game::Game;
    use keisei_shogi::Shogi;

    /// Likes what stands on the left, and actions with small numbers.
    struct LeftHanded;

    impl Evaluator<Observation<Compact>> for LeftHanded {
        fn evaluate(
            &mut self,
            observations: &[Observation<Compact>],
            legal: &[&[u32]],
        ) -> Vec<Evaluation> {
            let evaluation = |(observation, legal): (&Observation<Compact>, &&[u32])| {
                let left = observation.as_ref()[..81].iter().enumerate();
                let value = left.map(|(i, &cell)| f32::from(cell) * (i % 9) as f32 / 1e4).sum();
                let total: f32 = legal.iter().map(|&action| 1.0 / (1.0 + action as f32)).sum();
                let share = |&action: &u32| 1.0 / (1.0 + action as f32) / total;
                Evaluation { value, policy: legal.iter().map(share).collect() }
            };
            observations.iter().zip(legal).map(evaluation).collect()
        }
    }

    #[test]
    fn a_position_and_its_mirror_image_are_judged_alike() {
        let mut game = Shogi::new();
        for text in ["7g7f", "3c3d", "2g2f", "8c8d"] {
            game.play(game.parse_move(text).unwrap()).unwrap();
        }
        let actions: Vec<_> =
            legal_actions::<Compact>(game.position()).iter().map(|a| a.0 as u32).collect();
        let mirrored = mirrored_actions::<Compact>(&actions);
        let seen = game.pack();
        let image = Shogi::mirrored(&seen).unwrap();
        let plain = LeftHanded.evaluate(&[seen, image], &[&actions, &mirrored]);
        assert_ne!(plain[0], plain[1]);
        let both =
            evaluate_mirrored::<Compact>(&mut LeftHanded, &[seen, image], &[&actions, &mirrored]);
        assert!((both[0].value - both[1].value).abs() < 1e-6);
        let pairs = both[0].policy.iter().zip(&both[1].policy);
        assert!(pairs.clone().all(|(one, other)| (one - other).abs() < 1e-6));
        assert!((both[0].policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}
