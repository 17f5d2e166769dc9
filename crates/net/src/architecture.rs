//! The layers of a network: shapes, names and initial values of their parameters.

use std::ops::Range;

use keisei_encode::{Actions, Encode};
use keisei_game::SplitMix64;

use crate::config::{ConfigError, NetConfig, Normalization, PolicyHead};
use crate::cpu::Activation;

/// The planes between features and actions in a linear policy head.
const LINEAR_PLANES: usize = 2;

/// Added to a variance before its root is taken.
pub(crate) const BATCH_NORM_EPSILON: f32 = 1e-5;

/// How far running statistics move towards those of a minibatch.
pub(crate) const MOMENTUM: f64 = 0.05;

/// Below this scale a normalised layer's results say nothing of its products.
pub(crate) const MIN_SCALE: f32 = 1e-4;

/// He initialisation: a ReLU cuts off half of the variance, √2 brings it back.
const RELU_GAIN: f32 = std::f32::consts::SQRT_2;

/// What a game's encoding asks of its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// How many planes an observation has.
    pub(crate) planes: usize,
    pub(crate) board: Board,
    /// How many actions there are.
    pub(crate) actions: usize,
}

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

/// All numbers of a network.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parameters {
    /// What is learnt.
    pub(crate) weights: Vec<f32>,
    /// The running statistics of batch normalisation.
    pub(crate) statistics: Vec<f32>,
}

/// The layers of a network, and where the numbers of each lie.
#[derive(Clone, Debug)]
pub(crate) struct Architecture {
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
    pub(crate) affine: Affine,
}

/// What is done to the products of a layer, output by output.
#[derive(Clone, Debug)]
pub(crate) enum Affine {
    None,
    Bias(Range<usize>),
    /// Batch normalisation. `mean` and `variance` are running statistics.
    BatchNorm {
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
    init: Init,
}

/// The initial values of a tensor.
#[derive(Clone, Copy, Debug)]
enum Init {
    Constant(f32),
    /// Uniform around 0 with this standard deviation.
    Random(f32),
}

impl Architecture {
    /// The layers of a configuration for the actions `A`.
    pub(crate) fn of<A: Actions>(config: &NetConfig) -> Result<Self, ConfigError> {
        config.validate()?;
        if config.policy_head == PolicyHead::Planes && A::cell(0).is_none() {
            return Err(ConfigError::NoPlanes { actions: A::NAME });
        }
        let planes = config.encoding.view::<A::Game>()?.planes;
        Ok(Self::new(config, Sizes { planes, ..Sizes::of::<A>() }))
    }

    /// The activation of the value head's planes. Only normalisation keeps a plane from sinking
    /// below 0 on every square, where a ReLU would let it learn nothing any more.
    pub(crate) fn value_activation(&self) -> Activation {
        match self.statistics.is_empty() {
            true => Activation::Identity,
            false => Activation::Relu,
        }
    }

    pub(crate) fn new(config: &NetConfig, sizes: Sizes) -> Self {
        let (channels, squares) = (config.channels, sizes.board.squares());
        let mut builder = Builder {
            batch_norm: config.normalization == Normalization::Batch,
            ..Builder::default()
        };
        // What all blocks together add begins about as large as what they add to.
        let share = 1.0 / (config.blocks.max(1) as f32).sqrt();
        let input = builder.convolution("input", [channels, sizes.planes, 3, 3], 1.0);
        let mut block = |i: usize| Block {
            first: builder.convolution(
                &format!("blocks.{i}.first"),
                [channels, channels, 3, 3],
                1.0,
            ),
            second: builder.convolution(
                &format!("blocks.{i}.second"),
                [channels, channels, 3, 3],
                share,
            ),
            // The second convolution has a bias, so this layer needs none.
            pool: config.global_pool.then(|| {
                builder.linear(&format!("blocks.{i}.pool"), [channels, 2 * channels], 0.0)
            }),
        };
        let blocks = (0..config.blocks).map(&mut block).collect();
        // The last layer of the policy begins at a hundredth: the first policy is nearly uniform.
        let (policy, policy_linear) = match config.policy_head {
            PolicyHead::Planes => {
                let planes = sizes.actions / squares;
                (builder.biased("policy", [planes, channels, 1, 1], 0.01), None)
            }
            PolicyHead::Linear => {
                let policy = builder.convolution("policy", [LINEAR_PLANES, channels, 1, 1], 1.0);
                let shape = [sizes.actions, LINEAR_PLANES * squares];
                (policy, Some(builder.biased("policy.linear", shape, 0.01)))
            }
        };
        let planes = config.value_planes;
        let value = builder.convolution("value", [planes, channels, 1, 1], 1.0);
        let shape = [config.value_hidden, planes * squares];
        let value_hidden = builder.biased("value.hidden", shape, RELU_GAIN);
        // Like the policy, values begin near nothing: large first errors would wreck the features.
        let value_out = builder.biased("value.out", [1, config.value_hidden], 0.01);
        let Builder { weights, statistics, .. } = builder;
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

    /// Initial weights and statistics: a function of `seed` alone.
    pub(crate) fn init(&self, seed: u64) -> Parameters {
        let mut rng = SplitMix64::new(seed);
        let mut fill = |tensors: &[Tensor]| {
            let mut values = Vec::with_capacity(len(tensors));
            for tensor in tensors {
                let mut next = || match tensor.init {
                    Init::Constant(value) => value,
                    Init::Random(deviation) => {
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

impl Sizes {
    /// The sizes of a game with its own planes and a numbering of its actions.
    ///
    /// # Panics
    ///
    /// If the planes are no board of at least two rows and columns.
    fn of<A: Actions>() -> Self {
        let (squares, columns) = (<A::Game as Encode>::SQUARES, <A::Game as Encode>::COLUMNS);
        let board = Board { rows: squares / columns, columns };
        let is_board = board.squares() == squares && board.rows.min(columns) > 1;
        assert!(is_board, "{squares} squares in rows of {columns} are no board");
        Self { planes: <A::Game as Encode>::PLANES, board, actions: A::COUNT }
    }
}

impl Board {
    pub(crate) const fn squares(self) -> usize {
        self.rows * self.columns
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

/// An architecture in the making.
#[derive(Default)]
struct Builder {
    batch_norm: bool,
    weights: Vec<Tensor>,
    statistics: Vec<Tensor>,
}

impl Builder {
    /// A convolution before a ReLU. With normalisation `gain` is what it multiplies by, without it
    /// is part of the weights.
    fn convolution(&mut self, name: &str, shape: [usize; 4], gain: f32) -> Layer {
        if !self.batch_norm {
            return self.biased(name, shape, RELU_GAIN * gain);
        }
        let layer = self.linear(name, shape, RELU_GAIN);
        let outputs = vec![layer.outputs];
        let named = |part: &str| format!("{name}.norm.{part}");
        let add = |to: &mut Vec<Tensor>, part, value| {
            push(to, named(part), outputs.clone(), Init::Constant(value))
        };
        let affine = Affine::BatchNorm {
            gain: add(&mut self.weights, "weight", gain),
            bias: add(&mut self.weights, "bias", 0.0),
            mean: add(&mut self.statistics, "running_mean", 0.0),
            variance: add(&mut self.statistics, "running_var", 1.0),
        };
        Layer { affine, ..layer }
    }

    /// A layer with a bias.
    fn biased<const N: usize>(&mut self, name: &str, shape: [usize; N], gain: f32) -> Layer {
        let layer = self.linear(name, shape, gain);
        let init = Init::Constant(0.0);
        let bias = push(&mut self.weights, format!("{name}.bias"), vec![layer.outputs], init);
        Layer { affine: Affine::Bias(bias), ..layer }
    }

    /// A layer without a bias, whose outputs deviate `gain` times as much from 0 as its inputs.
    fn linear<const N: usize>(&mut self, name: &str, shape: [usize; N], gain: f32) -> Layer {
        let (outputs, inputs) = (shape[0], shape[1]);
        let taps = shape[2..].iter().product();
        let init = Init::Random(gain / ((inputs * taps) as f32).sqrt());
        let weight = push(&mut self.weights, format!("{name}.weight"), shape.to_vec(), init);
        Layer { outputs, inputs, taps, weight, affine: Affine::None }
    }
}

fn push(to: &mut Vec<Tensor>, name: String, shape: Vec<usize>, init: Init) -> Range<usize> {
    let begin = len(to);
    let range = begin..begin + shape.iter().product::<usize>();
    to.push(Tensor { name, shape, range: range.clone(), init });
    range
}
