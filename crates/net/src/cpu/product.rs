//! The product of two matrices: where nearly all of the time is spent.

use pulp::{Arch, Simd, WithSimd};

/// The widest vector. Rows of matrices that are read or written as vectors are padded to it with
/// zeros, so that no vector is ever incomplete.
pub(crate) const LANES: usize = 16;

/// `columns` rounded up to whole vectors.
pub(crate) const fn padded(columns: usize) -> usize {
    columns.next_multiple_of(LANES)
}

/// The left side of a product, laid out in any way.
#[derive(Clone, Copy)]
pub(crate) struct Left<'a> {
    values: &'a [f32],
    rows: usize,
    row_step: usize,
    column_step: usize,
}

impl<'a> Left<'a> {
    /// How many rows it has.
    pub(crate) fn count(&self) -> usize {
        self.rows
    }

    /// A matrix whose rows are `width` apart.
    pub(crate) fn rows(values: &'a [f32], rows: usize, width: usize) -> Self {
        Self { values, rows, row_step: width, column_step: 1 }
    }

    /// The transpose of a matrix whose rows are `width` apart: its first `rows` columns.
    pub(crate) fn columns(values: &'a [f32], rows: usize, width: usize) -> Self {
        Self { values, rows, row_step: 1, column_step: width }
    }
}

/// Adds `left` · `right` to `out`.
///
/// # Shapes
///
/// `left`: `[rows, inner]`, `right`: `[inner, columns]`, `out`: `[rows, columns]`, where `columns`
/// is a multiple of [`LANES`].
pub(crate) fn add_product(
    left: Left<'_>,
    right: &[f32],
    inner: usize,
    columns: usize,
    out: &mut [f32],
) {
    run(left, right, inner, columns, out, true);
}

/// Writes `left` · `right` to `out`. Shapes as for [`add_product`].
pub(crate) fn product(
    left: Left<'_>,
    right: &[f32],
    inner: usize,
    columns: usize,
    out: &mut [f32],
) {
    run(left, right, inner, columns, out, false);
}

fn run(left: Left<'_>, right: &[f32], inner: usize, columns: usize, out: &mut [f32], add: bool) {
    debug_assert_eq!(columns % LANES, 0);
    let (right, out) = (&right[..inner * columns], &mut out[..left.rows * columns]);
    Arch::new().dispatch(Product { left, right, inner, columns, out, add });
}

struct Product<'a> {
    left: Left<'a>,
    right: &'a [f32],
    inner: usize,
    columns: usize,
    out: &'a mut [f32],
    add: bool,
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        // As many rows at once as sums fit in the registers, two vectors wide.
        let mut row = 0;
        if S::REGISTER_COUNT >= 32 {
            row = self.rows_by::<S, 12>(simd, row);
        }
        row = self.rows_by::<S, 6>(simd, row);
        row = self.rows_by::<S, 3>(simd, row);
        self.rows_by::<S, 1>(simd, row);
    }
}

impl Product<'_> {
    /// Computes rows from `row` on, `ROWS` at a time, while there are so many; says where it
    /// stopped.
    #[inline(always)]
    fn rows_by<S: Simd, const ROWS: usize>(&mut self, simd: S, mut row: usize) -> usize {
        let pair = 2 * S::F32_LANES;
        while row + ROWS <= self.left.rows {
            let mut column = 0;
            while column + pair <= self.columns {
                self.tile::<S, ROWS, 2>(simd, row, column);
                column += pair;
            }
            if column < self.columns {
                self.tile::<S, ROWS, 1>(simd, row, column);
            }
            row += ROWS;
        }
        row
    }

    /// Computes `ROWS` rows of `VECTORS` vectors, with all sums in registers.
    #[inline(always)]
    fn tile<S: Simd, const ROWS: usize, const VECTORS: usize>(
        &mut self,
        simd: S,
        row: usize,
        column: usize,
    ) {
        let width = VECTORS * S::F32_LANES;
        let Left { values, row_step, column_step, .. } = self.left;
        let values = &values[row * row_step..];
        let right = &self.right[column..];
        let mut sums = [[simd.splat_f32s(0.0); VECTORS]; ROWS];
        for k in 0..self.inner {
            let (vectors, _) = S::as_simd_f32s(&right[k * self.columns..][..width]);
            for (r, sums) in sums.iter_mut().enumerate() {
                let factor = simd.splat_f32s(values[r * row_step + k * column_step]);
                for (sum, &vector) in sums.iter_mut().zip(vectors) {
                    *sum = simd.mul_add_e_f32s(factor, vector, *sum);
                }
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            let out = &mut self.out[(row + r) * self.columns + column..][..width];
            let (out, _) = S::as_mut_simd_f32s(out);
            for (out, &sum) in out.iter_mut().zip(sums) {
                *out = if self.add { simd.add_f32s(*out, sum) } else { sum };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::SplitMix64;

    fn random(rng: &mut SplitMix64, len: usize) -> Vec<f32> {
        (0..len).map(|_| rng.below(2001) as f32 / 1000.0 - 1.0).collect()
    }

    #[test]
    fn products_agree_with_the_definition_for_all_remainders_of_rows_and_columns() {
        let mut rng = SplitMix64::new(1);
        for rows in 1..30 {
            for (inner, columns) in [(1, 16), (7, 32), (33, 48)] {
                let left = random(&mut rng, rows * inner);
                let right = random(&mut rng, inner * columns);
                let start = random(&mut rng, rows * columns);
                let exact = |r: usize, c: usize| {
                    let term =
                        |k| f64::from(left[r * inner + k]) * f64::from(right[k * columns + c]);
                    (0..inner).map(term).sum::<f64>()
                };
                let transposed: Vec<f32> =
                    (0..rows * inner).map(|i| left[i % rows * inner + i / rows]).collect();
                for side in [Left::rows(&left, rows, inner), Left::columns(&transposed, rows, rows)]
                {
                    let (mut written, mut added) = (start.clone(), start.clone());
                    product(side, &right, inner, columns, &mut written);
                    add_product(side, &right, inner, columns, &mut added);
                    for i in 0..rows * columns {
                        let value = exact(i / columns, i % columns);
                        assert!((f64::from(written[i]) - value).abs() < 1e-5);
                        assert!((f64::from(added[i]) - value - f64::from(start[i])).abs() < 1e-5);
                    }
                }
            }
        }
    }
}
