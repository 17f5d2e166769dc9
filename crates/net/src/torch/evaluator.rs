//! A network on a device that only evaluates.

use keisei_encode::Actions;
use tch::no_grad;

use super::device::TorchDevice;
use super::layers::{Layers, Numbers};
use super::model::Model;
use crate::backend::Precision;
use crate::evaluator::{Evaluation, Evaluator};
use crate::learner::StateError;
use crate::net_evaluator::Seen;
use crate::state::read_parameters;
use crate::weights::{Header, open};

/// A network with its weights on a device, for play and search.
#[derive(Debug)]
pub struct TorchEvaluator<A> {
    model: Model<A>,
    layers: Layers,
    header: Header,
}

impl<A: Actions> TorchEvaluator<A> {
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
        let parameters = read_parameters(&file, &model.blueprint)?;
        let numbers = Numbers::new(&model.blueprint, &parameters, device);
        let layers = no_grad(|| numbers.layers(&model.blueprint, precision.kind()));
        Ok(Self { model, layers, header })
    }

    /// What the file said of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl<A: Actions> Evaluator<Seen<A>> for TorchEvaluator<A> {
    fn evaluate(&mut self, observations: &[Seen<A>], legal: &[&[u32]]) -> Vec<Evaluation> {
        self.model.evaluate(&self.layers, observations, legal)
    }
}
