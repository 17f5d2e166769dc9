#![doc = include_str!("../README.md")]

mod adam;
mod architecture;
mod backend;
mod config;
mod cpu;
mod cpu_learner;
mod evaluator;
mod grow;
mod half;
mod learner;
pub mod loss;
mod mirror;
mod net_evaluator;
pub mod onnx;
#[cfg(test)]
mod proof;
#[cfg(feature = "torch")]
mod torch;
mod weights;

pub use backend::{
    Backend, Device, DeviceRequest, LearnerConfig, LoadEvaluator, Missing, Precision, Request,
};
pub use config::{ConfigError, Encoding, NetConfig, Normalization, PolicyHead};
pub use cpu_learner::CpuLearner;
pub use evaluator::{Evaluation, Evaluator, Outputs, Uniform};
pub use grow::initial_state;
pub use half::in_half_precision;
pub use learner::{
    Examples, ImitationSettings, Learner, Losses, Selection, StateError, Transitions,
    UpdateSettings,
};
pub use mirror::evaluate_mirrored;
pub use net_evaluator::{InferencePrecision, NetEvaluator};
#[cfg(feature = "torch")]
pub use torch::{TorchDevice, TorchEvaluator, TorchLearner};
pub use weights::Header;
