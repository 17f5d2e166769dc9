//! Where a network learns: on a GPU if one is asked for and there, otherwise on the CPU.

use std::fmt;
use std::sync::Arc;

use keisei_cluster::{Alone, Communicator};
use keisei_encode::{Actions, Observation};

use crate::config::{ConfigError, NetConfig};
use crate::cpu_learner::CpuLearner;
use crate::evaluator::Evaluator;
use crate::learner::{Learner, StateError};
use crate::net_evaluator::NetEvaluator;
#[cfg(feature = "torch")]
use crate::torch::{TorchDevice, TorchEvaluator, TorchLearner};

/// What a learner is made from.
///
/// ```
/// use keisei_encode::shogi::Compact;
/// use keisei_net::{Backend, Device, DeviceRequest, LearnerConfig, Learner};
///
/// let config = LearnerConfig { seed: 1, device: DeviceRequest::Cpu, ..LearnerConfig::default() };
/// let Backend { learner, load, device, .. } = config.build::<Compact>()?;
/// assert_eq!(device, Device::Cpu);
/// // A frozen copy, to play against while the learner goes on.
/// let opponent = load(&learner.weights())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LearnerConfig {
    /// The network's shape.
    pub network: NetConfig,
    /// What the initial weights follow from.
    pub seed: u64,
    /// Where to learn.
    pub device: DeviceRequest,
    /// The number format of the residual blocks; the CPU always computes in f32.
    pub precision: Precision,
}

/// The device that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceRequest {
    /// A GPU where there is one, otherwise the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// A GPU; without one, the CPU, and [`Backend::missing`] says why.
    Cuda,
}

/// The number format of a network's residual blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// f32.
    #[default]
    Full,
    /// bf16: twice as fast or more on a GPU. Heads, losses, weights and optimiser stay in f32.
    Mixed,
}

/// A learner, what loads its weights, and where both compute.
pub struct Backend<P> {
    /// The learner, with its initial weights.
    pub learner: Box<dyn Learner<P>>,
    /// Makes evaluators of weights that the learner gave.
    pub load: Box<LoadEvaluator<P>>,
    /// The device that was chosen.
    pub device: Device,
    /// How many numbers are learnt.
    pub parameter_count: usize,
    /// What was asked for but cannot be had here.
    pub missing: Vec<Missing>,
}

/// Makes an evaluator from weights as [`Learner::weights`] gives them.
pub type LoadEvaluator<P> = dyn Fn(&[u8]) -> Result<Box<dyn Evaluator<P>>, StateError>;

/// The device that computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The CPU, with this crate's arithmetic.
    Cpu,
    /// An NVIDIA GPU, with libtorch's.
    Gpu,
}

/// Something that was asked for but cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What was asked for.
    pub request: Request,
    /// Why it cannot be had, and what happens instead.
    pub reason: &'static str,
}

/// What a [`LearnerConfig`] may ask for in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// [`DeviceRequest::Cuda`].
    Cuda,
    /// [`Precision::Mixed`].
    MixedPrecision,
}

impl LearnerConfig {
    /// Makes the learner.
    ///
    /// # Errors
    ///
    /// If the network has a number out of its range or does not fit the actions.
    pub fn build<A: Actions>(&self) -> Result<Backend<Observation<A>>, ConfigError> {
        self.build_among::<A>(&(Arc::new(Alone) as Arc<dyn Communicator>))
    }

    /// Makes the learner of one of several ranks that learn together. It takes the GPU of its place
    /// on the machine.
    ///
    /// # Errors
    ///
    /// If the network has a number out of its range or does not fit the actions.
    pub fn build_among<A: Actions>(
        &self,
        ranks: &Arc<dyn Communicator>,
    ) -> Result<Backend<Observation<A>>, ConfigError> {
        #[cfg(feature = "torch")]
        if self.device != DeviceRequest::Cpu
            && self.expands_on_device::<A>()?
            && let Some(gpu) = TorchDevice::gpu_at(ranks.place())
        {
            return self.on_torch::<A>(gpu, ranks);
        }
        self.on_cpu::<A>(ranks)
    }

    /// Whether a GPU can make the planes of the network's encoding from packed observations.
    fn expands_on_device<A: Actions>(&self) -> Result<bool, ConfigError> {
        Ok(self.network.encoding.view::<A::Game>()?.sources.is_some())
    }

    fn on_cpu<A: Actions>(
        &self,
        ranks: &Arc<dyn Communicator>,
    ) -> Result<Backend<Observation<A>>, ConfigError> {
        let mut missing = Vec::new();
        if self.device == DeviceRequest::Cuda {
            let reason = match cfg!(feature = "torch") {
                true if !self.expands_on_device::<A>()? => {
                    "this encoding is expanded by the CPU; the GPU is not used"
                }
                true => "libtorch finds no NVIDIA GPU; the GPU is not used",
                false => "this build learns on the CPU; the GPU is not used",
            };
            missing.push(Missing { request: Request::Cuda, reason });
        }
        if self.precision == Precision::Mixed {
            let reason = "the CPU computes in 32 bits";
            missing.push(Missing { request: Request::MixedPrecision, reason });
        }
        let learner = CpuLearner::<A>::new(&self.network, self.seed)?.among(Arc::clone(ranks));
        Ok(Backend {
            parameter_count: learner.parameter_count(),
            learner: Box::new(learner),
            load: Box::new(|weights| Ok(Box::new(NetEvaluator::<A>::from_weights(weights)?))),
            device: Device::Cpu,
            missing,
        })
    }

    #[cfg(feature = "torch")]
    fn on_torch<A: Actions>(
        &self,
        gpu: TorchDevice,
        ranks: &Arc<dyn Communicator>,
    ) -> Result<Backend<Observation<A>>, ConfigError> {
        let precision = self.precision;
        let learner = TorchLearner::<A>::new(&self.network, self.seed, gpu, precision)?
            .among(Arc::clone(ranks));
        Ok(Backend {
            parameter_count: learner.parameter_count(),
            learner: Box::new(learner),
            load: Box::new(move |weights| {
                Ok(Box::new(TorchEvaluator::<A>::from_weights(weights, gpu, precision)?))
            }),
            device: Device::Gpu,
            missing: Vec::new(),
        })
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "CPU",
            Self::Gpu => "GPU",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_encode::{Encode, shogi::Compact};
    use keisei_game::Game;
    use keisei_shogi::Shogi;

    fn build(device: DeviceRequest, precision: Precision) -> Backend<Observation<Compact>> {
        let network = NetConfig { blocks: 1, channels: 8, ..NetConfig::default() };
        LearnerConfig { network, seed: 1, device, precision }.build::<Compact>().unwrap()
    }

    #[test]
    fn weights_of_a_learner_load_into_an_evaluator_that_agrees_with_it() {
        let Backend { mut learner, load, .. } = build(DeviceRequest::Cpu, Precision::Full);
        let (observations, legal) = ([Shogi::new().pack()], [&[0, 1, 2][..]]);
        let mut loaded = load(&learner.weights()).unwrap();
        assert_eq!(loaded.evaluate(&observations, &legal), learner.evaluate(&observations, &legal));
    }

    #[test]
    fn the_cpu_says_that_it_has_no_mixed_precision() {
        let missing = build(DeviceRequest::Cpu, Precision::Mixed).missing;
        assert_eq!(
            missing.iter().map(|m| m.request).collect::<Vec<_>>(),
            [Request::MixedPrecision]
        );
    }

    #[cfg(not(feature = "torch"))]
    #[test]
    fn without_libtorch_a_gpu_is_missed_only_where_it_was_asked_for() {
        let auto = build(DeviceRequest::Auto, Precision::Full);
        assert_eq!((auto.device, auto.missing), (Device::Cpu, Vec::new()));
        let cuda = build(DeviceRequest::Cuda, Precision::Full);
        assert_eq!((cuda.device, cuda.missing[0].request), (Device::Cpu, Request::Cuda));
    }
}
