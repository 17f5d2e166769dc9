//! The learner on a device.

use std::mem;
use std::sync::Arc;

use keisei_cluster::Communicator;
use keisei_encode::{Actions, Observation};
use tch::{Kind, Tensor, no_grad};

use super::batch::{DeviceExamples, DeviceMinibatch, DeviceTransitions, Positions};
use super::device::{TorchDevice, download};
use super::forward::{Outputs, StatisticsRecorder, by_square, first_products, forward, read};
use super::heads;
use super::layers::{BatchStatistics, DeviceParameters, Layers};
use super::loss::{Loss, losses};
use super::model::{Model, TorchEvaluator};
use super::ranks::Ranks;
use super::tower::{self, Tower};
use crate::adam::{Adam, BETA1, BETA2, EPSILON};
use crate::backend::Precision;
use crate::config::{ConfigError, NetConfig};
use crate::evaluator::{self, Evaluation, Evaluator};
use crate::learner::{
    Examples, ImitationSettings, Learner, Losses, Selection, StateError, Transitions,
    UpdateSettings,
};
use crate::weights::{Header, read_state, write_state, write_weights};

/// How many threads ask a GPU best: while it works on the batch of one, a second waits in its queue
/// and the others are prepared or read.
const SEARCHERS: usize = 4;

/// A network that learns on a device of libtorch.
#[derive(Debug)]
pub struct TorchLearner<A> {
    model: Model<A>,
    parameters: DeviceParameters,
    /// The layers for evaluation, unless a step has changed the parameters since.
    layers: Option<Layers>,
    /// How many steps Adam has made.
    step: u64,
    /// Adam's decaying mean of the gradients.
    means: Tensor,
    /// And of their squares.
    squares: Tensor,
    /// With whom it learns.
    ranks: Ranks,
}

/// What a minibatch says.
pub(super) struct Backward {
    /// The losses, the norm of the gradient last.
    pub(super) metrics: Tensor,
    /// The gradient of all weights, in one.
    pub(super) gradient: Tensor,
    pub(super) statistics: Vec<BatchStatistics>,
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
        let (means, squares) = (parameters.weights.zeros_like(), parameters.weights.zeros_like());
        let ranks = Ranks::default();
        Ok(Self { model, parameters, layers: None, step: 0, means, squares, ranks })
    }

    /// The same learner among others: each gets its part of every minibatch, and all make the same
    /// steps. No part may be empty.
    #[must_use]
    pub fn among(self, ranks: Arc<dyn Communicator>) -> Self {
        Self { ranks: Ranks::new(ranks), ..self }
    }

    /// How many numbers are learnt.
    pub fn parameter_count(&self) -> usize {
        self.parameters.weights.numel()
    }

    fn header(&self) -> Header {
        Header::new::<A>(self.model.config.clone(), self.step)
    }

    /// The losses of positions and their gradient. `loss` is given what the network says of them.
    fn backward(&self, positions: &Positions, loss: impl FnOnce(&Outputs) -> Loss) -> Backward {
        let Model { architecture, precision, planes, .. } = &self.model;
        let planes = planes.expand(&positions.observations);
        let layers = self.parameters.layers(architecture, precision.kind());
        let (metrics, gradients, statistics) = match &layers.tower {
            Some(tower) if tower.learns() => {
                let (metrics, gradients) = self.backward_by_tower(tower, &layers, &planes, loss);
                (metrics, gradients, Vec::new())
            }
            _ => {
                let mut recorder =
                    StatisticsRecorder { count: positions.len as i64, statistics: Vec::new() };
                let outputs = forward(architecture, &layers, &planes, Some(&mut recorder));
                let Loss { total, metrics } = loss(&outputs);
                let leaves = &self.parameters.leaves;
                let gradients = Tensor::run_backward(&[total], leaves, false, false);
                (metrics, gradients, recorder.statistics)
            }
        };
        let gradients: Vec<_> = gradients.iter().map(|gradient| gradient.reshape(-1)).collect();
        let gradient = Tensor::cat(&gradients, 0);
        let norm = gradient.norm_scalaropt_dtype(2, Kind::Double);
        let metrics = Tensor::cat(&[metrics, norm.view(1)], 0).to_kind(Kind::Float);
        Backward { metrics, gradient, statistics }
    }

    /// The metrics of a loss and its gradients in the order of the weights, where the blocks are
    /// computed by kernels that libtorch knows nothing of: it takes gradients back through what
    /// reads the planes of the heads.
    fn backward_by_tower(
        &self,
        tower: &Tower,
        layers: &Layers,
        planes: &Tensor,
        loss: impl FnOnce(&Outputs) -> Loss,
    ) -> (Tensor, Vec<Tensor>) {
        let architecture = &self.model.architecture;
        let (kept, heads) = no_grad(|| {
            let kept = tower.keep(&first_products(layers, planes));
            let heads = heads::planes(&kept.output(), &layers.heads);
            (kept, heads.set_requires_grad(true))
        });
        let Loss { total, metrics } = loss(&read(architecture, layers, &heads, None));
        let leaves: Vec<_> = self.parameters.after_blocks(architecture).collect();
        let leaves_of = |wanted| {
            leaves.iter().filter(move |(_, of_heads)| *of_heads == wanted).map(|(leaf, _)| *leaf)
        };
        let inputs: Vec<_> = [&heads].into_iter().chain(leaves_of(false)).collect();
        let mut readers = Tensor::run_backward(&[total], &inputs, false, false).into_iter();
        let by_planes = readers.next().expect("a gradient for each input");
        let back = || heads::back(&kept.output(), &layers.heads, &by_planes);
        let heads::Backward { features, weight, bias } = no_grad(back);
        // The matrix of the heads is made of the leaves, which libtorch finds the way back to.
        let own_bias = layers.heads.bias.as_ref().expect("heads have a bias");
        let along =
            (&layers.heads.weight * weight).sum(Kind::Float) + (own_bias * bias).sum(Kind::Float);
        let inputs: Vec<_> = leaves_of(true).collect();
        let mut of_heads = Tensor::run_backward(&[along], &inputs, false, false).into_iter();
        let after = leaves.iter().map(|&(_, is_of_heads)| {
            let gradients = if is_of_heads { &mut of_heads } else { &mut readers };
            gradients.next().expect("a gradient for each input")
        });
        let planes = by_square(planes);
        let back = || tower.back(architecture, &self.parameters, &kept, &planes, &features);
        let tower::Backward { entry, blocks } = no_grad(back);
        let gradients = entry.into_iter().chain([blocks]).chain(after).collect();
        (metrics, gradients)
    }

    /// The gradient of one step of imitation, of all examples together.
    #[cfg(test)]
    pub(super) fn imitation_gradient(
        &self,
        examples: &Examples<'_, Observation<A>>,
        settings: &ImitationSettings,
    ) -> Tensor {
        let Model { device, logit_places, .. } = &self.model;
        let places: Vec<_> = (0..examples.observations.len()).collect();
        let minibatch =
            DeviceExamples::new(*device, examples).minibatch(*device, logit_places, &places);
        let DeviceMinibatch { positions, policies, returns } = &minibatch;
        let loss =
            |outputs: &Outputs| Loss::imitation(outputs, positions, (policies, returns), settings);
        self.backward(positions, loss).gradient
    }

    /// Moves the weights against a gradient no longer than `max_norm`, unless something is not
    /// finite, as [`Adam::step`] does. The device decides that: nobody waits for it.
    fn step(&mut self, backward: Backward, rate: f32, max_norm: f32) -> Tensor {
        let Backward { metrics, gradient, statistics } = backward;
        if !rate.is_finite() {
            return metrics;
        }
        self.step += 1;
        self.layers = None;
        no_grad(|| {
            let finite = metrics.isfinite().all();
            // Before the step, because the statistics were measured with the weights before it.
            for statistics in &statistics {
                self.parameters.update_statistics(statistics, &finite);
            }
            let norm = metrics.get(metrics.size()[0] - 1).clamp_min(1e-12);
            let gradient = gradient * (norm.reciprocal() * f64::from(max_norm)).clamp_max(1.0);
            self.adam_step(&gradient, rate, &finite);
        });
        metrics
    }

    /// Moves the weights against `gradient`, if all is `finite`.
    fn adam_step(&mut self, gradient: &Tensor, rate: f32, finite: &Tensor) {
        let correction = |decay: f32| 1.0 - f64::from(decay).powf(self.step as f64);
        let rate = f64::from(rate) / correction(BETA1);
        let root = correction(BETA2).sqrt();
        let means = self.means.lerp(gradient, f64::from(1.0 - BETA1));
        let squares = self.squares.lerp(&gradient.square(), f64::from(1.0 - BETA2));
        let deviations = squares.sqrt() / root + f64::from(EPSILON);
        let weights = &self.parameters.weights - &means / deviations * rate;
        let replace = |old: &mut Tensor, new: Tensor| old.copy_(&new.where_self(finite, old));
        replace(&mut self.means, means);
        replace(&mut self.squares, squares);
        replace(&mut self.parameters.weights, weights);
    }

    /// A step of PPO on the transitions that are selected: what it measured.
    fn ppo_step(
        &mut self,
        transitions: &DeviceTransitions,
        selection: &Selection,
        settings: &UpdateSettings,
    ) -> Tensor {
        selection.check();
        let Model { device, logit_places, .. } = &self.model;
        let (places, device) = (&selection.places, *device);
        let (positions, minibatch) = transitions.minibatch(device, logit_places, places, settings);
        let backward = self
            .backward(&positions, |outputs| Loss::ppo(outputs, &positions, &minibatch, settings));
        let backward = self.ranks.add_up(device, backward, (places.len(), selection.total));
        self.step(backward, settings.learning_rate, settings.max_gradient_norm)
    }

    /// What steps measured. Those that were not finite did not take place.
    fn read(&mut self, metrics: &[Tensor]) -> Vec<Losses> {
        if metrics.is_empty() {
            return Vec::new();
        }
        let numbers = download(&Tensor::stack(metrics, 0));
        let losses: Vec<_> = numbers.chunks(numbers.len() / metrics.len()).map(losses).collect();
        self.step -= losses.iter().filter(|losses| !losses.is_finite()).count() as u64;
        losses
    }

    /// The network as it is now, to be asked until this one learns: they share some numbers.
    fn evaluator(&mut self) -> TorchEvaluator<A> {
        let header = self.header();
        let Self { model, parameters, layers, .. } = self;
        let arrange = || no_grad(|| parameters.layers(&model.architecture, model.precision.kind()));
        let layers = layers.get_or_insert_with(arrange);
        TorchEvaluator::new(model.shallow_clone(), layers.shallow_clone(), header)
    }
}

impl<A: Actions> Evaluator<Observation<A>> for TorchLearner<A> {
    fn evaluate(&mut self, observations: &[Observation<A>], legal: &[&[u32]]) -> Vec<Evaluation> {
        self.evaluator().evaluate(observations, legal)
    }

    fn evaluate_into(
        &mut self,
        observations: &[Observation<A>],
        legal: &[&[u32]],
        outputs: &mut evaluator::Outputs,
    ) {
        self.evaluator().evaluate_into(observations, legal, outputs);
    }

    fn searchers(&mut self) -> Vec<Box<dyn Evaluator<Observation<A>>>> {
        match self.model.device.is_gpu() {
            true => (0..SEARCHERS).map(|_| Box::new(self.evaluator()) as Box<_>).collect(),
            false => Vec::new(),
        }
    }
}

impl<A: Actions> Learner<Observation<A>> for TorchLearner<A> {
    /// Losses are read once an epoch if they may end the update, otherwise once at its end.
    fn update(
        &mut self,
        transitions: &Transitions<'_, Observation<A>>,
        epochs: &[Vec<Selection>],
        settings: &UpdateSettings,
        target_kl: Option<f64>,
    ) -> Vec<Losses> {
        transitions.check();
        let transitions = DeviceTransitions::new(self.model.device, transitions);
        let (mut read, mut unread) = (Vec::new(), Vec::new());
        for minibatches in epochs {
            let step = |selection| self.ppo_step(&transitions, selection, settings);
            unread.extend(minibatches.iter().map(step));
            if target_kl.is_some() {
                let epoch = self.read(&mem::take(&mut unread));
                let is_past = epoch.iter().any(|losses| losses.is_past(target_kl));
                read.extend(epoch);
                if is_past {
                    break;
                }
            }
        }
        read.extend(self.read(&unread));
        read
    }

    fn imitate(
        &mut self,
        examples: &Examples<'_, Observation<A>>,
        minibatches: &[Selection],
        settings: &ImitationSettings,
    ) -> Vec<Losses> {
        examples.check();
        let device = self.model.device;
        let examples = DeviceExamples::new(device, examples);
        let step = |selection: &Selection| {
            selection.check();
            let places = &selection.places;
            let minibatch = examples.minibatch(device, &self.model.logit_places, places);
            let DeviceMinibatch { positions, policies, returns } = &minibatch;
            let backward = self.backward(positions, |outputs| {
                Loss::imitation(outputs, positions, (policies, returns), settings)
            });
            let backward = self.ranks.add_up(device, backward, (places.len(), selection.total));
            self.step(backward, settings.learning_rate, settings.max_gradient_norm)
        };
        let metrics: Vec<_> = minibatches.iter().map(step).collect();
        self.read(&metrics)
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
        self.layers = None;
        Ok(())
    }

    fn weights(&self) -> Vec<u8> {
        write_weights(&self.header(), &self.model.architecture, &self.parameters.download())
    }
}
