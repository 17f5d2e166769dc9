//! A network that only evaluates.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use keisei_encode::{Actions, Encode, Observation};
use rayon::prelude::*;

use crate::architecture::Architecture;
use crate::config::{ConfigError, NetConfig};
use crate::cpu::{AlignedFloats, BATCH, Network, Tape};
use crate::evaluator::{Evaluation, Evaluator};
use crate::learner::StateError;
use crate::loss::log_softmax;
use crate::weights::{Header, open, read_parameters};

/// A network with its weights, for play and search. Clones share the weights, so that each thread
/// can have its own.
#[derive(Clone, Debug)]
pub struct NetEvaluator<A> {
    network: Arc<Network>,
    weights: Arc<AlignedFloats>,
    tapes: Arc<Tapes>,
    header: Header,
    actions: PhantomData<A>,
}

impl<A: Actions> NetEvaluator<A> {
    /// The network in a weights file.
    pub fn from_weights(bytes: &[u8]) -> Result<Self, StateError> {
        let header = Header::read(bytes)?;
        let needed = Header::new::<A>(header.network.clone(), header.step);
        let file = open(bytes, &needed)?;
        let network = network_for::<A>(&header.network)
            .map_err(|e| StateError::Format(format!("network: {e}")))?;
        let parameters = read_parameters(&file, &network.architecture)?;
        let weights = network.layout.arrange(&parameters);
        Ok(Self::new(Arc::new(network), Arc::new(weights), header))
    }

    pub(crate) fn new(network: Arc<Network>, weights: Arc<AlignedFloats>, header: Header) -> Self {
        Self { network, weights, tapes: Arc::default(), header, actions: PhantomData }
    }

    /// What the file said of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl<A: Actions> Evaluator<Observation<A>> for NetEvaluator<A> {
    fn evaluate(&mut self, observations: &[Observation<A>], legal: &[&[u32]]) -> Vec<Evaluation> {
        evaluate::<A>(&self.network, &self.weights, &self.tapes, observations, legal)
    }
}

/// The network of a configuration for the actions `A`.
pub(crate) fn network_for<A: Actions>(config: &NetConfig) -> Result<Network, ConfigError> {
    Ok(Network::new(Architecture::of::<A>(config)?, |action| A::cell(action).unwrap_or(action)))
}

/// Tapes that wait to be used again.
#[derive(Debug, Default)]
pub(crate) struct Tapes(Mutex<Vec<Tape>>);

impl Tapes {
    fn with<R>(&self, network: &Network, use_tape: impl FnOnce(&mut Tape) -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = lock().pop();
        let mut tape = waiting.unwrap_or_else(|| network.tape(false));
        let result = use_tape(&mut tape);
        lock().push(tape);
        result
    }
}

/// Evaluates a batch on all threads. The result for a position does not depend on the others.
pub(crate) fn evaluate<A: Actions>(
    network: &Network,
    weights: &[f32],
    tapes: &Tapes,
    observations: &[Observation<A>],
    legal: &[&[u32]],
) -> Vec<Evaluation> {
    assert_eq!(observations.len(), legal.len(), "one list of legal actions a position");
    let evaluate = |(observations, legal): (&[Observation<A>], &[&[u32]])| {
        tapes.with(network, |tape| {
            network.load(tape, observations, <A::Game as Encode>::expand);
            network.forward(tape, weights, None);
            let evaluation = |(position, actions): (usize, &&[u32])| {
                let mut policy = network.legal_logits(tape, position, actions);
                log_softmax(&mut policy);
                policy.iter_mut().for_each(|log| *log = log.exp());
                Evaluation { value: tape.values[position], policy }
            };
            legal.iter().enumerate().map(evaluation).collect::<Vec<_>>()
        })
    };
    let batches = observations.par_chunks(BATCH).zip(legal.par_chunks(BATCH));
    batches.flat_map_iter(evaluate).collect()
}
