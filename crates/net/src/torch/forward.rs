//! The forward pass.

use tch::Tensor;

use super::heads;
use super::layers::{BatchStatistics, Layers, Linear};
use crate::architecture::{Affine, Architecture, Layer};
use crate::cpu::Activation;

/// What a network says of a batch.
pub(super) struct Outputs {
    /// `[n, columns]`, see [`super::model::Model`] for where an action's logit lies.
    pub(super) logits: Tensor,
    /// `[n]`
    pub(super) values: Tensor,
}

/// Watches what normalised layers give, in the first `count` positions of a batch.
pub(super) struct StatisticsRecorder {
    pub(super) count: i64,
    pub(super) statistics: Vec<BatchStatistics>,
}

impl StatisticsRecorder {
    /// # Shapes
    ///
    /// `results`: `[n, …, outputs]`
    fn record(&mut self, layer: &Layer, results: &Tensor) {
        if matches!(layer.affine, Affine::BatchNorm { .. }) {
            let results = results.detach().narrow(0, 0, self.count).flatten(0, -2);
            let results = results.to_kind(tch::Kind::Float);
            let (variance, mean) = results.var_mean_correction(0, 0, false);
            self.statistics.push(BatchStatistics { layer: layer.clone(), mean, variance });
        }
    }
}

/// Computes logits and values. In learning there is a recorder, and gradients can be taken; without
/// one nobody takes any.
///
/// # Shapes
///
/// `planes`: `[n, planes + padding, rows, columns]`
pub(super) fn forward(
    architecture: &Architecture,
    layers: &Layers,
    planes: &Tensor,
    mut recorder: Option<&mut StatisticsRecorder>,
) -> Outputs {
    let heads = match &layers.tower {
        Some(tower) if recorder.is_none() => {
            heads::planes(&tower.apply(first_products(layers, planes)), &layers.heads)
        }
        _ => {
            let mut features = convolve(planes, &layers.input);
            record(&mut recorder, &architecture.input, &squares_first(&features));
            let features = residual(architecture, layers, features.relu_(), &mut recorder);
            apply(&by_square(&features).to_kind(tch::Kind::Float), &layers.heads)
        }
    };
    read(architecture, layers, &heads, recorder)
}

/// What the first convolution makes of planes before its bias, where kernels of our own go on from
/// there.
///
/// # Shapes
///
/// `planes`: `[n, planes + padding, rows, columns]`, result: `[n, squares, channels]`
pub(super) fn first_products(layers: &Layers, planes: &Tensor) -> Tensor {
    by_square(&planes.conv2d(&layers.input.weight, None::<&Tensor>, 1, 1, 1, 1))
}

/// What the blocks make of features, one kernel of libtorch after the other.
fn residual(
    architecture: &Architecture,
    layers: &Layers,
    mut features: Tensor,
    recorder: &mut Option<&mut StatisticsRecorder>,
) -> Tensor {
    for (block, stored) in layers.blocks.iter().zip(&architecture.blocks) {
        let mut inner = convolve(&features, &block.first);
        record(recorder, &stored.first, &squares_first(&inner));
        inner = inner.relu_();
        let mut sum = convolve(&inner, &block.second);
        record(recorder, &stored.second, &squares_first(&sum));
        if let Some(pool) = &block.pool {
            let pooled =
                [inner.mean_dim([2, 3].as_slice(), false, None), inner.amax([2, 3], false)];
            sum += apply(&Tensor::cat(&pooled, 1), pool).unsqueeze(-1).unsqueeze(-1);
        }
        sum += &features;
        features = sum.relu_();
    }
    features
}

/// What the network says, by the planes of its heads.
///
/// # Shapes
///
/// `heads`: `[n, squares, planes]`: policy planes, value planes, and what fills up
pub(super) fn read(
    architecture: &Architecture,
    layers: &Layers,
    heads: &Tensor,
    mut recorder: Option<&mut StatisticsRecorder>,
) -> Outputs {
    let policy_planes = architecture.policy.outputs as i64;
    let value = heads.narrow(2, policy_planes, architecture.value.outputs as i64);
    record(&mut recorder, &architecture.value, &value);
    let logits = match &layers.policy_linear {
        // All planes stay among them; no action's place is in those of the value.
        None => heads.flatten(1, 2),
        Some(linear) => {
            let planes = heads.narrow(2, 0, policy_planes);
            record(&mut recorder, &architecture.policy, &planes);
            apply(&planes.relu().transpose(1, 2).flatten(1, 2), linear)
        }
    };
    let value = value.transpose(1, 2).flatten(1, 2);
    let value = match architecture.value_activation() {
        Activation::Relu => value.relu(),
        Activation::Identity => value,
    };
    let hidden = apply(&value, &layers.value_hidden).relu();
    Outputs { logits, values: apply(&hidden, &layers.value_out).tanh().view(-1) }
}

fn record(recorder: &mut Option<&mut StatisticsRecorder>, layer: &Layer, results: &Tensor) {
    if let Some(recorder) = recorder {
        recorder.record(layer, results);
    }
}

/// `[n, channels, rows, columns]` as `[n, squares, channels]`, one after the other in memory.
pub(super) fn by_square(features: &Tensor) -> Tensor {
    squares_first(features).contiguous().flatten(1, 2)
}

fn convolve(features: &Tensor, layer: &Linear) -> Tensor {
    features.conv2d(&layer.weight, layer.bias.as_ref(), 1, 1, 1, 1)
}

fn apply(features: &Tensor, layer: &Linear) -> Tensor {
    features.linear(&layer.weight, layer.bias.as_ref())
}

/// `[n, channels, rows, columns]` as `[n, rows, columns, channels]`, which is how it lies in memory.
fn squares_first(features: &Tensor) -> Tensor {
    features.permute([0, 2, 3, 1])
}
