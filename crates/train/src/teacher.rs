//! Search as teacher: a small search improves on the policy in every position, and the network
//! learns to say at once what the search found out.
//!
//! The method is that of Danihelka et al., "Policy improvement by planning with Gumbel". In a
//! position with the network's policy π (its logits divided by `policy_temperature`) and value v,
//! after N simulations of which N(a) tried the action a:
//!
//! ```text
//! q(a)    mean of −γ · value after a           over its simulations
//! v_mix   (v + N · Σ π q / Σ π) / (1 + N)      sums over the actions that were tried
//! q̂(a)    q(a) where a was tried, else v_mix
//! σ(q)    (50 + max N(a)) · value_scale · q
//! π′      softmax(ln π + σ(q̂))                 the improved policy
//! V       Σ π′ q̂                               the searched value
//!
//! root    sequential halving of the few actions with the highest g + ln π, by g + ln π + σ(q̂);
//!         what is left is played. g is drawn from the Gumbel distribution: without a search the
//!         move would be a sample of π
//! below   argmax π′(a) − N(a) / (1 + N)
//! leaf    by the rules, if the game is over, repeats a position (0) or has a mate in one (1);
//!         otherwise by the network
//!
//! loss    −Σ π′ ln π + c_v · (v − R)²          R: the λ-return over the values V
//! ```
//!
//! A mate in one at the root is played by the rules, and all mates are equally good examples.
//!
//! All games search together, one simulation at a time, so that the network sees all their leaves
//! at once; beside a GPU in a few parts that take turns (`crew.rs`). Nothing of a search outlives
//! its move but its memory: a run that is resumed searches as it would have.

mod crew;
mod improve;
mod tree;

use std::mem;
use std::ops::{AddAssign, Range};
use std::sync::Arc;
use std::time::{Duration, Instant};

use keisei_encode::{Actions, Observation};
use keisei_net::{Evaluator, ImitationSettings, Learner};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::buffer::Buffer;
use crate::config::{Config, Teaching};
use crate::ppo::Update;
use crate::random::{Purpose, stream};
use crew::{Crew, Part};
pub use tree::Root;
use tree::Tree;

/// Games handed to one thread at a time.
const GAMES_A_TASK: usize = 8;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// How many simulations each move gets.
    pub simulations: usize,
    /// How many actions the root considers.
    pub candidates: usize,
    /// How much values count against the policy.
    pub value_scale: f32,
    /// What the policy's logits are divided by.
    pub policy_temperature: f32,
    /// How much a value one move later counts.
    pub gamma: f32,
}

/// A fleet of small searches, one a game.
pub struct Teacher<A: Actions> {
    plan: Arc<SearchPlan>,
    trees: Vec<Tree<A>>,
    crew: Crew<A>,
}

/// How to search, worked out.
#[derive(Debug)]
struct SearchPlan {
    settings: SearchSettings,
    /// Which visits the simulations give, for each number of candidates, from 0.
    visits: Vec<Vec<u32>>,
    /// Each action's number in a mirror.
    mirror: Vec<u32>,
}

/// What a search found out about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The improved policy.
    pub policy: Vec<f32>,
    /// The searched value.
    pub value: f32,
    /// The place of the move to be played.
    pub chosen: usize,
    /// Whether it is a mate by the rules, without a search.
    pub by_rule: bool,
    /// The divergence of the policy, at its temperature, from the improved one.
    pub divergence: f32,
}

/// Counts of lessons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LessonTally {
    searched: u64,
    by_rule: u64,
    divergence: f64,
}

impl<A: Actions> Teacher<A> {
    /// The teacher that a run is configured to have, if any, for so many of its games.
    pub fn of(config: &Config, games: usize) -> Option<Self> {
        let search = SearchSettings {
            simulations: config.teacher.simulations,
            candidates: config.teacher.candidates,
            value_scale: config.teacher.value_scale as f32,
            policy_temperature: config.teacher.policy_temperature as f32,
            gamma: config.training.gamma as f32,
        };
        let teaches = config.training.teacher == Teaching::Search;
        teaches.then(|| Self::new(games, search))
    }

    /// A teacher of so many games.
    pub fn new(games: usize, settings: SearchSettings) -> Self {
        let visits = |candidates| considered_visits(settings.simulations, candidates);
        let plan = SearchPlan {
            settings,
            visits: (0..=settings.candidates).map(visits).collect(),
            mirror: (0..A::COUNT).map(|action| A::mirrored(action) as u32).collect(),
        };
        Self {
            plan: Arc::new(plan),
            trees: (0..games).map(|_| Tree::new()).collect(),
            crew: Crew::default(),
        }
    }

    /// Searches in every game and says what to play and to learn there, and how long the network
    /// was asked. All that is random follows from `seed`, `step` and the numbers of the `games`.
    pub fn teach(
        &mut self,
        learner: &mut dyn Evaluator<Observation<A>>,
        roots: &[Root<'_, A>],
        games: Range<usize>,
        seed: u64,
        step: u64,
    ) -> (Vec<Lesson>, Duration) {
        assert_eq!(
            (roots.len(), games.len()),
            (self.trees.len(), roots.len()),
            "one position a game"
        );
        let mirror = &self.plan.mirror;
        let planted = self.trees.par_iter_mut().zip(roots).enumerate().with_min_len(GAMES_A_TASK);
        planted.for_each(|(game, (tree, root))| {
            let game = (games.start + game) as u64;
            tree.plant(root, mirror, &mut stream(seed, Purpose::Search, game, step));
        });
        let searchers = learner.searchers();
        let network_time = match searchers.is_empty() {
            true => {
                let mut part = Part::new(mem::take(&mut self.trees), self.plan.clone());
                let time = part.search(learner);
                self.trees = part.into_trees();
                time
            }
            false => self.crew.search(searchers, &mut self.trees, &self.plan),
        };
        let settings = &self.plan.settings;
        let lessons = self.trees.par_iter().enumerate().with_min_len(GAMES_A_TASK);
        let lesson = |(game, tree): (usize, &Tree<A>)| {
            let mut lesson = tree.lesson(settings);
            if lesson.by_rule {
                let game = (games.start + game) as u64;
                let mut rng = stream(seed, Purpose::Action, game, step);
                lesson.chosen = rng.sample(&lesson.policy).expect("a mate has a weight");
            }
            lesson
        };
        (lessons.map(lesson).collect(), network_time)
    }
}

/// Sequential halving as a plan: how often an action was tried that each simulation tries next. Of
/// those that were tried so often, it is the best. All candidates are tried equally often, then the
/// better half of them, and so on down to two, with about equally much for every halving.
fn considered_visits(simulations: usize, candidates: usize) -> Vec<u32> {
    let halvings = candidates.next_power_of_two().ilog2().max(1) as usize;
    let mut plan = Vec::new();
    let (mut considered, mut visits) = (candidates.max(1), 0);
    while plan.len() < simulations {
        let rounds = (simulations / (halvings * considered)).max(1) as u32;
        for round in visits..visits + rounds {
            plan.extend(std::iter::repeat_n(round, considered));
        }
        visits += rounds;
        considered = (considered / 2).max(2).min(considered);
    }
    plan.truncate(simulations);
    plan
}

impl AddAssign for LessonTally {
    fn add_assign(&mut self, other: Self) {
        self.searched += other.searched;
        self.by_rule += other.by_rule;
        self.divergence += other.divergence;
    }
}

impl LessonTally {
    /// Counts a lesson.
    pub fn add(&mut self, lesson: &Lesson) {
        match lesson.by_rule {
            true => self.by_rule += 1,
            false => {
                self.searched += 1;
                self.divergence += f64::from(lesson.divergence);
            }
        }
    }

    /// The mean divergence of the network's policy from the improved one, where there was a search.
    pub fn divergence(&self) -> Option<f64> {
        (self.searched > 0).then(|| self.divergence / self.searched as f64)
    }

    /// The share of moves that were mates by the rules.
    pub fn by_rule(&self) -> Option<f64> {
        let moves = self.searched + self.by_rule;
        (moves > 0).then(|| self.by_rule as f64 / moves as f64)
    }
}

/// How to learn from a rollout of searched moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TeachingSettings {
    /// How often to go through it.
    pub epochs: usize,
    /// The size of a minibatch.
    pub minibatch_size: usize,
    /// The knobs of each step.
    pub step: ImitationSettings,
}

/// Learns from a finished rollout. The order of the moves follows from `seed` and `number`, the
/// update's number in the run.
pub fn update<P: Copy + Send + Sync>(
    learner: &mut dyn Learner<P>,
    rollout: &Buffer<P>,
    settings: &TeachingSettings,
    seed: u64,
    number: u64,
) -> Update {
    let epochs = 0..settings.epochs as u64;
    let size = settings.minibatch_size;
    let minibatches: Vec<_> =
        epochs.flat_map(|epoch| rollout.minibatch_places(size, seed, number, epoch)).collect();
    let (legal, policies) = (rollout.legal(), rollout.policies());
    let examples = rollout.examples(&legal, &policies);
    let start = Instant::now();
    let losses = learner.imitate(&examples, &minibatches, &settings.step);
    let mut update = Update { network_time: start.elapsed(), ..Update::default() };
    losses.iter().for_each(|losses| update.note(losses));
    update
}

#[cfg(test)]
mod tests;
