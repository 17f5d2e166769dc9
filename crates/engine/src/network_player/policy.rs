//! A player by a network's policy alone.

use std::time::Instant;

use keisei_encode::{Encode, legal_actions};
use keisei_game::SplitMix64;
use keisei_net::{Evaluation, Evaluator, NetEvaluator, evaluate_mirrored};

use crate::players::hold;
use crate::search::draw::draw;
use crate::search::{centipawns, win_rate};
use crate::{Answer, Arena, Limits, Player, PlayerError, Report, Score, Signal};

/// How probabilities become a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PolicyChoice {
    /// The likeliest.
    Greedy,
    /// Drawn by the probabilities to the power of the inverse of this temperature, above 0.
    Sampled(f32),
}

/// Plays what a network likes, without looking ahead. It declares a win when it can.
#[derive(Clone, Debug)]
pub struct PolicyPlayer<G: Arena, E = NetEvaluator<<G as Encode>::Actions>> {
    name: String,
    evaluator: E,
    choice: PolicyChoice,
    /// Whether each position is evaluated together with its mirror image.
    mirror: bool,
    rng: SplitMix64,
    game: std::marker::PhantomData<G>,
}

impl<G: Arena, E: Evaluator<G::Packed>> PolicyPlayer<G, E> {
    /// A player with this network, whose draws are a function of `seed`.
    pub fn new(name: impl Into<String>, evaluator: E, choice: PolicyChoice, seed: u64) -> Self {
        let rng = SplitMix64::new(seed);
        let game = std::marker::PhantomData;
        Self { name: name.into(), evaluator, choice, mirror: false, rng, game }
    }

    /// The same player, which evaluates each position together with its mirror image.
    #[must_use]
    pub fn with_mirror(self) -> Self {
        Self { mirror: true, ..self }
    }

    fn evaluate(&mut self, game: &G, actions: &[u32]) -> Option<Evaluation> {
        let (seen, legal) = ([game.pack()], [actions]);
        let evaluations = match self.mirror {
            false => self.evaluator.evaluate(&seen, &legal),
            true => evaluate_mirrored::<G::Actions>(&mut self.evaluator, &seen, &legal),
        };
        evaluations.into_iter().next()
    }
}

impl<G: Arena, E: Evaluator<G::Packed>> Player<G> for PolicyPlayer<G, E> {
    fn name(&self) -> &str {
        &self.name
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        let started = Instant::now();
        if game.can_declare_win() {
            hold(limits, signal);
            return Ok(Answer::Win);
        }
        let (actions, moves): (Vec<u32>, Vec<G::Move>) =
            legal_actions::<G::Actions>(game.position())
                .into_iter()
                .map(|(action, mv)| (action as u32, mv))
                .unzip();
        let evaluation = if actions.is_empty() { None } else { self.evaluate(game, &actions) };
        let Some(Evaluation { value, policy }) = evaluation else {
            let problem = "there is no legal move".to_owned();
            return Err(PlayerError::Other { player: self.name.clone(), problem });
        };
        let drawn = match self.choice {
            PolicyChoice::Greedy => None,
            PolicyChoice::Sampled(temperature) => draw(&policy, temperature, &mut self.rng),
        };
        let mv = moves[drawn.unwrap_or_else(|| likeliest(&policy))];
        report(&Report {
            line: 1,
            depth: 1,
            selective_depth: None,
            score: Score::Centipawns(centipawns::<G>(win_rate(value))),
            win_rate: Some(win_rate(value)),
            nodes: 1,
            time: started.elapsed(),
            hash_full: None,
            moves: vec![mv],
        });
        hold(limits, signal);
        Ok(Answer::play(mv))
    }
}

/// The place of the largest number; of equals, the first.
fn likeliest(policy: &[f32]) -> usize {
    let best = policy.iter().enumerate().rev().max_by(|a, b| a.1.total_cmp(b.1));
    best.map_or(0, |(place, _)| place)
}
