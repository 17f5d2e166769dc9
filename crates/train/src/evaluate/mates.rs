//! Held-out positions with a mate in one: the best early sign that something is learned.

use keisei_encode::{Actions, Observation, legal_actions};
use keisei_game::{Game, Position, Reason, Rules, likeliest};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::player::NetworkPlayer;
use crate::random::{Purpose, stream};

/// How many random games are tried for each position.
const GAMES_A_POSITION: usize = 20;

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
    /// moves. Twenty games a position are tried, in rounds that all threads play; of a round that
    /// brings too many positions, the first games count.
    pub fn collect(count: usize, seed: u64, limit: usize) -> Self {
        let before_mate = |number: usize| {
            let mut game = A::Game::new_with(Rules::LEARNING);
            let seed = stream(seed, Purpose::HeldOut, number as u64, 0).next_u64();
            keisei_game::random_game(&mut game, seed, limit);
            game.outcome().filter(|outcome| outcome.reason() == Reason::Checkmate)?;
            game.undo();
            Some(game)
        };
        let mut found = Self { observations: Vec::new(), legal: Vec::new(), mating: Vec::new() };
        for round in 0..GAMES_A_POSITION {
            let missing = count - found.len();
            if missing == 0 {
                break;
            }
            let numbers = round * count..(round + 1) * count;
            let games: Vec<_> = numbers.into_par_iter().map(before_mate).collect();
            games.iter().flatten().take(missing).for_each(|game| found.push(game));
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
        let count = (!self.is_empty()).then_some(self.len() as f64)?;
        let evaluations = network.evaluate(&self.observations, &self.legal);
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

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_encode::Encode;
    use keisei_encode::shogi::Compact;
    use keisei_game::Outcome;
    use keisei_shogi::Shogi;

    #[test]
    fn the_mates_are_those_of_games_in_their_order_however_many_are_wanted() {
        let ends = (0..).map(|number| {
            let mut game = Shogi::new_with(Rules::LEARNING);
            let seed = stream(7, Purpose::HeldOut, number, 0).next_u64();
            keisei_game::random_game(&mut game, seed, 500);
            game
        });
        let is_mate = |outcome: Outcome| outcome.reason() == Reason::Checkmate;
        let mates = ends.filter(|game| game.outcome().is_some_and(is_mate));
        let before = mates.map(|mut game| {
            game.undo();
            game.pack()
        });
        let expected: Vec<_> = before.take(9).collect();
        for count in [0, 1, 4, 9] {
            let found = MatePositions::<Compact>::collect(count, 7, 500);
            assert_eq!(found.observations, expected[..count], "{count} positions");
            assert!(found.mating.iter().all(|moves| moves.contains(&true)));
        }
    }
}
