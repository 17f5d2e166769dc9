//! The arithmetic of the network on a CPU, written for boards.

mod activation;
mod backward;
mod batch_norm;
mod floats;
mod integer;
mod layout;
mod matmul;
mod network;
mod pool;
pub(crate) mod simd;
mod sparse;
mod tape;
mod winograd;

pub(crate) use activation::Activation;
pub(crate) use backward::{Gradients, add};
pub(crate) use batch_norm::BatchStatistics;
pub(crate) use floats::Floats;
pub(crate) use integer::{IntegerWeights, Integers};
#[cfg(test)]
pub(crate) use integer::{Tier, forced};
pub(crate) use network::{Arithmetic, Network};
pub(crate) use simd::AlignedFloats;
pub(crate) use tape::{BATCH, Tape};
