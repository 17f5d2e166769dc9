//! The planes of the heads: a product of every square's features with one matrix.
//!
//! Features in bf16 are multiplied as they are, which halves what has to be read. The matrix stays
//! as exact as in f32: it is the sum of two in bf16, and sums are in f32.

use tch::{Kind, Tensor};

use super::layers::Linear;

/// How many planes there are room for, so that a square's begin where GPUs like to read.
pub(super) fn room_for(planes: usize) -> usize {
    planes.next_multiple_of(8)
}

/// Gradients of a loss.
pub(super) struct Backward {
    /// `[n, squares, channels]`, in bf16
    pub(super) features: Tensor,
    /// As those of the layer.
    pub(super) weight: Tensor,
    pub(super) bias: Tensor,
}

/// The planes of features in bf16; nobody takes gradients back.
///
/// # Shapes
///
/// `features`: `[n, squares, channels]`, result: `[n, squares, planes]`, in f32
pub(super) fn planes(features: &Tensor, layer: &Linear) -> Tensor {
    let weight = &layer.weight;
    let [planes, channels] = weight.size()[..] else { unreachable!("a matrix") };
    let coarse = weight.to_kind(Kind::BFloat16);
    let rest = (weight - coarse.to_kind(Kind::Float)).to_kind(Kind::BFloat16);
    let both = Tensor::cat(&[coarse, rest], 0);
    let products = multiply(&features.reshape([-1, channels]), &both.transpose(0, 1));
    let [coarse, rest] = [0, planes].map(|start| products.narrow(1, start, planes));
    let mut sums = coarse + layer.bias.as_ref().expect("heads have a bias");
    sums += rest;
    let size = features.size();
    sums.view([size[0], size[1], planes])
}

/// Takes the gradient of planes back.
pub(super) fn back(features: &Tensor, layer: &Linear, by_planes: &Tensor) -> Backward {
    let [planes, channels] = layer.weight.size()[..] else { unreachable!("a matrix") };
    let features_by_row = features.reshape([-1, channels]);
    let by_row = by_planes.reshape([-1, planes]);
    let coarse = by_row.to_kind(Kind::BFloat16);
    let all_rows: &[i64] = &[0];
    Backward {
        features: coarse.mm(&layer.weight.to_kind(Kind::BFloat16)).view_as(features),
        weight: multiply(&coarse.transpose(0, 1), &features_by_row),
        bias: by_row.sum_dim_intlist(all_rows, false, Kind::Float),
    }
}

/// The product of matrices in bf16, added up and given in f32.
pub(super) fn multiply(a: &Tensor, b: &Tensor) -> Tensor {
    match a.device().is_cuda() {
        true => a.mm_dtype(b, Kind::Float),
        // Only libtorch's part for GPUs has it.
        false => a.to_kind(Kind::Float).mm(&b.to_kind(Kind::Float)),
    }
}

/// The same of each pair among several.
pub(super) fn multiply_pairs(a: &Tensor, b: &Tensor) -> Tensor {
    match a.device().is_cuda() {
        true => a.bmm_dtype(b, Kind::Float),
        false => a.to_kind(Kind::Float).bmm(&b.to_kind(Kind::Float)),
    }
}

#[cfg(test)]
mod tests {
    use tch::{Device, no_grad};

    use super::*;

    /// The distance of numbers from what they should be, as a share of their norm.
    fn distance(found: &Tensor, expected: &Tensor) -> f64 {
        let norm = |tensor: &Tensor| tensor.to_kind(Kind::Double).norm();
        f64::try_from(norm(&(found.to_kind(Kind::Float) - expected)) / norm(expected)).unwrap()
    }

    #[test]
    fn planes_and_gradients_are_those_of_a_layer_in_thirty_two_bits() {
        tch::manual_seed(1);
        let random = |shape: &[i64]| Tensor::randn(shape, (Kind::Float, Device::Cpu));
        let layer = Linear { weight: random(&[24, 32]) / 100.0, bias: Some(random(&[24]) / 10.0) };
        let features = random(&[50, 12, 32]).to_kind(Kind::BFloat16);
        let by_planes = random(&[50, 12, 24]);

        let exact = features.to_kind(Kind::Float).set_requires_grad(true);
        let [weight, bias] = [&layer.weight, layer.bias.as_ref().unwrap()]
            .map(|tensor| tensor.copy().set_requires_grad(true));
        let expected = exact.linear(&weight, Some(&bias));
        let loss = (&expected * &by_planes).sum(Kind::Float);
        let gradients = Tensor::run_backward(&[loss], &[&exact, &weight, &bias], false, false);

        let found = no_grad(|| planes(&features, &layer));
        assert!(distance(&found, &expected.detach()) < 1e-5);
        let Backward { features, weight, bias } = back(&features, &layer, &by_planes);
        assert_eq!(features.kind(), Kind::BFloat16);
        let found = [features, weight, bias];
        for (found, (expected, most)) in found.iter().zip(gradients.iter().zip([8e-3, 8e-3, 1e-6]))
        {
            assert_eq!(found.size(), expected.size());
            assert!(distance(found, expected) < most, "{:?}", found.size());
        }
    }
}
