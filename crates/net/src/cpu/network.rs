//! The forward pass.

use super::activation::Activation;
use super::batch_norm::BatchStatistics;
use super::layout::{LayerLayout, WeightLayout};
use super::matmul::{Matrix, Size, matmul, padded};
use super::pool::pool;
use super::sparse::SparseConvolution;
use super::tape::{Tape, Transformed};
use super::winograd::{Epilogue, Tiling, WINDOW};
use crate::architecture::Architecture;

/// A network without its weights: what is computed, in which order.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) architecture: Architecture,
    pub(crate) layout: WeightLayout,
    pub(crate) tiling: Tiling,
    pub(crate) input_convolution: SparseConvolution,
    /// Where each action's logit lies among the logits of a position.
    logit_places: Vec<u32>,
}

impl Network {
    /// The network of an architecture. `cell` says where an action stands in planes of actions.
    pub(crate) fn new(architecture: Architecture, cell: impl Fn(usize) -> usize) -> Self {
        let layout = WeightLayout::new(&architecture);
        let board = architecture.sizes.board;
        let (tiling, input_convolution) = (Tiling::new(board), SparseConvolution::new(board));
        let squares = board.squares();
        let columns = layout.heads.columns;
        let place = |action| match architecture.policy_linear {
            Some(_) => action,
            None => cell(action) % squares * columns + cell(action) / squares,
        };
        let logit_places =
            (0..architecture.sizes.actions).map(|action| place(action) as u32).collect();
        Self { architecture, layout, tiling, input_convolution, logit_places }
    }

    /// The channels of a square, padded to whole vectors.
    pub(crate) fn channels(&self) -> usize {
        padded(self.architecture.channels)
    }

    pub(crate) fn squares(&self) -> usize {
        self.architecture.sizes.board.squares()
    }

    /// How many numbers the features of a position are.
    pub(crate) fn board_len(&self) -> usize {
        self.squares() * self.channels()
    }

    /// How far apart the logits of two positions are.
    pub(crate) fn logits_len(&self) -> usize {
        match &self.layout.policy_linear {
            Some(linear) => linear.columns,
            None => self.squares() * self.layout.heads.columns,
        }
    }

    /// The logits of one position, to be looked up at [`Network::logit_places`].
    fn logits<'a>(&self, tape: &'a Tape, position: usize) -> &'a [f32] {
        let all = match self.layout.policy_linear {
            Some(_) => &tape.policy_outputs,
            None => &tape.heads,
        };
        &all[position * self.logits_len()..][..self.logits_len()]
    }

    /// The logits of the legal actions of one position.
    pub(crate) fn legal_logits(&self, tape: &Tape, position: usize, actions: &[u32]) -> Vec<f32> {
        let logits = self.logits(tape, position);
        actions.iter().map(|&action| logits[self.logit_place(action)]).collect()
    }

    /// Where an action's logit lies among the logits of a position.
    pub(crate) fn logit_place(&self, action: u32) -> usize {
        self.logit_places[action as usize] as usize
    }

    /// Computes logits and values of the positions on the tape. What normalised layers see is added
    /// to `statistics`.
    pub(crate) fn forward(
        &self,
        tape: &mut Tape,
        weights: &[f32],
        mut statistics: Option<&mut BatchStatistics>,
    ) {
        let n = tape.len;
        let boards = n * self.board_len();
        let input = &self.layout.input;
        let first = tape.features[0][..boards].chunks_exact_mut(self.board_len());
        for (planes, board) in tape.planes.iter().zip(first) {
            let layer = (input.weights(weights), input.bias(weights));
            if let Some(statistics) = &mut statistics {
                self.input_convolution.convolve(planes, layer, Activation::Identity, board);
                statistics.measure(input, board);
            }
            self.input_convolution.convolve(planes, layer, Activation::Relu, board);
        }
        for (i, block) in self.layout.blocks.iter().enumerate() {
            let slot = if tape.keep { i } else { 0 };
            let (from, to) = if tape.keep { (i, i + 1) } else { (i % 2, (i + 1) % 2) };
            let Ok([features, out]) = tape.features.get_disjoint_mut([from, to]) else {
                unreachable!("a block's input and output are apart")
            };
            let (features, out) = (&features[..boards], &mut out[..boards]);
            let inner = &mut tape.inner[slot][..boards];
            let layer = (&block.first, weights);
            let bias = block.first.bias(weights);
            let epilogue = Epilogue {
                bias,
                board_bias: None,
                skip: None,
                activation: Activation::Relu,
                boards: inner,
            };
            self.convolve(layer, features, &mut tape.transformed, epilogue, &mut statistics);
            let board_bias = block.pool.as_ref().map(|pool| {
                let pooled = &mut tape.pooled[slot];
                self.pool(&tape.inner[slot][..boards], pooled);
                let left = Matrix::new(pooled, pool.inputs);
                dense(pool, weights, left, n, &mut tape.board_bias);
                &*tape.board_bias
            });
            let layer = (&block.second, weights);
            let (bias, skip) = (block.second.bias(weights), Some(features));
            let epilogue =
                Epilogue { bias, board_bias, skip, activation: Activation::Relu, boards: out };
            let inner = &tape.inner[slot][..boards];
            self.convolve(layer, inner, &mut tape.transformed, epilogue, &mut statistics);
        }
        self.heads(tape, weights, statistics);
    }

    /// Which of the tape's features are the last.
    pub(crate) fn last_features(&self, tape: &Tape) -> usize {
        let blocks = self.architecture.blocks.len();
        if tape.keep { blocks } else { blocks % 2 }
    }

    /// A 3×3 convolution. What it gives before anything else is added goes to `statistics`.
    fn convolve(
        &self,
        (layer, weights): (&LayerLayout, &[f32]),
        boards: &[f32],
        Transformed { windows, products }: &mut Transformed,
        epilogue: Epilogue<'_>,
        statistics: &mut Option<&mut BatchStatistics>,
    ) {
        let channels = self.channels();
        let rows = boards.len() / self.board_len() * self.tiling.tiles();
        let size = Size { rows, inner: channels, columns: channels };
        let step = WINDOW * channels;
        self.tiling.input_transform(boards, channels, windows);
        let kernels = layer.weights(weights).chunks_exact(channels * channels);
        for (place, kernel) in (0..WINDOW).zip(kernels) {
            let left = Matrix::new(&windows[place * channels..], step);
            let out = (&mut products[place * channels..], step);
            matmul::<false>(size, left, (kernel, channels), out);
        }
        if let Some(statistics) = statistics {
            let (bias, boards) = (epilogue.bias, &mut *epilogue.boards);
            let activation = Activation::Identity;
            let bare = Epilogue { bias, board_bias: None, skip: None, activation, boards };
            self.tiling.output_transform(products, bare);
            statistics.measure(layer, epilogue.boards);
        }
        self.tiling.output_transform(products, epilogue);
    }

    /// The mean and the maximum of each channel over the squares of each board.
    fn pool(&self, boards: &[f32], pooled: &mut [f32]) {
        let used = self.architecture.channels;
        let [mut means, mut maxima] = [0; 2].map(|_| vec![0.0; self.channels()]);
        let boards = boards.chunks_exact(self.board_len());
        for (board, pooled) in boards.zip(pooled.chunks_exact_mut(2 * used)) {
            pool(board, &mut means, &mut maxima);
            pooled[..used].copy_from_slice(&means[..used]);
            pooled[used..].copy_from_slice(&maxima[..used]);
        }
    }

    fn heads(&self, tape: &mut Tape, weights: &[f32], statistics: Option<&mut BatchStatistics>) {
        let WeightLayout { heads, policy_linear, value_hidden, value_out, .. } = &self.layout;
        let (n, squares, channels) = (tape.len, self.squares(), self.channels());
        let features = Matrix::new(&tape.features[self.last_features(tape)], channels);
        dense(heads, weights, features, n * squares, &mut tape.heads);
        if let Some(statistics) = statistics {
            statistics.measure(heads, &tape.heads[..n * squares * heads.columns]);
        }
        let rows = tape.heads[..n * squares * heads.columns].chunks_exact(heads.columns);
        let policy_planes = self.architecture.policy.outputs;
        let floor = self.architecture.value_activation().floor();
        for (i, row) in rows.enumerate() {
            tape.value_inputs[i] = row[policy_planes].max(floor);
        }
        if let Some(linear) = policy_linear {
            let boards = tape.heads.chunks_exact(squares * heads.columns);
            for (board, to) in
                boards.zip(tape.policy_inputs.chunks_exact_mut(linear.inputs)).take(n)
            {
                for (square, row) in board.chunks_exact(heads.columns).enumerate() {
                    for (plane, &value) in row[..policy_planes].iter().enumerate() {
                        to[plane * squares + square] = value.max(0.0);
                    }
                }
            }
            let left = Matrix::new(&tape.policy_inputs, linear.inputs);
            dense(linear, weights, left, n, &mut tape.policy_outputs);
        }
        let left = Matrix::new(&tape.value_inputs, squares);
        dense(value_hidden, weights, left, n, &mut tape.value_hidden);
        for value in tape.value_hidden.iter_mut() {
            *value = value.max(0.0);
        }
        let left = Matrix::new(&tape.value_hidden, value_hidden.columns);
        dense(value_out, weights, left, n, &mut tape.value_out);
        let outs = tape.value_out.chunks_exact(value_out.columns);
        for (value, out) in tape.values.iter_mut().zip(outs).take(n) {
            *value = out[0].tanh();
        }
    }
}

/// A linear layer: bias and matmul, for `rows` rows.
fn dense(layer: &LayerLayout, weights: &[f32], inputs: Matrix<'_>, rows: usize, out: &mut [f32]) {
    let columns = layer.columns;
    for row in out.chunks_exact_mut(columns).take(rows) {
        row.copy_from_slice(layer.bias(weights));
    }
    let size = Size { rows, inner: layer.inputs, columns };
    matmul::<true>(size, inputs, (layer.weights(weights), columns), (out, columns));
}
