//! 3×3 convolutions with a third of the multiplications (Winograd's minimal filtering).
//!
//! The board is cut into tiles of 3×3 squares; each tile of the result depends on a window of 5×5
//! squares of the input. A linear transform of windows and kernels turns the convolution into 25
//! independent products, one for each place in the window: 25 multiplications for 9 squares
//! instead of 81. A 9×9 board is 9 tiles without a rest.
//!
//! In one dimension, with d the window, g the kernel, y the result and the points 0, 1, −1, 2, ∞:
//! y = Aᵀ((G g) ∘ (Bᵀ d)). In two dimensions each transform is applied to rows and columns. The
//! backward pass uses the transposes of the same transforms.

use pulp::{Arch, Simd, WithSimd};

use super::product::LANES;

/// The squares of a window.
pub(crate) const WINDOW: usize = 25;
/// The squares of a kernel.
pub(crate) const KERNEL: usize = 9;
const TILE_SIDE: usize = 3;
const WINDOW_SIDE: usize = 5;

/// A board cut into tiles.
#[derive(Debug)]
pub(crate) struct Tiling {
    /// How many squares the board has.
    pub(crate) squares: usize,
    /// The squares of each tile's window, row by row; `None` off the board. The tile itself is the
    /// inner 3×3 squares.
    windows: Vec<[Option<u16>; WINDOW]>,
}

impl Tiling {
    /// The tiling of a square board with sides of `side` squares.
    pub(crate) fn new(side: usize) -> Self {
        let tiles = side.div_ceil(TILE_SIDE);
        let square = |row: usize, column: usize| {
            // Rows and columns are counted from one before the board.
            let on_board = (1..=side).contains(&row) && (1..=side).contains(&column);
            on_board.then(|| ((row - 1) * side + column - 1) as u16)
        };
        let window = |tile: usize| {
            let (top, left) = (tile / tiles * TILE_SIDE, tile % tiles * TILE_SIDE);
            std::array::from_fn(|i| square(top + i / WINDOW_SIDE, left + i % WINDOW_SIDE))
        };
        Self { squares: side * side, windows: (0..tiles * tiles).map(window).collect() }
    }

    /// How many tiles the board has.
    pub(crate) fn tiles(&self) -> usize {
        self.windows.len()
    }

    /// How many numbers the transformed windows of `boards` boards take.
    pub(crate) fn transformed_len(&self, boards: usize, channels: usize) -> usize {
        WINDOW * self.place_len(boards, channels)
    }

    /// How far apart the matrices of two places in the window are: one cache line more than their
    /// size, lest the places fall on the same lines of the cache.
    pub(crate) fn place_len(&self, boards: usize, channels: usize) -> usize {
        boards * self.tiles() * channels + LANES
    }

    /// Transforms the windows of boards: Bᵀ d B.
    ///
    /// # Shapes
    ///
    /// `boards`: `[n, squares, channels]`, `windows`: 25 matrices `[n · tiles, channels]`
    pub(crate) fn transform_windows(&self, boards: &[f32], channels: usize, windows: &mut [f32]) {
        let count = boards.len() / (self.squares * channels);
        let place_len = self.place_len(count, channels);
        Arch::new().dispatch(Windows { tiling: self, boards, channels, windows, place_len });
    }

    /// Adds to boards the transpose of [`Tiling::transform_windows`]: B v Bᵀ.
    pub(crate) fn add_windows(&self, windows: &[f32], channels: usize, boards: &mut [f32]) {
        let count = boards.len() / (self.squares * channels);
        let place_len = self.place_len(count, channels);
        Arch::new().dispatch(AddWindows { tiling: self, boards, channels, windows, place_len });
    }

    /// Transforms products back to boards, Aᵀ m A, and finishes the layer.
    pub(crate) fn finish(&self, products: &[f32], finish: Finish<'_>) {
        let count = finish.boards.len() / (self.squares * finish.bias.len());
        let place_len = self.place_len(count, finish.bias.len());
        Arch::new().dispatch(FinishTiles { tiling: self, products, finish, place_len });
    }

    /// The transpose of [`Tiling::finish`], of the bare transform: A y Aᵀ.
    ///
    /// # Shapes
    ///
    /// As for [`Tiling::transform_windows`].
    pub(crate) fn spread(&self, boards: &[f32], channels: usize, products: &mut [f32]) {
        let count = boards.len() / (self.squares * channels);
        let place_len = self.place_len(count, channels);
        Arch::new().dispatch(Spread { tiling: self, boards, channels, products, place_len });
    }
}

/// What becomes of the result of a convolution.
pub(crate) struct Finish<'a> {
    /// Added to every square: `[channels]`.
    pub(crate) bias: &'a [f32],
    /// Added to every square of a board: `[n, channels]`.
    pub(crate) board_bias: Option<&'a [f32]>,
    /// Added square by square: `[n, squares, channels]`.
    pub(crate) skip: Option<&'a [f32]>,
    /// Where the sum goes, if it is positive, else 0: `[n, squares, channels]`.
    pub(crate) boards: &'a mut [f32],
}

/// Transforms a kernel: G g Gᵀ.
pub(crate) fn transform_kernel(kernel: [f32; KERNEL]) -> [f32; WINDOW] {
    let line = |[a, b, c]: [f32; 3]| {
        let (even, double) = (a + c, a + 4.0 * c);
        [a / 2.0, -(even + b) / 2.0, (b - even) / 6.0, (double + 2.0 * b) / 6.0, c]
    };
    let rows: [_; 3] = std::array::from_fn(|r| line([0, 1, 2].map(|c| kernel[3 * r + c])));
    let columns: [_; 5] = std::array::from_fn(|c| line([0, 1, 2].map(|r| rows[r][c])));
    std::array::from_fn(|i| columns[i % WINDOW_SIDE][i / WINDOW_SIDE])
}

/// The transpose of [`transform_kernel`]: Gᵀ u G.
pub(crate) fn gather_kernel(transformed: [f32; WINDOW]) -> [f32; KERNEL] {
    let line = |[a, b, c, d, e]: [f32; 5]| {
        let (half, sixth) = (b / 2.0, (d - c) / 6.0);
        [a / 2.0 - half + sixth, d / 3.0 - half + c / 6.0, d / 2.0 - half + sixth + e]
    };
    let index = [0, 1, 2, 3, 4];
    let rows: [_; 5] = std::array::from_fn(|r| line(index.map(|c| transformed[5 * r + c])));
    let columns: [_; 3] = std::array::from_fn(|c| line(index.map(|r| rows[r][c])));
    std::array::from_fn(|i| columns[i % TILE_SIDE][i / TILE_SIDE])
}

/// The vector that begins at `at`.
#[inline(always)]
fn load<S: Simd>(values: &[f32], at: usize) -> S::f32s {
    S::as_simd_f32s(&values[at..][..S::F32_LANES]).0[0]
}

/// Where the vector that begins at `at` lies.
#[inline(always)]
fn place<S: Simd>(values: &mut [f32], at: usize) -> &mut S::f32s {
    &mut S::as_mut_simd_f32s(&mut values[at..][..S::F32_LANES]).0[0]
}

/// Applies a transform of lines to the rows, then to the columns.
#[inline(always)]
fn both_ways<T: Copy, const FROM: usize, const TO: usize>(
    square: [[T; FROM]; FROM],
    line: impl Fn([T; FROM]) -> [T; TO],
) -> [[T; TO]; TO] {
    let rows = square.map(&line);
    let columns: [[T; TO]; TO] = std::array::from_fn(|c| line(std::array::from_fn(|r| rows[r][c])));
    std::array::from_fn(|r| std::array::from_fn(|c| columns[c][r]))
}

struct Windows<'a> {
    tiling: &'a Tiling,
    boards: &'a [f32],
    channels: usize,
    windows: &'a mut [f32],
    place_len: usize,
}

impl WithSimd for Windows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tiling, boards, channels, windows, place_len } = self;
        let two = simd.splat_f32s(2.0);
        let three = simd.splat_f32s(3.0);
        // Bᵀ
        let line = |[a, b, c, d, e]: [S::f32s; 5]| {
            let d_b = simd.sub_f32s(d, b);
            let c_a = simd.sub_f32s(c, a);
            [
                simd.negate_mul_add_e_f32s(two, c_a, d_b),
                simd.negate_mul_add_e_f32s(two, b, simd.sub_f32s(d, c)),
                simd.negate_mul_add_e_f32s(three, c, simd.mul_add_e_f32s(two, b, d)),
                d_b,
                simd.negate_mul_add_e_f32s(two, d_b, simd.sub_f32s(e, c)),
            ]
        };
        let mut at = 0;
        for board in boards.chunks_exact(tiling.squares * channels) {
            for window in &tiling.windows {
                for channel in (0..channels).step_by(S::F32_LANES) {
                    let cell = |i: usize| match window[i] {
                        Some(square) => load::<S>(board, usize::from(square) * channels + channel),
                        None => simd.splat_f32s(0.0),
                    };
                    let square = std::array::from_fn(|r| std::array::from_fn(|c| cell(5 * r + c)));
                    let transformed: [[S::f32s; 5]; 5] = both_ways(square, line);
                    for (i, &value) in transformed.as_flattened().iter().enumerate() {
                        *place::<S>(windows, i * place_len + at + channel) = value;
                    }
                }
                at += channels;
            }
        }
    }
}

struct AddWindows<'a> {
    tiling: &'a Tiling,
    boards: &'a mut [f32],
    channels: usize,
    windows: &'a [f32],
    place_len: usize,
}

impl WithSimd for AddWindows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tiling, boards, channels, windows, place_len } = self;
        let two = simd.splat_f32s(2.0);
        let three = simd.splat_f32s(3.0);
        // B
        let line = |[a, b, c, d, e]: [S::f32s; 5]| {
            let a_b = simd.add_f32s(a, b);
            [
                simd.add_f32s(a, a),
                simd.mul_add_e_f32s(
                    two,
                    simd.add_f32s(simd.sub_f32s(c, b), e),
                    simd.neg_f32s(simd.add_f32s(a, d)),
                ),
                simd.neg_f32s(simd.mul_add_e_f32s(
                    three,
                    c,
                    simd.add_f32s(simd.add_f32s(a, a_b), e),
                )),
                simd.negate_mul_add_e_f32s(two, e, simd.add_f32s(a_b, simd.add_f32s(c, d))),
                e,
            ]
        };
        let mut at = 0;
        for board in boards.chunks_exact_mut(tiling.squares * channels) {
            for window in &tiling.windows {
                for channel in (0..channels).step_by(S::F32_LANES) {
                    let cell = |i: usize| load::<S>(windows, i * place_len + at + channel);
                    let square = std::array::from_fn(|r| std::array::from_fn(|c| cell(5 * r + c)));
                    let transformed: [[S::f32s; 5]; 5] = both_ways(square, line);
                    for (square, &value) in window.iter().zip(transformed.as_flattened()) {
                        if let Some(square) = *square {
                            let at = usize::from(square) * channels + channel;
                            let sum = place::<S>(board, at);
                            *sum = simd.add_f32s(*sum, value);
                        }
                    }
                }
                at += channels;
            }
        }
    }
}

struct FinishTiles<'a> {
    tiling: &'a Tiling,
    products: &'a [f32],
    finish: Finish<'a>,
    place_len: usize,
}

impl WithSimd for FinishTiles<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tiling, products, finish, place_len } = self;
        let Finish { bias, board_bias, skip, boards } = finish;
        let channels = bias.len();
        let zero = simd.splat_f32s(0.0);
        let two = simd.splat_f32s(2.0);
        let four = simd.splat_f32s(4.0);
        // Aᵀ
        let line = |[a, b, c, d, e]: [S::f32s; 5]| {
            let (sum, difference) = (simd.add_f32s(b, c), simd.sub_f32s(b, c));
            [
                simd.add_f32s(a, simd.add_f32s(sum, d)),
                simd.mul_add_e_f32s(two, d, difference),
                simd.mul_add_e_f32s(four, d, simd.add_f32s(sum, e)),
            ]
        };
        let board_len = tiling.squares * channels;
        let mut at = 0;
        for (n, board) in boards.chunks_exact_mut(board_len).enumerate() {
            for window in &tiling.windows {
                for channel in (0..channels).step_by(S::F32_LANES) {
                    let mut shift = load::<S>(bias, channel);
                    if let Some(board_bias) = board_bias {
                        shift = simd.add_f32s(shift, load::<S>(board_bias, n * channels + channel));
                    }
                    let cell = |i: usize| load::<S>(products, i * place_len + at + channel);
                    let square = std::array::from_fn(|r| std::array::from_fn(|c| cell(5 * r + c)));
                    let tile: [[S::f32s; 3]; 3] = both_ways(square, line);
                    for (i, &value) in tile.as_flattened().iter().enumerate() {
                        let Some(square) = window[inner(i)] else { continue };
                        let at = usize::from(square) * channels + channel;
                        let mut sum = simd.add_f32s(value, shift);
                        if let Some(skip) = skip {
                            sum = simd.add_f32s(sum, load::<S>(skip, n * board_len + at));
                        }
                        *place::<S>(board, at) = simd.max_f32s(sum, zero);
                    }
                }
                at += channels;
            }
        }
    }
}

struct Spread<'a> {
    tiling: &'a Tiling,
    boards: &'a [f32],
    channels: usize,
    products: &'a mut [f32],
    place_len: usize,
}

impl WithSimd for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tiling, boards, channels, products, place_len } = self;
        let two = simd.splat_f32s(2.0);
        let four = simd.splat_f32s(4.0);
        // A
        let line = |[a, b, c]: [S::f32s; 3]| {
            let even = simd.add_f32s(a, c);
            [
                a,
                simd.add_f32s(even, b),
                simd.sub_f32s(even, b),
                simd.mul_add_e_f32s(two, b, simd.mul_add_e_f32s(four, c, a)),
                c,
            ]
        };
        let mut at = 0;
        for board in boards.chunks_exact(tiling.squares * channels) {
            for window in &tiling.windows {
                for channel in (0..channels).step_by(S::F32_LANES) {
                    let cell = |i: usize| match window[inner(i)] {
                        Some(square) => load::<S>(board, usize::from(square) * channels + channel),
                        None => simd.splat_f32s(0.0),
                    };
                    let square = std::array::from_fn(|r| std::array::from_fn(|c| cell(3 * r + c)));
                    let transformed: [[S::f32s; 5]; 5] = both_ways(square, line);
                    for (i, &value) in transformed.as_flattened().iter().enumerate() {
                        *place::<S>(products, i * place_len + at + channel) = value;
                    }
                }
                at += channels;
            }
        }
    }
}

/// Where the `i`-th square of a tile stands in its window.
#[inline(always)]
const fn inner(i: usize) -> usize {
    (i / TILE_SIDE + 1) * WINDOW_SIDE + i % TILE_SIDE + 1
}
