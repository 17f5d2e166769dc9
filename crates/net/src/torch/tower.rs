//! The residual blocks as kernels of our own, for NVIDIA GPUs.
//!
//! libtorch computes a block in half a dozen kernels, and each reads and writes the features of all
//! positions in the GPU's memory. A small network waits for that memory and for launches. Here the
//! features of a few positions stay inside a multiprocessor from the first block to the last, in
//! evaluation and in learning; what learning needs of them on the way back is written out once.
//! Only blocks in bf16 without normalisation are computed so.

mod kernels;

use std::sync::Arc;

use tch::{Device, Kind, Tensor};

use self::kernels::{GradientKernel, Learning, Shape, TowerKernels};
use super::heads::multiply_pairs;
use super::layers::{DeviceParameters, part};
use super::planes::Planes;
use crate::architecture::{Affine, Architecture, Layer};

/// How many squares the kernel of a convolution has.
const TAPS: i64 = 9;

/// The blocks of a network, arranged for the kernels.
#[derive(Debug)]
pub(super) struct Tower {
    kernels: Arc<TowerKernels>,
    shape: Shape,
    /// `[2 · blocks, …]`: of all convolutions, as the kernels read them.
    weights: Tensor,
    /// `[2 · blocks + 1, channels]`, the first of the convolution before the blocks
    biases: Tensor,
    /// `[blocks, 2 · channels, channels]`
    pool_weights: Tensor,
}

/// What learning needs of a forward pass.
#[derive(Debug)]
pub(super) struct Kept {
    /// `[2 · blocks + 1, n, squares, channels]`: what each convolution gave, after its ReLU; first the
    /// one before the blocks.
    results: Tensor,
    /// `[blocks, n, 3, channels]`: means, maxima, and 1 over the number of squares that have them.
    pools: Tensor,
    /// `[2 · blocks + 1, groups, words]`: a bit for each of the results that is not 0, as the kernel
    /// keeps it for itself.
    gates: Tensor,
    /// `[blocks, groups, words]`: and for each that is the maximum of its channel.
    peaks: Tensor,
}

/// Gradients of a loss.
#[derive(Debug)]
pub(super) struct Backward {
    /// Of the weight and of the bias of the convolution before the blocks.
    pub(super) entry: [Tensor; 2],
    /// Of all numbers of the blocks, in their order.
    pub(super) blocks: Tensor,
}

impl Tower {
    /// The blocks as they are now, if the kernels can compute them in `kind`.
    pub(super) fn new(
        architecture: &Architecture,
        parameters: &DeviceParameters,
        kind: Kind,
    ) -> Option<Self> {
        let Device::Cuda(gpu) = parameters.weights.device() else { return None };
        if kind != Kind::BFloat16 {
            return None;
        }
        let rows = BlockRows::of(architecture)?;
        let kernels = TowerKernels::of(gpu, rows.shape)?;
        let numbers = rows.view(&parameters.weights);
        Some(Self {
            kernels,
            shape: rows.shape,
            weights: in_pieces(&rows.convolutions(&numbers)),
            biases: Tensor::cat(&[rows.entry_bias(&parameters.weights), rows.biases(&numbers)], 0),
            pool_weights: rows.pools(&numbers).transpose(1, 2).contiguous(),
        })
    }

    /// The same blocks, over the same memory.
    pub(super) fn shallow_clone(&self) -> Self {
        Self {
            kernels: Arc::clone(&self.kernels),
            shape: self.shape,
            weights: self.weights.shallow_clone(),
            biases: self.biases.shallow_clone(),
            pool_weights: self.pool_weights.shallow_clone(),
        }
    }

    /// What the blocks make of the convolution before them, which has not added its bias.
    ///
    /// # Shapes
    ///
    /// `products`: `[n, squares, channels]`, one after the other in memory; they become the result
    pub(super) fn apply(&self, products: Tensor) -> Tensor {
        let count = products.size()[0];
        let Self { weights, biases, pool_weights, .. } = self;
        let tensors = [&products, &products, weights, biases, pool_weights];
        self.kernels.tower.launch(self.kernels.blocks_for(count), &tensors.map(Some), count);
        products
    }

    /// The kernels that take gradients back through these blocks, if there are any.
    fn learning(&self) -> &Learning {
        self.kernels.learning.as_ref().expect("asked before")
    }

    /// Whether the kernels can take gradients back through these blocks.
    pub(super) fn learns(&self) -> bool {
        self.kernels.learning.is_some()
    }

    /// Goes forward and keeps what is needed to come back.
    ///
    /// # Shapes
    ///
    /// `products`: as [`Self::apply`] has them
    pub(super) fn keep(&self, products: &Tensor) -> Kept {
        let Shape { blocks, channels, .. } = self.shape.numbers();
        let [n, squares, _] = products.size()[..] else { unreachable!("three dimensions") };
        let [groups, words] =
            [self.kernels.groups(n), self.kernels.words(&self.shape)].map(|number| number as i64);
        let empty = |shape: &[i64], kind| Tensor::empty(shape, (kind, products.device()));
        let kept = Kept {
            results: empty(&[2 * blocks + 1, n, squares, channels], products.kind()),
            pools: empty(&[blocks, n, 3, channels], Kind::Float),
            gates: empty(&[2 * blocks + 1, groups, words], Kind::Int),
            peaks: empty(&[blocks, groups, words], Kind::Int),
        };
        let Self { weights, biases, pool_weights, .. } = self;
        let Kept { results, pools, gates, peaks } = &kept;
        let tensors = [products, weights, biases, pool_weights, results, pools, gates, peaks];
        self.learning().keep.launch(self.kernels.blocks_for(n), &tensors.map(Some), n);
        kept
    }

    /// Takes a gradient back.
    ///
    /// # Shapes
    ///
    /// `planes`: `[n, squares, planes + padding]`, what the convolution before the blocks read;
    /// `gradient`: `[n, squares, channels]` in bf16, of [`Kept::output`]
    pub(super) fn back(
        &self,
        architecture: &Architecture,
        parameters: &DeviceParameters,
        kept: &Kept,
        planes: &Tensor,
        gradient: &Tensor,
    ) -> Backward {
        let learning = self.learning();
        let Shape { blocks, channels, .. } = self.shape.numbers();
        let rows = BlockRows::of(architecture).expect("the kernels can compute it");
        let numbers = rows.view(&parameters.weights);
        // Backwards a convolution reads what it gave, from the other side.
        let turned = rows.convolutions(&numbers).flip([0, 3]).transpose(1, 2);
        let (weights, pool_weights) = (in_pieces(&turned), rows.pools(&numbers));
        let [n, squares, _] = gradient.size()[..] else { unreachable!("three dimensions") };
        let (device, floats) = (gradient.device(), (Kind::Float, gradient.device()));
        let deltas = [2 * blocks + 1, n, squares, channels];
        let deltas = Tensor::empty(deltas, (Kind::BFloat16, device));
        let totals = Tensor::empty([2 * blocks + 1, n, channels], floats);
        let Kept { results, pools, gates, peaks } = kept;
        let tensors = [gradient, pools, gates, peaks, &weights, &pool_weights, &deltas, &totals];
        learning.back.launch(self.kernels.blocks_for(n), &tensors.map(Some), n);

        let weights = &learning.weights;
        let convolutions =
            weights.add_up([results, &deltas], &[2 * blocks, TAPS, channels, channels]);
        let convolutions = convolutions.permute([0, 3, 2, 1]);
        let by_position: &[i64] = &[1];
        let biases = totals.sum_dim_intlist(by_position, false, Kind::Float);
        let pools = self.shape.pool.then(|| {
            let added = totals.narrow(0, 1, 2 * blocks).view([blocks, 2, n, channels]).select(1, 1);
            let pooled = pools.narrow(2, 0, 2).reshape([blocks, n, 2 * channels]);
            let [added, pooled] = [added, pooled].map(|numbers| numbers.to_kind(Kind::BFloat16));
            multiply_pairs(&added.transpose(1, 2), &pooled)
        });
        let of_blocks = biases.narrow(0, 1, 2 * blocks);
        let [telling, padded] = [architecture.sizes.planes, self.shape.planes].map(|n| n as i64);
        let entry = learning.entry_weights.add_up([planes, &deltas], &[TAPS, padded, channels]);
        let entry = entry.permute([2, 1, 0]).narrow(1, 0, telling);
        Backward {
            entry: [entry, biases.get(0)],
            blocks: rows.join(&convolutions.contiguous(), &of_blocks, pools.as_ref()),
        }
    }
}

impl GradientKernel {
    /// What it adds up of what was read and the gradients of what was given.
    fn add_up(&self, [read, deltas]: [&Tensor; 2], shape: &[i64]) -> Tensor {
        let parts = [&[self.parts as i64], shape].concat();
        let sums = Tensor::empty(parts, (Kind::Float, read.device()));
        let positions = deltas.size()[1];
        self.kernel.launch(self.blocks, &[read, deltas, &sums].map(Some), positions);
        let by_part: &[i64] = &[0];
        sums.sum_dim_intlist(by_part, false, Kind::Float)
    }
}

impl Kept {
    /// `[n, squares, channels]`: what the blocks gave.
    pub(super) fn output(&self) -> Tensor {
        self.results.select(0, -1)
    }
}

/// How the numbers of blocks lie: block by block, each in the same order.
struct BlockRows {
    shape: Shape,
    /// Where the bias of the convolution before them begins.
    entry_bias: i64,
    /// Where the first block begins.
    start: i64,
    /// How many numbers a block has.
    len: i64,
}

impl BlockRows {
    /// The blocks of a network, if they are of the kind that the kernels compute.
    fn of(architecture: &Architecture) -> Option<Self> {
        let first = architecture.blocks.first()?;
        let biased = |layer: &Layer| matches!(layer.affine, Affine::Bias(_));
        let Affine::Bias(entry_bias) = &architecture.input.affine else { return None };
        if !biased(&first.first) || !biased(&first.second) {
            return None;
        }
        let shape = Shape {
            planes: architecture.sizes.planes + Planes::padding(architecture.sizes.planes),
            channels: architecture.channels,
            board: architecture.sizes.board,
            blocks: architecture.blocks.len(),
            pool: first.pool.is_some(),
        };
        let start = first.first.weight.start as i64;
        let end = architecture.policy.weight.start as i64;
        let entry_bias = entry_bias.start as i64;
        let rows = Self { shape, entry_bias, start, len: (end - start) / shape.blocks as i64 };
        let [weight, bias, pool] = rows.sizes();
        assert_eq!(rows.len, 2 * (weight + bias) + pool, "a block has these numbers alone");
        Some(rows)
    }

    /// How many numbers a convolution, its bias and the pooled layer have.
    fn sizes(&self) -> [i64; 3] {
        let channels = self.shape.channels as i64;
        let pool = if self.shape.pool { 2 * channels * channels } else { 0 };
        [TAPS * channels * channels, channels, pool]
    }

    /// `[blocks, len]`
    fn view(&self, weights: &Tensor) -> Tensor {
        let blocks = self.shape.blocks as i64;
        let range = self.start as usize..(self.start + blocks * self.len) as usize;
        part(weights, &range).view([blocks, self.len])
    }

    /// `[2 · blocks, channels given, channels read, taps]`, in bf16
    fn convolutions(&self, numbers: &Tensor) -> Tensor {
        let [weight, bias, _] = self.sizes();
        let both = [0, weight + bias].map(|start| numbers.narrow(1, start, weight));
        let channels = self.shape.channels as i64;
        let shape = [-1, channels, channels, TAPS];
        Tensor::cat(&both, 1).view(shape).to_kind(Kind::BFloat16)
    }

    /// `[1, channels]`: of the convolution before the blocks
    fn entry_bias(&self, weights: &Tensor) -> Tensor {
        weights.narrow(0, self.entry_bias, self.shape.channels as i64).view([1, -1])
    }

    /// `[2 · blocks, channels]`
    fn biases(&self, numbers: &Tensor) -> Tensor {
        let [weight, bias, _] = self.sizes();
        let both = [weight, 2 * weight + bias].map(|start| numbers.narrow(1, start, bias));
        Tensor::cat(&both, 1).view([-1, bias])
    }

    /// `[blocks, channels, 2 · channels]`, or nothing
    fn pools(&self, numbers: &Tensor) -> Tensor {
        let [weight, bias, pool] = self.sizes();
        let (blocks, channels) = (self.shape.blocks as i64, self.shape.channels as i64);
        let pools = numbers.narrow(1, 2 * (weight + bias), pool).contiguous();
        pools.view([blocks, if pool > 0 { channels } else { 0 }, 2 * channels])
    }

    /// All numbers of the blocks in their order: [`Self::convolutions`], [`Self::biases`] and
    /// [`Self::pools`] put together again.
    fn join(&self, convolutions: &Tensor, biases: &Tensor, pools: Option<&Tensor>) -> Tensor {
        let blocks = self.shape.blocks as i64;
        let [first, second] = [0, 1].map(|number| {
            [convolutions, biases].map(|numbers| numbers.view([blocks, 2, -1]).select(1, number))
        });
        let mut parts: Vec<_> = first.into_iter().chain(second).collect();
        parts.extend(pools.map(|pools| pools.reshape([blocks, -1])));
        Tensor::cat(&parts, 1).view(-1)
    }
}

/// The weights of convolutions as the kernels read them: 8 × 8 numbers in one piece, each with eight
/// channels that are read side by side.
///
/// # Shapes
///
/// `[convolutions, given, read, 9]`, result: `[convolutions, 9, read / 16, given / 8, 2, 8, 8]`
fn in_pieces(weights: &Tensor) -> Tensor {
    let size = weights.size();
    let parts = [size[0], size[1] / 8, 8, size[2] / 16, 2, 8, TAPS];
    weights.reshape(parts).permute([0, 6, 3, 1, 4, 2, 5]).contiguous()
}
