//! A small learner for shogi with gradients worked out by hand: the policy is a softmax over sums
//! of weights, the value the hyperbolic tangent of one.
//!
//! A move is described by what it does, what stands where it arrives, and where that is as seen
//! from the opponent's king; a position by what each player has. That is enough to learn what most
//! mates in one look like.

use keisei_encode::shogi::{Compact, Packed, Spec};
use keisei_net::{
    Evaluation, Evaluator, Examples, ImitationSettings, Learner, LoadEvaluator, Losses, Selection,
    StateError, Transitions, UpdateSettings,
};

const SIDE: usize = 9;
/// Differences of two rows or columns.
const OFFSETS: usize = 2 * SIDE - 1;
const AROUND: usize = OFFSETS * OFFSETS;
const KINDS: usize = 27;
/// An empty square or one of 28 pieces.
const CELLS: usize = 29;
const POLICY: usize = (KINDS + CELLS) * AROUND;
/// The pieces of both sides, their hands, and a constant.
const VALUE: usize = 28 + 14 + 1;
const WEIGHTS: usize = POLICY + VALUE;

const OPPONENT_KING: u8 = 28;
const HANDS: usize = 81;

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;

/// The learner: weights, Adam's two moments, and the number of steps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Linear {
    weights: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    steps: u32,
}

/// What one position contributes to the gradients.
struct Look {
    /// The features of each legal action.
    actions: Vec<[usize; 2]>,
    policy: Vec<f32>,
    /// The features of the position and their sizes.
    features: Vec<(usize, f32)>,
    value: f32,
}

impl Linear {
    /// Knows nothing: all weights are 0.
    pub(crate) fn new() -> Self {
        let zeros = vec![0.0; WEIGHTS];
        Self { weights: zeros.clone(), first: zeros.clone(), second: zeros, steps: 0 }
    }

    /// A player with the weights that [`Learner::weights`] gave.
    pub(crate) fn player(bytes: &[u8]) -> Result<Self, StateError> {
        let mut player = Self::new();
        player.weights = floats(bytes, WEIGHTS)?;
        Ok(player)
    }

    fn look(&self, observation: &Packed, legal: &[u32]) -> Look {
        assert!(!legal.is_empty(), "a position has a legal action");
        let board = &observation.as_ref()[..HANDS];
        let king = board.iter().position(|&cell| cell == OPPONENT_KING).unwrap_or(0);
        let actions: Vec<_> = legal.iter().map(|&action| features(board, king, action)).collect();
        let sums: Vec<f32> = actions
            .iter()
            .map(|features| features.iter().map(|&f| self.weights[f]).sum())
            .collect();
        let highest = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let exps: Vec<f32> = sums.iter().map(|sum| (sum - highest).exp()).collect();
        let total: f32 = exps.iter().sum();
        let features = value_features(observation.as_ref());
        let sum: f32 = features.iter().map(|&(f, size)| self.weights[f] * size).sum();
        Look {
            actions,
            policy: exps.iter().map(|exp| exp / total).collect(),
            features,
            value: sum.tanh(),
        }
    }

    /// The cross-entropy to given policies and the errors to given values, and their gradient.
    fn imitation_gradient(
        &self,
        examples: &Examples<'_, Packed>,
        places: &[usize],
        settings: &ImitationSettings,
    ) -> (Losses, Vec<f32>) {
        let mut gradient = vec![0.0; WEIGHTS];
        let mut losses = Losses::default();
        let share = 1.0 / places.len() as f32;
        for &i in places {
            let look = self.look(&examples.observations[i], examples.legal[i]);
            let actions = look.actions.iter().zip(&look.policy).zip(examples.policies[i]);
            for ((features, &p), &target) in actions {
                features.iter().for_each(|&feature| gradient[feature] += (p - target) * share);
                losses.policy -= share * target * p.max(1e-30).ln();
            }
            let error = look.value - examples.returns[i];
            let slope = settings.value_weight * 2.0 * error * (1.0 - look.value * look.value);
            for (feature, size) in look.features {
                gradient[feature] += slope * size * share;
            }
            losses.value += share * error * error;
        }
        losses.gradient_norm = gradient.iter().map(|g| g * g).sum::<f32>().sqrt();
        (losses, gradient)
    }

    /// Moves the weights against a gradient, unless something is not finite.
    fn step(&mut self, losses: Losses, gradient: &[f32], rate: f32, max_norm: f32) -> Losses {
        if !losses.is_finite() {
            return losses;
        }
        let shrink = (max_norm / (losses.gradient_norm + 1e-6)).min(1.0);
        self.steps += 1;
        let corrections = [BETA_1, BETA_2].map(|beta| 1.0 - beta.powi(self.steps as i32));
        for (place, gradient) in gradient.iter().enumerate() {
            let gradient = gradient * shrink;
            let (first, second) = (&mut self.first[place], &mut self.second[place]);
            *first = BETA_1 * *first + (1.0 - BETA_1) * gradient;
            *second = BETA_2 * *second + (1.0 - BETA_2) * gradient * gradient;
            let step = *first / corrections[0] / ((*second / corrections[1]).sqrt() + 1e-5);
            self.weights[place] -= rate * step;
        }
        losses
    }

    /// The losses and their gradient.
    fn gradient(
        &self,
        batch: &Transitions<'_, Packed>,
        places: &[usize],
        settings: &UpdateSettings,
    ) -> (Losses, Vec<f32>) {
        let mut gradient = vec![0.0; WEIGHTS];
        let mut losses = Losses::default();
        let share = 1.0 / places.len() as f32;
        for &i in places {
            let look = self.look(&batch.observations[i], batch.legal[i]);
            let chosen = batch.chosen[i] as usize;
            let log_ratio = look.policy[chosen].ln() - batch.old_log_probs[i];
            let (ratio, advantage) = (log_ratio.exp(), batch.advantages[i]);
            let clip = settings.clip_epsilon;
            let clipped = ratio.clamp(1.0 - clip, 1.0 + clip) * advantage;
            let slope = if ratio * advantage <= clipped { -ratio * advantage } else { 0.0 };
            let scale = match batch.legal[i].len() {
                1 => 0.0,
                count if settings.relative_entropy => 1.0 / (count as f32).ln(),
                _ => 1.0,
            };
            let entropy: f32 = -look.policy.iter().map(|&p| p * p.max(1e-30).ln()).sum::<f32>();
            for (place, (features, &p)) in look.actions.iter().zip(&look.policy).enumerate() {
                let chosen = f32::from(u8::from(place == chosen));
                let of_entropy = -p * (p.max(1e-30).ln() + entropy) * scale;
                let slope = slope * (chosen - p) - settings.entropy_weight * of_entropy;
                features.iter().for_each(|&feature| gradient[feature] += slope * share);
            }
            let error = look.value - batch.returns[i];
            let slope = settings.value_weight * 2.0 * error * (1.0 - look.value * look.value);
            for (feature, size) in look.features {
                gradient[feature] += slope * size * share;
            }
            losses.policy -= share * clipped.min(ratio * advantage);
            losses.value += share * error * error;
            losses.entropy += share * entropy * scale;
            losses.approx_kl += share * ((ratio - 1.0) - log_ratio);
            losses.old_approx_kl -= share * log_ratio;
            losses.clip_fraction += share * f32::from(u8::from((ratio - 1.0).abs() > clip));
            losses.max_ratio_error = losses.max_ratio_error.max((ratio - 1.0).abs());
        }
        losses.gradient_norm = gradient.iter().map(|g| g * g).sum::<f32>().sqrt();
        (losses, gradient)
    }
}

/// The two weights of a move: what moves where, and onto what, as seen from the opponent's king.
fn features(board: &[u8], king: usize, action: u32) -> [usize; 2] {
    let to = match Compact::spec(action as usize) {
        Some(Spec::Arrive { to, .. } | Spec::Drop { to, .. }) => to,
        None => unreachable!("actions are in range"),
    };
    let (row, column) = (to.row() as usize, to.column() as usize);
    let around = (row + SIDE - 1 - king / SIDE) * OFFSETS + column + SIDE - 1 - king % SIDE;
    let cell = usize::from(board[row * SIDE + column]);
    [action as usize / 81 * AROUND + around, (KINDS + cell) * AROUND + around]
}

fn value_features(observation: &[u8]) -> Vec<(usize, f32)> {
    let mut sizes = [0.0; VALUE];
    for &cell in observation[..HANDS].iter().filter(|&&cell| cell > 0) {
        sizes[usize::from(cell) - 1] += 0.1;
    }
    for (hand, &count) in observation[HANDS..HANDS + 14].iter().enumerate() {
        sizes[28 + hand] = 0.1 * f32::from(count);
    }
    sizes[VALUE - 1] = 1.0;
    sizes.into_iter().enumerate().map(|(place, size)| (POLICY + place, size)).collect()
}

impl Evaluator<Packed> for Linear {
    fn evaluate(&mut self, observations: &[Packed], legal: &[&[u32]]) -> Vec<Evaluation> {
        assert_eq!(observations.len(), legal.len());
        let look = |(observation, legal): (&Packed, &&[u32])| {
            let Look { policy, value, .. } = self.look(observation, legal);
            Evaluation { value, policy }
        };
        observations.iter().zip(legal).map(look).collect()
    }
}

impl Learner<Packed> for Linear {
    fn update(
        &mut self,
        transitions: &Transitions<'_, Packed>,
        epochs: &[Vec<Selection>],
        settings: &UpdateSettings,
        target_kl: Option<f64>,
    ) -> Vec<Losses> {
        let mut steps = Vec::new();
        for selection in epochs.iter().flatten() {
            let (losses, gradient) = self.gradient(transitions, &selection.places, settings);
            let (rate, max_norm) = (settings.learning_rate, settings.max_gradient_norm);
            steps.push(self.step(losses, &gradient, rate, max_norm));
            if losses.is_past(target_kl) {
                break;
            }
        }
        steps
    }

    fn imitate(
        &mut self,
        examples: &Examples<'_, Packed>,
        minibatches: &[Selection],
        settings: &ImitationSettings,
    ) -> Vec<Losses> {
        let step = |selection: &Selection| {
            let places = &selection.places;
            let (losses, gradient) = self.imitation_gradient(examples, places, settings);
            self.step(losses, &gradient, settings.learning_rate, settings.max_gradient_norm)
        };
        minibatches.iter().map(step).collect()
    }

    fn state(&self) -> Vec<u8> {
        let numbers = [&self.weights, &self.first, &self.second].into_iter().flatten();
        let steps = self.steps.to_le_bytes();
        numbers.flat_map(|number| number.to_le_bytes()).chain(steps).collect()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), StateError> {
        let Some((numbers, steps)) = state.split_last_chunk() else {
            return Err(StateError::Format("no number of steps".to_owned()));
        };
        let numbers = floats(numbers, 3 * WEIGHTS)?;
        let mut parts = numbers.chunks_exact(WEIGHTS).map(<[f32]>::to_vec);
        let mut part = || parts.next().expect("three parts");
        *self = Self {
            weights: part(),
            first: part(),
            second: part(),
            steps: u32::from_le_bytes(*steps),
        };
        Ok(())
    }

    fn weights(&self) -> Vec<u8> {
        self.weights.iter().flat_map(|weight| weight.to_le_bytes()).collect()
    }
}

/// Makes players of weights.
pub(crate) fn load() -> Box<LoadEvaluator<Packed>> {
    Box::new(|weights| Ok(Box::new(Linear::player(weights)?)))
}

/// Reads `count` numbers.
fn floats(bytes: &[u8], count: usize) -> Result<Vec<f32>, StateError> {
    let (numbers, rest) = bytes.as_chunks();
    if numbers.len() != count || !rest.is_empty() {
        return Err(StateError::Format(format!("{} bytes for {count} numbers", bytes.len())));
    }
    let numbers: Vec<_> = numbers.iter().map(|&number| f32::from_le_bytes(number)).collect();
    match numbers.iter().all(|number| number.is_finite()) {
        true => Ok(numbers),
        false => Err(StateError::NotFinite("weights".to_owned())),
    }
}

mod tests {
    use super::*;
    use keisei_encode::{Encode, legal_actions};
    use keisei_game::{Game, random_game};
    use keisei_shogi::Shogi;

    #[test]
    fn the_gradients_are_those_of_the_loss() {
        let mut learner = Linear::new();
        for (place, weight) in learner.weights.iter_mut().enumerate() {
            *weight = 0.05 * (place as f32 * 12.9898).sin();
        }
        let (mut observations, mut legal) = (Vec::new(), Vec::new());
        for seed in 0..4 {
            let mut game = Shogi::new();
            random_game(&mut game, seed, 60 + seed as usize);
            observations.push(game.pack());
            let actions = legal_actions::<Compact>(game.position());
            legal.push(actions.into_iter().map(|(action, _)| action as u32).collect::<Vec<_>>());
        }
        let legal: Vec<_> = legal.iter().map(Vec::as_slice).collect();
        let old = learner.evaluate(&observations, &legal);
        // Two ratios inside the clip range, two outside, on the side that counts and on the other.
        let old_log_probs: Vec<_> =
            old.iter().zip([0.05, -0.1, 0.4, 0.5]).map(|(o, off)| o.policy[1].ln() - off).collect();
        let batch = Transitions {
            observations: &observations,
            legal: &legal,
            chosen: &[1; 4],
            old_log_probs: &old_log_probs,
            old_values: &[0.0; 4],
            advantages: &[1.0, -2.0, 1.5, -0.5],
            returns: &[1.0, -1.0, 0.3, 0.0],
        };
        let settings = UpdateSettings {
            learning_rate: 0.0,
            clip_epsilon: 0.2,
            value_weight: 0.5,
            clip_value: false,
            entropy_weight: 0.1,
            relative_entropy: true,
            max_gradient_norm: 1.0,
        };
        let (_, gradient) = learner.gradient(&batch, &[0, 1, 2, 3], &settings);
        let loss = |learner: &Linear| {
            let (losses, _) = learner.gradient(&batch, &[0, 1, 2, 3], &settings);
            losses.policy + 0.5 * losses.value - 0.1 * losses.entropy
        };
        let mut checked = 0;
        for place in (0..WEIGHTS).filter(|&place| gradient[place].abs() > 0.02) {
            let mut moved = learner.clone();
            moved.weights[place] += 0.01;
            let up = loss(&moved);
            moved.weights[place] -= 0.02;
            let slope = (up - loss(&moved)) / 0.02;
            let error = (slope - gradient[place]).abs();
            assert!(
                error < 0.02 * gradient[place].abs() + 1e-3,
                "{place}: {slope} {}",
                gradient[place]
            );
            checked += 1;
        }
        assert!(checked > 10, "{checked}");
    }
}
