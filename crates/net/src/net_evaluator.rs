//! A network that only evaluates.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use keisei_encode::{Actions, Encode, Observation, View};
use rayon::prelude::*;

use crate::architecture::Architecture;
use crate::config::{ConfigError, NetConfig};
use crate::cpu::{
    AlignedFloats, Arithmetic, BATCH, Floats, IntegerWeights, Integers, Network, Tape,
};
use crate::evaluator::{Evaluation, Evaluator, Outputs};
use crate::learner::StateError;
use crate::loss::log_softmax;
use crate::weights::{Header, open, read_parameters};

/// The numbers that a network is computed with. The default is what play uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InferencePrecision {
    /// f32, as in learning.
    F32,
    /// Integers of 16 bits: nearly the same numbers in half of the time, the same on every
    /// processor.
    #[default]
    Int16,
}

impl InferencePrecision {
    /// All of them, with their names.
    pub const ALL: [(Self, &str); 2] = [(Self::F32, "f32"), (Self::Int16, "int16")];

    /// The name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(precision, _)| *precision == self).map_or("", |(_, name)| name)
    }

    /// The precision of this name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        let named = Self::ALL.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
        named.map(|&(precision, _)| precision)
    }
}

/// A network with its weights, for play and search. Clones share the weights, so that each thread
/// can have its own.
#[derive(Clone, Debug)]
pub struct NetEvaluator<A: Actions> {
    network: Arc<Network>,
    view: View<A::Game>,
    weights: Arc<AlignedFloats>,
    /// The weights in integers, if it computes with them.
    integers: Option<Arc<IntegerWeights>>,
    tapes: Arc<Tapes>,
    header: Header,
    actions: PhantomData<A>,
}

impl<A: Actions> NetEvaluator<A> {
    /// The network in a weights file, computed in f32.
    pub fn from_weights(bytes: &[u8]) -> Result<Self, StateError> {
        let header = Header::read(bytes)?;
        let needed = Header::new::<A>(header.network.clone(), header.step);
        let file = open(bytes, &needed)?;
        let network = network_for::<A>(&header.network)
            .map_err(|e| StateError::Format(format!("network: {e}")))?;
        let parameters = read_parameters(&file, &network.architecture)?;
        let weights = network.layout.arrange(&parameters);
        let view = view_of::<A>(&header)?;
        Ok(Self::new(Arc::new(network), view, Arc::new(weights), Arc::default(), header))
    }

    pub(crate) fn new(
        network: Arc<Network>,
        view: View<A::Game>,
        weights: Arc<AlignedFloats>,
        tapes: Arc<Tapes>,
        header: Header,
    ) -> Self {
        Self { network, view, weights, integers: None, tapes, header, actions: PhantomData }
    }

    /// The same network, computed in this precision.
    #[must_use]
    pub fn with_precision(self, precision: InferencePrecision) -> Self {
        let integers = match precision {
            InferencePrecision::F32 => None,
            InferencePrecision::Int16 => {
                Some(Arc::new(IntegerWeights::new(&self.network.layout, &self.weights)))
            }
        };
        Self { integers, ..self }
    }

    /// What the file said of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }
}

impl<A: Actions> NetEvaluator<A> {
    /// What `read` makes of the logits of each position's legal actions, and of its value.
    fn read<T: Send>(
        &self,
        observations: &[Observation<A>],
        legal: &[&[u32]],
        read: impl Fn(Vec<f32>, f32) -> T + Sync,
    ) -> Vec<T> {
        let (network, tapes) = ((&*self.network, self.view), &self.tapes);
        let (weights, positions) = (&*self.weights, (observations, legal));
        match self.integers.as_deref() {
            None => {
                let arithmetic = || Floats { weights, statistics: None };
                read_outputs::<A, _, _>(network, tapes, arithmetic, positions, read)
            }
            Some(integers) => {
                let arithmetic = || Integers { floats: weights, weights: integers };
                read_outputs::<A, _, _>(network, tapes, arithmetic, positions, read)
            }
        }
    }
}

impl<A: Actions> Evaluator<Observation<A>> for NetEvaluator<A> {
    fn evaluate(&mut self, observations: &[Observation<A>], legal: &[&[u32]]) -> Vec<Evaluation> {
        self.read(observations, legal, evaluation)
    }

    fn evaluate_into(
        &mut self,
        observations: &[Observation<A>],
        legal: &[&[u32]],
        outputs: &mut Outputs,
    ) {
        outputs.take(self.read(observations, legal, |logits, value| (logits, value)));
    }
}

/// The planes that a weights file's network reads.
fn view_of<A: Actions>(header: &Header) -> Result<View<A::Game>, StateError> {
    let view = header.network.encoding.view();
    view.map_err(|e| StateError::Format(format!("network: {e}")))
}

/// The network of a configuration for the actions `A`.
pub(crate) fn network_for<A: Actions>(config: &NetConfig) -> Result<Network, ConfigError> {
    let cells = cells::<A>(&config.encoding.view::<A::Game>()?);
    Ok(Network::new(Architecture::of::<A>(config)?, |action| cells[action]))
}

/// Where each action stands in a policy head that gives planes laid out as those of `view`.
pub(crate) fn cells<A: Actions>(view: &View<A::Game>) -> Vec<usize> {
    let squares = <A::Game as Encode>::SQUARES;
    let place = |cell: usize| cell / squares * squares + (view.square)(cell % squares);
    (0..A::COUNT).map(|action| A::cell(action).map_or(action, place)).collect()
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

/// The value, and the logits as probabilities.
pub(crate) fn evaluation(logits: Vec<f32>, value: f32) -> Evaluation {
    let mut policy = logits;
    log_softmax(&mut policy);
    policy.iter_mut().for_each(|log| *log = log.exp());
    Evaluation { value, policy }
}

/// Evaluates a batch on all threads, and gives what `read` makes of the logits of each position's
/// legal actions and of its value. The result for a position does not depend on the others.
fn read_outputs<'a, A: Actions, R: Arithmetic<'a>, T: Send>(
    (network, view): (&Network, View<A::Game>),
    tapes: &Tapes,
    arithmetic: impl Fn() -> R + Sync,
    (observations, legal): (&[Observation<A>], &[&[u32]]),
    read: impl Fn(Vec<f32>, f32) -> T + Sync,
) -> Vec<T> {
    assert_eq!(observations.len(), legal.len(), "one list of legal actions a position");
    let evaluate = |(observations, legal): (&[Observation<A>], &[&[u32]])| {
        tapes.with(network, |tape| {
            network.load(tape, observations, view.expand);
            network.forward(tape, arithmetic());
            let output = |(position, actions): (usize, &&[u32])| {
                let logits = network.legal_logits(tape, position, actions);
                read(logits, tape.values[position])
            };
            legal.iter().enumerate().map(output).collect::<Vec<_>>()
        })
    };
    if observations.len() <= BATCH {
        // Waking another thread would take longer than it could save.
        return evaluate((observations, legal));
    }
    let batches = observations.par_chunks(BATCH).zip(legal.par_chunks(BATCH));
    batches.flat_map_iter(evaluate).collect()
}
