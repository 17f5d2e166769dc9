//! The network and the loss as they are defined, in f64, with nothing made fast.

use keisei_encode::Actions;

use super::samples::Samples;
use crate::architecture::{Affine, Architecture, Board, Layer, Parameters};
use crate::cpu::Activation;
use crate::learner::{ImitationSettings, UpdateSettings};

/// The numbers of a network in f64.
#[derive(Clone)]
pub(crate) struct Numbers {
    pub(crate) weights: Vec<f64>,
    statistics: Vec<f64>,
}

impl From<&Parameters> for Numbers {
    fn from(parameters: &Parameters) -> Self {
        let wide = |values: &[f32]| values.iter().copied().map(f64::from).collect();
        Self { weights: wide(&parameters.weights), statistics: wide(&parameters.statistics) }
    }
}

/// The parts of the loss.
#[derive(Default)]
pub(crate) struct Loss {
    pub(crate) total: f64,
    pub(crate) policy: f64,
    pub(crate) value: f64,
    pub(crate) entropy: f64,
    pub(crate) approx_kl: f64,
    pub(crate) old_approx_kl: f64,
    pub(crate) clip_fraction: f64,
}

pub(crate) struct Reference<'a> {
    pub(crate) architecture: &'a Architecture,
}

/// `[planes][squares]`
type Planes = Vec<Vec<f64>>;

fn relu(planes: Planes) -> Planes {
    planes.into_iter().map(|plane| plane.into_iter().map(|v| v.max(0.0)).collect()).collect()
}

impl Reference<'_> {
    fn layer(&self, layer: &Layer, numbers: &Numbers, planes: &Planes, board: Board) -> Planes {
        let reach = layer.taps.isqrt() as isize / 2;
        let width = 2 * reach + 1;
        let mut result = vec![vec![0.0; board.squares()]; layer.outputs];
        for (input, plane) in planes.iter().enumerate() {
            for (square, &value) in plane.iter().enumerate().filter(|&(_, &value)| value != 0.0) {
                for tap in 0..layer.taps {
                    let row = (square / board.columns) as isize - tap as isize / width + reach;
                    let column = (square % board.columns) as isize - tap as isize % width + reach;
                    let (rows, columns) = (0..board.rows as isize, 0..board.columns as isize);
                    if rows.contains(&row) && columns.contains(&column) {
                        let target = row as usize * board.columns + column as usize;
                        for (output, result) in result.iter_mut().enumerate() {
                            let weight = numbers.weights[layer.kernel(output, input)][tap];
                            result[target] += weight * value;
                        }
                    }
                }
            }
        }
        for (output, result) in result.iter_mut().enumerate() {
            match &layer.affine {
                Affine::None => {}
                Affine::Bias(bias) => {
                    let bias = numbers.weights[bias.start + output];
                    result.iter_mut().for_each(|sum| *sum += bias);
                }
                Affine::BatchNorm { gain, bias, mean, variance } => {
                    let mean = numbers.statistics[mean.start + output];
                    let variance = numbers.statistics[variance.start + output];
                    let deviation = (variance + f64::from(1e-5_f32)).sqrt();
                    let gain = numbers.weights[gain.start + output];
                    let bias = numbers.weights[bias.start + output];
                    let normalise = |sum: &mut f64| *sum = (*sum - mean) / deviation * gain + bias;
                    result.iter_mut().for_each(normalise);
                }
            }
        }
        result
    }

    fn linear(&self, layer: &Layer, numbers: &Numbers, inputs: &[f64]) -> Vec<f64> {
        let planes = inputs.iter().map(|&input| vec![input]).collect();
        self.layer(layer, numbers, &planes, Board { rows: 1, columns: 1 }).concat()
    }

    /// The log-probabilities of the legal actions and the value.
    pub(crate) fn evaluate(
        &self,
        numbers: &Numbers,
        planes: &[f32],
        legal: &[u32],
        cell: fn(usize) -> Option<usize>,
    ) -> (Vec<f64>, f64) {
        let board = self.architecture.sizes.board;
        let squares = board.squares();
        let planes: Planes = planes
            .chunks_exact(squares)
            .map(|plane| plane.iter().copied().map(f64::from).collect())
            .collect();
        let mut features = relu(self.layer(&self.architecture.input, numbers, &planes, board));
        for block in &self.architecture.blocks {
            let inner = relu(self.layer(&block.first, numbers, &features, board));
            let mut sum = self.layer(&block.second, numbers, &inner, board);
            if let Some(pool) = &block.pool {
                let means = inner.iter().map(|plane| plane.iter().sum::<f64>() / squares as f64);
                let maxima = inner.iter().map(|plane| plane.iter().copied().fold(0.0, f64::max));
                let pooled: Vec<f64> = means.chain(maxima).collect();
                let biases = self.linear(pool, numbers, &pooled);
                for (plane, bias) in sum.iter_mut().zip(biases) {
                    plane.iter_mut().for_each(|value| *value += bias);
                }
            }
            for (plane, skip) in sum.iter_mut().zip(&features) {
                plane.iter_mut().zip(skip).for_each(|(value, skip)| *value += skip);
            }
            features = relu(sum);
        }
        let policy = self.layer(&self.architecture.policy, numbers, &features, board);
        let logits: Vec<f64> = match &self.architecture.policy_linear {
            Some(linear) => {
                let logits = self.linear(linear, numbers, &relu(policy).concat());
                legal.iter().map(|&action| logits[action as usize]).collect()
            }
            None => {
                let cells = policy.concat();
                legal.iter().map(|&action| cells[cell(action as usize).unwrap()]).collect()
            }
        };
        let plane = self.layer(&self.architecture.value, numbers, &features, board);
        let value = match self.architecture.value_activation() {
            Activation::Relu => relu(plane),
            Activation::Identity => plane,
        }
        .concat();
        let hidden = self.linear(&self.architecture.value_hidden, numbers, &value);
        let hidden: Vec<f64> = hidden.into_iter().map(|unit| unit.max(0.0)).collect();
        let value = self.linear(&self.architecture.value_out, numbers, &hidden)[0].tanh();
        let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
        (logits.iter().map(|logit| logit - sum.ln()).collect(), value)
    }

    /// The mean loss of samples.
    pub(crate) fn loss<A: Actions>(
        &self,
        numbers: &Numbers,
        samples: &Samples<A>,
        settings: &UpdateSettings,
    ) -> Loss {
        let mut loss = Loss::default();
        let epsilon = f64::from(settings.clip_epsilon);
        let share = 1.0 / samples.observations.len() as f64;
        for (i, legal) in samples.legal.iter().enumerate() {
            let (log_probs, value) = self.evaluate(numbers, &samples.planes(i), legal, A::cell);
            let wide = |values: &[f32]| f64::from(values[i]);
            let advantage = wide(&samples.advantages);
            let log_ratio = log_probs[samples.chosen[i] as usize] - wide(&samples.old_log_probs);
            let ratio = log_ratio.exp();
            let clipped = ratio.clamp(1.0 - epsilon, 1.0 + epsilon);
            let policy = -(ratio * advantage).min(clipped * advantage);
            let entropy: f64 = log_probs.iter().map(|log| -log * log.exp()).sum();
            let (old, target) = (wide(&samples.old_values), wide(&samples.returns));
            let near = old + (value - old).clamp(-epsilon, epsilon);
            let unclipped = (value - target).powi(2);
            let error = match settings.clip_value {
                true => unclipped.max((near - target).powi(2)),
                false => unclipped,
            };
            let bonus = match settings.relative_entropy {
                true if legal.len() > 1 => entropy / (legal.len() as f64).ln(),
                true => 0.0,
                false => entropy,
            };
            loss.policy += share * policy;
            loss.value += share * error;
            loss.entropy += share * entropy;
            loss.approx_kl += share * (ratio - 1.0 - log_ratio);
            loss.old_approx_kl -= share * log_ratio;
            loss.clip_fraction += if clipped == ratio { 0.0 } else { share };
            loss.total += share
                * (policy + f64::from(settings.value_weight) * error
                    - f64::from(settings.entropy_weight) * bonus);
        }
        loss
    }

    /// The mean loss of imitating the policies and returns of samples.
    pub(crate) fn imitation_loss<A: Actions>(
        &self,
        numbers: &Numbers,
        samples: &Samples<A>,
        settings: &ImitationSettings,
    ) -> Loss {
        let mut loss = Loss::default();
        let share = 1.0 / samples.observations.len() as f64;
        for (i, legal) in samples.legal.iter().enumerate() {
            let (log_probs, value) = self.evaluate(numbers, &samples.planes(i), legal, A::cell);
            let error = (value - f64::from(samples.returns[i])).powi(2);
            loss.value += share * error;
            loss.total += share * f64::from(settings.value_weight) * error;
            for (&log, &target) in log_probs.iter().zip(&samples.policies[i]) {
                let target = f64::from(target);
                loss.policy -= share * target * log;
                loss.total -= share * target * log;
                loss.entropy -= share * log * log.exp();
                if target > 0.0 {
                    loss.approx_kl += share * target * (target.ln() - log);
                }
            }
        }
        loss
    }
}
