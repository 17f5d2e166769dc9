//! Search as teacher: a small search improves on the policy in every position, and the network
//! learns to say at once what the search found out.
//!
//! The method is that of Danihelka et al., "Policy improvement by planning with Gumbel". In a
//! position with the network's policy π and value v, after N simulations of which N(a) tried the
//! action a:
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
//! at once. Nothing of a search outlives its move but its memory: a run that is resumed searches as
//! it would have.

mod tree;

use std::time::{Duration, Instant};

use keisei_encode::{Actions, Observation};
use keisei_net::{Evaluation, Evaluator, ImitationSettings, Learner};
use rayon::prelude::*;

use crate::buffer::Buffer;
use crate::config::{Config, Teaching};
use crate::ppo::Update;
use crate::random::{Purpose, stream};
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
    /// How much a value one move later counts.
    pub gamma: f32,
}

/// A fleet of small searches, one a game.
pub struct Teacher<A: Actions> {
    settings: SearchSettings,
    /// The plan of the simulations for each number of candidates, from 0.
    plans: Vec<Vec<u32>>,
    trees: Vec<Tree<A>>,
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
    /// The divergence of the network's policy from the improved one.
    pub divergence: f32,
}

/// Counts of lessons.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LessonTally {
    searched: u64,
    by_rule: u64,
    divergence: f64,
}

impl<A: Actions> Teacher<A> {
    /// The teacher that a run is configured to have, if any.
    pub fn of(config: &Config) -> Option<Self> {
        let search = SearchSettings {
            simulations: config.teacher.simulations,
            candidates: config.teacher.candidates,
            value_scale: config.teacher.value_scale as f32,
            gamma: config.training.gamma as f32,
        };
        let teaches = config.training.teacher == Teaching::Search;
        teaches.then(|| Self::new(config.rollout.games, search))
    }

    /// A teacher of so many games.
    pub fn new(games: usize, settings: SearchSettings) -> Self {
        let plan = |candidates| considered_visits(settings.simulations, candidates);
        Self {
            settings,
            plans: (0..=settings.candidates).map(plan).collect(),
            trees: (0..games).map(|_| Tree::new()).collect(),
        }
    }

    /// Searches in every game and says what to play and to learn there, and how long the network
    /// was asked. All that is random follows from `seed` and `step`.
    pub fn teach(
        &mut self,
        learner: &mut dyn Evaluator<Observation<A>>,
        roots: &[Root<'_, A>],
        mirror: &[u32],
        seed: u64,
        step: u64,
    ) -> (Vec<Lesson>, Duration) {
        assert_eq!(roots.len(), self.trees.len(), "one position a game");
        let Self { settings, plans, trees } = self;
        let planted = trees.par_iter_mut().zip(roots).enumerate().with_min_len(GAMES_A_TASK);
        planted.for_each(|(game, (tree, root))| {
            tree.plant(root, &mut stream(seed, Purpose::Search, game as u64, step));
        });
        let advance =
            |half: &mut Half<'_, A>, number| half.advance(number, settings, plans, mirror);
        // While the leaves of one half are evaluated, the other half searches for its own. The
        // network is always asked by this thread: libtorch prepares anew for every other.
        let middle = trees.len() / 2;
        let (front, back) = trees.split_at_mut(middle);
        let [mut front, mut back] = [front, back].map(Half::new);
        advance(&mut front, 0);
        for number in 0..settings.simulations {
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| advance(&mut back, number));
                front.evaluate(learner);
            });
            rayon::in_place_scope(|scope| {
                scope.spawn(|_| advance(&mut front, number + 1));
                back.evaluate(learner);
            });
        }
        back.take_answers(settings.gamma);
        let network_time = front.network_time + back.network_time;
        let lessons = trees.par_iter().enumerate().with_min_len(GAMES_A_TASK);
        let lesson = |(game, tree): (usize, &Tree<A>)| {
            let mut lesson = tree.lesson(settings);
            if lesson.by_rule {
                let mut rng = stream(seed, Purpose::Action, game as u64, step);
                lesson.chosen = rng.sample(&lesson.policy).expect("a mate has a weight");
            }
            lesson
        };
        (lessons.map(lesson).collect(), network_time)
    }
}

/// One half of the games, with what the network said of their leaves.
struct Half<'a, A: Actions> {
    trees: &'a mut [Tree<A>],
    answers: Vec<Evaluation>,
    network_time: Duration,
}

impl<'a, A: Actions> Half<'a, A> {
    fn new(trees: &'a mut [Tree<A>]) -> Self {
        Self { trees, answers: Vec::new(), network_time: Duration::ZERO }
    }

    /// Takes in the answers and makes the simulation with this number, if it is planned, as far as
    /// that goes without the network.
    fn advance(
        &mut self,
        number: usize,
        settings: &SearchSettings,
        plans: &[Vec<u32>],
        mirror: &[u32],
    ) {
        self.take_answers(settings.gamma);
        let trees = self.trees.par_iter_mut().with_min_len(GAMES_A_TASK);
        trees.filter(|tree| !tree.mates_at_once()).for_each(|tree| {
            let plan = &plans[tree.actions().min(settings.candidates)];
            if let Some(&visits) = plan.get(number) {
                tree.simulate(visits, settings, mirror);
            }
        });
    }

    fn take_answers(&mut self, gamma: f32) {
        let waiting: Vec<_> = self.trees.iter_mut().filter(|tree| tree.leaf().is_some()).collect();
        let answered = waiting.into_par_iter().zip(&self.answers).with_min_len(GAMES_A_TASK);
        answered.for_each(|(tree, answer)| tree.expand(answer, gamma));
        self.answers.clear();
    }

    /// Asks the network about all leaves that wait for it.
    fn evaluate(&mut self, learner: &mut dyn Evaluator<Observation<A>>) {
        let leaves: Vec<_> = self.trees.iter().filter_map(Tree::leaf).collect();
        if leaves.is_empty() {
            return;
        }
        let (observations, legal): (Vec<_>, Vec<_>) = leaves.into_iter().unzip();
        let start = Instant::now();
        self.answers = learner.evaluate(&observations, &legal);
        self.network_time += start.elapsed();
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
    let mut update = Update::default();
    for epoch in 0..settings.epochs as u64 {
        for batch in rollout.minibatches(settings.minibatch_size, seed, number, epoch) {
            update.step(|| learner.imitate(&batch.examples(), &settings.step));
        }
    }
    update
}

#[cfg(test)]
mod tests;
