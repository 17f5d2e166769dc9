//! Weights laid out for arithmetic.
//!
//! What the products read is not what is stored: kernels are transformed, rows are padded to whole
//! vectors, and normalisation, whose statistics stand still during a pass, is only another scale of
//! the weights. All of that is linear in the weights, so the way back leads from the gradient of
//! the arranged weights to that of the stored ones.

use super::matmul::padded;
use super::simd::AlignedFloats;
use super::winograd::{KERNEL, WINDOW, gather_kernel, transform_kernel};
use crate::architecture::{Affine, Architecture, BATCH_NORM_EPSILON, Layer, Parameters};

/// Where the arranged weights of each layer lie.
#[derive(Debug)]
pub(crate) struct WeightLayout {
    pub(crate) input: LayerLayout,
    pub(crate) blocks: Vec<BlockLayout>,
    /// The 1×1 convolutions of both heads as one: the policy's columns, then the value's.
    pub(crate) heads: LayerLayout,
    pub(crate) policy_linear: Option<LayerLayout>,
    pub(crate) value_hidden: LayerLayout,
    pub(crate) value_out: LayerLayout,
    /// How many numbers there are.
    pub(crate) len: usize,
    /// How many numbers the transposed matrices have.
    transposed_len: usize,
}

/// A residual block.
#[derive(Debug)]
pub(crate) struct BlockLayout {
    pub(crate) first: LayerLayout,
    pub(crate) second: LayerLayout,
    pub(crate) pool: Option<LayerLayout>,
}

/// Arranged layers that are computed as one.
#[derive(Debug)]
pub(crate) struct LayerLayout {
    /// Its place among [`WeightLayout::all`].
    pub(super) index: usize,
    form: Form,
    /// How many rows each matrix has.
    pub(crate) inputs: usize,
    /// How many columns each matrix has: whole vectors.
    pub(crate) columns: usize,
    weights: usize,
    bias: usize,
    transposed: usize,
    /// The layers, each with its first column.
    pub(crate) parts: Vec<(Layer, usize)>,
}

/// How the weights of a layer are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `[inputs, taps, columns]`
    Taps,
    /// A matrix `[inputs, columns]` for each place in the window.
    Windows,
    /// `[inputs, columns]`
    Matrix,
}

impl LayerLayout {
    pub(super) fn matrices(&self) -> usize {
        match self.form {
            Form::Taps => KERNEL,
            Form::Windows => WINDOW,
            Form::Matrix => 1,
        }
    }

    fn len(&self) -> usize {
        self.matrices() * self.inputs * self.columns
    }

    /// How many columns a transposed matrix has: whole vectors.
    pub(crate) fn transposed_columns(&self) -> usize {
        padded(self.inputs)
    }

    fn transposed_len(&self) -> usize {
        self.matrices() * self.columns * self.transposed_columns()
    }

    /// The matrices among all arranged weights.
    pub(crate) fn weights<'a>(&self, all: &'a [f32]) -> &'a [f32] {
        &all[self.weights..][..self.len()]
    }

    /// The bias among all arranged weights.
    pub(crate) fn bias<'a>(&self, all: &'a [f32]) -> &'a [f32] {
        &all[self.bias..][..self.columns]
    }

    /// The transposed matrices, each `[columns, inputs]`.
    pub(crate) fn transposed<'a>(&self, all: &'a [f32]) -> &'a [f32] {
        &all[self.transposed..][..self.transposed_len()]
    }

    /// The gradient of the matrices and of the bias.
    pub(crate) fn gradient<'a>(&self, all: &'a mut [f32]) -> (&'a mut [f32], &'a mut [f32]) {
        all[self.weights..][..self.len() + self.columns].split_at_mut(self.len())
    }

    /// Where the weight from `input` to `column` lies, and how far apart its values are.
    fn kernel(&self, input: usize, column: usize) -> (usize, usize) {
        let (start, step) = match self.form {
            Form::Taps => (input * KERNEL * self.columns, self.columns),
            Form::Windows | Form::Matrix => (input * self.columns, self.inputs * self.columns),
        };
        (self.weights + start + column, step)
    }

    fn write(&self, all: &mut [f32], (input, column): (usize, usize), kernel: &[f32], scale: f32) {
        let (start, step) = self.kernel(input, column);
        let mut put = |values: &[f32]| {
            for (i, value) in values.iter().enumerate() {
                all[start + i * step] = value * scale;
            }
        };
        match (self.form, kernel.try_into()) {
            (Form::Windows, Ok(kernel)) => put(&transform_kernel(kernel)),
            _ => put(kernel),
        }
    }

    /// The gradient of the kernel that [`LayerLayout::write`] wrote, as if its scale were 1.
    fn read(&self, all: &[f32], input: usize, column: usize, kernel: &mut [f32]) {
        let (start, step) = self.kernel(input, column);
        if self.form == Form::Windows {
            let transformed = std::array::from_fn(|i| all[start + i * step]);
            kernel.copy_from_slice(&gather_kernel(transformed));
        } else {
            for (i, value) in kernel.iter_mut().enumerate() {
                *value = all[start + i * step];
            }
        }
    }
}

impl WeightLayout {
    pub(crate) fn new(architecture: &Architecture) -> Self {
        let (mut len, mut transposed_len, mut index) = (0, 0, 0);
        let mut place = |form, inputs: usize, layers: &[&Layer]| {
            let mut columns = 0;
            let mut parts = Vec::new();
            for &layer in layers {
                parts.push((layer.clone(), columns));
                columns += layer.outputs;
            }
            let columns = padded(columns);
            let mut layer_layout = LayerLayout {
                index,
                form,
                inputs,
                columns,
                weights: len,
                bias: 0,
                transposed: transposed_len,
                parts,
            };
            layer_layout.bias = len + layer_layout.len();
            len = layer_layout.bias + columns;
            transposed_len += layer_layout.transposed_len();
            index += 1;
            layer_layout
        };
        let channels = padded(architecture.channels);
        let input = place(Form::Taps, architecture.input.inputs, &[&architecture.input]);
        let mut block = |block: &crate::architecture::Block| BlockLayout {
            first: place(Form::Windows, channels, &[&block.first]),
            second: place(Form::Windows, channels, &[&block.second]),
            pool: block.pool.as_ref().map(|pool| place(Form::Matrix, pool.inputs, &[pool])),
        };
        let blocks = architecture.blocks.iter().map(&mut block).collect();
        let heads = place(Form::Matrix, channels, &[&architecture.policy, &architecture.value]);
        let mut dense = |layer: &Layer| place(Form::Matrix, layer.inputs, &[layer]);
        let policy_linear = architecture.policy_linear.as_ref().map(&mut dense);
        let value_hidden = dense(&architecture.value_hidden);
        let value_out = dense(&architecture.value_out);
        Self { input, blocks, heads, policy_linear, value_hidden, value_out, len, transposed_len }
    }

    /// Everything that has weights.
    pub(crate) fn all(&self) -> impl Iterator<Item = &LayerLayout> {
        let blocks =
            self.blocks.iter().flat_map(|b| [&b.first, &b.second].into_iter().chain(&b.pool));
        let heads = std::iter::once(&self.heads).chain(&self.policy_linear);
        let value = [&self.value_hidden, &self.value_out];
        std::iter::once(&self.input).chain(blocks).chain(heads).chain(value)
    }

    /// Arranges weights.
    pub(crate) fn arrange(&self, parameters: &Parameters) -> AlignedFloats {
        let mut all = AlignedFloats::zeros(self.len);
        let weights = &parameters.weights;
        for layer_layout in self.all() {
            for (layer, first) in &layer_layout.parts {
                for output in 0..layer.outputs {
                    let ScaleShift { scale, shift, .. } = ScaleShift::of(layer, output, parameters);
                    all[layer_layout.bias + first + output] = shift;
                    for input in 0..layer.inputs {
                        let kernel = &weights[layer.kernel(output, input)];
                        layer_layout.write(&mut all, (input, first + output), kernel, scale);
                    }
                }
            }
        }
        all
    }

    /// The matrices of arranged weights, transposed.
    pub(crate) fn transpose(&self, arranged: &[f32]) -> AlignedFloats {
        let mut all = AlignedFloats::zeros(self.transposed_len);
        // Nothing is before the input that could learn.
        for layer_layout in self.all().filter(|layer_layout| layer_layout.form != Form::Taps) {
            let (inputs, columns) = (layer_layout.inputs, layer_layout.columns);
            let width = layer_layout.transposed_columns();
            let to = &mut all[layer_layout.transposed..][..layer_layout.transposed_len()];
            let from = layer_layout.weights(arranged).chunks_exact(inputs * columns);
            for (from, to) in from.zip(to.chunks_exact_mut(columns * width)) {
                for (input, row) in from.chunks_exact(columns).enumerate() {
                    for (column, &value) in row.iter().enumerate() {
                        to[column * width + input] = value;
                    }
                }
            }
        }
        all
    }

    /// The gradient of the stored weights, given that of the arranged ones.
    pub(crate) fn stored_gradient(&self, arranged: &[f32], parameters: &Parameters) -> Vec<f32> {
        let mut gradient = vec![0.0; parameters.weights.len()];
        for layer_layout in self.all() {
            for (layer, first) in &layer_layout.parts {
                for output in 0..layer.outputs {
                    let scale_shift = ScaleShift::of(layer, output, parameters);
                    let d_shift = arranged[layer_layout.bias + first + output];
                    let mut d_scale = 0.0;
                    for input in 0..layer.inputs {
                        let range = layer.kernel(output, input);
                        let kernel = &mut gradient[range.clone()];
                        layer_layout.read(arranged, input, first + output, kernel);
                        for (gradient, weight) in kernel.iter_mut().zip(&parameters.weights[range])
                        {
                            d_scale += *gradient * weight;
                            *gradient *= scale_shift.scale;
                        }
                    }
                    match &layer.affine {
                        Affine::None => {}
                        Affine::Bias(bias) => gradient[bias.start + output] = d_shift,
                        Affine::BatchNorm { gain, bias, .. } => {
                            gradient[bias.start + output] = d_shift;
                            gradient[gain.start + output] =
                                (d_scale - d_shift * scale_shift.mean) * scale_shift.per_deviation;
                        }
                    }
                }
            }
        }
        gradient
    }
}

/// What follows the products of one output: `scale` · product + `shift`.
pub(crate) struct ScaleShift {
    pub(crate) scale: f32,
    pub(crate) shift: f32,
    mean: f32,
    per_deviation: f32,
}

impl ScaleShift {
    pub(crate) fn of(layer: &Layer, output: usize, parameters: &Parameters) -> Self {
        let Parameters { weights, statistics } = parameters;
        match &layer.affine {
            Affine::None => Self { scale: 1.0, shift: 0.0, mean: 0.0, per_deviation: 1.0 },
            Affine::Bias(bias) => {
                let shift = weights[bias.start + output];
                Self { scale: 1.0, shift, mean: 0.0, per_deviation: 1.0 }
            }
            Affine::BatchNorm { gain, bias, mean, variance } => {
                let mean = statistics[mean.start + output];
                let variance = statistics[variance.start + output];
                let per_deviation = 1.0 / (variance + BATCH_NORM_EPSILON).sqrt();
                let scale = weights[gain.start + output] * per_deviation;
                let shift = weights[bias.start + output] - mean * scale;
                Self { scale, shift, mean, per_deviation }
            }
        }
    }
}
