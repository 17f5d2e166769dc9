//! The product of two matrices of 16-bit integers.

use pulp::bytemuck::cast_slice;

use super::vectors::{PairProducts, Work, dispatch};

/// How many columns lie together: four of the widest vectors.
const PANEL: usize = 64;

/// How many numbers the rows of the left matrix are padded to.
pub(super) const INNER_STEP: usize = 32;

/// A matrix of weights, `[inner, columns]`, whose every column has its own scale.
///
/// In memory it is panels of 64 columns, the last perhaps of fewer, each `[inner / 2, columns, 2]`:
/// pairs of rows side by side.
#[derive(Debug)]
pub(super) struct WeightMatrix {
    pairs: Vec<i16>,
    /// What a weight of 1 is worth, by column.
    scales: Vec<f32>,
    inner: usize,
}

impl WeightMatrix {
    /// Rounds `weights`, rows of `columns` numbers, so finely that no sum overflows when it is
    /// multiplied with numbers of at most `bound`. `columns` is a multiple of 16.
    pub(super) fn new(weights: &[f32], columns: usize, bound: i32) -> Self {
        let rows = weights.len() / columns;
        let inner = rows.next_multiple_of(INNER_STEP);
        // Rounding adds at most a half to each weight.
        let most_sum = (i32::MAX / bound) as f32 - inner as f32;
        let scale = |column: usize| {
            let sizes = weights.iter().skip(column).step_by(columns).map(|weight| weight.abs());
            let (sum, most) = sizes.fold((0.0, 0.0_f32), |(s, m), size| (s + size, m.max(size)));
            (sum / most_sum).max(most / f32::from(i16::MAX))
        };
        let scales: Vec<f32> = (0..columns).map(scale).collect();
        let mut pairs = vec![0; inner * columns];
        for (row, weights) in weights.chunks_exact(columns).enumerate() {
            for (column, (weight, scale)) in weights.iter().zip(&scales).enumerate() {
                let panel = column / PANEL * PANEL;
                let width = PANEL.min(columns - panel);
                let at = panel * inner + row / 2 * 2 * width + (column - panel) * 2 + row % 2;
                pairs[at] = if *scale > 0.0 { (weight / scale).round() as i16 } else { 0 };
            }
        }
        Self { pairs, scales, inner }
    }

    /// How many numbers a row of the left matrix has.
    pub(super) fn inner(&self) -> usize {
        self.inner
    }

    /// Writes `left` · `self` · the scales of rows and columns to `out`, whose rows are `out_step`
    /// apart.
    ///
    /// # Shapes
    ///
    /// `left`: `[rows, inner]`, `row_scales`: `[rows]`
    pub(super) fn multiply(
        &self,
        left: &[i16],
        row_scales: &[f32],
        out: &mut [f32],
        out_step: usize,
    ) {
        let left = cast_slice(&left[..row_scales.len() * self.inner]);
        dispatch(Multiply { matrix: self, left, row_scales, out, out_step });
    }
}

struct Multiply<'a> {
    matrix: &'a WeightMatrix,
    /// Pairs of numbers.
    left: &'a [i32],
    row_scales: &'a [f32],
    out: &'a mut [f32],
    out_step: usize,
}

impl Work for Multiply<'_> {
    #[inline(always)]
    fn run<V: PairProducts>(mut self, vectors: V) {
        let columns = self.matrix.scales.len();
        for panel in (0..columns).step_by(PANEL) {
            let width = PANEL.min(columns - panel);
            let pairs =
                &self.matrix.pairs[panel * self.matrix.inner..][..width * self.matrix.inner];
            let panel = Panel { pairs, column: panel, width };
            let row = self.rows_by::<V, 6>(vectors, panel, 0);
            let row = self.rows_by::<V, 3>(vectors, panel, row);
            self.rows_by::<V, 1>(vectors, panel, row);
        }
    }
}

/// Columns whose weights lie together.
#[derive(Clone, Copy)]
struct Panel<'a> {
    pairs: &'a [i16],
    column: usize,
    width: usize,
}

impl Multiply<'_> {
    /// Computes rows from `row` on, `ROWS` at a time, while there are so many; says where it
    /// stopped.
    #[inline(always)]
    fn rows_by<V: PairProducts, const ROWS: usize>(
        &mut self,
        vectors: V,
        panel: Panel<'_>,
        mut row: usize,
    ) -> usize {
        while row + ROWS <= self.row_scales.len() {
            let mut column = 0;
            // As many sums as registers hold beside weights and factors.
            if V::REGISTER_COUNT >= 32 {
                while column + 4 * V::I32_LANES <= panel.width {
                    self.tile::<V, ROWS, 4>(vectors, panel, row, column);
                    column += 4 * V::I32_LANES;
                }
            }
            while column + 2 * V::I32_LANES <= panel.width {
                self.tile::<V, ROWS, 2>(vectors, panel, row, column);
                column += 2 * V::I32_LANES;
            }
            if column < panel.width {
                self.tile::<V, ROWS, 1>(vectors, panel, row, column);
            }
            row += ROWS;
        }
        row
    }

    /// Computes `ROWS` rows of `VECTORS` vectors, with all sums in registers.
    #[inline(always)]
    fn tile<V: PairProducts, const ROWS: usize, const VECTORS: usize>(
        &mut self,
        vectors: V,
        panel: Panel<'_>,
        row: usize,
        column: usize,
    ) {
        let inner = self.matrix.inner / 2;
        let left: [&[i32]; ROWS] =
            std::array::from_fn(|r| &self.left[(row + r) * inner..][..inner]);
        let mut sums = [[vectors.splat_i32s(0); VECTORS]; ROWS];
        let weights = panel.pairs.chunks_exact(2 * panel.width);
        for (k, weights) in weights.enumerate().take(inner) {
            let weights = &weights[2 * column..][..2 * VECTORS * V::I32_LANES];
            let (weights, _) = V::as_simd_i16s(weights);
            for (sums, left) in sums.iter_mut().zip(left) {
                let factor = pulp::cast_lossy(vectors.splat_i32s(left[k]));
                for (sum, &weights) in sums.iter_mut().zip(weights) {
                    *sum = vectors.add_pairs(*sum, factor, weights);
                }
            }
        }
        let column = panel.column + column;
        let width = VECTORS * V::F32_LANES;
        let (scales, _) = V::as_simd_f32s(&self.matrix.scales[column..][..width]);
        for (r, sums) in sums.iter().enumerate() {
            let row_scale = vectors.splat_f32s(self.row_scales[row + r]);
            let out = &mut self.out[(row + r) * self.out_step + column..][..width];
            let (out, _) = V::as_mut_simd_f32s(out);
            for ((out, &sum), &scale) in out.iter_mut().zip(sums).zip(scales) {
                let scale = vectors.mul_f32s(scale, row_scale);
                *out = vectors.mul_f32s(vectors.to_f32s(sum), scale);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::SplitMix64;

    #[test]
    fn products_are_exact_for_all_remainders_of_rows_and_columns() {
        let mut rng = SplitMix64::new(1);
        let mut number = || rng.below(2001) as f32 / 1000.0 - 1.0;
        for (inner, columns) in [(1, 16), (40, 32), (64, 80), (33, 144)] {
            for rows in [1, 2, 3, 5, 9, 14] {
                let bound = 1000;
                let weights: Vec<f32> = (0..inner * columns).map(|_| number()).collect();
                let matrix = WeightMatrix::new(&weights, columns, bound);
                let mut left = vec![0; rows * matrix.inner()];
                for row in left.chunks_exact_mut(matrix.inner()) {
                    row[..inner].fill_with(|| (number() * 1000.0) as i16);
                }
                let scales: Vec<f32> = (0..rows).map(|_| number()).collect();
                let mut out = vec![7.0; rows * (columns + 3)];
                matrix.multiply(&left, &scales, &mut out, columns + 3);
                for (i, &found) in out.iter().enumerate() {
                    let (row, column) = (i / (columns + 3), i % (columns + 3));
                    if column >= columns {
                        assert_eq!(found, 7.0);
                        continue;
                    }
                    let scale = matrix.scales[column];
                    let term = |k: usize| {
                        let weight = (weights[k * columns + column] / scale).round() as i32;
                        i32::from(left[row * matrix.inner() + k]) * weight
                    };
                    let sum: i32 = (0..inner).map(term).sum();
                    assert_eq!(found, sum as f32 * (scale * scales[row]));
                }
            }
        }
    }

    #[test]
    fn no_sum_overflows_whatever_the_weights() {
        for bound in [2 * 1820, 18 * 1820, 32767] {
            for weight in [1e-20_f32, 0.3, 1e20] {
                // All of one sign and size, or one far larger than the rest.
                for ratio in [1.0, 1e-3] {
                    let mut weights = vec![weight * ratio; 256 * 16];
                    weights[..16].fill(weight);
                    let matrix = WeightMatrix::new(&weights, 16, bound);
                    let most: i64 =
                        matrix.pairs.iter().map(|&w| i64::from(w).abs()).sum::<i64>() / 16;
                    assert!(most * i64::from(bound) <= i64::from(i32::MAX), "{bound} {weight}");
                    assert!(most > 0);
                }
            }
        }
    }
}
