//! The actor-critic network, its weights, and the learner that trains it.
//!
//! [`Evaluator`] is all that rollout, search and play see of a network: observations in, a value
//! and a probability for each legal action out. [`Learner`] is all that training sees.
//!
//! # The network
//!
//! | part | layers |
//! |---|---|
//! | input | 3×3 convolution from the planes to `channels`, ReLU |
//! | each of `blocks` | x + 3×3 convolution of (3×3 convolution of x, ReLU), ReLU; with `global_pool` a linear layer of the inner features' means and maxima over the board is added before the last ReLU |
//! | policy, planes | 1×1 convolution to planes of actions |
//! | policy, linear | 1×1 convolution to 2 planes, ReLU, linear layer to all actions |
//! | value | 1×1 convolution to 1 plane, with batch normalisation ReLU, linear layer to `value_hidden`, ReLU, linear layer to 1, tanh |
//!
//! Only legal actions have a part in the policy: probabilities, entropy and gradients are those of
//! the softmax over their logits, in acting and in learning alike. A position's result does not
//! depend on the others in its batch, and is the same bit by bit in both, so that the ratio of new
//! to old probability is 1 right after acting (see [`Normalization`] for batch normalisation).
//!
//! # Arithmetic
//!
//! [`CpuLearner`] has its own arithmetic, because a small network on a board leaves much to gain:
//! 3×3 convolutions need a third of the multiplications, empty input planes need none, and a layer
//! of several positions stays in the cache. Vector instructions are chosen at run time.
//! `examples/speed.rs` measures it, `python/compare.py` checks and measures it against PyTorch.

mod adam;
mod architecture;
mod backend;
mod config;
mod cpu;
mod cpu_learner;
mod evaluator;
mod learner;
pub mod loss;
mod mirror;
mod net_evaluator;
#[cfg(test)]
mod proof;
#[cfg(feature = "torch")]
mod torch;
mod weights;

pub use backend::{
    Backend, Device, DeviceRequest, LearnerConfig, LoadEvaluator, Missing, Precision, Request,
};
pub use config::{ConfigError, NetConfig, Normalization, PolicyHead};
pub use cpu_learner::CpuLearner;
pub use evaluator::{Evaluation, Evaluator, Uniform};
pub use learner::{Learner, Losses, Minibatch, StateError, UpdateSettings};
pub use mirror::evaluate_mirrored;
pub use net_evaluator::{NetEvaluator, Observation};
#[cfg(feature = "torch")]
pub use torch::{TorchDevice, TorchEvaluator, TorchLearner};
pub use weights::Header;
