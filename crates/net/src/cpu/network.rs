//! The forward pass.

use super::arrangement::{Arrangement, Placed};
use super::moments::Moments;
use super::pool::pool;
use super::product::{Matrix, Size, padded, product};
use super::sparse::Reach;
use super::tape::{Tape, Transformed};
use super::winograd::{Finish, Tiling, WINDOW};
use crate::parameters::Blueprint;

/// A network without its weights: what is computed, in which order.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) blueprint: Blueprint,
    pub(crate) arrangement: Arrangement,
    pub(crate) tiling: Tiling,
    pub(crate) reach: Reach,
    /// Where each action's logit lies among the logits of a position.
    logit_places: Vec<u32>,
}

impl Network {
    /// The network of a blueprint. `cell` says where an action stands in planes of actions.
    pub(crate) fn new(blueprint: Blueprint, cell: impl Fn(usize) -> usize) -> Self {
        let arrangement = Arrangement::new(&blueprint);
        let (tiling, reach) = (Tiling::new(blueprint.sizes.side), Reach::new(blueprint.sizes.side));
        let squares = blueprint.sizes.squares();
        let columns = arrangement.heads.columns;
        let place = |action| match blueprint.policy_linear {
            Some(_) => action,
            None => cell(action) % squares * columns + cell(action) / squares,
        };
        let logit_places =
            (0..blueprint.sizes.actions).map(|action| place(action) as u32).collect();
        Self { blueprint, arrangement, tiling, reach, logit_places }
    }

    /// The channels of a square, padded to whole vectors.
    pub(crate) fn channels(&self) -> usize {
        padded(self.blueprint.channels)
    }

    pub(crate) fn squares(&self) -> usize {
        self.tiling.squares()
    }

    /// How many numbers the features of a position are.
    pub(crate) fn board_len(&self) -> usize {
        self.squares() * self.channels()
    }

    /// How far apart the logits of two positions are.
    pub(crate) fn logits_len(&self) -> usize {
        match &self.arrangement.policy_linear {
            Some(linear) => linear.columns,
            None => self.squares() * self.arrangement.heads.columns,
        }
    }

    /// The logits of one position, to be looked up at [`Network::logit_places`].
    fn logits<'a>(&self, tape: &'a Tape, position: usize) -> &'a [f32] {
        let all = match self.arrangement.policy_linear {
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
    /// to `moments`.
    pub(crate) fn forward(
        &self,
        tape: &mut Tape,
        weights: &[f32],
        mut moments: Option<&mut Moments>,
    ) {
        let n = tape.len;
        let boards = n * self.board_len();
        let input = &self.arrangement.input;
        let first = tape.features[0][..boards].chunks_exact_mut(self.board_len());
        for (planes, board) in tape.planes.iter().zip(first) {
            let layer = (input.weights(weights), input.bias(weights));
            if let Some(moments) = &mut moments {
                self.reach.convolve(planes, layer, f32::NEG_INFINITY, board);
                moments.measure(input, board);
            }
            self.reach.convolve(planes, layer, 0.0, board);
        }
        for (i, block) in self.arrangement.blocks.iter().enumerate() {
            let slot = if tape.keep { i } else { 0 };
            let (from, to) = if tape.keep { (i, i + 1) } else { (i % 2, (i + 1) % 2) };
            let Ok([features, out]) = tape.features.get_disjoint_mut([from, to]) else {
                unreachable!("a block's input and output are apart")
            };
            let (features, out) = (&features[..boards], &mut out[..boards]);
            let inner = &mut tape.inner[slot][..boards];
            let layer = (&block.first, weights);
            let bias = block.first.bias(weights);
            let finish = Finish { bias, board_bias: None, skip: None, least: 0.0, boards: inner };
            self.convolve(layer, features, &mut tape.transformed, finish, &mut moments);
            let board_bias = block.pool.as_ref().map(|pool| {
                let pooled = &mut tape.pooled[slot];
                self.pool(&tape.inner[slot][..boards], pooled);
                let left = Matrix::new(pooled, pool.inputs);
                dense(pool, weights, left, n, &mut tape.board_bias);
                &*tape.board_bias
            });
            let layer = (&block.second, weights);
            let (bias, skip) = (block.second.bias(weights), Some(features));
            let finish = Finish { bias, board_bias, skip, least: 0.0, boards: out };
            let inner = &tape.inner[slot][..boards];
            self.convolve(layer, inner, &mut tape.transformed, finish, &mut moments);
        }
        self.heads(tape, weights, moments);
    }

    /// Which of the tape's features are the last.
    pub(crate) fn last_features(&self, tape: &Tape) -> usize {
        let blocks = self.blueprint.blocks.len();
        if tape.keep { blocks } else { blocks % 2 }
    }

    /// A 3×3 convolution. What it gives before anything else is added goes to `moments`.
    fn convolve(
        &self,
        (layer, weights): (&Placed, &[f32]),
        boards: &[f32],
        Transformed { windows, products }: &mut Transformed,
        finish: Finish<'_>,
        moments: &mut Option<&mut Moments>,
    ) {
        let channels = self.channels();
        let rows = boards.len() / self.board_len() * self.tiling.tiles();
        let size = Size { rows, inner: channels, columns: channels };
        let step = WINDOW * channels;
        self.tiling.transform_windows(boards, channels, windows);
        let kernels = layer.weights(weights).chunks_exact(channels * channels);
        for (place, kernel) in (0..WINDOW).zip(kernels) {
            let left = Matrix::new(&windows[place * channels..], step);
            let out = (&mut products[place * channels..], step);
            product::<false>(size, left, (kernel, channels), out);
        }
        if let Some(moments) = moments {
            let (bias, boards) = (finish.bias, &mut *finish.boards);
            let least = f32::NEG_INFINITY;
            self.tiling
                .finish(products, Finish { bias, board_bias: None, skip: None, least, boards });
            moments.measure(layer, finish.boards);
        }
        self.tiling.finish(products, finish);
    }

    /// The mean and the maximum of each channel over the squares of each board.
    fn pool(&self, boards: &[f32], pooled: &mut [f32]) {
        let used = self.blueprint.channels;
        let [mut means, mut maxima] = [0; 2].map(|_| vec![0.0; self.channels()]);
        let boards = boards.chunks_exact(self.board_len());
        for (board, pooled) in boards.zip(pooled.chunks_exact_mut(2 * used)) {
            pool(board, &mut means, &mut maxima);
            pooled[..used].copy_from_slice(&means[..used]);
            pooled[used..].copy_from_slice(&maxima[..used]);
        }
    }

    fn heads(&self, tape: &mut Tape, weights: &[f32], moments: Option<&mut Moments>) {
        let Arrangement { heads, policy_linear, value_hidden, value_out, .. } = &self.arrangement;
        let (n, squares, channels) = (tape.len, self.squares(), self.channels());
        let features = Matrix::new(&tape.features[self.last_features(tape)], channels);
        dense(heads, weights, features, n * squares, &mut tape.heads);
        if let Some(moments) = moments {
            moments.measure(heads, &tape.heads[..n * squares * heads.columns]);
        }
        let rows = tape.heads[..n * squares * heads.columns].chunks_exact(heads.columns);
        let policy_planes = self.blueprint.policy.outputs;
        let least = if self.blueprint.cuts_value_plane() { 0.0 } else { f32::NEG_INFINITY };
        for (i, row) in rows.enumerate() {
            tape.value_inputs[i] = row[policy_planes].max(least);
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

/// A linear layer: bias and product, for `rows` rows.
fn dense(layer: &Placed, weights: &[f32], inputs: Matrix<'_>, rows: usize, out: &mut [f32]) {
    let columns = layer.columns;
    for row in out.chunks_exact_mut(columns).take(rows) {
        row.copy_from_slice(layer.bias(weights));
    }
    let size = Size { rows, inner: layer.inputs, columns };
    product::<true>(size, inputs, (layer.weights(weights), columns), (out, columns));
}
