//! Who plays in evaluation games.

use std::error::Error;

use keisei_encode::{Actions, Encode, Observation, legal_actions};
use keisei_game::{Game, Position, SplitMix64, likeliest};
use keisei_net::{Evaluation, Evaluator, evaluate_mirrored};
use serde::{Deserialize, Serialize};

/// Somebody who plays a game.
pub trait Player<G: Game> {
    /// The name in configurations and reports.
    fn name(&self) -> &str;

    /// An evaluation begins. All that is random in it follows from `seed`.
    fn begin(&mut self, _seed: u64) -> Result<(), Box<dyn Error>> {
        Ok(())
    }

    /// A legal move for each of `games`, none of which is over.
    fn choose(&mut self, games: &[&G]) -> Result<Vec<G::Move>, Box<dyn Error>>;
}

/// Plays any legal move.
#[derive(Clone, Debug)]
pub struct RandomPlayer(pub SplitMix64);

impl<G: Game> Player<G> for RandomPlayer {
    fn name(&self) -> &str {
        "random"
    }

    fn choose(&mut self, games: &[&G]) -> Result<Vec<G::Move>, Box<dyn Error>> {
        let pick = |game: &&G| self.0.choose(game.position().legal_moves().as_ref());
        let moves: Option<Vec<_>> = games.iter().map(pick).collect();
        moves.ok_or_else(|| "a game without legal moves goes on".into())
    }
}

/// How a network's probabilities become a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Choice {
    /// Drawn by them.
    Sampled,
    /// The likeliest.
    Greedy,
}

impl Choice {
    /// Both ways.
    pub const ALL: [Self; 2] = [Self::Sampled, Self::Greedy];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sampled => "sampled",
            Self::Greedy => "greedy",
        }
    }
}

/// Plays by a network's policy alone.
pub struct NetworkPlayer<A: Actions> {
    name: &'static str,
    network: Box<dyn Evaluator<Observation<A>>>,
    choice: Choice,
    /// Whether the mean of a position and its mirror image is taken.
    mirror: bool,
    rng: SplitMix64,
}

impl<A: Actions> NetworkPlayer<A> {
    /// A player with this network.
    pub fn new(
        name: &'static str,
        network: Box<dyn Evaluator<Observation<A>>>,
        choice: Choice,
        mirror: bool,
        rng: SplitMix64,
    ) -> Self {
        Self { name, network, choice, mirror, rng }
    }

    /// What the network says of positions with these legal actions.
    pub(super) fn evaluate(
        &mut self,
        observations: &[Observation<A>],
        legal: &[Vec<u32>],
    ) -> Vec<Evaluation> {
        let slices: Vec<_> = legal.iter().map(Vec::as_slice).collect();
        match self.mirror {
            true => evaluate_mirrored::<A>(&mut *self.network, observations, &slices),
            false => self.network.evaluate(observations, &slices),
        }
    }

    fn place(&mut self, policy: &[f32]) -> usize {
        let place = match self.choice {
            Choice::Sampled => self.rng.sample(policy),
            Choice::Greedy => likeliest(policy),
        };
        place.expect("a policy has weights")
    }
}

impl<A: Actions> Player<A::Game> for NetworkPlayer<A> {
    fn name(&self) -> &str {
        self.name
    }

    fn choose(
        &mut self,
        games: &[&A::Game],
    ) -> Result<Vec<<A::Game as Game>::Move>, Box<dyn Error>> {
        let observations: Vec<_> = games.iter().map(|game| game.pack()).collect();
        let (mut legal, mut moves) = (Vec::new(), Vec::new());
        for game in games {
            let (actions, legal_moves): (Vec<_>, Vec<_>) =
                legal_actions::<A>(game.position()).into_iter().unzip();
            legal.push(actions.into_iter().map(|action| action as u32).collect());
            moves.push(legal_moves);
        }
        let evaluations = self.evaluate(&observations, &legal);
        let choose =
            |(evaluation, moves): (Evaluation, Vec<_>)| moves[self.place(&evaluation.policy)];
        Ok(evaluations.into_iter().zip(moves).map(choose).collect())
    }
}
