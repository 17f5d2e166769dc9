//! The backward pass: from the gradient of logits and values to that of the weights.

use super::activation::{Activation, relu_backward, relu_backward_summing};
use super::layout::{LayerLayout, WeightLayout};
use super::matmul::{Matrix, Size, matmul};
use super::network::Network;
use super::pool::pool_backward;
use super::simd::{AlignedFloats, dispatch};
use super::tape::{BATCH, Tape, Transformed};
use super::winograd::WINDOW;

/// The gradient on its way back.
#[derive(Debug)]
pub(crate) struct Gradients {
    /// The gradient of all arranged weights, summed over the positions seen so far.
    pub(crate) weights: AlignedFloats,
    /// The gradient of what [`Network::logits`] gives, to be filled in before the pass.
    logits: AlignedFloats,
    /// The gradient of the values, to be filled in before the pass.
    pub(crate) values: Vec<f32>,
    heads: AlignedFloats,
    features: AlignedFloats,
    inner: AlignedFloats,
    board_bias: AlignedFloats,
    pooled: AlignedFloats,
    policy_inputs: AlignedFloats,
    value_out: AlignedFloats,
    value_hidden: AlignedFloats,
    value_inputs: AlignedFloats,
}

impl Network {
    /// Gradients of 0.
    pub(crate) fn gradients(&self) -> Gradients {
        let WeightLayout { heads, policy_linear, value_hidden, value_out, .. } = &self.layout;
        let many = |count: usize| AlignedFloats::zeros(BATCH * count);
        let pool = self.layout.blocks.iter().find_map(|block| block.pool.as_ref());
        Gradients {
            weights: AlignedFloats::zeros(self.layout.len),
            logits: many(policy_linear.as_ref().map_or(0, |linear| linear.columns)),
            values: vec![0.0; BATCH],
            heads: many(self.squares() * heads.columns),
            features: many(self.board_len()),
            inner: many(self.board_len()),
            board_bias: many(self.channels()),
            pooled: many(pool.map_or(0, LayerLayout::transposed_columns)),
            policy_inputs: many(policy_linear.as_ref().map_or(0, LayerLayout::transposed_columns)),
            value_out: many(value_out.columns),
            value_hidden: many(value_hidden.columns),
            value_inputs: many(value_hidden.transposed_columns()),
        }
    }

    /// Sets the gradient of all logits to 0.
    pub(crate) fn clear_logits(&self, gradients: &mut Gradients) {
        gradients.logits.fill(0.0);
        gradients.heads.fill(0.0);
    }

    /// Sets the gradient of the logits of one position's legal actions.
    pub(crate) fn set_logit_gradients(
        &self,
        gradients: &mut Gradients,
        position: usize,
        actions: &[u32],
        values: &[f32],
    ) {
        let all = match self.layout.policy_linear {
            Some(_) => &mut gradients.logits,
            None => &mut gradients.heads,
        };
        let logits = &mut all[position * self.logits_len()..][..self.logits_len()];
        for (&action, &value) in actions.iter().zip(values) {
            logits[self.logit_place(action)] = value;
        }
    }

    /// Adds the gradient of the weights, given that of logits and values. The tape must have kept
    /// what the forward pass computed. `transposed` are the weights of that pass.
    pub(crate) fn backward(&self, tape: &mut Tape, gradients: &mut Gradients, transposed: &[f32]) {
        self.heads_backward(tape, gradients, transposed);
        let (n, channels) = (tape.len, self.channels());
        let boards = n * self.board_len();
        for (i, block) in self.layout.blocks.iter().enumerate().rev() {
            let (before, after) = tape.features.split_at(i + 1);
            let (before, after) = (&before[i][..boards], &after[0][..boards]);
            let (inner, features) = (&tape.inner[i][..boards], &mut gradients.features[..boards]);
            let (_, bias) = block.second.gradient(&mut gradients.weights);
            let sums = &mut gradients.board_bias[..n * channels];
            sums.fill(0.0);
            let results = after.chunks_exact(self.board_len()).zip(sums.chunks_exact_mut(channels));
            for (gradients, (results, sums)) in
                features.chunks_exact_mut(self.board_len()).zip(results)
            {
                relu_backward_summing(gradients, results, sums);
                add(bias, sums);
            }
            let d_inner = &mut gradients.inner[..boards];
            if let Some(pool) = &block.pool {
                let pooled = &tape.pooled[i];
                let inputs = Matrix::new(pooled, pool.inputs);
                let gradient = &mut gradients.weights;
                dense_backward(pool, transposed, inputs, sums, n, gradient, &mut gradients.pooled);
                let d_pooled = (&*gradients.pooled, pool.transposed_columns());
                self.pool_backward(inner, pooled, d_pooled, d_inner);
            } else {
                d_inner.fill(0.0);
            }
            let work = &mut tape.transformed;
            let (kernels, _) = block.second.gradient(&mut gradients.weights);
            let matrices = block.second.transposed(transposed);
            self.convolve_backward(matrices, kernels, inner, features, work, d_inner);
            let (kernels, bias) = block.first.gradient(&mut gradients.weights);
            relu_backward_summing(d_inner, inner, bias);
            let work = &mut tape.transformed;
            let matrices = block.first.transposed(transposed);
            self.convolve_backward(matrices, kernels, before, d_inner, work, features);
        }
        let features = &mut gradients.features[..boards];
        let (kernel, bias) = self.layout.input.gradient(&mut gradients.weights);
        relu_backward_summing(features, &tape.features[0][..boards], bias);
        for (planes, board) in tape.planes.iter().zip(features.chunks_exact(self.board_len())) {
            self.input_convolution.add_gradient(planes, board, channels, kernel);
        }
    }

    /// Adds the gradients of a convolution's kernels and inputs, given that of its results.
    fn convolve_backward(
        &self,
        transposed: &[f32],
        kernels: &mut [f32],
        inputs: &[f32],
        results: &[f32],
        Transformed { windows, products, .. }: &mut Transformed,
        d_inputs: &mut [f32],
    ) {
        let channels = self.channels();
        let rows = inputs.len() / self.board_len() * self.tiling.tiles();
        let step = WINDOW * channels;
        self.tiling.input_transform(inputs, channels, windows);
        self.tiling.output_transposed(results, channels, products);
        let size = channels * channels;
        let kernels = kernels.chunks_exact_mut(size).zip(transposed.chunks_exact(size));
        for (place, (kernel, transposed)) in (0..WINDOW).zip(kernels) {
            let windows = &mut windows[place * channels..];
            let products = &products[place * channels..];
            let size = Size { rows: channels, inner: rows, columns: channels };
            let left = Matrix::new(windows, step).transposed();
            matmul::<true>(size, left, (products, step), (kernel, channels));
            // From here on the windows are not needed any more: their gradient takes their place.
            let size = Size { rows, inner: channels, columns: channels };
            let left = Matrix::new(products, step);
            matmul::<false>(size, left, (transposed, channels), (windows, step));
        }
        self.tiling.add_input_transposed(windows, channels, d_inputs);
    }

    /// Hands the gradient of means and maxima, in rows of `width`, back to the squares.
    fn pool_backward(
        &self,
        boards: &[f32],
        pooled: &[f32],
        (d_pooled, width): (&[f32], usize),
        d_boards: &mut [f32],
    ) {
        let used = self.architecture.channels;
        let [mut maxima, mut d_means, mut d_maxima] = [0; 3].map(|_| vec![0.0; self.channels()]);
        let boards = boards.chunks_exact(self.board_len());
        let d_boards = d_boards.chunks_exact_mut(self.board_len());
        let pooled = pooled.chunks_exact(2 * used).zip(d_pooled.chunks_exact(width));
        for ((board, d_board), (pooled, d_pooled)) in boards.zip(d_boards).zip(pooled) {
            maxima[..used].copy_from_slice(&pooled[used..]);
            d_means[..used].copy_from_slice(&d_pooled[..used]);
            d_maxima[..used].copy_from_slice(&d_pooled[used..2 * used]);
            pool_backward(board, &maxima, &d_means, &d_maxima, d_board);
        }
    }

    fn heads_backward(&self, tape: &mut Tape, gradients: &mut Gradients, transposed: &[f32]) {
        let WeightLayout { heads, policy_linear, value_hidden, value_out, .. } = &self.layout;
        let (n, squares, channels) = (tape.len, self.squares(), self.channels());
        let policy_planes = self.architecture.policy.outputs;
        let value_planes = policy_planes..policy_planes + self.architecture.value.outputs;
        let (values, d_values) = (tape.values.iter(), gradients.values.iter());
        let outs = gradients.value_out.chunks_exact_mut(value_out.columns);
        for (out, (value, gradient)) in outs.zip(values.zip(d_values)).take(n) {
            out[0] = gradient * (1.0 - value * value);
        }
        let gradient = &mut gradients.weights;
        let inputs = Matrix::new(&tape.value_hidden, value_hidden.columns);
        dense_backward(
            value_out,
            transposed,
            inputs,
            &gradients.value_out,
            n,
            gradient,
            &mut gradients.value_hidden,
        );
        relu_backward(&mut gradients.value_hidden, &tape.value_hidden);
        let inputs = Matrix::new(&tape.value_inputs, value_hidden.inputs);
        dense_backward(
            value_hidden,
            transposed,
            inputs,
            &gradients.value_hidden,
            n,
            gradient,
            &mut gradients.value_inputs,
        );
        if let Some(linear) = policy_linear {
            let inputs = Matrix::new(&tape.policy_inputs, linear.inputs);
            dense_backward(
                linear,
                transposed,
                inputs,
                &gradients.logits,
                n,
                gradient,
                &mut gradients.policy_inputs,
            );
        }
        let linear =
            policy_linear.as_ref().map(|linear| (linear.inputs, linear.transposed_columns()));
        let boards = gradients.heads.chunks_exact_mut(squares * heads.columns).take(n);
        let value_relu = self.architecture.value_activation() == Activation::Relu;
        for (p, board) in boards.enumerate() {
            for (square, row) in board.chunks_exact_mut(heads.columns).enumerate() {
                for (plane, to) in row[value_planes.clone()].iter_mut().enumerate() {
                    let at = plane * squares + square;
                    let value = tape.value_inputs[p * value_hidden.inputs + at];
                    let gradient =
                        gradients.value_inputs[p * value_hidden.transposed_columns() + at];
                    *to = if value > 0.0 || !value_relu { gradient } else { 0.0 };
                }
                if let Some((inputs, width)) = linear {
                    for (plane, to) in row[..policy_planes].iter_mut().enumerate() {
                        let at = plane * squares + square;
                        let value = tape.policy_inputs[p * inputs + at];
                        let gradient = gradients.policy_inputs[p * width + at];
                        *to = if value > 0.0 { gradient } else { 0.0 };
                    }
                }
            }
        }
        let features = Matrix::new(&tape.features[self.last_features(tape)], channels);
        dense_backward(
            heads,
            transposed,
            features,
            &gradients.heads,
            n * squares,
            gradient,
            &mut gradients.features,
        );
    }
}

/// Adds the gradient of a linear layer's weights and writes that of its inputs. `inputs` are those
/// of the forward pass, in `rows` rows.
fn dense_backward(
    layer: &LayerLayout,
    transposed: &[f32],
    inputs: Matrix<'_>,
    results: &[f32],
    rows: usize,
    gradient: &mut [f32],
    d_inputs: &mut [f32],
) {
    let (matrix, bias) = layer.gradient(gradient);
    let results = &results[..rows * layer.columns];
    for row in results.chunks_exact(layer.columns) {
        add(bias, row);
    }
    let columns = layer.columns;
    let size = Size { rows: layer.inputs, inner: rows, columns };
    matmul::<true>(size, inputs.transposed(), (results, columns), (matrix, columns));
    let width = layer.transposed_columns();
    let size = Size { rows, inner: columns, columns: width };
    let right = (layer.transposed(transposed), width);
    matmul::<false>(size, Matrix::new(results, columns), right, (d_inputs, width));
}

/// Adds `from` to `to`.
pub(crate) fn add(to: &mut [f32], from: &[f32]) {
    dispatch(|| {
        for (to, from) in to.iter_mut().zip(from) {
            *to += from;
        }
    });
}
