//! The learner on a device.

use keisei_encode::Actions;
use tch::{Kind, Tensor, no_grad};

use super::batch::rows;
use super::device::{TorchDevice, download};
use super::forward::{Watch, forward};
use super::layers::{Layers, Moments, Numbers};
use super::loss::{Loss, Steps, losses};
use super::model::Model;
use crate::adam::{Adam, EPSILON, MEAN_DECAY, SQUARE_DECAY};
use crate::backend::Precision;
use crate::config::{ConfigError, NetConfig};
use crate::evaluator::{Evaluation, Evaluator};
use crate::learner::{Learner, Losses, Minibatch, StateError, UpdateSettings};
use crate::net_evaluator::Seen;
use crate::state::{read_state, write_state, write_weights};
use crate::weights::Header;

/// A network that learns on a device of libtorch.
#[derive(Debug)]
pub struct TorchLearner<A> {
    model: Model<A>,
    numbers: Numbers,
    /// The layers as they are now, for evaluation.
    layers: Layers,
    /// How many steps Adam has made.
    step: u64,
    /// Adam's decaying mean of the gradients.
    means: Tensor,
    /// And of their squares.
    squares: Tensor,
}

/// What a minibatch says.
struct Gradient {
    losses: Losses,
    /// Of all weights, in one.
    slopes: Tensor,
    moments: Vec<Moments>,
}

impl<A: Actions> TorchLearner<A> {
    /// A new network; the same seed gives the same weights, which are also those of
    /// [`crate::CpuLearner::new`].
    ///
    /// # Errors
    ///
    /// If the network has a number out of its range or does not fit the actions.
    pub fn new(
        config: &NetConfig,
        seed: u64,
        device: TorchDevice,
        precision: Precision,
    ) -> Result<Self, ConfigError> {
        let model = Model::<A>::new(config, device, precision)?;
        let parameters = model.blueprint.start(seed);
        let numbers = Numbers::new(&model.blueprint, &parameters, device);
        let layers = no_grad(|| numbers.layers(&model.blueprint, precision.kind()));
        let (means, squares) = (numbers.weights.zeros_like(), numbers.weights.zeros_like());
        Ok(Self { model, numbers, layers, step: 0, means, squares })
    }

    /// How many numbers are learnt.
    pub fn parameter_count(&self) -> usize {
        self.numbers.weights.numel()
    }

    fn header(&self) -> Header {
        Header::new::<A>(self.model.config.clone(), self.step)
    }

    fn gradient(&self, minibatch: &Minibatch<'_, Seen<A>>, settings: &UpdateSettings) -> Gradient {
        let Model { blueprint, device, precision, planes, logit_places, columns, .. } = &self.model;
        let positions = self.model.positions(minibatch.observations, minibatch.legal);
        let rows = rows(positions.len);
        let steps = Steps::new(*device, (logit_places, *columns), minibatch, settings, rows);
        let planes = planes.expand(&positions.observations, precision.kind());
        let layers = self.numbers.layers(blueprint, precision.kind());
        let mut watch = Watch { count: positions.len as i64, moments: Vec::new() };
        let outputs = forward(blueprint, &layers, &planes, Some(&mut watch));
        let Loss { total, mut told } = Loss::new(&outputs, &positions, &steps, settings);
        let slopes = Tensor::run_backward(&[total], &self.numbers.leaves, false, false);
        let slopes: Vec<_> = slopes.iter().map(|slopes| slopes.reshape(-1)).collect();
        let slopes = Tensor::cat(&slopes, 0);
        told.push(slopes.to_kind(Kind::Double).square().sum(None).sqrt());
        let told = Tensor::stack(&told, 0).to_kind(Kind::Float);
        Gradient { losses: losses(&download(&told)), slopes, moments: watch.moments }
    }

    /// Moves the weights against `factor` · `slopes`, as [`Adam::step`] does.
    fn adam_step(&mut self, slopes: &Tensor, factor: f32, rate: f32) {
        self.step += 1;
        let correction = |decay: f32| 1.0 - f64::from(decay).powf(self.step as f64);
        let rate = f64::from(rate) / correction(MEAN_DECAY);
        let root = correction(SQUARE_DECAY).sqrt();
        let slopes = slopes * f64::from(factor);
        let _ = self.means.lerp_(&slopes, f64::from(1.0 - MEAN_DECAY));
        let _ = self.squares.lerp_(&slopes.square(), f64::from(1.0 - SQUARE_DECAY));
        let deviations = self.squares.sqrt() / root + f64::from(EPSILON);
        self.numbers.weights -= &self.means / deviations * rate;
    }

    fn arrange(&mut self) {
        let Model { blueprint, precision, .. } = &self.model;
        self.layers = no_grad(|| self.numbers.layers(blueprint, precision.kind()));
    }
}

impl<A: Actions> Evaluator<Seen<A>> for TorchLearner<A> {
    fn evaluate(&mut self, observations: &[Seen<A>], legal: &[&[u32]]) -> Vec<Evaluation> {
        self.model.evaluate(&self.layers, observations, legal)
    }
}

impl<A: Actions> Learner<Seen<A>> for TorchLearner<A> {
    fn update(&mut self, minibatch: &Minibatch<'_, Seen<A>>, settings: &UpdateSettings) -> Losses {
        minibatch.check();
        let Gradient { losses, slopes, moments } = self.gradient(minibatch, settings);
        if !losses.is_finite() || !settings.learning_rate.is_finite() {
            return losses;
        }
        let factor = (settings.max_gradient_norm / losses.gradient_norm.max(1e-12)).min(1.0);
        no_grad(|| {
            // Before the step, because the moments were measured with the weights before it.
            moments.iter().for_each(|moments| self.numbers.settle(moments));
            self.adam_step(&slopes, factor, settings.learning_rate);
        });
        self.arrange();
        losses
    }

    fn state(&self) -> Vec<u8> {
        let adam = Adam {
            step: self.step,
            means: download(&self.means),
            squares: download(&self.squares),
        };
        write_state(&self.header(), &self.model.blueprint, &self.numbers.download(), &adam)
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), StateError> {
        let Model { blueprint, device, .. } = &self.model;
        let (parameters, adam) = read_state(state, &self.header(), blueprint)?;
        self.numbers = Numbers::new(blueprint, &parameters, *device);
        (self.means, self.squares) = (device.upload(&adam.means), device.upload(&adam.squares));
        self.step = adam.step;
        self.arrange();
        Ok(())
    }

    fn weights(&self) -> Vec<u8> {
        write_weights(&self.header(), &self.model.blueprint, &self.numbers.download())
    }
}
