//! The first convolution, where the blocks after it are kernels of our own.
//!
//! No gradient is taken through it by libtorch: its ReLU can be computed with it at once, and its
//! gradients follow from what came back through the blocks.

use tch::{Kind, Tensor};

use super::forward::{by_square, convolve};
use super::layers::Linear;

/// What the convolution makes of planes on a GPU, after its ReLU.
///
/// # Shapes
///
/// `planes`: `[n, planes + padding, rows, columns]`, result: `[n, squares, channels]`
pub(super) fn apply(layer: &Linear, planes: &Tensor) -> Tensor {
    let features = planes.cudnn_convolution_relu(
        &layer.weight,
        layer.bias.as_ref(),
        [1, 1],
        [1, 1],
        [1, 1],
        1,
    );
    by_square(&features)
}

/// The gradients of the weight and of the bias, in f32, from the one of what the ReLU was given.
///
/// # Shapes
///
/// `planes`: `[n, planes + padding, rows, columns]`, of which so many do not only fill up;
/// `gradient`: `[n, squares, channels]`
pub(super) fn gradients(
    layer: &Linear,
    planes: &Tensor,
    gradient: &Tensor,
    telling: usize,
) -> [Tensor; 2] {
    let weight = weight_gradient(layer, planes, gradient).narrow(1, 0, telling as i64);
    let by_channel: &[i64] = &[0, 1];
    let bias = gradient.sum_dim_intlist(by_channel, false, Kind::Float);
    [weight.to_kind(Kind::Float), bias]
}

/// The gradient of the weight.
///
/// # Shapes
///
/// Result: `[channels, planes + padding, 3, 3]`
fn weight_gradient(layer: &Linear, planes: &Tensor, gradient: &Tensor) -> Tensor {
    let weight = layer.weight.detach().set_requires_grad(true);
    let products = convolve(planes, &Linear { weight: weight.shallow_clone(), bias: None });
    // The gradient of this number by each product is what came back to it.
    let number = by_square(&products).view(-1).dot(&gradient.reshape(-1));
    Tensor::run_backward(&[number], &[weight], false, false).remove(0)
}

#[cfg(test)]
mod tests {
    use tch::{Device, no_grad};

    use super::*;
    use crate::torch::TorchDevice;

    /// Noise, the same in each run.
    fn noise(shape: &[i64]) -> Tensor {
        let count: i64 = shape.iter().product();
        (Tensor::arange(count, (Kind::Float, Device::Cpu)) * 12.9898).sin().view(shape)
    }

    fn channels_last(tensor: &Tensor) -> Tensor {
        tensor.permute([0, 2, 3, 1]).contiguous().permute([0, 3, 1, 2])
    }

    #[test]
    fn gradients_are_those_that_libtorch_takes() {
        let weight = noise(&[6, 8, 3, 3]).set_requires_grad(true);
        let bias = noise(&[6]).set_requires_grad(true);
        let layer = Linear { weight: weight.shallow_clone(), bias: Some(bias.shallow_clone()) };
        let (planes, gradient) = (channels_last(&noise(&[5, 8, 4, 3])), noise(&[5, 12, 6]));
        let sum = (by_square(&convolve(&planes, &layer)) * &gradient).sum(Kind::Float);
        let expected = Tensor::run_backward(&[sum], &[weight, bias], false, false);
        let found = gradients(&layer, &planes, &gradient, 7);
        assert_eq!(found[0].size(), [6, 7, 3, 3]);
        assert!(found[0].allclose(&expected[0].narrow(1, 0, 7), 1e-4, 1e-5, false));
        assert!(found[1].allclose(&expected[1], 1e-4, 1e-5, false));
    }

    /// Where there is a GPU. What lay in its memory before has no part in the result.
    #[test]
    fn the_relu_at_once_is_that_of_two_steps() {
        let Some(TorchDevice(device)) = TorchDevice::gpu() else { return };
        let half = |tensor: Tensor| tensor.to_device(device).to_kind(Kind::BFloat16);
        let layer = Linear {
            weight: channels_last(&half(noise(&[64, 88, 3, 3]) * 0.1)),
            bias: Some(half(noise(&[64]))),
        };
        let planes = channels_last(&half(noise(&[256, 88, 9, 9])));
        no_grad(|| {
            let expected = by_square(&convolve(&planes, &layer).relu_());
            drop([(); 8].map(|()| expected.full_like(f64::NAN)));
            let found = apply(&layer, &planes);
            let [found, expected] = [found, expected].map(|tensor| tensor.to_kind(Kind::Float));
            assert!(found.allclose(&expected, 2e-2, 2e-2, false));
        });
    }
}
