//! The arithmetic of the reference: everything in f32.

use super::activation::Activation;
use super::batch_norm::BatchStatistics;
use super::layout::LayerLayout;
use super::matmul::{Matrix, Size, matmul};
use super::network::{Arithmetic, Network};
use super::tape::Transformed;
use super::winograd::{Epilogue, WINDOW};

/// Layers in f32, as learning needs them.
pub(crate) struct Floats<'a> {
    /// The arranged weights.
    pub(crate) weights: &'a [f32],
    /// What normalised layers see is added here.
    pub(crate) statistics: Option<&'a mut BatchStatistics>,
}

impl<'a> Arithmetic<'a> for Floats<'a> {
    fn weights(&self) -> &'a [f32] {
        self.weights
    }

    fn statistics(&mut self) -> Option<&mut BatchStatistics> {
        self.statistics.as_deref_mut()
    }

    fn convolve(
        &mut self,
        network: &Network,
        layer: &LayerLayout,
        boards: &[f32],
        Transformed { windows, products, .. }: &mut Transformed,
        epilogue: Epilogue<'_>,
    ) {
        let (tiling, channels) = (&network.tiling, network.channels());
        let rows = boards.len() / network.board_len() * tiling.tiles();
        let size = Size { rows, inner: channels, columns: channels };
        let step = WINDOW * channels;
        tiling.input_transform(boards, channels, windows);
        let kernels = layer.weights(self.weights).chunks_exact(channels * channels);
        for (place, kernel) in (0..WINDOW).zip(kernels) {
            let left = Matrix::new(&windows[place * channels..], step);
            let out = (&mut products[place * channels..], step);
            matmul::<false>(size, left, (kernel, channels), out);
        }
        if let Some(statistics) = &mut self.statistics {
            let (bias, boards) = (epilogue.bias, &mut *epilogue.boards);
            let activation = Activation::Identity;
            let bare = Epilogue { bias, board_bias: None, skip: None, activation, boards };
            tiling.output_transform(products, bare);
            statistics.measure(layer, epilogue.boards);
        }
        tiling.output_transform(products, epilogue);
    }

    fn dense(
        &mut self,
        _: &Network,
        layer: &LayerLayout,
        inputs: Matrix<'_>,
        rows: usize,
        _: &mut Transformed,
        out: &mut [f32],
    ) {
        let columns = layer.columns;
        for row in out.chunks_exact_mut(columns).take(rows) {
            row.copy_from_slice(layer.bias(self.weights));
        }
        let size = Size { rows, inner: layer.inputs, columns };
        matmul::<true>(size, inputs, (layer.weights(self.weights), columns), (out, columns));
    }
}
