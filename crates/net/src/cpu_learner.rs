//! The learner that needs nothing but a CPU.

use std::marker::PhantomData;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

use keisei_cluster::{Alone, Communicator, Sums, tree_sum};
use keisei_encode::{Actions, Observation, View};
use rayon::prelude::*;

use crate::adam::Adam;
use crate::architecture::Parameters;
use crate::config::{ConfigError, NetConfig};
use crate::cpu::{AlignedFloats, BATCH, BatchStatistics, Floats, Gradients, Network, Tape, add};
use crate::evaluator::{Evaluation, Evaluator, Outputs};
use crate::learner::{
    Examples, ImitationSettings, Learner, Losses, Selection, StateError, Transitions,
    UpdateSettings,
};
use crate::loss::{LossSums, Transition, imitation_loss, ppo_loss};
use crate::net_evaluator::{InferencePrecision, NetEvaluator, Tapes, network_for};
use crate::weights::{Header, open, read_parameters, read_state, write_state, write_weights};

/// At most so many parts of a minibatch are worked on at once, by threads that take them up in any
/// order. Their gradients are added along a binary tree, so that the sum does not depend on the
/// threads.
const MAX_PARTS: usize = 16;

/// At least so many are, if the minibatch is large enough.
const MIN_PARTS: usize = 4;

/// The memory that the gradients of all parts together should not exceed.
const GRADIENT_BYTES: usize = 1 << 29;

/// A network that learns on the CPU, on all threads of the current rayon pool.
///
/// The same seed, data and settings give the same weights, bit by bit, whatever the number of
/// threads.
#[derive(Debug)]
pub struct CpuLearner<A: Actions> {
    config: NetConfig,
    view: View<A::Game>,
    network: Arc<Network>,
    parameters: Parameters,
    adam: Adam,
    /// The weights as the forward pass reads them, and transposed for the backward pass.
    arranged: Arc<AlignedFloats>,
    transposed: AlignedFloats,
    tapes: Arc<Tapes>,
    /// The weights rounded for a search, if one was made since they changed.
    searcher: Option<NetEvaluator<A>>,
    /// A power of two of them.
    parts: Vec<Part>,
    /// With whom it learns.
    ranks: Arc<dyn Communicator>,
    /// What travels between the ranks.
    sums: Sums,
    actions: PhantomData<A>,
}

/// What one part of a minibatch needs.
#[derive(Debug)]
struct Part {
    tape: Tape,
    gradients: Gradients,
    sums: LossSums,
    /// What normalised layers saw, if there are any.
    statistics: Option<BatchStatistics>,
}

impl<A: Actions> CpuLearner<A> {
    /// A new network; the same seed gives the same weights.
    ///
    /// # Errors
    ///
    /// If the network has a number out of its range or does not fit the actions.
    pub fn new(config: &NetConfig, seed: u64) -> Result<Self, ConfigError> {
        let view = config.encoding.view()?;
        let network = network_for::<A>(config)?;
        let parameters = network.architecture.init(seed);
        let adam = Adam::new(parameters.weights.len());
        let arranged = network.layout.arrange(&parameters);
        let transposed = network.layout.transpose(&arranged);
        let gradient_bytes = size_of::<f32>() * network.layout.len;
        let parts = (GRADIENT_BYTES / gradient_bytes).clamp(MIN_PARTS, MAX_PARTS);
        let parts = 1 << parts.ilog2();
        let statistics_len = parameters.statistics.len();
        let part = || Part {
            tape: network.tape(true),
            gradients: network.gradients(),
            sums: LossSums::default(),
            statistics: (statistics_len > 0).then(|| BatchStatistics::new(statistics_len)),
        };
        let parts = (0..parts).map(|_| part()).collect();
        Ok(Self {
            config: config.clone(),
            view,
            network: Arc::new(network),
            parameters,
            adam,
            arranged: Arc::new(arranged),
            transposed,
            tapes: Arc::default(),
            searcher: None,
            parts,
            ranks: Arc::new(Alone),
            sums: Sums::default(),
            actions: PhantomData,
        })
    }

    /// The same learner among others: each gets its part of every minibatch, and all make the same
    /// steps.
    #[must_use]
    pub fn among(self, ranks: Arc<dyn Communicator>) -> Self {
        Self { ranks, ..self }
    }

    /// Takes over weights, and forgets what the optimiser remembers of earlier gradients.
    pub fn load_weights(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let file = open(bytes, &self.header())?;
        self.parameters = read_parameters(&file, &self.network.architecture)?;
        self.adam = Adam::new(self.parameters.weights.len());
        self.rearrange();
        Ok(())
    }

    /// The network as it is now, to play with while this one goes on learning.
    pub fn evaluator(&self) -> NetEvaluator<A> {
        let (weights, tapes) = (self.arranged.clone(), self.tapes.clone());
        NetEvaluator::new(self.network.clone(), self.view, weights, tapes, self.header())
    }

    /// How many numbers are learnt.
    pub fn parameter_count(&self) -> usize {
        self.parameters.weights.len()
    }

    fn header(&self) -> Header {
        Header::new::<A>(self.config.clone(), self.adam.step)
    }

    fn rearrange(&mut self) {
        let layout = &self.network.layout;
        let arranged = layout.arrange(&self.parameters);
        self.transposed = layout.transpose(&arranged);
        self.arranged = Arc::new(arranged);
        self.searcher = None;
    }

    /// The sums of the losses of the transitions that are selected, and the gradient of the mean by
    /// the weights.
    pub(crate) fn ppo_gradient(
        &mut self,
        transitions: &Transitions<'_, Observation<A>>,
        selection: &Selection,
        settings: &UpdateSettings,
    ) -> (LossSums, Vec<f32>) {
        let places = &selection.places;
        let observations: Vec<_> = places.iter().map(|&i| transitions.observations[i]).collect();
        let legal: Vec<_> = places.iter().map(|&i| transitions.legal[i]).collect();
        let loss = |i: usize, logits: &mut [f32], value, sums: &mut LossSums| {
            let place = places[i];
            let transition = Transition {
                chosen: transitions.chosen[place] as usize,
                old_log_prob: transitions.old_log_probs[place],
                old_value: transitions.old_values[place],
                advantage: transitions.advantages[place],
                target: transitions.returns[place],
            };
            ppo_loss(logits, value, &transition, settings, selection.total, sums)
        };
        self.gradient(&observations, &legal, &selection.shards, loss)
    }

    /// The same of the examples that are selected.
    pub(crate) fn imitation_gradient(
        &mut self,
        examples: &Examples<'_, Observation<A>>,
        selection: &Selection,
        settings: &ImitationSettings,
    ) -> (LossSums, Vec<f32>) {
        let places = &selection.places;
        let observations: Vec<_> = places.iter().map(|&i| examples.observations[i]).collect();
        let legal: Vec<_> = places.iter().map(|&i| examples.legal[i]).collect();
        let loss = |i: usize, logits: &mut [f32], value, sums: &mut LossSums| {
            let target = (examples.policies[places[i]], examples.returns[places[i]]);
            imitation_loss(logits, value, target, settings, selection.total, sums)
        };
        self.gradient(&observations, &legal, &selection.shards, loss)
    }

    /// The sums of the losses of positions, and the gradient of the mean by the weights. `loss`
    /// gets a position's number, the logits of its legal actions, which it turns into their
    /// gradient, and its value, whose gradient it gives. Sums are those of all ranks, along a binary
    /// tree over their shards.
    fn gradient(
        &mut self,
        observations: &[Observation<A>],
        legal: &[&[u32]],
        shards: &[usize],
        loss: impl Fn(usize, &mut [f32], f32, &mut LossSums) -> f32 + Sync,
    ) -> (LossSums, Vec<f32>) {
        let count = observations.len();
        let ends: Vec<_> = match shards {
            [] => {
                let length = count.div_ceil(self.parts.len()).next_multiple_of(BATCH);
                (1..=count.div_ceil(length)).map(|part| count.min(part * length)).collect()
            }
            ends => ends.to_vec(),
        };
        let mut start = 0;
        let ranges: Vec<_> = ends.iter().map(|&end| mem::replace(&mut start, end)..end).collect();
        // What does not fit into the memory at once is added up subtree by subtree.
        let mut subtrees: Vec<(usize, Sums)> = Vec::new();
        let mut waves = ranges.chunks(self.parts.len()).peekable();
        while let Some(wave) = waves.next() {
            self.work_on(wave, observations, legal, &loss);
            if waves.peek().is_none() && subtrees.is_empty() {
                break;
            }
            let mut subtree = (wave.len(), self.parts[0].to_sums());
            while let Some((len, mut left)) = subtrees.pop_if(|(len, _)| *len == subtree.0) {
                left.add(&subtree.1);
                subtree = (2 * len, left);
            }
            subtrees.push(subtree);
        }
        if let Some((_, whole)) = subtrees.pop() {
            self.parts[0].take(&whole);
        }
        self.add_up_over_ranks();
        let Part { gradients, sums, .. } = &self.parts[0];
        let layout = &self.network.layout;
        (*sums, layout.stored_gradient(&gradients.weights, &self.parameters))
    }

    /// Works out the gradients of some shards, one for each part, and adds them up in the first.
    fn work_on(
        &mut self,
        shards: &[Range<usize>],
        observations: &[Observation<A>],
        legal: &[&[u32]],
        loss: &(impl Fn(usize, &mut [f32], f32, &mut LossSums) -> f32 + Sync),
    ) {
        let (network, arranged, transposed) = (&*self.network, &**self.arranged, &*self.transposed);
        let view = self.view;
        let parts = &mut self.parts[..shards.len()];
        parts.par_iter_mut().zip(shards).for_each(|(part, shard)| {
            part.clear();
            for start in shard.clone().step_by(BATCH) {
                let range = start..shard.end.min(start + BATCH);
                let Part { tape, gradients, sums, statistics } = part;
                network.load(tape, &observations[range.clone()], view.expand);
                let statistics = statistics.as_mut();
                network.forward(tape, Floats { weights: arranged, statistics });
                network.clear_logits(gradients);
                for (position, i) in range.enumerate() {
                    let mut logits = network.legal_logits(tape, position, legal[i]);
                    gradients.values[position] = loss(i, &mut logits, tape.values[position], sums);
                    network.set_logit_gradients(gradients, position, legal[i], &logits);
                }
                network.backward(tape, gradients, transposed);
            }
        });
        tree_sum(parts, |left, right| left.add(right));
    }

    /// Adds to the first part what the other ranks have in theirs.
    fn add_up_over_ranks(&mut self) {
        if self.ranks.size() > 1 {
            self.parts[0].give(&mut self.sums);
            self.ranks.all_reduce(&mut self.sums);
            self.parts[0].take(&self.sums);
        }
    }

    /// Moves the weights against a gradient no longer than `max_norm`, unless something is not
    /// finite.
    fn step(&mut self, sums: &LossSums, gradient: &[f32], rate: f32, max_norm: f32) -> Losses {
        let norm = gradient.iter().map(|&gradient| f64::from(gradient).powi(2)).sum::<f64>().sqrt();
        let losses = sums.losses(norm);
        if !losses.is_finite() || !rate.is_finite() {
            return losses;
        }
        let factor = (max_norm / losses.gradient_norm.max(1e-12)).min(1.0);
        if let Some(statistics) = &self.parts[0].statistics {
            // Before the step, because they were measured with the weights before it.
            statistics.update_running(&self.network.layout, &mut self.parameters);
        }
        self.adam.step(&mut self.parameters.weights, gradient, factor, rate);
        self.rearrange();
        losses
    }
}

impl Part {
    fn clear(&mut self) {
        self.sums = LossSums::default();
        self.gradients.weights.fill(0.0);
        self.statistics.iter_mut().for_each(BatchStatistics::clear);
    }

    fn add(&mut self, other: &Self) {
        add(&mut self.gradients.weights, &other.gradients.weights);
        self.sums.add(&other.sums);
        if let (Some(own), Some(other)) = (&mut self.statistics, &other.statistics) {
            own.add(other);
        }
    }

    fn to_sums(&self) -> Sums {
        let mut sums = Sums::default();
        self.give(&mut sums);
        sums
    }

    /// Writes all that is added up into `flat`.
    fn give(&self, flat: &mut Sums) {
        flat.floats.clear();
        flat.floats.extend_from_slice(&self.gradients.weights);
        let (sums, most) = self.sums.to_numbers();
        flat.doubles.clear();
        flat.doubles.extend(sums);
        flat.doubles.extend(self.statistics.iter().flat_map(BatchStatistics::to_numbers));
        flat.maxima.clear();
        flat.maxima.push(most);
    }

    /// Reads what [`Part::give`] wrote.
    fn take(&mut self, flat: &Sums) {
        self.gradients.weights.copy_from_slice(&flat.floats);
        let (sums, statistics) = flat.doubles.split_at(LossSums::NUMBERS);
        self.sums = LossSums::from_numbers(sums, flat.maxima[0]);
        if let Some(own) = &mut self.statistics {
            own.set_numbers(statistics);
        }
    }
}

#[cfg(test)]
impl<A: Actions> CpuLearner<A> {
    pub(crate) fn architecture(&self) -> &crate::architecture::Architecture {
        &self.network.architecture
    }

    pub(crate) fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    pub(crate) fn adam(&self) -> &Adam {
        &self.adam
    }

    /// Works on so many shards at once.
    pub(crate) fn keep_parts(&mut self, count: usize) {
        self.parts.truncate(count);
    }

    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Parameters)) {
        change(&mut self.parameters);
        self.rearrange();
    }
}

impl<A: Actions> Evaluator<Observation<A>> for CpuLearner<A> {
    fn evaluate(&mut self, observations: &[Observation<A>], legal: &[&[u32]]) -> Vec<Evaluation> {
        self.evaluator().evaluate(observations, legal)
    }

    fn evaluate_into(
        &mut self,
        observations: &[Observation<A>],
        legal: &[&[u32]],
        outputs: &mut Outputs,
    ) {
        self.evaluator().evaluate_into(observations, legal, outputs);
    }

    fn searchers(&mut self) -> Vec<Box<dyn Evaluator<Observation<A>>>> {
        let searcher = self.searcher.take();
        let rounded = || self.evaluator().with_precision(InferencePrecision::Int16);
        let searcher = searcher.unwrap_or_else(rounded);
        self.searcher = Some(searcher.clone());
        vec![Box::new(searcher)]
    }
}

impl<A: Actions> Learner<Observation<A>> for CpuLearner<A> {
    fn update(
        &mut self,
        transitions: &Transitions<'_, Observation<A>>,
        epochs: &[Vec<Selection>],
        settings: &UpdateSettings,
        target_kl: Option<f64>,
    ) -> Vec<Losses> {
        transitions.check();
        let mut steps = Vec::new();
        for selection in epochs.iter().flatten() {
            selection.check();
            let (sums, gradient) = self.ppo_gradient(transitions, selection, settings);
            let (rate, max_norm) = (settings.learning_rate, settings.max_gradient_norm);
            let losses = self.step(&sums, &gradient, rate, max_norm);
            steps.push(losses);
            if losses.is_past(target_kl) {
                break;
            }
        }
        steps
    }

    fn imitate(
        &mut self,
        examples: &Examples<'_, Observation<A>>,
        minibatches: &[Selection],
        settings: &ImitationSettings,
    ) -> Vec<Losses> {
        examples.check();
        let step = |selection: &Selection| {
            selection.check();
            let (sums, gradient) = self.imitation_gradient(examples, selection, settings);
            self.step(&sums, &gradient, settings.learning_rate, settings.max_gradient_norm)
        };
        minibatches.iter().map(step).collect()
    }

    fn state(&self) -> Vec<u8> {
        write_state(&self.header(), &self.network.architecture, &self.parameters, &self.adam)
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), StateError> {
        (self.parameters, self.adam) =
            read_state(state, &self.header(), &self.network.architecture)?;
        self.rearrange();
        Ok(())
    }

    fn weights(&self) -> Vec<u8> {
        write_weights(&self.header(), &self.network.architecture, &self.parameters)
    }
}
