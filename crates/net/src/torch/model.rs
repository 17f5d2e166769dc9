//! A network on a device, and its evaluator.

use std::marker::PhantomData;

use keisei_encode::{Actions, Observation};
use keisei_game::Game;
use rayon::prelude::*;
use tch::{Tensor, no_grad};

use super::batch::{LogitPlaces, Positions};
use super::device::{TorchDevice, download_into};
use super::forward::forward;
use super::heads;
use super::layers::{DeviceParameters, Layers};
use super::planes::{Layout, Planes};
use super::queue::{Answer, Queue};
use crate::architecture::Architecture;
use crate::backend::Precision;
use crate::config::{ConfigError, NetConfig};
use crate::evaluator::{Evaluation, Evaluator, Outputs};
use crate::learner::StateError;
use crate::net_evaluator::evaluation;
use crate::weights::{Header, open, read_parameters};

/// How many positions are evaluated at once: while the device works on some, the CPU prepares the
/// next and reads the last.
const CHUNK: usize = 4096;

/// What is computed, where, and in which numbers.
#[derive(Debug)]
pub(super) struct Model<A> {
    pub(super) config: NetConfig,
    pub(super) architecture: Architecture,
    pub(super) device: TorchDevice,
    pub(super) precision: Precision,
    pub(super) planes: Planes,
    pub(super) logit_places: LogitPlaces,
    queue: Queue,
    actions: PhantomData<A>,
}

impl<A: Actions> Model<A> {
    pub(super) fn new(
        config: &NetConfig,
        device: TorchDevice,
        precision: Precision,
    ) -> Result<Self, ConfigError> {
        let architecture = Architecture::of::<A>(config)?;
        let (encoding, game) = (config.encoding.name(), A::Game::NAME);
        let view = config.encoding.view::<A::Game>()?;
        let sources = view.sources.ok_or(ConfigError::NoEncoding { encoding, game })?;
        let board = architecture.sizes.board;
        let squares = board.squares();
        // The heads give the planes of each square: those of actions come first.
        let planes = heads::room_for(architecture.policy.outputs + architecture.value.outputs);
        let place = |action: usize| match (A::cell(action), &architecture.policy_linear) {
            (Some(cell), None) => cell % squares * planes + cell / squares,
            _ => action,
        };
        let (sources, attacks) = (sources(), view.attack_board());
        let bytes = Observation::<A>::default().as_ref().len();
        let layout = Layout { sources: &sources, attacks: &attacks, board, bytes };
        let columns = architecture.policy_linear.as_ref().map_or(squares * planes, |_| A::COUNT);
        let places = (0..A::COUNT).map(|action| place(action) as u32).collect();
        Ok(Self {
            config: config.clone(),
            device,
            precision,
            planes: Planes::new(&layout, device, precision.kind()),
            logit_places: LogitPlaces::new(places, columns, device),
            queue: Queue::new(device),
            architecture,
            actions: PhantomData,
        })
    }

    /// The same model, over the same memory.
    pub(super) fn shallow_clone(&self) -> Self {
        Self {
            config: self.config.clone(),
            architecture: self.architecture.clone(),
            planes: self.planes.shallow_clone(),
            logit_places: self.logit_places.shallow_clone(),
            queue: self.queue.clone(),
            ..*self
        }
    }

    /// Brings positions to the device.
    pub(super) fn positions(&self, observations: &[Observation<A>], legal: &[&[u32]]) -> Positions {
        Positions::new(self.device, &self.logit_places, observations, legal)
    }

    /// Evaluates positions with the numbers in `layers`.
    pub(super) fn evaluate_into(
        &self,
        layers: &Layers,
        observations: &[Observation<A>],
        legal: &[&[u32]],
        outputs: &mut Outputs,
    ) {
        assert_eq!(observations.len(), legal.len(), "one list of legal actions a position");
        outputs.clear();
        let chunks = observations.chunks(CHUNK).zip(legal.chunks(CHUNK));
        let begin = |(observations, legal)| self.begin(layers, observations, legal);
        // All are under way before the first is waited for.
        let begun: Vec<_> = chunks.map(begin).collect();
        for (answer, legal) in begun.into_iter().zip(legal.chunks(CHUNK)) {
            let before = outputs.logits.len();
            let numbers = answer.wait();
            download_into(&numbers, &mut outputs.logits);
            let values = before + numbers.numel() - legal.len();
            outputs.values.extend(outputs.logits.drain(values..));
        }
    }

    /// Has the device compute the logits of legal actions, then the values.
    fn begin(&self, layers: &Layers, observations: &[Observation<A>], legal: &[&[u32]]) -> Answer {
        no_grad(|| {
            let positions = self.positions(observations, legal);
            self.queue.ask(|| {
                let planes = self.planes.expand(&positions.observations);
                let outputs = forward(&self.architecture, layers, &planes, None);
                let logits = outputs.logits.view(-1).index_select(0, &positions.places);
                Tensor::cat(&[logits, outputs.values.narrow(0, 0, positions.len as i64)], 0)
            })
        })
    }
}

/// The values, and the logits as probabilities.
fn evaluations(outputs: &Outputs, legal: &[&[u32]]) -> Vec<Evaluation> {
    let mut rest = &outputs.logits[..];
    let mut rows = Vec::with_capacity(legal.len());
    for (actions, &value) in legal.iter().zip(&outputs.values) {
        let (row, after) = rest.split_at(actions.len());
        rows.push((row, value));
        rest = after;
    }
    rows.into_par_iter().map(|(logits, value)| evaluation(logits.to_vec(), value)).collect()
}

/// A network with its weights on a device, for play and search.
#[derive(Debug)]
pub struct TorchEvaluator<A> {
    model: Model<A>,
    layers: Layers,
    header: Header,
}

impl<A: Actions> TorchEvaluator<A> {
    pub(super) fn new(model: Model<A>, layers: Layers, header: Header) -> Self {
        Self { model, layers, header }
    }

    /// The network in a weights file.
    pub fn from_weights(
        bytes: &[u8],
        device: TorchDevice,
        precision: Precision,
    ) -> Result<Self, StateError> {
        let header = Header::read(bytes)?;
        let needed = Header::new::<A>(header.network.clone(), header.step);
        let file = open(bytes, &needed)?;
        let model = Model::<A>::new(&header.network, device, precision)
            .map_err(|e| StateError::Format(format!("network: {e}")))?;
        let parameters = read_parameters(&file, &model.architecture)?;
        let parameters = DeviceParameters::new(&model.architecture, &parameters, device);
        let layers = no_grad(|| parameters.layers(&model.architecture, precision.kind()));
        Ok(Self { model, layers, header })
    }

    /// What the file said of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl<A: Actions> Evaluator<Observation<A>> for TorchEvaluator<A> {
    fn evaluate(&mut self, observations: &[Observation<A>], legal: &[&[u32]]) -> Vec<Evaluation> {
        let mut outputs = Outputs::default();
        self.evaluate_into(observations, legal, &mut outputs);
        evaluations(&outputs, legal)
    }

    fn evaluate_into(
        &mut self,
        observations: &[Observation<A>],
        legal: &[&[u32]],
        outputs: &mut Outputs,
    ) {
        self.model.evaluate_into(&self.layers, observations, legal, outputs);
    }
}
