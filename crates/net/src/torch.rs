//! The learner for NVIDIA GPUs: the same network and loss over libtorch.
//!
//! It reads and writes the same files as [`crate::CpuLearner`], so that a run may go on from one to
//! the other. Observations travel to the device packed and become planes there; of the logits only
//! those of legal actions come back. With [`Precision::Mixed`](crate::Precision::Mixed) the blocks compute in bf16; heads,
//! losses and optimiser always in f32.
//!
//! libtorch chooses its arithmetic by the size of a batch, so results agree with those of other
//! sizes only up to rounding, and updates on a GPU are not the same bit by bit.

mod attacks;
mod batch;
mod device;
mod forward;
mod heads;
mod kernel;
mod layers;
mod learner;
mod loss;
mod model;
mod planes;
#[cfg(test)]
mod proof;
mod queue;
mod ranks;
mod tower;

pub use device::TorchDevice;
pub use learner::TorchLearner;
pub use model::TorchEvaluator;
