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

use pulp::{Simd, WithSimd};

use super::activation::Activation;
use super::simd::{AlignedFloats, dispatch};
use crate::architecture::Board;

/// The squares of a window.
pub(crate) const WINDOW: usize = 25;
/// The squares of a kernel.
pub(crate) const KERNEL: usize = 9;
pub(super) const TILE_SIDE: usize = 3;
pub(super) const WINDOW_SIDE: usize = 5;

/// A board cut into tiles.
///
/// Windows reach beyond the edges, so boards are copied to a [`PaddedBoard`] first, and results are
/// copied back from there.
#[derive(Debug)]
pub(crate) struct Tiling {
    pub(super) board: Board,
    tile_rows: usize,
    pub(super) tile_columns: usize,
}

impl Tiling {
    pub(crate) fn new(board: Board) -> Self {
        let tiles = |squares: usize| squares.div_ceil(TILE_SIDE);
        Self { board, tile_rows: tiles(board.rows), tile_columns: tiles(board.columns) }
    }

    /// How many tiles the board has.
    pub(crate) fn tiles(&self) -> usize {
        self.tile_rows * self.tile_columns
    }

    /// The rows and columns of a board with room for all windows.
    pub(super) fn padded_sides(&self) -> (usize, usize) {
        (self.tile_rows * TILE_SIDE + 2, self.tile_columns * TILE_SIDE + 2)
    }

    /// How many numbers the transformed windows of a board are.
    pub(crate) fn windows_len(&self, channels: usize) -> usize {
        self.tiles() * WINDOW * channels
    }

    /// Transforms the windows of boards: Bᵀ d B.
    ///
    /// # Shapes
    ///
    /// `boards`: `[n, squares, channels]`, `windows`: `[n, tiles, 25, channels]`
    pub(crate) fn input_transform(&self, boards: &[f32], channels: usize, windows: &mut [f32]) {
        let padded = PaddedBoard::new(self, channels);
        dispatch(InputTiles { padded, boards, windows });
    }

    /// Adds to boards the transpose of [`Tiling::input_transform`]: B v Bᵀ.
    pub(crate) fn add_input_transposed(
        &self,
        windows: &[f32],
        channels: usize,
        boards: &mut [f32],
    ) {
        let padded = PaddedBoard::new(self, channels);
        dispatch(InputTransposedTiles { padded, boards, windows });
    }

    /// Transforms products back to boards, Aᵀ m A, and applies the layer's epilogue.
    pub(crate) fn output_transform(&self, products: &[f32], epilogue: Epilogue<'_>) {
        dispatch(OutputTiles { tiling: self, products, epilogue });
    }

    /// The transpose of the bare transform in [`Tiling::output_transform`]: A y Aᵀ.
    ///
    /// # Shapes
    ///
    /// As for [`Tiling::input_transform`].
    pub(crate) fn output_transposed(&self, boards: &[f32], channels: usize, products: &mut [f32]) {
        let padded = PaddedBoard::new(self, channels);
        dispatch(OutputTransposedTiles { padded, boards, products });
    }
}

/// A board with a border of zeros, and where everything lies on it.
struct PaddedBoard {
    board: Board,
    tiles: usize,
    tile_columns: usize,
    channels: usize,
    /// How far apart two rows are.
    row_step: usize,
    values: AlignedFloats,
}

impl PaddedBoard {
    fn new(tiling: &Tiling, channels: usize) -> Self {
        let (rows, columns) = tiling.padded_sides();
        Self {
            board: tiling.board,
            tiles: tiling.tiles(),
            tile_columns: tiling.tile_columns,
            channels,
            row_step: columns * channels,
            values: AlignedFloats::zeros(rows * columns * channels),
        }
    }

    fn board_len(&self) -> usize {
        self.board.squares() * self.channels
    }

    fn windows_len(&self) -> usize {
        self.tiles * WINDOW * self.channels
    }

    /// How many numbers a row of the board is.
    fn row_len(&self) -> usize {
        self.board.columns * self.channels
    }

    /// Where a row begins, inside the border.
    #[inline(always)]
    fn row(&self, row: usize) -> usize {
        (row + 1) * self.row_step + self.channels
    }

    /// Where the window of a tile lies.
    #[inline(always)]
    fn window(&self, tile: usize, channel: usize) -> At {
        let (row, column) = (tile / self.tile_columns, tile % self.tile_columns);
        let start = TILE_SIDE * (row * self.row_step + column * self.channels);
        At { start, row_step: self.row_step, channels: self.channels, channel }
    }

    /// Where a tile lies: in the middle of its window.
    #[inline(always)]
    fn tile(&self, tile: usize, channel: usize) -> At {
        let window = self.window(tile, channel);
        At { start: window.start + self.row_step + self.channels, ..window }
    }

    /// Where a tile's window lies among the transformed windows of a board.
    #[inline(always)]
    fn transformed(&self, tile: usize, channel: usize) -> At {
        At::transformed(tile, self.channels, channel)
    }

    /// Copies a board into the border.
    fn fill(&mut self, board: &[f32]) {
        let len = self.row_len();
        for (row, from) in board.chunks_exact(len).enumerate() {
            let at = self.row(row);
            self.values[at..at + len].copy_from_slice(from);
        }
    }
}

/// What follows the products of a convolution: biases, the skip connection, the activation.
pub(crate) struct Epilogue<'a> {
    /// Added to every square: `[channels]`.
    pub(crate) bias: &'a [f32],
    /// Added to every square of a board: `[n, channels]`.
    pub(crate) board_bias: Option<&'a [f32]>,
    /// Added square by square: `[n, squares, channels]`.
    pub(crate) skip: Option<&'a [f32]>,
    pub(crate) activation: Activation,
    /// Where it goes: `[n, squares, channels]`.
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

/// A transform of lines of numbers, each number a vector.
///
/// These are traits and loops rather than closures because only what is inlined without fail is
/// compiled for the vector instructions at hand.
trait Transform<S: Simd, const FROM: usize, const TO: usize> {
    fn line(simd: S, line: [S::f32s; FROM]) -> [S::f32s; TO];

    /// Transforms the rows, then the columns.
    #[inline(always)]
    fn square(simd: S, square: [[S::f32s; FROM]; FROM]) -> [[S::f32s; TO]; TO] {
        let zero = simd.splat_f32s(0.0);
        let mut rows = [[zero; TO]; FROM];
        for (row, line) in rows.iter_mut().zip(square) {
            *row = Self::line(simd, line);
        }
        let mut result = [[zero; TO]; TO];
        for column in 0..TO {
            let mut line = [zero; FROM];
            for (number, row) in line.iter_mut().zip(&rows) {
                *number = row[column];
            }
            for (row, number) in result.iter_mut().zip(Self::line(simd, line)) {
                row[column] = number;
            }
        }
        result
    }
}

/// Aᵀ
struct Output;
/// A
struct OutputTransposed;
/// Bᵀ
struct Input;
/// B
struct InputTransposed;

impl<S: Simd> Transform<S, 5, 3> for Output {
    #[inline(always)]
    fn line(simd: S, [a, b, c, d, e]: [S::f32s; 5]) -> [S::f32s; 3] {
        let (two, four) = (simd.splat_f32s(2.0), simd.splat_f32s(4.0));
        let (sum, difference) = (simd.add_f32s(b, c), simd.sub_f32s(b, c));
        [
            simd.add_f32s(a, simd.add_f32s(sum, d)),
            simd.mul_add_e_f32s(two, d, difference),
            simd.mul_add_e_f32s(four, d, simd.add_f32s(sum, e)),
        ]
    }
}

impl<S: Simd> Transform<S, 3, 5> for OutputTransposed {
    #[inline(always)]
    fn line(simd: S, [a, b, c]: [S::f32s; 3]) -> [S::f32s; 5] {
        let (two, four) = (simd.splat_f32s(2.0), simd.splat_f32s(4.0));
        let even = simd.add_f32s(a, c);
        let last = simd.mul_add_e_f32s(two, b, simd.mul_add_e_f32s(four, c, a));
        [a, simd.add_f32s(even, b), simd.sub_f32s(even, b), last, c]
    }
}

impl<S: Simd> Transform<S, 5, 5> for Input {
    #[inline(always)]
    fn line(simd: S, [a, b, c, d, e]: [S::f32s; 5]) -> [S::f32s; 5] {
        let (two, three) = (simd.splat_f32s(2.0), simd.splat_f32s(3.0));
        let (d_b, c_a) = (simd.sub_f32s(d, b), simd.sub_f32s(c, a));
        [
            simd.negate_mul_add_e_f32s(two, c_a, d_b),
            simd.negate_mul_add_e_f32s(two, b, simd.sub_f32s(d, c)),
            simd.negate_mul_add_e_f32s(three, c, simd.mul_add_e_f32s(two, b, d)),
            d_b,
            simd.negate_mul_add_e_f32s(two, d_b, simd.sub_f32s(e, c)),
        ]
    }
}

impl<S: Simd> Transform<S, 5, 5> for InputTransposed {
    #[inline(always)]
    fn line(simd: S, [a, b, c, d, e]: [S::f32s; 5]) -> [S::f32s; 5] {
        let (two, three) = (simd.splat_f32s(2.0), simd.splat_f32s(3.0));
        let a_b = simd.add_f32s(a, b);
        let a_d = simd.add_f32s(a, d);
        let c_b_e = simd.add_f32s(simd.sub_f32s(c, b), e);
        let a_a_b_e = simd.add_f32s(simd.add_f32s(a, a_b), e);
        [
            simd.add_f32s(a, a),
            simd.sub_f32s(simd.add_f32s(c_b_e, c_b_e), a_d),
            simd.neg_f32s(simd.mul_add_e_f32s(three, c, a_a_b_e)),
            simd.negate_mul_add_e_f32s(two, e, simd.add_f32s(a_b, simd.add_f32s(c, d))),
            e,
        ]
    }
}

/// Where a square of vectors lies: rows `row_step` apart, in each row one vector in each run of
/// `channels` numbers, at `channel`.
#[derive(Clone, Copy)]
struct At {
    start: usize,
    row_step: usize,
    channels: usize,
    channel: usize,
}

impl At {
    /// The window of a tile among the transformed windows of a board.
    #[inline(always)]
    fn transformed(tile: usize, channels: usize, channel: usize) -> Self {
        let start = tile * WINDOW * channels;
        Self { start, row_step: WINDOW_SIDE * channels, channels, channel }
    }
}

/// Loads a square of vectors.
#[inline(always)]
fn load_square<S: Simd, const SIDE: usize>(
    simd: S,
    values: &[f32],
    at: At,
) -> [[S::f32s; SIDE]; SIDE] {
    let mut square = [[simd.splat_f32s(0.0); SIDE]; SIDE];
    for (r, row) in square.iter_mut().enumerate() {
        let values = &values[at.start + r * at.row_step..][..SIDE * at.channels];
        for (vector, values) in row.iter_mut().zip(values.chunks_exact(at.channels)) {
            *vector = load::<S>(values, at.channel);
        }
    }
    square
}

/// Stores a square of vectors, or adds it to what is there.
#[inline(always)]
fn store_square<S: Simd, const SIDE: usize, const ADD: bool>(
    simd: S,
    square: [[S::f32s; SIDE]; SIDE],
    values: &mut [f32],
    at: At,
) {
    for (r, row) in square.iter().enumerate() {
        let values = &mut values[at.start + r * at.row_step..][..SIDE * at.channels];
        for (&vector, values) in row.iter().zip(values.chunks_exact_mut(at.channels)) {
            let place = place::<S>(values, at.channel);
            *place = if ADD { simd.add_f32s(*place, vector) } else { vector };
        }
    }
}

struct InputTiles<'a> {
    padded: PaddedBoard,
    boards: &'a [f32],
    windows: &'a mut [f32],
}

impl WithSimd for InputTiles<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { mut padded, boards, windows } = self;
        let boards = boards.chunks_exact(padded.board_len());
        for (board, windows) in boards.zip(windows.chunks_exact_mut(padded.windows_len())) {
            padded.fill(board);
            for tile in 0..padded.tiles {
                for channel in (0..padded.channels).step_by(S::F32_LANES) {
                    let values = load_square(simd, &padded.values, padded.window(tile, channel));
                    let values: [[_; 5]; 5] = Input::square(simd, values);
                    let at = padded.transformed(tile, channel);
                    store_square::<S, 5, false>(simd, values, windows, at);
                }
            }
        }
    }
}

struct InputTransposedTiles<'a> {
    padded: PaddedBoard,
    boards: &'a mut [f32],
    windows: &'a [f32],
}

impl WithSimd for InputTransposedTiles<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { mut padded, boards, windows } = self;
        let boards = boards.chunks_exact_mut(padded.board_len());
        for (board, windows) in boards.zip(windows.chunks_exact(padded.windows_len())) {
            padded.values.fill(0.0);
            for tile in 0..padded.tiles {
                for channel in (0..padded.channels).step_by(S::F32_LANES) {
                    let values = load_square(simd, windows, padded.transformed(tile, channel));
                    let values: [[_; 5]; 5] = InputTransposed::square(simd, values);
                    let at = padded.window(tile, channel);
                    store_square::<S, 5, true>(simd, values, &mut padded.values, at);
                }
            }
            for (row, to) in board.chunks_exact_mut(padded.row_len()).enumerate() {
                let (from, _) = S::as_simd_f32s(&padded.values[padded.row(row)..][..to.len()]);
                let (to, _) = S::as_mut_simd_f32s(to);
                for (to, &from) in to.iter_mut().zip(from) {
                    *to = simd.add_f32s(*to, from);
                }
            }
        }
    }
}

struct OutputTiles<'a> {
    tiling: &'a Tiling,
    products: &'a [f32],
    epilogue: Epilogue<'a>,
}

impl WithSimd for OutputTiles<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tiling, products, epilogue } = self;
        let Epilogue { bias, board_bias, skip, activation, boards } = epilogue;
        let (board, channels) = (tiling.board, bias.len());
        let floor = simd.splat_f32s(activation.floor());
        let products = products.chunks_exact(tiling.windows_len(channels));
        let tiled = boards.chunks_exact_mut(board.squares() * channels).zip(products);
        for (n, (squares, products)) in tiled.enumerate() {
            let skip = skip.map(|skip| &skip[n * squares.len()..][..squares.len()]);
            for channel in (0..channels).step_by(S::F32_LANES) {
                let mut shift = load::<S>(bias, channel);
                if let Some(board_bias) = board_bias {
                    shift = simd.add_f32s(shift, load::<S>(board_bias, n * channels + channel));
                }
                for tile in 0..tiling.tiles() {
                    let at = At::transformed(tile, channels, channel);
                    let values: [[_; 3]; 3] = Output::square(simd, load_square(simd, products, at));
                    let first_row = tile / tiling.tile_columns * TILE_SIDE;
                    let first_column = tile % tiling.tile_columns * TILE_SIDE;
                    for (row, values) in (first_row..board.rows).zip(&values) {
                        for (column, &value) in (first_column..board.columns).zip(values) {
                            let at = (row * board.columns + column) * channels + channel;
                            let mut value = simd.add_f32s(value, shift);
                            if let Some(skip) = skip {
                                value = simd.add_f32s(value, load::<S>(skip, at));
                            }
                            *place::<S>(squares, at) = simd.max_f32s(value, floor);
                        }
                    }
                }
            }
        }
    }
}

struct OutputTransposedTiles<'a> {
    padded: PaddedBoard,
    boards: &'a [f32],
    products: &'a mut [f32],
}

impl WithSimd for OutputTransposedTiles<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { mut padded, boards, products } = self;
        let boards = boards.chunks_exact(padded.board_len());
        for (board, products) in boards.zip(products.chunks_exact_mut(padded.windows_len())) {
            padded.fill(board);
            for tile in 0..padded.tiles {
                for channel in (0..padded.channels).step_by(S::F32_LANES) {
                    let values = load_square(simd, &padded.values, padded.tile(tile, channel));
                    let values: [[_; 5]; 5] = OutputTransposed::square(simd, values);
                    let at = padded.transformed(tile, channel);
                    store_square::<S, 5, false>(simd, values, products, at);
                }
            }
        }
    }
}
