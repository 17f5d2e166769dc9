//! Where a run learns: on a GPU, if the build can use one and it is there; otherwise on the CPU.

use std::io::Write;

use anyhow::{Context, Result};
use keisei_encode::{Actions, Encode};
use keisei_net::{
    CpuLearner, Evaluation, Evaluator, Learner, Losses, Minibatch, NetConfig, NetEvaluator,
    StateError, UpdateSettings,
};
#[cfg(feature = "torch")]
use keisei_net::{Precision, TorchDevice, TorchEvaluator, TorchLearner};
use keisei_train::Config;
use keisei_train::config::Device;

type Seen<A> = <<A as Actions>::Game as Encode>::Packed;

/// Makes players of weights.
type Load<P> = Box<dyn Fn(&[u8]) -> Result<Box<dyn Evaluator<P>>, StateError>>;

/// The learner of a run.
pub(super) enum AnyLearner<A> {
    Cpu(CpuLearner<A>),
    #[cfg(feature = "torch")]
    Gpu(TorchLearner<A>),
}

impl<A: Actions> AnyLearner<A> {
    /// A learner with its first weights, and what makes players of its later ones. `out` is told
    /// where the settings ask for more than there is.
    pub(super) fn new(config: &Config, out: &mut dyn Write) -> Result<(Self, Load<Seen<A>>)> {
        let network = NetConfig::from(&config.network);
        let seed = config.env.seed.unwrap_or_default();
        #[cfg(feature = "torch")]
        if config.env.device != Device::Cpu
            && let Some(gpu) = TorchDevice::gpu()
        {
            let mixed = config.training.mixed_precision;
            let precision = if mixed { Precision::Mixed } else { Precision::Full };
            let learner = TorchLearner::<A>::new(&network, seed, gpu, precision);
            let load = move |weights: &[u8]| {
                let player = TorchEvaluator::<A>::from_weights(weights, gpu, precision)?;
                Ok(Box::new(player) as Box<dyn Evaluator<Seen<A>>>)
            };
            return Ok((Self::Gpu(learner.context("the network")?), Box::new(load)));
        }
        if config.env.device == Device::Cuda {
            let why = match cfg!(feature = "torch") {
                true => "libtorch finds no NVIDIA GPU",
                false => "this build learns on the CPU",
            };
            writeln!(out, "env.device is cuda, but {why}; the GPU is not used")?;
        }
        if config.training.mixed_precision {
            writeln!(out, "training.mixed_precision is true, but the CPU computes in 32 bits")?;
        }
        let learner = CpuLearner::<A>::new(&network, seed).context("the network")?;
        let load = |weights: &[u8]| {
            let player = NetEvaluator::<A>::from_weights(weights)?;
            Ok(Box::new(player) as Box<dyn Evaluator<Seen<A>>>)
        };
        Ok((Self::Cpu(learner), Box::new(load)))
    }

    /// How many numbers are learnt.
    pub(super) fn parameter_count(&self) -> usize {
        match self {
            Self::Cpu(learner) => learner.parameter_count(),
            #[cfg(feature = "torch")]
            Self::Gpu(learner) => learner.parameter_count(),
        }
    }

    /// Where it learns.
    pub(super) fn place(&self) -> &'static str {
        match self {
            Self::Cpu(_) => "CPU",
            #[cfg(feature = "torch")]
            Self::Gpu(_) => "GPU",
        }
    }

    fn any(&self) -> &dyn Learner<Seen<A>> {
        match self {
            Self::Cpu(learner) => learner,
            #[cfg(feature = "torch")]
            Self::Gpu(learner) => learner,
        }
    }

    fn any_mut(&mut self) -> &mut dyn Learner<Seen<A>> {
        match self {
            Self::Cpu(learner) => learner,
            #[cfg(feature = "torch")]
            Self::Gpu(learner) => learner,
        }
    }
}

impl<A: Actions> Evaluator<Seen<A>> for AnyLearner<A> {
    fn evaluate(&mut self, observations: &[Seen<A>], legal: &[&[u32]]) -> Vec<Evaluation> {
        self.any_mut().evaluate(observations, legal)
    }
}

impl<A: Actions> Learner<Seen<A>> for AnyLearner<A> {
    fn update(&mut self, minibatch: &Minibatch<'_, Seen<A>>, settings: &UpdateSettings) -> Losses {
        self.any_mut().update(minibatch, settings)
    }

    fn state(&self) -> Vec<u8> {
        self.any().state()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), StateError> {
        self.any_mut().restore(state)
    }

    fn weights(&self) -> Vec<u8> {
        self.any().weights()
    }
}
