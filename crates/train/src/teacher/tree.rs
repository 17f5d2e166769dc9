//! The search tree of one game.

use std::num::NonZeroU32;
use std::ops::Range;

use keisei_encode::{Actions, Encode, Observation};
use keisei_game::{Game, Position, Rules, SplitMix64};

use super::{Lesson, SearchSettings};

type MoveOf<A> = <<A as Actions>::Game as Game>::Move;

/// So many visits count for the most tried action beyond those it has.
const LEAST_VISITS: f32 = 50.0;

/// A position to search from.
#[derive(Clone, Copy, Debug)]
pub struct Root<'a, A: Actions> {
    /// The game, which is not over.
    pub game: &'a A::Game,
    /// Whether the network sees it in a mirror.
    pub mirrored: bool,
}

/// The search tree of one game. Its memory is used again for every move.
pub(super) struct Tree<A: Actions> {
    game: A::Game,
    mirrored: bool,
    /// The root first.
    nodes: Vec<Node>,
    edges: Vec<Edge<MoveOf<A>>>,
    /// g + ln π of each action of the root, or g alone until the network has spoken.
    preferences: Vec<f32>,
    /// The places of the root's moves that mate.
    mates: Vec<usize>,
    /// The edges of the last simulation, from the root.
    path: Vec<usize>,
    /// What waits for the network: the last node.
    leaf: Option<Observation<A>>,
    /// The legal actions there as the network sees them.
    legal: Vec<u32>,
    /// Memory for an improved policy.
    policy: Vec<f32>,
}

/// A position of the tree.
struct Node {
    /// Where its edges lie. None, if the rules know its value.
    edges: Range<usize>,
    /// Its value for the side to move, by the rules or by the network.
    value: f32,
}

/// An action of a position.
#[derive(Clone, Debug)]
pub(super) struct Edge<M> {
    pub(super) mv: M,
    pub(super) prior: f32,
    pub(super) log_prior: f32,
    pub(super) visits: u32,
    /// The sum of the values of its simulations, for the side that plays it.
    pub(super) total: f32,
    pub(super) child: Option<NonZeroU32>,
}

impl<M> Edge<M> {
    pub(super) fn new(mv: M) -> Self {
        Self { mv, prior: 0.0, log_prior: 0.0, visits: 0, total: 0.0, child: None }
    }

    /// The mean value of its simulations.
    fn q(&self) -> Option<f32> {
        (self.visits > 0).then(|| self.total / self.visits as f32)
    }
}

/// The values of all actions of a position, those included that were not tried.
pub(super) struct CompletedValues {
    /// The value of an action that was not tried.
    mixed: f32,
    /// What σ multiplies a value by.
    scale: f32,
}

impl CompletedValues {
    /// The values of `edges` in a position with the network's `value`.
    fn new<M>(edges: &[Edge<M>], value: f32, value_scale: f32) -> Self {
        let (mut prior, mut weighted, mut visits, mut most) = (0.0, 0.0, 0, 0);
        for edge in edges {
            if let Some(q) = edge.q() {
                prior += edge.prior;
                weighted += edge.prior * q;
                visits += edge.visits;
                most = most.max(edge.visits);
            }
        }
        let visits = visits as f32;
        let mixed = match prior > 0.0 {
            true => (value + visits * weighted / prior) / (1.0 + visits),
            false => value,
        };
        Self { mixed, scale: (LEAST_VISITS + most as f32) * value_scale }
    }

    fn q<M>(&self, edge: &Edge<M>) -> f32 {
        edge.q().unwrap_or(self.mixed)
    }

    fn sigma<M>(&self, edge: &Edge<M>) -> f32 {
        self.scale * self.q(edge)
    }
}

/// Writes the improved policy π′ of a position into `policy` and gives its value Σ π′ q̂.
pub(super) fn improve<M>(
    edges: &[Edge<M>],
    value: f32,
    value_scale: f32,
    policy: &mut Vec<f32>,
) -> f32 {
    let completed = CompletedValues::new(edges, value, value_scale);
    policy.clear();
    policy.extend(edges.iter().map(|edge| edge.log_prior + completed.sigma(edge)));
    let largest = policy.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    policy.iter_mut().for_each(|logit| *logit = (*logit - largest).exp());
    let total: f32 = policy.iter().sum();
    policy.iter_mut().for_each(|probability| *probability /= total);
    policy.iter().zip(edges).map(|(probability, edge)| probability * completed.q(edge)).sum()
}

impl<A: Actions> Tree<A> {
    pub(super) fn new() -> Self {
        Self {
            game: A::Game::new_with(Rules::LEARNING),
            mirrored: false,
            nodes: Vec::new(),
            edges: Vec::new(),
            preferences: Vec::new(),
            mates: Vec::new(),
            path: Vec::new(),
            leaf: None,
            legal: Vec::new(),
            policy: Vec::new(),
        }
    }

    /// Begins a new search. Unless there is a mate in one, the root waits for the network.
    pub(super) fn plant(&mut self, root: &Root<'_, A>, mirror: &[u32], rng: &mut SplitMix64) {
        self.game = root.game.clone();
        self.mirrored = root.mirrored;
        self.nodes.clear();
        self.edges.clear();
        self.path.clear();
        self.add_node();
        let mating = self.game.position().mating_moves();
        let mates = |place: &usize| mating.contains(&self.edges[*place].mv);
        self.mates.clear();
        self.mates.extend((0..self.edges.len()).filter(mates));
        self.preferences.clear();
        self.preferences.extend(self.edges.iter().map(|_| rng.gumbel()));
        if !self.mates_at_once() {
            self.observe(mirror);
        }
    }

    /// Whether there is a mate in one at the root, so that there is nothing to search.
    pub(super) fn mates_at_once(&self) -> bool {
        !self.mates.is_empty()
    }

    /// How many actions the root has.
    pub(super) fn actions(&self) -> usize {
        self.preferences.len()
    }

    /// What waits for the network: the observation and the legal actions.
    pub(super) fn leaf(&self) -> Option<(Observation<A>, &[u32])> {
        self.leaf.map(|observation| (observation, &*self.legal))
    }

    /// Adds a node for the position that the game stands in, which the rules leave open.
    fn add_node(&mut self) {
        let first = self.edges.len();
        let moves = self.game.position().legal_moves();
        self.edges.extend(moves.as_ref().iter().map(|&mv| Edge::new(mv)));
        self.nodes.push(Node { edges: first..self.edges.len(), value: 0.0 });
    }

    /// Takes what the network says of the leaf.
    pub(super) fn expand(&mut self, logits: &[f32], value: f32, settings: &SearchSettings) {
        self.leaf = None;
        let node = self.nodes.last_mut().expect("there is a root");
        node.value = value;
        let edges = &mut self.edges[node.edges.clone()];
        assert_eq!(edges.len(), logits.len(), "one logit a legal move");
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut total = 0.0;
        for (edge, &logit) in edges.iter_mut().zip(logits) {
            edge.log_prior = (logit - largest) / settings.policy_temperature;
            edge.prior = edge.log_prior.exp();
            total += edge.prior;
        }
        let shift = f32::ln(total);
        for edge in edges {
            edge.log_prior -= shift;
            edge.prior /= total;
        }
        if self.nodes.len() == 1 {
            let priors = self.edges.iter().map(|edge| edge.log_prior);
            self.preferences.iter_mut().zip(priors).for_each(|(sum, prior)| *sum += prior);
        }
        self.back_up(value, settings.gamma);
    }

    /// Takes the value of the last simulation's leaf back to the root.
    fn back_up(&mut self, mut value: f32, gamma: f32) {
        for &edge in self.path.iter().rev() {
            value *= -gamma;
            let edge = &mut self.edges[edge];
            edge.total += value;
            edge.visits += 1;
        }
    }

    /// Goes to a leaf, beginning with the best action of the root that was tried `visits` times. If
    /// the rules know its value, the simulation is done; otherwise it waits for the network.
    pub(super) fn simulate(&mut self, visits: u32, settings: &SearchSettings, mirror: &[u32]) {
        self.path.clear();
        let mut edge = self.best_of_root(visits, settings);
        let known = loop {
            self.path.push(edge);
            self.game.play_unchecked(self.edges[edge].mv);
            let Some(child) = self.edges[edge].child else {
                break self.add_leaf(edge, mirror);
            };
            let Node { edges, value } = &self.nodes[child.get() as usize];
            if edges.is_empty() {
                break Some(*value);
            }
            edge = best_below(&self.edges[edges.clone()], *value, settings, &mut self.policy)
                + edges.start;
        };
        for _ in 0..self.path.len() {
            self.game.undo();
        }
        if let Some(value) = known {
            self.back_up(value, settings.gamma);
        }
    }

    /// Adds the node that `edge` leads to, where the game stands, and gives its value if the rules
    /// know it.
    fn add_leaf(&mut self, edge: usize, mirror: &[u32]) -> Option<f32> {
        self.edges[edge].child = NonZeroU32::new(self.nodes.len() as u32);
        let known = value_by_rule(&self.game);
        match known {
            Some(value) => self.nodes.push(Node { edges: 0..0, value }),
            None => {
                self.add_node();
                self.observe(mirror);
            }
        }
        known
    }

    /// Notes what the network is to see of the position that the game stands in.
    fn observe(&mut self, mirror: &[u32]) {
        let turn = self.game.turn();
        let node = self.nodes.last().expect("there is a root");
        let actions = self.edges[node.edges.clone()].iter().map(|edge| A::index(turn, edge.mv));
        self.legal.clear();
        let seen = self.game.pack();
        self.leaf = match self.mirrored {
            true => {
                self.legal.extend(actions.map(|action| mirror[action]));
                let image = A::Game::mirrored(&seen);
                Some(image.expect("only games with this symmetry are mirrored"))
            }
            false => {
                self.legal.extend(actions.map(|action| action as u32));
                Some(seen)
            }
        };
    }

    /// The place of the root's action with the highest g + ln π + σ(q̂) among those that were tried
    /// `visits` times.
    fn best_of_root(&self, visits: u32, settings: &SearchSettings) -> usize {
        let edges = &self.edges[..self.actions()];
        let completed = CompletedValues::new(edges, self.nodes[0].value, settings.value_scale);
        let scores = self.preferences.iter().zip(edges).map(|(preference, edge)| {
            let considered = edge.visits == visits;
            considered.then(|| preference + completed.sigma(edge))
        });
        highest(scores).expect("an action was tried as often as is planned")
    }

    /// What the search found out.
    pub(super) fn lesson(&self, settings: &SearchSettings) -> Lesson {
        if self.mates_at_once() {
            let share = 1.0 / self.mates.len() as f32;
            let mut policy = vec![0.0; self.actions()];
            self.mates.iter().for_each(|&place| policy[place] = share);
            let chosen = self.mates[0];
            return Lesson { policy, value: 1.0, chosen, by_rule: true, divergence: 0.0 };
        }
        let edges = &self.edges[..self.actions()];
        let mut policy = Vec::with_capacity(edges.len());
        let value = improve(edges, self.nodes[0].value, settings.value_scale, &mut policy);
        let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
        let chosen = self.best_of_root(most, settings);
        let divergence = policy.iter().zip(edges).filter(|(improved, _)| **improved > 0.0);
        let divergence =
            divergence.map(|(improved, edge)| improved * (improved.ln() - edge.log_prior)).sum();
        Lesson { policy, value, chosen, by_rule: false, divergence }
    }
}

/// The place of the action that brings the visits nearest to the improved policy.
fn best_below<M>(
    edges: &[Edge<M>],
    value: f32,
    settings: &SearchSettings,
    policy: &mut Vec<f32>,
) -> usize {
    improve(edges, value, settings.value_scale, policy);
    let visits = 1 + edges.iter().map(|edge| edge.visits).sum::<u32>();
    let lag = |(improved, edge): (&f32, &Edge<M>)| improved - edge.visits as f32 / visits as f32;
    highest(policy.iter().zip(edges).map(lag).map(Some)).expect("a node has an action")
}

/// The place of the highest score; of equals, the first.
fn highest(scores: impl Iterator<Item = Option<f32>>) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (place, score) in scores.enumerate() {
        if let Some(score) = score
            && best.is_none_or(|(_, highest)| score > highest)
        {
            best = Some((place, score));
        }
    }
    best.map(|(place, _)| place)
}

/// The value of a position for its side to move, if the rules know it: the game is over, a position
/// occurs again, or there is a mate in one.
fn value_by_rule<G: Game>(game: &G) -> Option<f32> {
    if let Some(outcome) = game.outcome() {
        return Some(outcome.reward(game.turn()));
    }
    if game.repetitions() > 0 {
        return Some(0.0);
    }
    (!game.position().mating_moves().is_empty()).then_some(1.0)
}

/// What tests look at.
#[cfg(test)]
impl<A: Actions> Tree<A> {
    fn root_edges(&self) -> &[Edge<MoveOf<A>>] {
        &self.edges[..self.actions()]
    }

    pub(super) fn root_visits(&self) -> Vec<u32> {
        self.root_edges().iter().map(|edge| edge.visits).collect()
    }

    pub(super) fn root_priors(&self) -> Vec<f32> {
        self.root_edges().iter().map(|edge| edge.prior).collect()
    }

    /// The completed values of the root's actions.
    pub(super) fn root_values(&self) -> Vec<f32> {
        let completed = CompletedValues::new(self.root_edges(), self.nodes[0].value, 1.0);
        self.root_edges().iter().map(|edge| completed.q(edge)).collect()
    }
}
