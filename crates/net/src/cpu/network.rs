//! The forward pass.

use super::activation::Activation;
use super::batch_norm::BatchStatistics;
use super::layout::{LayerLayout, WeightLayout};
use super::matmul::{Matrix, padded};
use super::pool::pool;
use super::sparse::SparseConvolution;
use super::tape::{Tape, Transformed};
use super::winograd::{Epilogue, Tiling};
use crate::architecture::Architecture;

/// How the layers of a network are computed.
pub(crate) trait Arithmetic<'a> {
    /// The arranged weights.
    fn weights(&self) -> &'a [f32];

    /// Where what normalised layers see is added, if it is wanted.
    fn statistics(&mut self) -> Option<&mut BatchStatistics>;

    /// A 3×3 convolution of boards: `[n, squares, channels]`.
    fn convolve(
        &mut self,
        network: &Network,
        layer: &LayerLayout,
        boards: &[f32],
        work: &mut Transformed,
        epilogue: Epilogue<'_>,
    );

    /// A linear layer of `rows` rows.
    fn dense(
        &mut self,
        network: &Network,
        layer: &LayerLayout,
        inputs: Matrix<'_>,
        rows: usize,
        work: &mut Transformed,
        out: &mut [f32],
    );
}

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

    /// Computes logits and values of the positions on the tape.
    pub(crate) fn forward<'a>(&self, tape: &mut Tape, mut arithmetic: impl Arithmetic<'a>) {
        let n = tape.len;
        let boards = n * self.board_len();
        let input = &self.layout.input;
        let weights = arithmetic.weights();
        let first = tape.features[0][..boards].chunks_exact_mut(self.board_len());
        for (planes, board) in tape.planes.iter().zip(first) {
            let layer = (input.weights(weights), input.bias(weights));
            if let Some(statistics) = arithmetic.statistics() {
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
            let bias = block.first.bias(weights);
            let epilogue = Epilogue {
                bias,
                board_bias: None,
                skip: None,
                activation: Activation::Relu,
                boards: inner,
            };
            let work = &mut tape.transformed;
            arithmetic.convolve(self, &block.first, features, work, epilogue);
            let board_bias = block.pool.as_ref().map(|pool| {
                let pooled = &mut tape.pooled[slot];
                self.pool(&tape.inner[slot][..boards], pooled);
                let left = Matrix::new(pooled, pool.inputs);
                arithmetic.dense(self, pool, left, n, &mut tape.transformed, &mut tape.board_bias);
                &*tape.board_bias
            });
            let (bias, skip) = (block.second.bias(weights), Some(features));
            let epilogue =
                Epilogue { bias, board_bias, skip, activation: Activation::Relu, boards: out };
            let inner = &tape.inner[slot][..boards];
            arithmetic.convolve(self, &block.second, inner, &mut tape.transformed, epilogue);
        }
        self.heads(tape, arithmetic);
    }

    /// Which of the tape's features are the last.
    pub(crate) fn last_features(&self, tape: &Tape) -> usize {
        let blocks = self.architecture.blocks.len();
        if tape.keep { blocks } else { blocks % 2 }
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

    fn heads<'a>(&self, tape: &mut Tape, mut arithmetic: impl Arithmetic<'a>) {
        let WeightLayout { heads, policy_linear, value_hidden, value_out, .. } = &self.layout;
        let (n, squares, channels) = (tape.len, self.squares(), self.channels());
        let features = Matrix::new(&tape.features[self.last_features(tape)], channels);
        let work = &mut tape.transformed;
        arithmetic.dense(self, heads, features, n * squares, work, &mut tape.heads);
        if let Some(statistics) = arithmetic.statistics() {
            statistics.measure(heads, &tape.heads[..n * squares * heads.columns]);
        }
        let policy_planes = self.architecture.policy.outputs;
        let value_planes = policy_planes..policy_planes + self.architecture.value.outputs;
        let floor = self.architecture.value_activation().floor();
        let boards = tape.heads.chunks_exact(squares * heads.columns);
        let inputs = tape.value_inputs.chunks_exact_mut(value_hidden.inputs);
        for (board, to) in boards.zip(inputs).take(n) {
            for (square, row) in board.chunks_exact(heads.columns).enumerate() {
                for (plane, &value) in row[value_planes.clone()].iter().enumerate() {
                    to[plane * squares + square] = value.max(floor);
                }
            }
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
            arithmetic.dense(self, linear, left, n, work, &mut tape.policy_outputs);
        }
        let left = Matrix::new(&tape.value_inputs, value_hidden.inputs);
        arithmetic.dense(self, value_hidden, left, n, work, &mut tape.value_hidden);
        for value in tape.value_hidden.iter_mut() {
            *value = value.max(0.0);
        }
        let left = Matrix::new(&tape.value_hidden, value_hidden.columns);
        arithmetic.dense(self, value_out, left, n, work, &mut tape.value_out);
        let outs = tape.value_out.chunks_exact(value_out.columns);
        for (value, out) in tape.values.iter_mut().zip(outs).take(n) {
            *value = out[0].tanh();
        }
    }
}
