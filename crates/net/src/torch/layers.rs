//! The parameters of a network on the device.

use std::ops::Range;

use tch::{Kind, Tensor, no_grad};

use super::device::{TorchDevice, download};
use super::heads;
use super::planes::Planes;
use super::tower::Tower;
use crate::architecture::{
    Affine, Architecture, BATCH_NORM_EPSILON, Layer, MIN_SCALE, MOMENTUM, Parameters,
};

/// All parameters of a network as they are stored.
#[derive(Debug)]
pub(super) struct DeviceParameters {
    /// What is learnt, all in one.
    pub(super) weights: Tensor,
    pub(super) statistics: Tensor,
    /// Each tensor of `weights`: they share its memory, and gradients are taken by them.
    pub(super) leaves: Vec<Tensor>,
    /// Where each leaf begins.
    starts: Vec<usize>,
}

/// What follows the products of a layer: scale · product + shift.
struct ScaleShift {
    scale: Option<Tensor>,
    shift: Option<Tensor>,
}

/// A convolution or a linear layer as the forward pass reads it, with its scale in its weights.
#[derive(Debug)]
pub(super) struct Linear {
    pub(super) weight: Tensor,
    pub(super) bias: Option<Tensor>,
}

/// All layers of a network.
#[derive(Debug)]
pub(super) struct Layers {
    pub(super) input: Linear,
    /// All blocks at once, where kernels of our own compute them; where they also take gradients
    /// back, there are no others.
    pub(super) tower: Option<Tower>,
    pub(super) blocks: Vec<Block>,
    /// Policy and value planes together, and as many as fill up.
    pub(super) heads: Linear,
    pub(super) policy_linear: Option<Linear>,
    pub(super) value_hidden: Linear,
    pub(super) value_out: Linear,
}

/// A residual block.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) first: Linear,
    pub(super) second: Linear,
    pub(super) pool: Option<Linear>,
}

/// Mean and variance of the results of a normalised layer.
#[derive(Debug)]
pub(super) struct BatchStatistics {
    pub(super) layer: Layer,
    pub(super) mean: Tensor,
    pub(super) variance: Tensor,
}

impl DeviceParameters {
    pub(super) fn new(
        architecture: &Architecture,
        parameters: &Parameters,
        device: TorchDevice,
    ) -> Self {
        let weights = device.upload(&parameters.weights);
        let leaf = |tensor: &crate::architecture::Tensor| {
            let shape: Vec<_> = tensor.shape.iter().map(|&size| size as i64).collect();
            part(&weights, &tensor.range).view(&shape[..]).detach().set_requires_grad(true)
        };
        Self {
            leaves: architecture.weights.iter().map(leaf).collect(),
            starts: architecture.weights.iter().map(|tensor| tensor.range.start).collect(),
            statistics: device.upload(&parameters.statistics),
            weights,
        }
    }

    /// The numbers as they are now, on the CPU.
    pub(super) fn download(&self) -> Parameters {
        Parameters { weights: download(&self.weights), statistics: download(&self.statistics) }
    }

    /// The leaves after those of the blocks, each with whether the planes of the heads come of it.
    pub(super) fn after_blocks(
        &self,
        architecture: &Architecture,
    ) -> impl Iterator<Item = (&Tensor, bool)> {
        let Architecture { policy, policy_linear, value, value_hidden, .. } = architecture;
        let readers = [
            policy_linear.as_ref().map(|linear| linear.weight.start..value.weight.start),
            Some(value_hidden.weight.start..usize::MAX),
        ];
        let reads = move |start| readers.iter().flatten().any(|readers| readers.contains(&start));
        let first = self.starts.partition_point(|&start| start < policy.weight.start);
        let leaves = self.leaves.iter().zip(&self.starts).skip(first);
        leaves.map(move |(leaf, &start)| (leaf, !reads(start)))
    }

    fn leaf(&self, range: &Range<usize>) -> &Tensor {
        let place = self.starts.binary_search(&range.start);
        &self.leaves[place.expect("a layer's numbers are a tensor of the architecture")]
    }

    fn scale_shift(&self, layer: &Layer) -> ScaleShift {
        match &layer.affine {
            Affine::None => ScaleShift { scale: None, shift: None },
            Affine::Bias(bias) => {
                ScaleShift { scale: None, shift: Some(self.leaf(bias).shallow_clone()) }
            }
            Affine::BatchNorm { gain, bias, mean, variance } => {
                let variance = part(&self.statistics, variance);
                let scale = self.leaf(gain) / (variance + f64::from(BATCH_NORM_EPSILON)).sqrt();
                let shift = self.leaf(bias) - part(&self.statistics, mean) * &scale;
                ScaleShift { scale: Some(scale), shift: Some(shift) }
            }
        }
    }

    fn linear(&self, layer: &Layer) -> Linear {
        let weight = self.leaf(&layer.weight);
        let ScaleShift { scale, shift } = self.scale_shift(layer);
        let weight = match scale {
            None => weight.shallow_clone(),
            // Only convolutions are normalised.
            Some(scale) => weight * scale.view([-1, 1, 1, 1]),
        };
        Linear { weight, bias: shift }
    }

    /// The layers as they are now. Blocks compute in `kind`.
    pub(super) fn layers(&self, architecture: &Architecture, kind: Kind) -> Layers {
        let trunk = |layer: &Layer| self.linear(layer).to_kind(kind);
        let convolution = |layer: &Layer| trunk(layer).channels_last();
        let padding = Planes::padding(architecture.sizes.planes) as i64;
        let input = trunk(&architecture.input);
        let weight = input.weight.constant_pad_nd([0, 0, 0, 0, 0, padding]);
        let block = |block: &crate::architecture::Block| Block {
            first: convolution(&block.first),
            second: convolution(&block.second),
            pool: block.pool.as_ref().map(trunk),
        };
        let heads_of = [&architecture.policy, &architecture.value].map(|layer| self.linear(layer));
        let both =
            |of: fn(&Linear) -> &Tensor| Tensor::cat(&[of(&heads_of[0]), of(&heads_of[1])], 0);
        let weight_of_heads = both(|head| &head.weight).flatten(1, -1);
        let bias_of_heads = both(|head| head.bias.as_ref().expect("heads have a bias"));
        let planes = bias_of_heads.size()[0];
        let room = heads::room_for(planes as usize) as i64 - planes;
        let tower = no_grad(|| Tower::new(architecture, self, kind));
        let needed = tower.as_ref().is_none_or(|tower| !tower.learns());
        let blocks = if needed { &architecture.blocks[..] } else { &[] };
        Layers {
            input: Linear { weight, ..input }.channels_last(),
            blocks: blocks.iter().map(block).collect(),
            tower,
            heads: Linear {
                weight: weight_of_heads.constant_pad_nd([0, 0, 0, room]),
                bias: Some(bias_of_heads.constant_pad_nd([0, room])),
            },
            policy_linear: architecture.policy_linear.as_ref().map(|layer| self.linear(layer)),
            value_hidden: self.linear(&architecture.value_hidden),
            value_out: self.linear(&architecture.value_out),
        }
    }

    /// Moves the statistics of a layer towards what was measured with them, if all is `finite`.
    pub(super) fn update_statistics(&self, statistics: &BatchStatistics, finite: &Tensor) {
        let ScaleShift { scale: Some(scale), shift: Some(shift) } =
            self.scale_shift(&statistics.layer)
        else {
            return;
        };
        let Affine::BatchNorm { mean, variance, .. } = &statistics.layer.affine else { return };
        let telling = scale.abs().ge(f64::from(MIN_SCALE)).logical_and(finite);
        // From the results back to the products that were normalised.
        let seen = [
            (mean, (&statistics.mean - shift) / &scale),
            (variance, &statistics.variance / scale.square()),
        ];
        for (range, seen) in seen {
            let mut stored = part(&self.statistics, range);
            let target = seen.where_self(&telling, &stored);
            let _ = stored.lerp_(&target, MOMENTUM);
        }
    }
}

impl Layers {
    /// The same layers, over the same memory.
    pub(super) fn shallow_clone(&self) -> Self {
        let block = |block: &Block| Block {
            first: block.first.shallow_clone(),
            second: block.second.shallow_clone(),
            pool: block.pool.as_ref().map(Linear::shallow_clone),
        };
        Self {
            input: self.input.shallow_clone(),
            tower: self.tower.as_ref().map(Tower::shallow_clone),
            blocks: self.blocks.iter().map(block).collect(),
            heads: self.heads.shallow_clone(),
            policy_linear: self.policy_linear.as_ref().map(Linear::shallow_clone),
            value_hidden: self.value_hidden.shallow_clone(),
            value_out: self.value_out.shallow_clone(),
        }
    }
}

impl Linear {
    fn shallow_clone(&self) -> Self {
        let bias = self.bias.as_ref().map(Tensor::shallow_clone);
        Self { weight: self.weight.shallow_clone(), bias }
    }

    fn to_kind(&self, kind: Kind) -> Self {
        let bias = self.bias.as_ref().map(|bias| bias.to_kind(kind));
        Self { weight: self.weight.to_kind(kind), bias }
    }

    /// Lays the weights of all planes of a square next to each other: the order of the features.
    fn channels_last(self) -> Self {
        let weight = self.weight.permute([0, 2, 3, 1]).contiguous().permute([0, 3, 1, 2]);
        Self { weight, ..self }
    }
}

/// The part of a flat tensor.
pub(super) fn part(tensor: &Tensor, range: &Range<usize>) -> Tensor {
    tensor.narrow(0, range.start as i64, range.len() as i64)
}
