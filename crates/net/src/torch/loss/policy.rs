//! What a network says of the legal actions of positions.

use std::sync::Arc;

use tch::{Device, Kind, Tensor};

use crate::torch::batch::Positions;
use crate::torch::kernel::{Gpu, Kernel, KernelError, Kernels};

const SOURCE: &str = include_str!("policies.cu");

/// How many positions a block of threads has, as in policies.cu.
const WARPS: usize = 4;

/// The policies of positions. None of their numbers carries a gradient.
pub(super) struct Policy {
    /// `[all legal actions]`, one position after the other.
    pub(super) log_probs: Tensor,
    /// `[all legal actions]`
    pub(super) probs: Tensor,
    /// `[positions]`
    pub(super) entropies: Tensor,
}

impl Policy {
    /// # Shapes
    ///
    /// `logits`: `[all legal actions]`, one position after the other
    pub(super) fn new(logits: &Tensor, positions: &Positions) -> Self {
        let offsets = positions.counts.cumsum(0, Kind::Int).constant_pad_nd([1, 0]);
        match kernel(logits.device()) {
            None => Self::by_libtorch(logits, &offsets, positions),
            Some(kernel) => {
                let (log_probs, probs) = (logits.empty_like(), logits.empty_like());
                let len = positions.len as i64;
                let entropies = Tensor::empty([len], (logits.kind(), logits.device()));
                let tensors = [logits, &offsets, &log_probs, &probs, &entropies].map(Some);
                kernel.launch(positions.len.div_ceil(WARPS), &tensors, len);
                Self { log_probs, probs, entropies }
            }
        }
    }

    fn by_libtorch(logits: &Tensor, offsets: &Tensor, positions: &Positions) -> Self {
        let spread = |numbers: &Tensor| numbers.index_select(0, &positions.owners);
        let largest = of_positions(logits, offsets, "max", f64::NEG_INFINITY);
        let shifted = logits - spread(&largest);
        let sums = of_positions(&shifted.exp(), offsets, "sum", 0.0);
        let log_probs = shifted - spread(&sums.log());
        let probs = log_probs.exp();
        let entropies = of_positions(&-(&probs * &log_probs), offsets, "sum", 0.0);
        Self { log_probs, probs, entropies }
    }
}

/// One number for each position, of those of its legal actions.
fn of_positions(numbers: &Tensor, offsets: &Tensor, reduce: &str, initial: f64) -> Tensor {
    let none = None::<&Tensor>;
    // To check the offsets the CPU would have to wait for them.
    let unchecked = true;
    Tensor::segment_reduce(numbers, reduce, none, none, Some(offsets), 0, unchecked, initial)
}

/// The kernel of a GPU that computes policies.
fn kernel(device: Device) -> Option<Arc<Kernel>> {
    static COMPILED: Kernels<(), Kernel> = Kernels::new();
    let Device::Cuda(gpu) = device else { return None };
    let compile = |gpu: &Gpu, (): &()| -> Result<_, KernelError> {
        Kernel::new(&gpu.compile(SOURCE, &[])?, gpu, "policies", WARPS * 32, 0)
    };
    COMPILED.of(gpu, (), "libtorch computes policies, slower", compile)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::torch::device::download;
    use crate::torch::kernel::{AMPERE, HOPPER, compiles, emulation};

    #[test]
    fn the_kernel_can_be_compiled() {
        compiles(SOURCE, &[], &[AMPERE, HOPPER]);
    }

    #[test]
    fn the_kernel_computes_policies_as_libtorch_does() {
        // A single action, as many as a warp has lanes, and more.
        let counts = [1, 32, 593, 7, 80, 2];
        let total: i32 = counts.iter().sum();
        let logits: Vec<_> = (0..total).map(|i| 30.0 * (i as f32 * 12.9898).sin()).collect();
        let owners: Vec<_> = (0_i32..).zip(counts).flat_map(|(i, n)| vec![i; n as usize]).collect();
        let unused = Tensor::zeros([0], (Kind::Int, Device::Cpu));
        let positions = Positions {
            len: counts.len(),
            observations: unused.shallow_clone(),
            places: unused,
            owners: Tensor::from_slice(&owners),
            counts: Tensor::from_slice(&counts),
        };
        let Policy { log_probs, probs, entropies } =
            Policy::new(&Tensor::from_slice(&logits), &positions);
        let expected: Vec<_> = [log_probs, probs, entropies].iter().flat_map(download).collect();

        let offsets = counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        });
        let offsets: Vec<u8> = [0].into_iter().chain(offsets).flat_map(i32::to_le_bytes).collect();
        let logits: Vec<u8> = logits.iter().flat_map(|number| number.to_le_bytes()).collect();
        let made = emulation::run("loss/emulated.cpp", &[], &[&logits, &offsets]);
        let (made, _) = made.as_chunks();
        assert_eq!(made.len(), expected.len());
        for (found, expected) in made.iter().map(|&bytes| f32::from_le_bytes(bytes)).zip(expected) {
            let most = 1e-5 * expected.abs().max(1.0);
            assert!((found - expected).abs() < most, "{found} is not {expected}");
        }
    }
}
