//! Experience for the examples: positions of random games and what might have come of them.

use keisei_encode::{Encode, legal_actions, shogi::Compact};
use keisei_game::{Game, SplitMix64, random_game};
use keisei_net::{Evaluator, Learner, Losses, Transitions, UpdateSettings};
use keisei_shogi::Shogi;

type Packed = <Shogi as Encode>::Packed;

/// The settings of the updates.
pub const SETTINGS: UpdateSettings = UpdateSettings {
    learning_rate: 1e-3,
    clip_epsilon: 0.2,
    value_weight: 0.5,
    clip_value: false,
    entropy_weight: 0.02,
    relative_entropy: true,
    max_gradient_norm: 0.5,
};

/// Transitions.
pub struct Experience {
    pub observations: Vec<Packed>,
    pub legal: Vec<Vec<u32>>,
    pub chosen: Vec<u32>,
    pub old_log_probs: Vec<f32>,
    pub old_values: Vec<f32>,
    pub advantages: Vec<f32>,
    pub returns: Vec<f32>,
}

impl Experience {
    /// `count` transitions acted by `evaluator`.
    pub fn new(count: usize, evaluator: &mut impl Evaluator<Packed>) -> Self {
        let mut rng = SplitMix64::new(0);
        let (mut observations, mut legal, mut chosen) = (Vec::new(), Vec::new(), Vec::new());
        while observations.len() < count {
            let mut game = Shogi::new();
            random_game(&mut game, rng.next_u64(), rng.below(200));
            if game.outcome().is_none() {
                let actions = legal_actions::<Compact>(game.position());
                chosen.push(rng.below(actions.len()) as u32);
                observations.push(game.pack());
                legal.push(actions.iter().map(|&(index, _)| index as u32).collect::<Vec<_>>());
            }
        }
        let slices: Vec<&[u32]> = legal.iter().map(Vec::as_slice).collect();
        let evaluations = evaluator.evaluate(&observations, &slices);
        let mut number = || rng.below(2001) as f32 / 1000.0 - 1.0;
        Self {
            old_log_probs: (evaluations.iter().zip(&chosen))
                .map(|(evaluation, &chosen)| {
                    evaluation.policy[chosen as usize].ln() + 0.3 * number()
                })
                .collect(),
            old_values: evaluations.iter().map(|evaluation| evaluation.value).collect(),
            advantages: (0..count).map(|_| 2.0 * number()).collect(),
            returns: (0..count).map(|_| number()).collect(),
            observations,
            legal,
            chosen,
        }
    }

    /// The legal actions as slices.
    pub fn legal(&self) -> Vec<&[u32]> {
        self.legal.iter().map(Vec::as_slice).collect()
    }

    /// One step of PPO on all of it.
    pub fn update(&self, learner: &mut impl Learner<Packed>, legal: &[&[u32]]) -> Losses {
        let all = (0..self.observations.len()).collect();
        learner.update(&self.transitions(legal), &[vec![all]], &SETTINGS, None)[0]
    }

    /// All of it, to select minibatches from.
    pub fn transitions<'a>(&'a self, legal: &'a [&'a [u32]]) -> Transitions<'a, Packed> {
        Transitions {
            observations: &self.observations,
            legal,
            chosen: &self.chosen,
            old_log_probs: &self.old_log_probs,
            old_values: &self.old_values,
            advantages: &self.advantages,
            returns: &self.returns,
        }
    }
}
