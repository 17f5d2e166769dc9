//! Evaluating positions together with their mirror images.

use keisei_encode::{Actions, Encode};
use keisei_net::{Evaluation, Evaluator};

type Observation<A> = <<A as Actions>::Game as Encode>::Packed;

/// The mean of what `evaluator` says of each position and of its mirror image, where the rules have
/// one.
pub(crate) fn evaluate<A: Actions>(
    evaluator: &mut impl Evaluator<Observation<A>>,
    observations: &[Observation<A>],
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
        let mirror = |&action: &u32| Compact::mirrored(action as usize) as u32;
        let mirrored: Vec<_> = actions.iter().map(mirror).collect();
        let seen = game.pack();
        let image = Shogi::mirrored(&seen).unwrap();
        let plain = LeftHanded.evaluate(&[seen, image], &[&actions, &mirrored]);
        assert_ne!(plain[0], plain[1]);
        let both = evaluate::<Compact>(&mut LeftHanded, &[seen, image], &[&actions, &mirrored]);
        assert!((both[0].value - both[1].value).abs() < 1e-6);
        let pairs = both[0].policy.iter().zip(&both[1].policy);
        assert!(pairs.clone().all(|(one, other)| (one - other).abs() < 1e-6));
        assert!((both[0].policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}
