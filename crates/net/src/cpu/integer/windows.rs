//! Boards as 16-bit integers, and the windows of their tiles.

use pulp::{Simd, WithSimd};

use super::product::INNER_STEP;
use super::vectors::{PairProducts, Work, dispatch};
use crate::cpu::simd::{Aligned, dispatch as dispatch_floats};
use crate::cpu::winograd::{TILE_SIDE, Tiling, WINDOW, WINDOW_SIDE};

/// The largest number on a board. A transformed window's numbers are at most 18 times as large,
/// and fit into 16 bits: no transform ever rounds.
const MOST: f32 = 1820.0;

/// The largest number among inputs that are not transformed.
const MOST_PLAIN: f32 = 32767.0;

/// The largest number at a place of a transformed window, of a board with numbers from 0 on.
pub(super) fn largest_in_window(place: usize) -> i32 {
    // What the positive and the negative factors of each line of Bᵀ add up to.
    const LINES: [(i32, i32); WINDOW_SIDE] = [(3, 3), (1, 3), (3, 3), (1, 1), (3, 3)];
    let ((p, n), (q, m)) = (LINES[place / WINDOW_SIDE], LINES[place % WINDOW_SIDE]);
    MOST as i32 * (p * q + n * m).max(p * m + n * q)
}

/// The largest number among inputs that are not transformed.
pub(super) const fn largest_plain() -> i32 {
    MOST_PLAIN as i32
}

/// The nearest integer of a number that is far smaller than 2²². The sum has no digits behind the
/// point, and its low bits are the integer: unlike a conversion that saturates, all processors do
/// it alike and fast.
#[inline(always)]
fn round(number: f32) -> i16 {
    (number + 12_582_912.0).to_bits() as i16
}

/// The size of the number farthest from 0.
#[inline(always)]
fn largest(numbers: &[f32]) -> f32 {
    let size = |number: &f32| number.to_bits() & 0x7FFF_FFFF;
    f32::from_bits(numbers.iter().map(size).fold(0, u32::max))
}

/// Rounds rows of numbers, each to a scale of its own.
///
/// # Shapes
///
/// `to`: `[rows, padded]`, `scales`: `[rows]`
pub(super) fn quantize_rows<'a>(
    rows: impl Iterator<Item = &'a [f32]>,
    padded: usize,
    to: &mut [i16],
    scales: &mut [f32],
) {
    for ((from, to), scale) in rows.zip(to.chunks_exact_mut(padded)).zip(scales) {
        let (to, rest) = to.split_at_mut(from.len());
        let (width, columns, step) = (from.len(), 1, from.len());
        let most = MOST_PLAIN;
        *scale = dispatch_floats(Quantize { from, most, width, columns, to, step, row_step: step });
        rest.fill(0);
    }
}

/// Rounds numbers so that the largest becomes `most`, and says what a 1 is worth then.
struct Quantize<'a> {
    /// `[rows, columns, width]`
    from: &'a [f32],
    most: f32,
    width: usize,
    columns: usize,
    /// Its columns are `step` apart, its rows `row_step`.
    to: &'a mut [i16],
    step: usize,
    row_step: usize,
}

impl WithSimd for Quantize<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f32 {
        let Self { from, most, width, columns, to, step, row_step } = self;
        let scale = largest(from) / most;
        // So small that its inverse is no number: as good as nothing.
        let factor = if scale > f32::MIN_POSITIVE { 1.0 / scale } else { 0.0 };
        for (row, from) in from.chunks_exact(columns * width).enumerate() {
            for (column, from) in from.chunks_exact(width).enumerate() {
                let to = &mut to[row * row_step + column * step..][..width];
                for (to, &from) in to.iter_mut().zip(from) {
                    *to = round(from * factor);
                }
            }
        }
        scale
    }
}

/// Boards on their way to the products.
#[derive(Debug)]
pub(super) struct Windows {
    /// One board with a border of zeros: `[rows, columns, channels]`.
    board: Aligned<i16>,
    channels: usize,
    /// `[25, n · tiles, channels]`
    windows: Aligned<i16>,
    /// How far apart the matrices of two places are.
    place_step: usize,
    /// What a 1 is worth, by tile: `[n · tiles]`.
    pub(super) scales: Vec<f32>,
}

impl Windows {
    /// For `boards` boards at most.
    pub(super) fn new(tiling: &Tiling, channels: usize, boards: usize) -> Self {
        let channels = channels.next_multiple_of(INNER_STEP);
        let (rows, columns) = tiling.padded_sides();
        // A cache line more than needed, so that the same tile's numbers at all places do not
        // compete for the same few lines of the cache.
        let place_step = boards * tiling.tiles() * channels + INNER_STEP;
        Self {
            board: Aligned::zeros(rows * columns * channels),
            channels,
            windows: Aligned::zeros(WINDOW * place_step),
            place_step,
            scales: vec![0.0; boards * tiling.tiles()],
        }
    }

    /// The numbers at a place of all windows: `[n · tiles, channels]`.
    pub(super) fn place(&self, place: usize) -> &[i16] {
        &self.windows[place * self.place_step..][..self.place_step]
    }

    /// Rounds boards with numbers from 0 on, each to a scale of its own, and transforms their
    /// windows: Bᵀ d B.
    ///
    /// # Shapes
    ///
    /// `boards`: `[n, squares, channels]`
    pub(super) fn fill(&mut self, tiling: &Tiling, boards: &[f32], channels: usize) {
        let board_len = tiling.board.squares() * channels;
        let (_, padded_columns) = tiling.padded_sides();
        let tiles = tiling.tiles();
        for (n, from) in boards.chunks_exact(board_len).enumerate() {
            let row_step = padded_columns * self.channels;
            let scale = dispatch_floats(Quantize {
                from,
                most: MOST,
                width: channels,
                columns: tiling.board.columns,
                to: &mut self.board[row_step + self.channels..],
                step: self.channels,
                row_step,
            });
            self.scales[n * tiles..][..tiles].fill(scale);
            dispatch(Transform {
                tiling,
                board: &self.board,
                channels: self.channels,
                windows: &mut self.windows,
                first_row: n * tiles,
                place_step: self.place_step,
            });
        }
    }
}

/// Transforms the windows of one board.
struct Transform<'a> {
    tiling: &'a Tiling,
    board: &'a [i16],
    channels: usize,
    windows: &'a mut [i16],
    first_row: usize,
    place_step: usize,
}

impl Work for Transform<'_> {
    #[inline(always)]
    fn run<V: PairProducts>(self, vectors: V) {
        let Self { tiling, board, channels, windows, first_row, place_step } = self;
        let (_, columns) = tiling.padded_sides();
        let row_step = columns * channels;
        for tile in 0..tiling.tiles() {
            let (row, column) = (tile / tiling.tile_columns, tile % tiling.tile_columns);
            let start = TILE_SIDE * (row * row_step + column * channels);
            for channel in (0..channels).step_by(V::I16_LANES) {
                let from = &board[start + channel..];
                let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|r| &from[r * row_step..]);
                // Written out, so that all of it stays in registers.
                let rows = [
                    transform(vectors, load_line::<V>(a, channels)),
                    transform(vectors, load_line::<V>(b, channels)),
                    transform(vectors, load_line::<V>(c, channels)),
                    transform(vectors, load_line::<V>(d, channels)),
                    transform(vectors, load_line::<V>(e, channels)),
                ];
                let to = &mut windows[(first_row + tile) * channels + channel..];
                store_column::<V, 0>(vectors, &rows, to, place_step);
                store_column::<V, 1>(vectors, &rows, to, place_step);
                store_column::<V, 2>(vectors, &rows, to, place_step);
                store_column::<V, 3>(vectors, &rows, to, place_step);
                store_column::<V, 4>(vectors, &rows, to, place_step);
            }
        }
    }
}

/// Loads five vectors that are `step` apart.
#[inline(always)]
fn load_line<S: Simd>(values: &[i16], step: usize) -> [S::i16s; WINDOW_SIDE] {
    let values = &values[..4 * step + S::I16_LANES];
    [
        S::as_simd_i16s(&values[..S::I16_LANES]).0[0],
        S::as_simd_i16s(&values[step..][..S::I16_LANES]).0[0],
        S::as_simd_i16s(&values[2 * step..][..S::I16_LANES]).0[0],
        S::as_simd_i16s(&values[3 * step..][..S::I16_LANES]).0[0],
        S::as_simd_i16s(&values[4 * step..][..S::I16_LANES]).0[0],
    ]
}

/// Transforms a column and stores it, every number in the matrix of its place.
#[inline(always)]
fn store_column<S: Simd, const COLUMN: usize>(
    simd: S,
    rows: &[[S::i16s; WINDOW_SIDE]; WINDOW_SIDE],
    to: &mut [i16],
    place_step: usize,
) {
    let column =
        [rows[0][COLUMN], rows[1][COLUMN], rows[2][COLUMN], rows[3][COLUMN], rows[4][COLUMN]];
    for (r, number) in transform(simd, column).into_iter().enumerate() {
        let to = &mut to[(r * WINDOW_SIDE + COLUMN) * place_step..];
        S::as_mut_simd_i16s(&mut to[..S::I16_LANES]).0[0] = number;
    }
}

/// Bᵀ, as in the transform of floats.
#[inline(always)]
fn transform<S: Simd>(simd: S, [a, b, c, d, e]: [S::i16s; 5]) -> [S::i16s; 5] {
    let (d_b, d_c, twice_b) = (simd.sub_i16s(d, b), simd.sub_i16s(d, c), twice(simd, b));
    [
        simd.sub_i16s(d_b, twice(simd, simd.sub_i16s(c, a))),
        simd.sub_i16s(d_c, twice_b),
        simd.sub_i16s(simd.add_i16s(d_c, twice_b), twice(simd, c)),
        d_b,
        simd.sub_i16s(simd.sub_i16s(e, c), twice(simd, d_b)),
    ]
}

#[inline(always)]
fn twice<S: Simd>(simd: S, numbers: S::i16s) -> S::i16s {
    simd.add_i16s(numbers, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::Board;
    use keisei_game::SplitMix64;

    #[test]
    fn windows_are_those_of_the_rounded_board_without_any_further_rounding() {
        let mut rng = SplitMix64::new(4);
        for (rows, columns) in [(9, 9), (8, 8), (4, 3)] {
            let tiling = Tiling::new(Board { rows, columns });
            let (boards, channels, len) = (3, 48, rows * columns * 48);
            let mut values: Vec<f32> =
                (0..boards * len).map(|_| rng.below(1821).saturating_sub(400) as f32).collect();
            // The extremes that overflow first: everything or nothing on every square.
            values[..len].fill_with(|| [0.0, 1820.0][rng.below(2)]);
            values.iter_mut().step_by(len).for_each(|first| *first = 1820.0);
            let mut exact = vec![0.0; boards * tiling.windows_len(channels)];
            tiling.input_transform(&values, channels, &mut exact);
            let mut windows = Windows::new(&tiling, channels, boards);
            windows.fill(&tiling, &values, channels);
            assert_eq!(windows.scales, vec![1.0; boards * tiling.tiles()]);
            for (i, &exact) in exact.iter().enumerate() {
                let (row, place, channel) =
                    (i / channels / WINDOW, i / channels % WINDOW, i % channels);
                let found = windows.place(place)[row * windows.channels + channel];
                assert_eq!(f32::from(found), exact);
                assert!(i32::from(found).abs() <= largest_in_window(place));
            }
        }
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest_on_a_scale_of_their_own() {
        let rows: [&[f32]; 4] =
            [&[0.0, -2.0, 0.5], &[0.0; 3], &[4e-30, 1e-30, -4e-30], &[1e-40, 0.0, 0.0]];
        let (mut to, mut scales) = (vec![9; 4 * 32], vec![9.0; 4]);
        quantize_rows(rows.into_iter(), 32, &mut to, &mut scales);
        assert_eq!(to[..4], [0, -32767, 8192, 0]);
        assert_eq!(to[32..36], [0; 4]);
        assert_eq!(to[64..68], [32767, 8192, -32767, 0]);
        assert_eq!(to[96..100], [0; 4]);
        assert_eq!(scales[..2], [2.0 / 32767.0, 0.0]);
    }
}
