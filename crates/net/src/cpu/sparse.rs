//! The first convolution, which reads planes that are mostly empty.
//!
//! An observation has few pieces, and its other planes have the same value everywhere. So instead
//! of multiplying zeros, every piece adds its kernel around its square, and all constant planes
//! together are one sum that only the edges of the board cut.

use pulp::{Simd, WithSimd};

use super::activation::Activation;
use super::simd::dispatch;
use super::winograd::KERNEL;
use crate::architecture::Board;

/// The planes of one position.
#[derive(Debug, Default)]
pub(crate) struct Planes {
    /// Values other than 0 in planes that are not constant.
    pieces: Vec<Piece>,
    /// Constant planes other than 0.
    constants: Vec<(u16, f32)>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    plane: u16,
    square: u16,
    value: f32,
}

impl Planes {
    /// Reads planes of `squares` squares each.
    pub(crate) fn read(&mut self, planes: &[f32], squares: usize) {
        self.pieces.clear();
        self.constants.clear();
        for (index, plane) in (0..).zip(planes.chunks_exact(squares)) {
            let first = plane[0];
            // Without early exits, so that it is compiled to vector comparisons.
            if plane.iter().fold(true, |same, &value| same & (value == first)) {
                if first != 0.0 {
                    self.constants.push((index, first));
                }
                continue;
            }
            for (square, &value) in (0..).zip(plane) {
                if value != 0.0 {
                    self.pieces.push(Piece { plane: index, square, value });
                }
            }
        }
    }
}

/// A 3×3 convolution of sparse planes: how its kernel lies on the board.
#[derive(Debug)]
pub(crate) struct SparseConvolution {
    /// Which square of the result each tap of the kernel reaches from each square of the input.
    targets: Vec<[Option<u16>; KERNEL]>,
    /// For each square of the result, at which edges it lies: a number below [`EDGES`].
    edges: Vec<u8>,
}

/// Top, middle, bottom by left, middle, right.
const EDGES: usize = 9;

/// Whether a tap still reads from the board when its result lies at such edges.
const fn reads(edges: usize, tap: usize) -> bool {
    const fn beyond(edge: usize, tap: usize) -> bool {
        edge == 0 && tap == 0 || edge == 2 && tap == 2
    }
    !beyond(edges / 3, tap / 3) && !beyond(edges % 3, tap % 3)
}

impl SparseConvolution {
    pub(crate) fn new(Board { rows, columns }: Board) -> Self {
        let target = |square: usize, tap: usize| {
            // The tap in the first row and column reads the square up left of its target.
            let row = (square / columns + 1).checked_sub(tap / 3)?;
            let column = (square % columns + 1).checked_sub(tap % 3)?;
            (row < rows && column < columns).then_some((row * columns + column) as u16)
        };
        let edge = |i: usize, len: usize| usize::from(i > 0) + usize::from(i + 1 == len);
        let edges = |s: usize| 3 * edge(s / columns, rows) + edge(s % columns, columns);
        let squares = 0..rows * columns;
        Self {
            targets: squares.clone().map(|s| std::array::from_fn(|tap| target(s, tap))).collect(),
            edges: squares.map(|s| edges(s) as u8).collect(),
        }
    }

    /// Convolves one position: bias, convolution and activation.
    ///
    /// # Shapes
    ///
    /// `kernel`: `[planes, 9, channels]`, `bias`: `[channels]`, `board`: `[squares, channels]`
    pub(crate) fn convolve(
        &self,
        planes: &Planes,
        (kernel, bias): (&[f32], &[f32]),
        activation: Activation,
        board: &mut [f32],
    ) {
        dispatch(Convolve { convolution: self, planes, kernel, bias, activation, board });
    }

    /// Adds the gradient of the kernel, given that of the sums.
    ///
    /// # Shapes
    ///
    /// `board`: `[squares, channels]`, `kernel`: `[planes, 9, channels]`
    pub(crate) fn add_gradient(
        &self,
        planes: &Planes,
        board: &[f32],
        channels: usize,
        kernel: &mut [f32],
    ) {
        dispatch(Gradient { convolution: self, planes, board, channels, kernel });
    }
}

/// Adds `factor` · `from` to `to`. Product and sum are rounded apart, because not all processors
/// can round them as one.
#[inline(always)]
fn add_scaled<S: Simd>(simd: S, factor: f32, from: &[f32], to: &mut [f32]) {
    let factor = simd.splat_f32s(factor);
    let ((from, _), (to, _)) = (S::as_simd_f32s(from), S::as_mut_simd_f32s(to));
    for (to, &from) in to.iter_mut().zip(from) {
        *to = simd.add_f32s(simd.mul_f32s(factor, from), *to);
    }
}

struct Convolve<'a> {
    convolution: &'a SparseConvolution,
    planes: &'a Planes,
    kernel: &'a [f32],
    bias: &'a [f32],
    activation: Activation,
    board: &'a mut [f32],
}

impl WithSimd for Convolve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { convolution, planes, kernel, bias, activation, board } = self;
        let channels = bias.len();
        let mut constant = vec![0.0; KERNEL * channels];
        for &(plane, value) in &planes.constants {
            let taps = &kernel[usize::from(plane) * constant.len()..][..constant.len()];
            add_scaled(simd, value, taps, &mut constant);
        }
        let mut by_edges = bias.repeat(EDGES);
        for (edges, sum) in by_edges.chunks_exact_mut(channels).enumerate() {
            for (tap, constant) in constant.chunks_exact(channels).enumerate() {
                if reads(edges, tap) {
                    add_scaled(simd, 1.0, constant, sum);
                }
            }
        }
        for (square, &edges) in board.chunks_exact_mut(channels).zip(&convolution.edges) {
            square.copy_from_slice(&by_edges[usize::from(edges) * channels..][..channels]);
        }
        for &Piece { plane, square, value } in &planes.pieces {
            let taps = &kernel[usize::from(plane) * constant.len()..][..constant.len()];
            let targets = &convolution.targets[usize::from(square)];
            for (target, tap) in targets.iter().zip(taps.chunks_exact(channels)) {
                if let Some(target) = *target {
                    let target = &mut board[usize::from(target) * channels..][..channels];
                    add_scaled(simd, value, tap, target);
                }
            }
        }
        let (board, _) = S::as_mut_simd_f32s(board);
        let floor = simd.splat_f32s(activation.floor());
        for value in board {
            *value = simd.max_f32s(*value, floor);
        }
    }
}

struct Gradient<'a> {
    convolution: &'a SparseConvolution,
    planes: &'a Planes,
    board: &'a [f32],
    channels: usize,
    kernel: &'a mut [f32],
}

impl WithSimd for Gradient<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { convolution, planes, board, channels, kernel } = self;
        let mut by_edges = vec![0.0; EDGES * channels];
        for (square, &edges) in board.chunks_exact(channels).zip(&convolution.edges) {
            let sum = &mut by_edges[usize::from(edges) * channels..][..channels];
            add_scaled(simd, 1.0, square, sum);
        }
        let mut constant = vec![0.0; KERNEL * channels];
        for (tap, sum) in constant.chunks_exact_mut(channels).enumerate() {
            for (edges, from) in by_edges.chunks_exact(channels).enumerate() {
                if reads(edges, tap) {
                    add_scaled(simd, 1.0, from, sum);
                }
            }
        }
        for &(plane, value) in &planes.constants {
            let taps = &mut kernel[usize::from(plane) * constant.len()..][..constant.len()];
            add_scaled(simd, value, &constant, taps);
        }
        for &Piece { plane, square, value } in &planes.pieces {
            let taps = &mut kernel[usize::from(plane) * constant.len()..][..constant.len()];
            let targets = &convolution.targets[usize::from(square)];
            for (target, tap) in targets.iter().zip(taps.chunks_exact_mut(channels)) {
                if let Some(target) = *target {
                    let from = &board[usize::from(target) * channels..][..channels];
                    add_scaled(simd, value, from, tap);
                }
            }
        }
    }
}
