//! The forward pass.

use tch::Tensor;

use super::layers::{Layers, Linear, Moments};
use crate::parameters::{Blueprint, Layer, Shift};

/// What a network says of a batch.
pub(super) struct Outputs {
    /// `[n, columns]`, see [`super::model::Model`] for where an action's logit lies.
    pub(super) logits: Tensor,
    /// `[n]`
    pub(super) values: Tensor,
}

/// Watches what normalised layers give, in the first `count` positions of a batch.
pub(super) struct Watch {
    pub(super) count: i64,
    pub(super) moments: Vec<Moments>,
}

impl Watch {
    /// # Shapes
    ///
    /// `results`: `[n, …, outputs]`
    fn see(&mut self, layer: &Layer, results: &Tensor) {
        if matches!(layer.shift, Shift::Norm { .. }) {
            let results = results.detach().narrow(0, 0, self.count).flatten(0, -2);
            let results = results.to_kind(tch::Kind::Float);
            let (variance, mean) = results.var_mean_correction(0, 0, false);
            self.moments.push(Moments { layer: layer.clone(), mean, variance });
        }
    }
}

/// Computes logits and values.
///
/// # Shapes
///
/// `planes`: `[n, planes + padding, side, side]`
pub(super) fn forward(
    blueprint: &Blueprint,
    layers: &Layers,
    planes: &Tensor,
    mut watch: Option<&mut Watch>,
) -> Outputs {
    let mut see = |layer: &Layer, results: &Tensor| {
        if let Some(watch) = &mut watch {
            watch.see(layer, results);
        }
    };
    let mut features = convolve(planes, &layers.input);
    see(&blueprint.input, &squares_first(&features));
    features = features.relu_();
    for (block, stored) in layers.blocks.iter().zip(&blueprint.blocks) {
        let mut inner = convolve(&features, &block.first);
        see(&stored.first, &squares_first(&inner));
        inner = inner.relu_();
        let mut sum = convolve(&inner, &block.second);
        see(&stored.second, &squares_first(&sum));
        if let Some(pool) = &block.pool {
            let pooled =
                [inner.mean_dim([2, 3].as_slice(), false, None), inner.amax([2, 3], false)];
            sum += apply(&Tensor::cat(&pooled, 1), pool).unsqueeze(-1).unsqueeze(-1);
        }
        sum += &features;
        features = sum.relu_();
    }
    let features = squares_first(&features).to_kind(tch::Kind::Float);
    // [n, squares, policy planes and value plane]
    let heads = apply(&features.flatten(1, 2), &layers.heads);
    let policy_planes = blueprint.policy.outputs as i64;
    let value = heads.narrow(2, policy_planes, 1);
    see(&blueprint.value, &value);
    let logits = match &layers.policy_linear {
        // The value plane stays among them; no action's place is there.
        None => heads.flatten(1, 2),
        Some(linear) => {
            let planes = heads.narrow(2, 0, policy_planes);
            see(&blueprint.policy, &planes);
            apply(&planes.relu().transpose(1, 2).flatten(1, 2), linear)
        }
    };
    let value = value.flatten(1, 2);
    let value = if blueprint.cuts_value_plane() { value.relu() } else { value };
    let hidden = apply(&value, &layers.value_hidden).relu();
    Outputs { logits, values: apply(&hidden, &layers.value_out).tanh().view(-1) }
}

fn convolve(features: &Tensor, layer: &Linear) -> Tensor {
    features.conv2d(&layer.weight, layer.bias.as_ref(), 1, 1, 1, 1)
}

fn apply(features: &Tensor, layer: &Linear) -> Tensor {
    features.linear(&layer.weight, layer.bias.as_ref())
}

/// `[n, channels, side, side]` as `[n, side, side, channels]`, which is how it lies in memory.
fn squares_first(features: &Tensor) -> Tensor {
    features.permute([0, 2, 3, 1])
}
