//! The numbers of a network: their names, shapes and first values.

use std::ops::Range;

use keisei_game::SplitMix64;

use crate::config::{NetConfig, Normalization, PolicyHead};
use crate::sizes::Sizes;

/// The planes between features and actions in a linear policy head.
const LINEAR_PLANES: usize = 2;

/// Added to a variance before its root is taken.
pub(crate) const VARIANCE_FLOOR: f32 = 1e-5;

/// How far statistics move towards those of a minibatch.
pub(crate) const MOMENTUM: f64 = 0.05;

/// Below this scale a normalised layer's results say nothing of its products.
pub(crate) const LEAST_SCALE: f32 = 1e-4;

/// √2: keeps the scale of numbers through a layer that cuts off the negative half of them.
const KEEP: f32 = std::f32::consts::SQRT_2;

/// All numbers of a network.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parameters {
    /// What is learnt.
    pub(crate) weights: Vec<f32>,
    /// The statistics of normalised layers.
    pub(crate) statistics: Vec<f32>,
}

/// The layers of a network, and where the numbers of each lie.
#[derive(Clone, Debug)]
pub(crate) struct Blueprint {
    pub(crate) sizes: Sizes,
    pub(crate) channels: usize,
    pub(crate) input: Layer,
    pub(crate) blocks: Vec<Block>,
    pub(crate) policy: Layer,
    pub(crate) policy_linear: Option<Layer>,
    pub(crate) value: Layer,
    pub(crate) value_hidden: Layer,
    pub(crate) value_out: Layer,
    /// The tensors of [`Parameters::weights`], in order.
    pub(crate) weights: Vec<Tensor>,
    /// The tensors of [`Parameters::statistics`], in order.
    pub(crate) statistics: Vec<Tensor>,
}

/// A residual block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) first: Layer,
    pub(crate) second: Layer,
    pub(crate) pool: Option<Layer>,
}

/// A convolution or a linear layer.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) outputs: usize,
    pub(crate) inputs: usize,
    /// How many squares the kernel has: 9 or 1.
    pub(crate) taps: usize,
    /// `[outputs, inputs, taps]`
    pub(crate) weight: Range<usize>,
    pub(crate) shift: Shift,
}

/// What follows the products of a layer.
#[derive(Clone, Debug)]
pub(crate) enum Shift {
    Nothing,
    Bias(Range<usize>),
    /// Normalisation. `mean` and `variance` are statistics.
    Norm {
        gain: Range<usize>,
        bias: Range<usize>,
        mean: Range<usize>,
        variance: Range<usize>,
    },
}

/// A tensor, named and shaped as PyTorch would.
#[derive(Clone, Debug)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) range: Range<usize>,
    start: Start,
}

/// The first values of a tensor.
#[derive(Clone, Copy, Debug)]
enum Start {
    Constant(f32),
    /// Uniform around 0 with this standard deviation.
    Random(f32),
}

impl Blueprint {
    /// Whether the plane of the value head is cut at 0. Only normalisation keeps a single plane
    /// from sinking below 0 on every square, where it would learn nothing any more.
    pub(crate) fn cuts_value_plane(&self) -> bool {
        !self.statistics.is_empty()
    }

    pub(crate) fn new(config: &NetConfig, sizes: Sizes) -> Self {
        let (channels, squares) = (config.channels, sizes.squares());
        let mut draft =
            Draft { batch_norm: config.normalization == Normalization::Batch, ..Draft::default() };
        // What all blocks together add begins about as large as what they add to.
        let share = 1.0 / (config.blocks.max(1) as f32).sqrt();
        let input = draft.convolution("input", [channels, sizes.planes, 3, 3], 1.0);
        let mut block = |i: usize| Block {
            first: draft.convolution(&format!("blocks.{i}.first"), [channels, channels, 3, 3], 1.0),
            second: draft.convolution(
                &format!("blocks.{i}.second"),
                [channels, channels, 3, 3],
                share,
            ),
            // The second convolution has a bias, so this layer needs none.
            pool: config.global_pool.then(|| {
                draft.products(&format!("blocks.{i}.pool"), [channels, 2 * channels], 0.0)
            }),
        };
        let blocks = (0..config.blocks).map(&mut block).collect();
        // The last layer of the policy begins at a hundredth: the first policy is nearly uniform.
        let (policy, policy_linear) = match config.policy_head {
            PolicyHead::Planes => {
                let planes = sizes.actions / squares;
                (draft.biased("policy", [planes, channels, 1, 1], 0.01), None)
            }
            PolicyHead::Linear => {
                let policy = draft.convolution("policy", [LINEAR_PLANES, channels, 1, 1], 1.0);
                let shape = [sizes.actions, LINEAR_PLANES * squares];
                (policy, Some(draft.biased("policy.linear", shape, 0.01)))
            }
        };
        let value = draft.convolution("value", [1, channels, 1, 1], 1.0);
        let value_hidden = draft.biased("value.hidden", [config.value_hidden, squares], KEEP);
        // Like the policy, values begin near nothing: large first errors would wreck the features.
        let value_out = draft.biased("value.out", [1, config.value_hidden], 0.01);
        let Draft { weights, statistics, .. } = draft;
        Self {
            sizes,
            channels,
            input,
            blocks,
            policy,
            policy_linear,
            value,
            value_hidden,
            value_out,
            weights,
            statistics,
        }
    }

    /// The numbers that a network begins with: a function of `seed` alone.
    pub(crate) fn start(&self, seed: u64) -> Parameters {
        let mut rng = SplitMix64::new(seed);
        let mut fill = |tensors: &[Tensor]| {
            let mut values = Vec::with_capacity(len(tensors));
            for tensor in tensors {
                let mut next = || match tensor.start {
                    Start::Constant(value) => value,
                    Start::Random(deviation) => {
                        let uniform = (rng.next_u64() >> 40) as f32 / (1u64 << 24) as f32;
                        (2.0 * uniform - 1.0) * deviation * 3.0_f32.sqrt()
                    }
                };
                values.extend(tensor.range.clone().map(|_| next()));
            }
            values
        };
        Parameters { weights: fill(&self.weights), statistics: fill(&self.statistics) }
    }
}

impl Layer {
    /// Where the weights from `input` to `output` lie, one for each tap.
    pub(crate) fn kernel(&self, output: usize, input: usize) -> Range<usize> {
        let start = self.weight.start + (output * self.inputs + input) * self.taps;
        start..start + self.taps
    }
}

/// How many numbers the tensors have together.
pub(crate) fn len(tensors: &[Tensor]) -> usize {
    tensors.last().map_or(0, |tensor| tensor.range.end)
}

/// A blueprint in the making.
#[derive(Default)]
struct Draft {
    batch_norm: bool,
    weights: Vec<Tensor>,
    statistics: Vec<Tensor>,
}

impl Draft {
    /// A convolution whose negative results are cut off. With normalisation `gain` is what it
    /// multiplies by, without it is part of the weights.
    fn convolution(&mut self, name: &str, shape: [usize; 4], gain: f32) -> Layer {
        if !self.batch_norm {
            return self.biased(name, shape, KEEP * gain);
        }
        let layer = self.products(name, shape, KEEP);
        let outputs = vec![layer.outputs];
        let named = |part: &str| format!("{name}.norm.{part}");
        let add = |to: &mut Vec<Tensor>, part, start| {
            push(to, named(part), outputs.clone(), Start::Constant(start))
        };
        let shift = Shift::Norm {
            gain: add(&mut self.weights, "weight", gain),
            bias: add(&mut self.weights, "bias", 0.0),
            mean: add(&mut self.statistics, "running_mean", 0.0),
            variance: add(&mut self.statistics, "running_var", 1.0),
        };
        Layer { shift, ..layer }
    }

    /// A layer with a bias.
    fn biased<const N: usize>(&mut self, name: &str, shape: [usize; N], gain: f32) -> Layer {
        let layer = self.products(name, shape, gain);
        let start = Start::Constant(0.0);
        let bias = push(&mut self.weights, format!("{name}.bias"), vec![layer.outputs], start);
        Layer { shift: Shift::Bias(bias), ..layer }
    }

    /// A layer without anything after its products. What comes out of it deviates `gain` times as
    /// much from 0 as what goes in.
    fn products<const N: usize>(&mut self, name: &str, shape: [usize; N], gain: f32) -> Layer {
        let (outputs, inputs) = (shape[0], shape[1]);
        let taps = shape[2..].iter().product();
        let start = Start::Random(gain / ((inputs * taps) as f32).sqrt());
        let weight = push(&mut self.weights, format!("{name}.weight"), shape.to_vec(), start);
        Layer { outputs, inputs, taps, weight, shift: Shift::Nothing }
    }
}

fn push(to: &mut Vec<Tensor>, name: String, shape: Vec<usize>, start: Start) -> Range<usize> {
    let begin = len(to);
    let range = begin..begin + shape.iter().product::<usize>();
    to.push(Tensor { name, shape, range: range.clone(), start });
    range
}
