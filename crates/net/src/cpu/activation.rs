//! ReLU and its gradient.

use super::simd::dispatch;

/// What a layer's results go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activation {
    Identity,
    Relu,
}

impl Activation {
    /// The activation of x is the larger of x and this.
    #[inline(always)]
    pub(crate) const fn floor(self) -> f32 {
        match self {
            Self::Identity => f32::NEG_INFINITY,
            Self::Relu => 0.0,
        }
    }
}

/// The gradient before a ReLU, in place, given that after it.
pub(crate) fn relu_backward(gradients: &mut [f32], results: &[f32]) {
    for (gradient, &result) in gradients.iter_mut().zip(results) {
        *gradient = if result > 0.0 { *gradient } else { 0.0 };
    }
}

/// [`relu_backward`] that also adds the gradients up by channel: that is the bias's gradient.
///
/// # Shapes
///
/// `gradients`, `results`: `[squares, channels]`, `sums`: `[channels]`
pub(crate) fn relu_backward_summing(gradients: &mut [f32], results: &[f32], sums: &mut [f32]) {
    let channels = sums.len();
    dispatch(|| {
        let rows = gradients.chunks_exact_mut(channels).zip(results.chunks_exact(channels));
        for (gradients, results) in rows {
            for ((gradient, &result), sum) in gradients.iter_mut().zip(results).zip(&mut *sums) {
                *gradient = if result > 0.0 { *gradient } else { 0.0 };
                *sum += *gradient;
            }
        }
    });
}
