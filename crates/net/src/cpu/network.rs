//! The forward pass.

use super::arrangement::{Arrangement, Placed};
use super::floats::Floats;
use super::moments::Moments;
use super::pool::pool;
use super::product::{Matrix, Size, padded, product};
use super::sparse::{Planes, Reach};
use super::winograd::{Finish, Tiling, WINDOW};
use crate::parameters::Blueprint;

/// How many positions go through the network together: few enough for a layer to stay in the
/// processor's cache, enough for its products to run at full speed.
pub(crate) const BATCH: usize = 8;

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

/// The numbers of up to [`BATCH`] positions on their way through a network.
#[derive(Debug)]
pub(crate) struct Tape {
    /// Whether everything is kept that a backward pass needs.
    keep: bool,
    /// How many positions there are.
    pub(crate) len: usize,
    pub(crate) planes: Vec<Planes>,
    expanded: Vec<f32>,
    /// What goes into each block and out of the last: `[n, squares, channels]`.
    pub(crate) features: Vec<Floats>,
    /// What is between the convolutions of each block: `[n, squares, channels]`.
    pub(crate) inner: Vec<Floats>,
    /// The mean and the maximum of each channel of that over the squares: `[n, 2 · channels]`.
    pub(crate) pooled: Vec<Vec<f32>>,
    board_bias: Floats,
    pub(crate) windows: Floats,
    pub(crate) products: Floats,
    /// The planes of both heads: `[n, squares, planes]`.
    pub(crate) heads: Floats,
    /// The policy's planes, one after the other, if a linear layer follows.
    pub(crate) policy_inputs: Vec<f32>,
    pub(crate) policy_outputs: Floats,
    pub(crate) value_inputs: Vec<f32>,
    pub(crate) value_hidden: Floats,
    value_out: Floats,
    /// The values, from −1 to 1: `[n]`.
    pub(crate) values: Vec<f32>,
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

    /// An empty tape; `keep` if a backward pass will follow.
    pub(crate) fn tape(&self, keep: bool) -> Tape {
        let Arrangement { heads, policy_linear, value_hidden, value_out, .. } = &self.arrangement;
        let (squares, channels) = (self.squares(), self.channels());
        let blocks = self.blueprint.blocks.len();
        let boards = |count: usize| -> Vec<Floats> {
            (0..count).map(|_| Floats::zeros(BATCH * self.board_len())).collect()
        };
        let transformed = BATCH * self.tiling.windows_len(channels);
        let linear = policy_linear.as_ref().map_or((0, 0), |l| (l.inputs, l.columns));
        Tape {
            keep,
            len: 0,
            planes: (0..BATCH).map(|_| Planes::default()).collect(),
            expanded: vec![0.0; self.blueprint.sizes.planes * squares],
            features: boards(if keep { blocks + 1 } else { 2 }),
            inner: boards(if keep { blocks } else { 1 }),
            pooled: vec![
                vec![0.0; BATCH * 2 * self.blueprint.channels];
                if keep { blocks } else { 1 }
            ],
            board_bias: Floats::zeros(BATCH * channels),
            windows: Floats::zeros(transformed),
            products: Floats::zeros(transformed),
            heads: Floats::zeros(BATCH * squares * heads.columns),
            policy_inputs: vec![0.0; BATCH * linear.0],
            policy_outputs: Floats::zeros(BATCH * linear.1),
            value_inputs: vec![0.0; BATCH * squares],
            value_hidden: Floats::zeros(BATCH * value_hidden.columns),
            value_out: Floats::zeros(BATCH * value_out.columns),
            values: vec![0.0; BATCH],
        }
    }

    /// Puts positions on the tape; `expand` writes the planes of one.
    pub(crate) fn load<P>(
        &self,
        tape: &mut Tape,
        positions: &[P],
        expand: impl Fn(&P, &mut [f32]),
    ) {
        tape.len = positions.len();
        for (position, planes) in positions.iter().zip(&mut tape.planes) {
            expand(position, &mut tape.expanded);
            planes.read(&tape.expanded, self.squares());
        }
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
            let work = (&mut *tape.windows, &mut *tape.products);
            let sums = (None, None);
            self.convolve(&block.first, weights, features, work, sums, inner, &mut moments);
            let board_bias = block.pool.as_ref().map(|pool| {
                let pooled = &mut tape.pooled[slot];
                self.pool(inner, pooled);
                let size = Size { rows: n, inner: pool.inputs, columns: pool.columns };
                let right = (pool.weights(weights), pool.columns);
                let out = (&mut *tape.board_bias, pool.columns);
                product::<false>(size, Matrix::new(pooled, pool.inputs), right, out);
                &*tape.board_bias
            });
            let work = (&mut *tape.windows, &mut *tape.products);
            let sums = (board_bias, Some(features));
            self.convolve(&block.second, weights, inner, work, sums, out, &mut moments);
        }
        self.heads(tape, weights, moments);
    }

    /// The last features of the positions on the tape.
    pub(crate) fn last_features<'a>(&self, tape: &'a Tape) -> &'a [f32] {
        let blocks = self.blueprint.blocks.len();
        let last = &tape.features[if tape.keep { blocks } else { blocks % 2 }];
        &last[..tape.len * self.board_len()]
    }

    /// A 3×3 convolution; `board_bias` and `skip` are added to it.
    #[allow(clippy::too_many_arguments, reason = "what a layer needs")]
    fn convolve(
        &self,
        layer: &Placed,
        weights: &[f32],
        boards: &[f32],
        (windows, products): (&mut [f32], &mut [f32]),
        (board_bias, skip): (Option<&[f32]>, Option<&[f32]>),
        out: &mut [f32],
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
        let bias = layer.bias(weights);
        if let Some(moments) = moments {
            let least = f32::NEG_INFINITY;
            let finish = Finish { bias, board_bias: None, skip: None, least, boards: out };
            self.tiling.finish(products, finish);
            moments.measure(layer, out);
        }
        self.tiling.finish(products, Finish { bias, board_bias, skip, least: 0.0, boards: out });
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
        let mut planes = std::mem::replace(&mut tape.heads, Floats::zeros(0));
        let features = self.last_features(tape);
        dense(heads, weights, Matrix::new(features, channels), n * squares, &mut planes);
        tape.heads = planes;
        if let Some(moments) = moments {
            moments.measure(heads, &tape.heads[..n * squares * heads.columns]);
        }
        let rows = tape.heads[..n * squares * heads.columns].chunks_exact(heads.columns);
        let policy_planes = self.blueprint.policy.outputs;
        for (i, row) in rows.enumerate() {
            tape.value_inputs[i] = row[policy_planes].max(0.0);
        }
        if let Some(linear) = policy_linear {
            let boards = tape.heads.chunks_exact(squares * heads.columns);
            for (board, to) in
                boards.zip(tape.policy_inputs.chunks_exact_mut(linear.inputs)).take(n)
            {
                for (square, row) in board.chunks_exact(heads.columns).enumerate() {
                    for plane in 0..policy_planes {
                        to[plane * squares + square] = row[plane].max(0.0);
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
