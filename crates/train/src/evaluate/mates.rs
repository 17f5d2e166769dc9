//! Held-out positions with a mate in one: the best early sign that something is learned.

use keisei_encode::{Actions, Observation, legal_actions};
use keisei_game::{Game, Position, Reason, Rules, likeliest};

use super::player::NetworkPlayer;
use serde::{Deserialize, Serialize};

use crate::random::{Purpose, stream};

/// Positions with a mate in one that no rollout has seen.
#[derive(Clone)]
pub struct MatePositions<A: Actions> {
    observations: Vec<Observation<A>>,
    legal: Vec<Vec<u32>>,
    /// Which of the legal actions give mate.
    mating: Vec<Vec<bool>>,
}

/// How often mate was found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatesFound {
    /// The share of positions in which the likeliest move gives mate.
    pub greedy: f64,
    /// The mean probability of a mating move.
    pub sampled: f64,
    /// The mean probability if all moves were equally likely.
    pub chance: f64,
}

impl<A: Actions> MatePositions<A> {
    /// At most `count` positions, one move before the mates of random games of at most `limit`
    /// moves. Twenty games a position are tried.
    pub fn collect(count: usize, seed: u64, limit: usize) -> Self {
        let mut found = Self { observations: Vec::new(), legal: Vec::new(), mating: Vec::new() };
        for number in 0..20 * count as u64 {
            if found.len() == count {
                break;
            }
            let mut game = A::Game::new_with(Rules::LEARNING);
            let seed = stream(seed, Purpose::HeldOut, number, 0).next_u64();
            keisei_game::random_game(&mut game, seed, limit);
            if game.outcome().is_some_and(|outcome| outcome.reason() == Reason::Checkmate) {
                game.undo();
                found.push(&game);
            }
        }
        found
    }

    fn push(&mut self, game: &A::Game) {
        use keisei_encode::Encode;
        let actions = legal_actions::<A>(game.position());
        let mating = game.position().mating_moves();
        self.observations.push(game.pack());
        self.mating.push(actions.iter().map(|(_, mv)| mating.contains(mv)).collect());
        self.legal.push(actions.iter().map(|&(action, _)| action as u32).collect());
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.observations.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.observations.is_empty()
    }

    /// How many of the mates the network finds.
    pub fn ask(&self, network: &mut NetworkPlayer<A>) -> Option<MatesFound> {
        let evaluations = network.evaluate(&self.observations, &self.legal);
        let count = (!self.is_empty()).then_some(self.len() as f64)?;
        let (mut greedy, mut sampled, mut chance) = (0.0, 0.0, 0.0);
        for (evaluation, mating) in evaluations.iter().zip(&self.mating) {
            let mates = |place: &usize| mating[*place];
            let policy = &evaluation.policy;
            greedy += f64::from(u8::from(likeliest(policy).is_some_and(|place| mating[place])));
            sampled += (0..policy.len()).filter(mates).map(|p| f64::from(policy[p])).sum::<f64>();
            chance += mating.iter().filter(|&&mate| mate).count() as f64 / mating.len() as f64;
        }
        Some(MatesFound {
            greedy: greedy / count,
            sampled: sampled / count,
            chance: chance / count,
        })
    }
}
