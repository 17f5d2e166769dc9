//! The actor-critic network, its weights, and the learner that trains it.
//!
//! [`Evaluator`] is all that rollout, search and play see of a network: observations in, a value
//! and a probability for each legal action out. [`Learner`] is all that training sees.

mod evaluator;
mod learner;

pub use evaluator::{Evaluation, Evaluator, Uniform};
pub use learner::{Learner, Losses, Minibatch, StateError, UpdateSettings};
