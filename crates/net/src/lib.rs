//! The actor-critic network, its weights, and the learner that trains it.
//!
//! [`Evaluator`] is all that rollout, search and play see of a network: observations in, a value
//! and a probability for each legal action out. [`Learner`] is all that training sees.

mod adam;
mod config;
mod cpu;
mod cpu_learner;
mod evaluator;
mod learner;
mod loss;
mod net_evaluator;
mod parameters;
#[cfg(test)]
mod proof;
mod sizes;
mod weights;

pub use config::{ConfigError, NetConfig, Normalization, PolicyHead};
pub use cpu_learner::CpuLearner;
pub use evaluator::{Evaluation, Evaluator, Uniform};
pub use learner::{Learner, Losses, Minibatch, StateError, UpdateSettings};
pub use net_evaluator::NetEvaluator;
pub use weights::Header;
