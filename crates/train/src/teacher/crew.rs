//! Who searches: all games at once, or beside a GPU several parts of them that take turns.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use keisei_encode::{Actions, Observation};
use keisei_net::{Evaluator, Outputs};
use rayon::prelude::*;

use super::tree::Tree;
use super::{GAMES_A_TASK, SearchPlan};

/// Games that search together.
pub(super) struct Part<A: Actions> {
    trees: Vec<Tree<A>>,
    plan: Arc<SearchPlan>,
    /// What the network said of the leaves that wait for it.
    outputs: Outputs,
}

impl<A: Actions> Part<A> {
    pub(super) fn new(trees: Vec<Tree<A>>, plan: Arc<SearchPlan>) -> Self {
        Self { trees, plan, outputs: Outputs::default() }
    }

    pub(super) fn into_trees(self) -> Vec<Tree<A>> {
        self.trees
    }

    /// Searches, and says how long the network was asked.
    pub(super) fn search(&mut self, network: &mut dyn Evaluator<Observation<A>>) -> Duration {
        let mut network_time = self.expand(network);
        for number in 0..self.plan.settings.simulations {
            self.simulate(number);
            network_time += self.expand(network);
        }
        network_time
    }

    /// Makes the simulation with this number, if it is planned, as far as that goes without the
    /// network.
    fn simulate(&mut self, number: usize) {
        let SearchPlan { settings, visits, mirror } = &*self.plan;
        let trees = self.trees.par_iter_mut().with_min_len(GAMES_A_TASK);
        trees.filter(|tree| !tree.mates_at_once()).for_each(|tree| {
            let planned = &visits[tree.root_moves().min(settings.candidates)];
            if let Some(&visits) = planned.get(number) {
                tree.simulate(visits, settings, mirror);
            }
        });
    }

    /// Asks the network about all leaves that wait for it, and says how long it was asked.
    fn expand(&mut self, network: &mut dyn Evaluator<Observation<A>>) -> Duration {
        let leaves = self.trees.iter().filter_map(Tree::leaf);
        let (observations, legal): (Vec<_>, Vec<_>) = leaves.unzip();
        if observations.is_empty() {
            return Duration::ZERO;
        }
        let start = Instant::now();
        network.evaluate_into(&observations, &legal, &mut self.outputs);
        let network_time = start.elapsed();
        let Outputs { logits, values } = &self.outputs;
        let mut rest = &logits[..];
        let waiting = self.trees.iter_mut().filter(|tree| tree.leaf().is_some());
        let answered = waiting.zip(values).map(|(tree, &value)| {
            let count = tree.leaf().map_or(0, |(_, legal)| legal.len());
            let (logits, after) = rest.split_at(count);
            rest = after;
            (tree, logits, value)
        });
        let answered: Vec<_> = answered.collect();
        let settings = &self.plan.settings;
        let answered = answered.into_par_iter().with_min_len(GAMES_A_TASK);
        answered.for_each(|(tree, logits, value)| tree.expand(logits, value, settings));
        network_time
    }
}

/// Threads that ask the network, each for its part of the games. They stay for the whole run:
/// libtorch prepares anew for every thread that asks it.
pub(super) struct Crew<A: Actions> {
    members: Vec<Member<A>>,
}

struct Member<A: Actions> {
    tasks: Sender<Task<A>>,
    results: Receiver<(Part<A>, Duration)>,
}

struct Task<A: Actions> {
    part: Part<A>,
    network: Box<dyn Evaluator<Observation<A>>>,
}

impl<A: Actions> Default for Crew<A> {
    fn default() -> Self {
        Self { members: Vec::new() }
    }
}

impl<A: Actions> Crew<A> {
    /// Searches with one part of the games for each of `networks`, and says how long they were
    /// asked, on average.
    pub(super) fn search(
        &mut self,
        networks: Vec<Box<dyn Evaluator<Observation<A>>>>,
        trees: &mut Vec<Tree<A>>,
        plan: &Arc<SearchPlan>,
    ) -> Duration {
        let count = networks.len();
        while self.members.len() < count {
            self.members.push(Member::new());
        }
        let size = trees.len().div_ceil(count);
        for (member, network) in self.members.iter().zip(networks) {
            let part = trees.drain(..size.min(trees.len())).collect();
            let task = Task { part: Part::new(part, plan.clone()), network };
            member.tasks.send(task).expect(ENDED);
        }
        let mut network_time = Duration::ZERO;
        for member in &self.members[..count] {
            let (part, time) = member.results.recv().expect(ENDED);
            trees.extend(part.into_trees());
            network_time += time;
        }
        network_time / count as u32
    }
}

/// A thread of the crew ends with the crew or in a panic.
const ENDED: &str = "a thread that searches has panicked";

impl<A: Actions> Member<A> {
    fn new() -> Self {
        let (tasks, orders) = channel::<Task<A>>();
        let (done, results) = channel();
        thread::spawn(move || {
            for Task { mut part, mut network } in orders {
                let time = part.search(&mut *network);
                if done.send((part, time)).is_err() {
                    break;
                }
            }
        });
        Self { tasks, results }
    }
}
