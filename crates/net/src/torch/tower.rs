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

use self::kernels::{Kernels, Shape};
use super::layers::{DeviceParameters, part};
use crate::architecture::{Affine, Architecture, Layer};

/// How many squares the kernel of a convolution has.
const TAPS: i64 = 9;

/// The blocks of a network, arranged for the kernels.
#[derive(Debug)]
pub(super) struct Tower {
    kernels: Arc<Kernels>,
    shape: Shape,
    /// `[2 · blocks, fragments]`: of all convolutions, as the kernels read them.
    weights: Tensor,
    /// `[2 · blocks, channels]`
    biases: Tensor,
    /// `[blocks, 2 · channels, channels]`
    pool_weights: Tensor,
}

/// What learning needs of a forward pass.
#[derive(Debug)]
pub(super) struct Kept {
    /// `[n, squares, channels]`: what the blocks were given.
    input: Tensor,
    /// `[2 · blocks, n, squares, channels]`: what each convolution gave, after its ReLU.
    results: Tensor,
    /// `[blocks, n, 3, channels]`: means, maxima, and 1 over the number of squares that have them.
    pools: Tensor,
}

/// Gradients of a loss.
#[derive(Debug)]
pub(super) struct Backward {
    /// `[n, squares, channels]`: of what the ReLU before the blocks was given.
    pub(super) before: Tensor,
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
        let kernels = Kernels::of(gpu, rows.shape)?;
        let numbers = rows.view(&parameters.weights);
        Some(Self {
            kernels,
            shape: rows.shape,
            weights: fragments(&rows.convolutions(&numbers)),
            biases: rows.biases(&numbers),
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

    /// What the blocks make of `features`, which become theirs.
    ///
    /// # Shapes
    ///
    /// `features`: `[n, squares, channels]`, one after the other in memory
    pub(super) fn apply(&self, features: Tensor) -> Tensor {
        self.run(&features, Some(&features), None);
        features
    }

    /// Whether the kernels can take gradients back through these blocks.
    pub(super) fn learns(&self) -> bool {
        self.kernels.learning.is_some()
    }

    /// Goes forward and keeps what is needed to come back.
    ///
    /// # Shapes
    ///
    /// `input`: `[n, squares, channels]`, one after the other in memory
    pub(super) fn keep(&self, input: Tensor) -> Kept {
        let Shape { blocks, channels, .. } = self.shape.numbers();
        let (n, squares) = (input.size()[0], input.size()[1]);
        let results =
            Tensor::empty([2 * blocks, n, squares, channels], (input.kind(), input.device()));
        let pools = Tensor::empty([blocks, n, 3, channels], (Kind::Float, input.device()));
        self.run(&input, None, Some((&results, &pools)));
        Kept { input, results, pools }
    }

    fn run(&self, input: &Tensor, output: Option<&Tensor>, kept: Option<(&Tensor, &Tensor)>) {
        let count = input.size()[0];
        let tensors = [
            Some(input),
            output,
            Some(&self.weights),
            Some(&self.biases),
            Some(&self.pool_weights),
            kept.map(|(results, _)| results),
            kept.map(|(_, pools)| pools),
        ];
        self.kernels.tower.launch(self.kernels.blocks_for(count), &tensors, count);
    }

    /// Takes a gradient back.
    ///
    /// # Shapes
    ///
    /// `gradient`: `[n, squares, channels]`, of [`Kept::output`]
    pub(super) fn back(
        &self,
        architecture: &Architecture,
        parameters: &DeviceParameters,
        kept: &Kept,
        gradient: &Tensor,
    ) -> Backward {
        let learning = self.kernels.learning.as_ref().expect("asked before");
        let Shape { blocks, channels, .. } = self.shape.numbers();
        let rows = BlockRows::of(architecture).expect("the kernels can compute it");
        let numbers = rows.view(&parameters.weights);
        // Backwards a convolution reads what it gave, from the other side.
        let turned = rows.convolutions(&numbers).flip([0, 3]).transpose(1, 2);
        let (weights, pool_weights) = (fragments(&turned), rows.pools(&numbers));
        let gradient = gradient.to_kind(Kind::BFloat16).contiguous();
        let [n, squares, _] = gradient.size()[..] else { unreachable!("three dimensions") };
        let (device, floats) = (gradient.device(), (Kind::Float, gradient.device()));
        let deltas = [2 * blocks + 1, n, squares, channels];
        let deltas = Tensor::empty(deltas, (Kind::BFloat16, device));
        let totals = Tensor::empty([2 * blocks, n, channels], floats);
        let Kept { input, results, pools } = kept;
        let tensors = [&gradient, input, results, pools, &weights, &pool_weights, &deltas, &totals];
        learning.back.launch(self.kernels.blocks_for(n), &tensors.map(Some), n);

        let parts = learning.parts as i64;
        let sums = Tensor::empty([parts, 2 * blocks, TAPS, channels, channels], floats);
        let tensors = [input, results, &deltas, &sums];
        learning.weights.launch(learning.weight_blocks, &tensors.map(Some), n);

        let by_part: &[i64] = &[0];
        let convolutions = sums.sum_dim_intlist(by_part, false, Kind::Float).permute([0, 3, 2, 1]);
        let by_position: &[i64] = &[1];
        let biases = totals.sum_dim_intlist(by_position, false, Kind::Float);
        let pools = self.shape.pool.then(|| {
            let added = totals.view([blocks, 2, n, channels]).select(1, 1);
            let pooled = pools.narrow(2, 0, 2).reshape([blocks, n, 2 * channels]);
            added.transpose(1, 2).bmm(&pooled)
        });
        let blocks = rows.join(&convolutions.contiguous(), &biases, pools.as_ref());
        Backward { before: deltas.select(0, 0), blocks }
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
        if !biased(&first.first) || !biased(&first.second) {
            return None;
        }
        let shape = Shape {
            channels: architecture.channels,
            board: architecture.sizes.board,
            blocks: architecture.blocks.len(),
            pool: first.pool.is_some(),
        };
        let start = first.first.weight.start as i64;
        let end = architecture.policy.weight.start as i64;
        let rows = Self { shape, start, len: (end - start) / shape.blocks as i64 };
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

/// The weights of convolutions in the order in which the lanes of a warp hold them for a product of
/// 16 × 16 by 16 × 8, two such products at a time.
///
/// # Shapes
///
/// `[convolutions, given, read, 9]`, result: `[convolutions, 9, read / 16, given / 16, 8, 4, 2, 2, 2]`
fn fragments(weights: &Tensor) -> Tensor {
    let size = weights.size();
    let parts = [size[0], size[1] / 16, 2, 8, size[2] / 16, 2, 4, 2, TAPS];
    weights.reshape(parts).permute([0, 8, 4, 1, 3, 6, 2, 5, 7]).contiguous()
}
