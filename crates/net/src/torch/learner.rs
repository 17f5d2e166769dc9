//! The learner on a device.

use keisei_encode::{Actions, Observation};
use tch::{Kind, Tensor, no_grad};

use super::batch::{Positions, rows};
use super::device::{TorchDevice, download};
use super::forward::{Outputs, StatisticsRecorder, forward};
use super::layers::{BatchStatistics, DeviceParameters, Layers};
use super::loss::{Loss, Transitions, losses};
use super::model::Model;
use crate::adam::{Adam, BETA1, BETA2, EPSILON};
use crate::backend::Precision;
use crate::config::{ConfigError, NetConfig};
use crate::evaluator::{Evaluation, Evaluator};
use crate::learner::{
    Examples, ImitationSettings, Learner, Losses, Minibatch, StateError, UpdateSettings,
};
use crate::weights::{Header, read_state, write_state, write_weights};

/// A network that learns on a device of libtorch.
#[derive(Debug)]
pub struct TorchLearner<A> {
    model: Model<A>,
    parameters: DeviceParameters,
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
struct Backward {
    losses: Losses,
    /// The gradient of all weights, in one.
    gradient: Tensor,
    statistics: Vec<BatchStatistics>,
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
        let initial = model.architecture.init(seed);
        let parameters = DeviceParameters::new(&model.architecture, &initial, device);
        let layers = no_grad(|| parameters.layers(&model.architecture, precision.kind()));
        let (means, squares) = (parameters.weights.zeros_like(), parameters.weights.zeros_like());
        Ok(Self { model, parameters, layers, step: 0, means, squares })
    }

    /// How many numbers are learnt.
    pub fn parameter_count(&self) -> usize {
        self.parameters.weights.numel()
    }

    fn header(&self) -> Header {
        Header::new::<A>(self.model.config.clone(), self.step)
    }

    /// The losses of positions and their gradient. `loss` is given what the network says of them.
    fn backward(
        &self,
        observations: &[Observation<A>],
        legal: &[&[u32]],
        loss: impl FnOnce(&Outputs, &Positions) -> Loss,
    ) -> Backward {
        let Model { architecture, precision, planes, .. } = &self.model;
        let positions = self.model.positions(observations, legal);
        let planes = planes.expand(&positions.observations, precision.kind());
        let layers = self.parameters.layers(architecture, precision.kind());
        let mut recorder =
            StatisticsRecorder { count: positions.len as i64, statistics: Vec::new() };
        let outputs = forward(architecture, &layers, &planes, Some(&mut recorder));
        let Loss { total, mut metrics } = loss(&outputs, &positions);
        let gradients = Tensor::run_backward(&[total], &self.parameters.leaves, false, false);
        let gradients: Vec<_> = gradients.iter().map(|gradient| gradient.reshape(-1)).collect();
        let gradient = Tensor::cat(&gradients, 0);
        metrics.push(gradient.to_kind(Kind::Double).square().sum(None).sqrt());
        let metrics = Tensor::stack(&metrics, 0).to_kind(Kind::Float);
        Backward { losses: losses(&download(&metrics)), gradient, statistics: recorder.statistics }
    }

    /// Moves the weights against `factor` · `gradient`, as [`Adam::step`] does.
    fn adam_step(&mut self, gradient: &Tensor, factor: f32, rate: f32) {
        self.step += 1;
        let correction = |decay: f32| 1.0 - f64::from(decay).powf(self.step as f64);
        let rate = f64::from(rate) / correction(BETA1);
        let root = correction(BETA2).sqrt();
        let gradient = gradient * f64::from(factor);
        let _ = self.means.lerp_(&gradient, f64::from(1.0 - BETA1));
        let _ = self.squares.lerp_(&gradient.square(), f64::from(1.0 - BETA2));
        let deviations = self.squares.sqrt() / root + f64::from(EPSILON);
        self.parameters.weights -= &self.means / deviations * rate;
    }

    /// Moves the weights against a gradient no longer than `max_norm`, unless something is not
    /// finite.
    fn step(&mut self, backward: Backward, rate: f32, max_norm: f32) -> Losses {
        let Backward { losses, gradient, statistics } = backward;
        if !losses.is_finite() || !rate.is_finite() {
            return losses;
        }
        let factor = (max_norm / losses.gradient_norm.max(1e-12)).min(1.0);
        no_grad(|| {
            // Before the step, because the statistics were measured with the weights before it.
            statistics.iter().for_each(|statistics| self.parameters.update_statistics(statistics));
            self.adam_step(&gradient, factor, rate);
        });
        self.arrange();
        losses
    }

    fn arrange(&mut self) {
        let Model { architecture, precision, .. } = &self.model;
        self.layers = no_grad(|| self.parameters.layers(architecture, precision.kind()));
    }
}

impl<A: Actions> Evaluator<Observation<A>> for TorchLearner<A> {
    fn evaluate(&mut self, observations: &[Observation<A>], legal: &[&[u32]]) -> Vec<Evaluation> {
        self.model.evaluate(&self.layers, observations, legal)
    }
}

impl<A: Actions> Learner<Observation<A>> for TorchLearner<A> {
    fn update(
        &mut self,
        minibatch: &Minibatch<'_, Observation<A>>,
        settings: &UpdateSettings,
    ) -> Losses {
        minibatch.check();
        let Model { device, logit_places, columns, .. } = &self.model;
        let places = (&logit_places[..], *columns);
        let backward =
            self.backward(minibatch.observations, minibatch.legal, |outputs, positions| {
                let rows = rows(positions.len);
                let transitions = Transitions::new(*device, places, minibatch, settings, rows);
                Loss::ppo(outputs, positions, &transitions, settings)
            });
        self.step(backward, settings.learning_rate, settings.max_gradient_norm)
    }

    fn imitate(
        &mut self,
        examples: &Examples<'_, Observation<A>>,
        settings: &ImitationSettings,
    ) -> Losses {
        examples.check();
        let device = self.model.device;
        let backward =
            self.backward(examples.observations, examples.legal, |outputs, positions| {
                let policies = device.upload(&examples.policies.concat());
                let returns = device.upload(examples.returns);
                Loss::imitation(outputs, positions, (&policies, &returns), settings)
            });
        self.step(backward, settings.learning_rate, settings.max_gradient_norm)
    }

    fn state(&self) -> Vec<u8> {
        let adam = Adam {
            step: self.step,
            means: download(&self.means),
            squares: download(&self.squares),
        };
        write_state(&self.header(), &self.model.architecture, &self.parameters.download(), &adam)
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), StateError> {
        let Model { architecture, device, .. } = &self.model;
        let (parameters, adam) = read_state(state, &self.header(), architecture)?;
        self.parameters = DeviceParameters::new(architecture, &parameters, *device);
        (self.means, self.squares) = (device.upload(&adam.means), device.upload(&adam.squares));
        self.step = adam.step;
        self.arrange();
        Ok(())
    }

    fn weights(&self) -> Vec<u8> {
        write_weights(&self.header(), &self.model.architecture, &self.parameters.download())
    }
}
