//! What training sees of a network.

use crate::Evaluator;

/// A network that can be trained: an evaluator with an optimiser.
///
/// The same inputs give the same weights, bit by bit, on one machine.
pub trait Learner<P>: Evaluator<P> {
    /// Steps of PPO, one for each minibatch of each of `epochs`, which select from `transitions`:
    /// forward, loss, backward, clip, Adam. If anything is not finite, the step changes nothing and
    /// its [`Losses::is_finite`] is false. The losses are those of the steps that were made.
    ///
    /// The step whose divergence is above `target_kl` is the last, or on a device of libtorch the
    /// last one of its epoch: there an epoch is finished before its divergences are looked at. All
    /// steps are asked for at once, because a GPU takes all transitions first, and would have to be
    /// waited for after each step otherwise.
    fn update(
        &mut self,
        transitions: &Transitions<'_, P>,
        epochs: &[Vec<Selection>],
        settings: &UpdateSettings,
        target_kl: Option<f64>,
    ) -> Vec<Losses>;

    /// Steps towards given policies and values, in the same way, one for each of `minibatches`,
    /// which select from `examples`. The loss is the cross-entropy and the squared error of the
    /// values.
    fn imitate(
        &mut self,
        examples: &Examples<'_, P>,
        minibatches: &[Selection],
        settings: &ImitationSettings,
    ) -> Vec<Losses>;

    /// The weights and the optimiser's state as safetensors bytes, for an exact resume.
    fn state(&self) -> Vec<u8>;

    /// Takes over what [`Learner::state`] gave.
    fn restore(&mut self, state: &[u8]) -> Result<(), StateError>;

    /// The weights alone as safetensors bytes whose header names game, encoding and network.
    fn weights(&self) -> Vec<u8>;
}

impl<P, L: Learner<P> + ?Sized> Learner<P> for Box<L> {
    fn update(
        &mut self,
        transitions: &Transitions<'_, P>,
        epochs: &[Vec<Selection>],
        settings: &UpdateSettings,
        target_kl: Option<f64>,
    ) -> Vec<Losses> {
        (**self).update(transitions, epochs, settings, target_kl)
    }

    fn imitate(
        &mut self,
        examples: &Examples<'_, P>,
        minibatches: &[Selection],
        settings: &ImitationSettings,
    ) -> Vec<Losses> {
        (**self).imitate(examples, minibatches, settings)
    }

    fn state(&self) -> Vec<u8> {
        (**self).state()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), StateError> {
        (**self).restore(state)
    }

    fn weights(&self) -> Vec<u8> {
        (**self).weights()
    }
}

/// The moves of a rollout, from which minibatches are selected. All slices have the same length.
#[derive(Clone, Copy, Debug)]
pub struct Transitions<'a, P> {
    /// What the mover saw.
    pub observations: &'a [P],
    /// The legal actions of each position.
    pub legal: &'a [&'a [u32]],
    /// Which of the legal actions was played: a place in the list, not the action's number.
    pub chosen: &'a [u32],
    /// The log-probability that the acting network gave it, among the legal actions.
    pub old_log_probs: &'a [f32],
    /// The value that the acting network gave the position.
    pub old_values: &'a [f32],
    /// The advantages, already normalised.
    pub advantages: &'a [f32],
    /// The value targets.
    pub returns: &'a [f32],
}

impl<P> Transitions<'_, P> {
    /// Checks that the slices belong together.
    ///
    /// # Panics
    ///
    /// If the lengths differ, or a chosen action is not in its list.
    pub(crate) fn check(&self) {
        let len = self.observations.len();
        let lens = [
            self.legal.len(),
            self.chosen.len(),
            self.old_log_probs.len(),
            self.old_values.len(),
            self.advantages.len(),
            self.returns.len(),
        ];
        assert!(lens == [len; 6], "{len} observations, but {lens:?} of the rest");
        for (i, (legal, &chosen)) in self.legal.iter().zip(self.chosen).enumerate() {
            let (chosen, count) = (chosen as usize, legal.len());
            assert!(chosen < count, "transition {i}: action {chosen} of {count}");
        }
    }
}

/// Positions of a rollout that make up a minibatch, shard by shard.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Their places.
    pub places: Vec<usize>,
    /// Where each shard ends. Sums are taken shard by shard, then along a binary tree over the
    /// shards of all ranks that learn together. Without any the learner cuts as it likes.
    pub shards: Vec<usize>,
    /// How many positions all ranks together have.
    pub total: usize,
}

/// A minibatch that nobody shares.
impl FromIterator<usize> for Selection {
    fn from_iter<I: IntoIterator<Item = usize>>(places: I) -> Self {
        let places: Vec<_> = places.into_iter().collect();
        Self { shards: Vec::new(), total: places.len(), places }
    }
}

impl Selection {
    /// Checks that the numbers belong together.
    ///
    /// # Panics
    ///
    /// If shards overlap or leave something out, or fewer positions are there in all than here.
    pub(crate) fn check(&self) {
        let (len, total, ends) = (self.places.len(), self.total, &self.shards);
        assert!(total >= len && total > 0, "{len} positions here, {total} in all");
        let whole = ends.is_sorted() && ends.last().is_none_or(|&end| end == len);
        assert!(whole, "{len} positions, but shards end at {ends:?}");
    }
}

/// The knobs of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpdateSettings {
    /// Adam's step size.
    pub learning_rate: f32,
    /// How far the ratio may leave 1 before the policy loss stops caring.
    pub clip_epsilon: f32,
    /// The weight of the value loss.
    pub value_weight: f32,
    /// Whether the value loss is clipped around the old values, by `clip_epsilon`.
    pub clip_value: bool,
    /// The weight of the entropy bonus.
    pub entropy_weight: f32,
    /// Whether the entropy is divided by its largest value, the logarithm of the number of legal
    /// actions.
    pub relative_entropy: bool,
    /// The largest norm of the gradient of all weights together.
    pub max_gradient_norm: f32,
}

/// Positions with the policy and the value that a network should have there. All slices have the
/// same length.
#[derive(Clone, Copy, Debug)]
pub struct Examples<'a, P> {
    /// What the mover sees.
    pub observations: &'a [P],
    /// The legal actions of each position.
    pub legal: &'a [&'a [u32]],
    /// A probability for each of them, in the same order.
    pub policies: &'a [&'a [f32]],
    /// The value targets.
    pub returns: &'a [f32],
}

impl<P> Examples<'_, P> {
    /// Checks that the slices belong together.
    ///
    /// # Panics
    ///
    /// If the lengths differ, or there is not one probability a legal action.
    pub(crate) fn check(&self) {
        let len = self.observations.len();
        let lens = [self.legal.len(), self.policies.len(), self.returns.len()];
        assert!(lens == [len; 3], "{len} observations, but {lens:?} of the rest");
        for (i, (legal, policy)) in self.legal.iter().zip(self.policies).enumerate() {
            let (count, found) = (legal.len(), policy.len());
            assert_eq!(count, found, "example {i}: one probability a legal action");
        }
    }
}

/// The knobs of one step of imitation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImitationSettings {
    /// Adam's step size.
    pub learning_rate: f32,
    /// The weight of the value loss.
    pub value_weight: f32,
    /// The largest norm of the gradient of all weights together.
    pub max_gradient_norm: f32,
}

/// What one step measured, before it changed the weights. Means over the minibatch. A step of
/// imitation has no ratios: what tells of them alone is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// The clipped policy loss of PPO; the cross-entropy of imitation.
    pub policy: f32,
    /// The mean squared error of the values, without its weight.
    pub value: f32,
    /// The entropy of the policy over the legal actions.
    pub entropy: f32,
    /// The estimate of the Kullback–Leibler divergence from the acting policy, (r − 1) − ln r; in
    /// imitation the divergence from the policy that is imitated.
    pub approx_kl: f32,
    /// The estimate −ln r.
    pub old_approx_kl: f32,
    /// The share of ratios outside the clip range.
    pub clip_fraction: f32,
    /// The largest distance of a ratio from 1.
    pub max_ratio_error: f32,
    /// The norm of the gradient before clipping.
    pub gradient_norm: f32,
}

impl Losses {
    /// Whether the policy has moved further from the acting one than it should, if there is a limit.
    pub fn is_past(&self, target_kl: Option<f64>) -> bool {
        target_kl.is_some_and(|target| f64::from(self.approx_kl) > target)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        [
            self.policy,
            self.value,
            self.entropy,
            self.approx_kl,
            self.old_approx_kl,
            self.clip_fraction,
            self.max_ratio_error,
            self.gradient_norm,
        ]
        .iter()
        .all(|number| number.is_finite())
    }
}

/// Why a saved state or saved weights do not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The bytes are no safetensors file.
    #[error("not a weights file: {0}")]
    Format(String),
    /// The file is for something else.
    #[error("the weights are for {key} {found:?}, but {expected:?} is needed")]
    Mismatch {
        /// What differs: game, encoding, actions, network.
        key: String,
        /// What the file says.
        found: String,
        /// What is needed.
        expected: String,
    },
    /// A tensor is missing or has another shape.
    #[error("tensor {name:?}: {problem}")]
    Tensor {
        /// Its name.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// The weights are those of a network that cannot become the one that is needed.
    #[error(
        "a network {from} cannot grow into {to}: only blocks, channels, value_planes and \
         value_hidden may grow, and encoding change from \"own\" to \"attacks\""
    )]
    Growth {
        /// The network of the weights.
        from: String,
        /// The one that is needed.
        to: String,
    },
    /// A weight is not a finite number.
    #[error("tensor {0:?} has a weight that is no finite number")]
    NotFinite(String),
}
