//! The mean and the maximum of each channel over a board.

use pulp::{Simd, WithSimd};

use super::simd::dispatch;

/// Writes mean and maximum of each channel. No number may be negative.
///
/// # Shapes
///
/// `board`: `[squares, channels]`, `means`, `maxima`: `[channels]`
pub(crate) fn pool(board: &[f32], means: &mut [f32], maxima: &mut [f32]) {
    dispatch(Pool { board, means, maxima });
}

/// Writes the gradient of a board, given those of its means and maxima. Squares that share a
/// maximum share its gradient. Shapes as for [`pool`].
pub(crate) fn pool_backward(
    board: &[f32],
    maxima: &[f32],
    d_means: &[f32],
    d_maxima: &[f32],
    d_board: &mut [f32],
) {
    dispatch(PoolBackward { board, maxima, d_means, d_maxima, d_board });
}

struct Pool<'a> {
    board: &'a [f32],
    means: &'a mut [f32],
    maxima: &'a mut [f32],
}

impl WithSimd for Pool<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let channels = self.means.len();
        let share = simd.splat_f32s(channels as f32 / self.board.len() as f32);
        let ((means, _), (maxima, _)) =
            (S::as_mut_simd_f32s(self.means), S::as_mut_simd_f32s(self.maxima));
        for (i, (mean, maximum)) in means.iter_mut().zip(maxima).enumerate() {
            let (mut sum, mut most) = (simd.splat_f32s(0.0), simd.splat_f32s(0.0));
            for square in self.board.chunks_exact(channels) {
                let value = S::as_simd_f32s(square).0[i];
                sum = simd.add_f32s(sum, value);
                most = simd.max_f32s(most, value);
            }
            *mean = simd.mul_f32s(sum, share);
            *maximum = most;
        }
    }
}

struct PoolBackward<'a> {
    board: &'a [f32],
    maxima: &'a [f32],
    d_means: &'a [f32],
    d_maxima: &'a [f32],
    d_board: &'a mut [f32],
}

impl WithSimd for PoolBackward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let channels = self.maxima.len();
        let share = simd.splat_f32s(channels as f32 / self.board.len() as f32);
        let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
        let (maxima, _) = S::as_simd_f32s(self.maxima);
        let ((d_means, _), (d_maxima, _)) =
            (S::as_simd_f32s(self.d_means), S::as_simd_f32s(self.d_maxima));
        for (i, &maximum) in maxima.iter().enumerate() {
            let mut holders = zero;
            for square in self.board.chunks_exact(channels) {
                let holds = simd.equal_f32s(S::as_simd_f32s(square).0[i], maximum);
                holders = simd.add_f32s(holders, simd.select_f32s(holds, one, zero));
            }
            let by_mean = simd.mul_f32s(d_means[i], share);
            let by_both = simd.add_f32s(by_mean, simd.div_f32s(d_maxima[i], holders));
            let squares = self.board.chunks_exact(channels);
            for (square, gradients) in squares.zip(self.d_board.chunks_exact_mut(channels)) {
                let holds = simd.equal_f32s(S::as_simd_f32s(square).0[i], maximum);
                S::as_mut_simd_f32s(gradients).0[i] = simd.select_f32s(holds, by_both, by_mean);
            }
        }
    }
}
