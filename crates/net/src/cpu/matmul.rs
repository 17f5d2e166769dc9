//! The matmul of two matrices: where nearly all of the time is spent.

use pulp::{Simd, WithSimd};

use super::simd::dispatch;

/// The widest vector. Rows of matrices that are read or written as vectors are padded to it with
/// zeros, so that no vector is ever incomplete.
pub(crate) const LANES: usize = 16;

/// `columns` rounded up to whole vectors.
pub(crate) const fn padded(columns: usize) -> usize {
    columns.next_multiple_of(LANES)
}

/// A matrix in memory, laid out in any way. Which of it is used, the matmul says.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a> {
    values: &'a [f32],
    row_step: usize,
    column_step: usize,
}

impl<'a> Matrix<'a> {
    /// A matrix whose rows are `row_step` apart.
    pub(crate) fn new(values: &'a [f32], row_step: usize) -> Self {
        Self { values, row_step, column_step: 1 }
    }

    /// The first `len` numbers of each row; not of a transposed matrix.
    pub(crate) fn rows(self, len: usize) -> impl Iterator<Item = &'a [f32]> {
        debug_assert_eq!(self.column_step, 1);
        self.values.chunks(self.row_step).map(move |row| &row[..len])
    }

    /// The same matrix, its rows taken as columns.
    pub(crate) fn transposed(self) -> Self {
        Self { row_step: self.column_step, column_step: self.row_step, ..self }
    }
}

/// The sizes of a matmul: `[rows, inner]` · `[inner, columns]` is `[rows, columns]`. `columns` is
/// a multiple of [`LANES`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) rows: usize,
    pub(crate) inner: usize,
    pub(crate) columns: usize,
}

/// Writes `left` · `right` to `out`, or adds it if `ADD`. The rows of `right` and `out` are so far
/// apart as the numbers beside them say.
pub(crate) fn matmul<const ADD: bool>(
    size: Size,
    left: Matrix<'_>,
    right: (&[f32], usize),
    out: (&mut [f32], usize),
) {
    debug_assert_eq!(size.columns % LANES, 0);
    dispatch(Matmul::<ADD> { size, left, right, out });
}

struct Matmul<'a, const ADD: bool> {
    size: Size,
    left: Matrix<'a>,
    right: (&'a [f32], usize),
    out: (&'a mut [f32], usize),
}

impl<const ADD: bool> WithSimd for Matmul<'_, ADD> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        // As many rows at once as sums fit in the registers, two vectors wide.
        let mut row = 0;
        // A browser promises 32 registers, whatever processor it runs on.
        if S::REGISTER_COUNT >= 32 && cfg!(not(target_family = "wasm")) {
            row = self.rows_by::<S, 12>(simd, row);
        }
        row = self.rows_by::<S, 6>(simd, row);
        row = self.rows_by::<S, 3>(simd, row);
        self.rows_by::<S, 1>(simd, row);
    }
}

impl<const ADD: bool> Matmul<'_, ADD> {
    /// Computes rows from `row` on, `ROWS` at a time, while there are so many; says where it
    /// stopped.
    #[inline(always)]
    fn rows_by<S: Simd, const ROWS: usize>(&mut self, simd: S, mut row: usize) -> usize {
        let pair = 2 * S::F32_LANES;
        while row + ROWS <= self.size.rows {
            let mut column = 0;
            while column + pair <= self.size.columns {
                self.tile::<S, ROWS, 2>(simd, row, column);
                column += pair;
            }
            if column < self.size.columns {
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
        let Matrix { values, row_step, column_step } = self.left;
        let left = &values[row * row_step..];
        let (right, right_step) = (&self.right.0[column..], self.right.1);
        let mut sums = [[simd.splat_f32s(0.0); VECTORS]; ROWS];
        for k in 0..self.size.inner {
            let (vectors, _) = S::as_simd_f32s(&right[k * right_step..][..width]);
            for (r, sums) in sums.iter_mut().enumerate() {
                let factor = simd.splat_f32s(left[r * row_step + k * column_step]);
                for (sum, &vector) in sums.iter_mut().zip(vectors) {
                    *sum = simd.mul_add_e_f32s(factor, vector, *sum);
                }
            }
        }
        let (out, out_step) = (&mut *self.out.0, self.out.1);
        for (r, sums) in sums.iter().enumerate() {
            let (out, _) = S::as_mut_simd_f32s(&mut out[(row + r) * out_step + column..][..width]);
            for (out, &sum) in out.iter_mut().zip(sums) {
                *out = if ADD { simd.add_f32s(*out, sum) } else { sum };
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
                // Matrices lie in larger ones.
                let (left_step, right_step, out_step) = (inner + 3, columns + 5, columns + 2);
                let left = random(&mut rng, rows * left_step);
                let right = random(&mut rng, inner * right_step);
                let start = random(&mut rng, rows * out_step);
                let exact = |r: usize, c: usize| -> f64 {
                    let term = |k| {
                        f64::from(left[r * left_step + k]) * f64::from(right[k * right_step + c])
                    };
                    (0..inner).map(term).sum()
                };
                let across: Vec<f32> =
                    (0..rows * inner).map(|i| left[i % rows * left_step + i / rows]).collect();
                let size = Size { rows, inner, columns };
                for left in [Matrix::new(&left, left_step), Matrix::new(&across, rows).transposed()]
                {
                    let (mut written, mut added) = (start.clone(), start.clone());
                    matmul::<false>(size, left, (&right, right_step), (&mut written, out_step));
                    matmul::<true>(size, left, (&right, right_step), (&mut added, out_step));
                    for (i, &before) in start.iter().enumerate() {
                        let (r, c) = (i / out_step, i % out_step);
                        let (value, sum) = match c < columns {
                            true => (exact(r, c), exact(r, c) + f64::from(before)),
                            false => (f64::from(before), f64::from(before)),
                        };
                        assert!((f64::from(written[i]) - value).abs() < 1e-5);
                        assert!((f64::from(added[i]) - sum).abs() < 1e-5);
                    }
                }
            }
        }
    }
}
