//! The network in integers of 16 bits: what play uses where f32 is slower than need be.
//!
//! A board's features are rounded to about eleven bits, on a scale of its own, so that no number
//! has to be known beforehand and none is cut off. From there on sums are exact: the transform of
//! the windows never rounds, and weights are rounded as finely as sums of 32 bits allow. What the
//! layers give is scaled back to f32, where biases, skip connections and activations are as in the
//! reference. All processors give the same numbers, bit by bit, whatever their vectors.

mod product;
mod vectors;
mod windows;

use super::batch_norm::BatchStatistics;
use super::layout::{LayerLayout, WeightLayout};
use super::matmul::Matrix;
use super::network::{Arithmetic, Network};
use super::simd::Aligned;
use super::tape::{BATCH, Transformed};
use super::winograd::{Epilogue, WINDOW};
use product::{INNER_STEP, WeightMatrix};
#[cfg(test)]
pub(crate) use vectors::{Tier, forced};
use windows::{Windows, largest_in_window, largest_plain, quantize_rows};

/// The weights of all layers but the first, in integers.
#[derive(Debug)]
pub(crate) struct IntegerWeights {
    /// By [`LayerLayout::index`]; one matrix for each place in the window, or one.
    layers: Vec<Vec<WeightMatrix>>,
}

impl IntegerWeights {
    /// Rounds arranged weights.
    pub(crate) fn new(layout: &WeightLayout, arranged: &[f32]) -> Self {
        let layer = |layer: &LayerLayout| match layer.matrices() {
            // The first layer adds kernels up and has no products.
            _ if layer.index == layout.input.index => Vec::new(),
            count => {
                let matrices = layer.weights(arranged).chunks_exact(layer.inputs * layer.columns);
                let bound = |place| match count {
                    WINDOW => largest_in_window(place),
                    _ => largest_plain(),
                };
                let matrix =
                    |(place, weights)| WeightMatrix::new(weights, layer.columns, bound(place));
                matrices.enumerate().map(matrix).collect()
            }
        };
        let mut layers: Vec<_> = layout.all().map(|l| (l.index, layer(l))).collect();
        layers.sort_by_key(|&(index, _)| index);
        Self { layers: layers.into_iter().map(|(_, matrices)| matrices).collect() }
    }
}

/// Layers in integers.
pub(crate) struct Integers<'a> {
    /// The arranged weights, for the first layer and the biases.
    pub(crate) floats: &'a [f32],
    pub(crate) weights: &'a IntegerWeights,
}

/// What goes into the products of a layer.
#[derive(Debug)]
pub(super) struct IntegerInputs {
    windows: Windows,
    rows: Aligned<i16>,
    scales: Vec<f32>,
}

impl IntegerInputs {
    fn new(network: &Network) -> Self {
        let squares = network.squares();
        let layout = &network.layout;
        let one_each = [&layout.value_hidden, &layout.value_out].into_iter();
        let one_each = one_each.chain(&layout.policy_linear);
        let one_each = one_each.chain(layout.blocks.iter().filter_map(|block| block.pool.as_ref()));
        let numbers = |rows: usize, l: &LayerLayout| rows * l.inputs.next_multiple_of(INNER_STEP);
        let most = one_each.map(|layer| numbers(1, layer)).max().unwrap_or(0);
        let most = most.max(numbers(squares, &layout.heads));
        Self {
            windows: Windows::new(&network.tiling, network.channels(), BATCH),
            rows: Aligned::zeros(BATCH * most),
            scales: vec![0.0; BATCH * squares],
        }
    }
}

impl<'a> Arithmetic<'a> for Integers<'a> {
    fn weights(&self) -> &'a [f32] {
        self.floats
    }

    fn statistics(&mut self) -> Option<&mut BatchStatistics> {
        None
    }

    fn convolve(
        &mut self,
        network: &Network,
        layer: &LayerLayout,
        boards: &[f32],
        Transformed { products, integers, .. }: &mut Transformed,
        epilogue: Epilogue<'_>,
    ) {
        let (tiling, channels) = (&network.tiling, network.channels());
        let inputs = integers.get_or_insert_with(|| IntegerInputs::new(network));
        inputs.windows.fill(tiling, boards, channels);
        let rows = boards.len() / network.board_len() * tiling.tiles();
        let scales = &inputs.windows.scales[..rows];
        for (place, matrix) in self.weights.layers[layer.index].iter().enumerate() {
            let out = &mut products[place * channels..];
            matrix.multiply(inputs.windows.place(place), scales, out, WINDOW * channels);
        }
        tiling.output_transform(products, epilogue);
    }

    fn dense(
        &mut self,
        network: &Network,
        layer: &LayerLayout,
        inputs: Matrix<'_>,
        count: usize,
        Transformed { integers, .. }: &mut Transformed,
        out: &mut [f32],
    ) {
        let IntegerInputs { rows, scales, .. } =
            integers.get_or_insert_with(|| IntegerInputs::new(network));
        let [matrix] = self.weights.layers[layer.index].as_slice() else {
            unreachable!("a linear layer has one matrix")
        };
        let scales = &mut scales[..count];
        quantize_rows(inputs.rows(layer.inputs), matrix.inner(), rows, scales);
        matrix.multiply(rows, scales, out, layer.columns);
        let bias = layer.bias(self.floats);
        for row in out.chunks_exact_mut(layer.columns).take(count) {
            row.iter_mut().zip(bias).for_each(|(sum, bias)| *sum += bias);
        }
    }
}
