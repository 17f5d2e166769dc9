//! The search tree of one game.

use std::iter::successors;
use std::ops::Range;

use keisei_encode::{Actions, Encode, Observation};
use keisei_game::{Game, Position, Rules, SplitMix64};

use super::improve::{Improvement, Trial};
use super::{Lesson, SearchSettings};

type MoveOf<A> = <<A as Actions>::Game as Game>::Move;

/// Marks a move that was tried among the probabilities of those that were not.
const TRIED: f32 = -1.0;

/// A position to search from.
#[derive(Clone, Copy, Debug)]
pub struct Root<'a, A: Actions> {
    /// The game, which is not over.
    pub game: &'a A::Game,
    /// Whether the network sees it in a mirror.
    pub mirrored: bool,
}

/// The search tree of one game. Its memory is used again for every move, but for the game itself,
/// which is copied.
pub(super) struct Tree<A: Actions> {
    game: A::Game,
    mirrored: bool,
    /// The root first.
    nodes: Vec<Node>,
    /// The moves of all nodes, one node after the other.
    moves: Vec<MoveOf<A>>,
    /// The network's probability of each move that was not tried, [`TRIED`] for the others: only few
    /// moves are tried at all, so that what is known of them lies elsewhere.
    untried: Vec<f32>,
    /// The moves that were tried.
    branches: Vec<Branch>,
    /// g + ln π of each move of the root, or g alone until the network has spoken.
    preferences: Vec<f32>,
    /// The places of the root's moves that mate.
    mates: Vec<usize>,
    /// The branches of the last simulation, from the root.
    path: Vec<usize>,
    /// What waits for the network: the last node.
    leaf: Option<Observation<A>>,
    /// The legal actions there as the network sees them.
    legal: Vec<u32>,
}

/// A position of the tree.
struct Node {
    /// Where its moves lie. None, if the rules know its value.
    moves: Range<usize>,
    /// Its value for the side to move, by the rules or by the network.
    value: f32,
    /// The move that was tried last for the first time.
    branch: Option<usize>,
}

/// A move that was tried.
struct Branch {
    /// Its place among the moves of all nodes.
    place: usize,
    trial: Trial,
    /// The node that it leads to.
    child: usize,
    /// The move of the same node that was tried for the first time before.
    earlier: Option<usize>,
}

/// What a simulation goes on with.
#[derive(Clone, Copy)]
enum Choice {
    /// A branch.
    Tried(usize),
    /// A move, by its place among those of all nodes.
    Untried(usize),
}

impl<A: Actions> Tree<A> {
    pub(super) fn new() -> Self {
        Self {
            game: A::Game::new_with(Rules::LEARNING),
            mirrored: false,
            nodes: Vec::new(),
            moves: Vec::new(),
            untried: Vec::new(),
            branches: Vec::new(),
            preferences: Vec::new(),
            mates: Vec::new(),
            path: Vec::new(),
            leaf: None,
            legal: Vec::new(),
        }
    }

    /// Begins a new search. Unless there is a mate in one, the root waits for the network.
    pub(super) fn plant(&mut self, root: &Root<'_, A>, mirror: &[u32], rng: &mut SplitMix64) {
        self.game = root.game.clone();
        self.mirrored = root.mirrored;
        self.nodes.clear();
        self.moves.clear();
        self.untried.clear();
        self.branches.clear();
        self.path.clear();
        self.add_node();
        let mating = self.game.position().mating_moves();
        let mates = |place: &usize| mating.contains(&self.moves[*place]);
        self.mates.clear();
        self.mates.extend((0..self.moves.len()).filter(mates));
        self.preferences.clear();
        self.preferences.extend(self.moves.iter().map(|_| rng.gumbel()));
        if !self.mates_at_once() {
            self.observe(mirror);
        }
    }

    /// Whether there is a mate in one at the root, so that there is nothing to search.
    pub(super) fn mates_at_once(&self) -> bool {
        !self.mates.is_empty()
    }

    /// How many moves the root has.
    pub(super) fn root_moves(&self) -> usize {
        self.preferences.len()
    }

    /// What waits for the network: the observation and the legal actions.
    pub(super) fn leaf(&self) -> Option<(Observation<A>, &[u32])> {
        self.leaf.map(|observation| (observation, &*self.legal))
    }

    /// Adds a node for the position that the game stands in, which the rules leave open.
    fn add_node(&mut self) {
        let first = self.moves.len();
        self.moves.extend_from_slice(self.game.position().legal_moves().as_ref());
        let moves = first..self.moves.len();
        self.untried.resize(moves.end, 0.0);
        self.nodes.push(Node { moves, value: 0.0, branch: None });
    }

    /// Takes what the network says of the leaf.
    pub(super) fn expand(&mut self, logits: &[f32], value: f32, settings: &SearchSettings) {
        self.leaf = None;
        let node = self.nodes.last_mut().expect("there is a root");
        node.value = value;
        let priors = &mut self.untried[node.moves.clone()];
        assert_eq!(priors.len(), logits.len(), "one logit a legal move");
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let log_weight = |logit: f32| (logit - largest) / settings.policy_temperature;
        let mut total = 0.0;
        for (prior, &logit) in priors.iter_mut().zip(logits) {
            *prior = log_weight(logit).exp();
            total += *prior;
        }
        priors.iter_mut().for_each(|prior| *prior /= total);
        if self.nodes.len() == 1 {
            let log_total = total.ln();
            let preferences = self.preferences.iter_mut().zip(logits);
            preferences.for_each(|(sum, &logit)| *sum += log_weight(logit) - log_total);
        }
        self.back_up(value, settings.gamma);
    }

    /// Takes the value of the last simulation's leaf back to the root.
    fn back_up(&mut self, mut value: f32, gamma: f32) {
        for &branch in self.path.iter().rev() {
            value *= -gamma;
            let trial = &mut self.branches[branch].trial;
            trial.total += value;
            trial.visits += 1;
        }
    }

    /// Goes to a leaf, beginning with the best move of the root that was tried `visits` times. If
    /// the rules know its value, the simulation is done; otherwise it waits for the network.
    pub(super) fn simulate(&mut self, visits: u32, settings: &SearchSettings, mirror: &[u32]) {
        self.path.clear();
        let (mut node, mut choice) = (0, self.best_of_root(visits, settings));
        let known = loop {
            match choice {
                Choice::Untried(place) => {
                    self.grow(node, place);
                    break self.add_leaf(mirror);
                }
                Choice::Tried(branch) => {
                    self.path.push(branch);
                    let Branch { place, child, .. } = self.branches[branch];
                    self.game.play_unchecked(self.moves[place]);
                    let Node { moves, value, .. } = &self.nodes[child];
                    if moves.is_empty() {
                        break Some(*value);
                    }
                    node = child;
                    choice = self.best_below(node, settings);
                }
            }
        };
        for _ in 0..self.path.len() {
            self.game.undo();
        }
        if let Some(value) = known {
            self.back_up(value, settings.gamma);
        }
    }

    /// Plays a move of `node` for the first time. The next node is where it leads.
    fn grow(&mut self, node: usize, place: usize) {
        let prior = std::mem::replace(&mut self.untried[place], TRIED);
        let trial = Trial { prior, visits: 0, total: 0.0 };
        let earlier = self.nodes[node].branch.replace(self.branches.len());
        self.path.push(self.branches.len());
        self.branches.push(Branch { place, trial, child: self.nodes.len(), earlier });
        self.game.play_unchecked(self.moves[place]);
    }

    /// Adds a node where the game stands, and gives its value if the rules know it.
    fn add_leaf(&mut self, mirror: &[u32]) -> Option<f32> {
        let known = value_by_rule(&self.game);
        match known {
            Some(value) => self.nodes.push(Node { moves: 0..0, value, branch: None }),
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
        let actions = self.moves[node.moves.clone()].iter().map(|&mv| A::index(turn, mv));
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

    /// The moves of a node that were tried, the last first.
    fn branches_of(&self, node: usize) -> impl Iterator<Item = (usize, &Branch)> + Clone {
        let numbers = successors(self.nodes[node].branch, |&branch| self.branches[branch].earlier);
        numbers.map(|branch| (branch, &self.branches[branch]))
    }

    /// The moves of a node that were not tried.
    fn untried_of(&self, node: usize) -> Untried {
        Untried::among(&self.untried[self.nodes[node].moves.clone()])
    }

    /// What the trials of a node say of its moves.
    fn improve(&self, node: usize, untried: &Untried, settings: &SearchSettings) -> Improvement {
        let trials = self.branches_of(node).map(|(_, branch)| &branch.trial);
        let untried = untried.best.map(|_| untried.probability);
        Improvement::new(trials, untried, self.nodes[node].value, settings.value_scale)
    }

    /// The root's move with the highest g + ln π + σ(q̂) among those that were tried `visits` times.
    fn best_of_root(&self, visits: u32, settings: &SearchSettings) -> Choice {
        let best = match visits {
            // All that were not tried have the same q̂.
            0 => {
                let moves = self.preferences.iter().zip(&self.untried).enumerate();
                let moves = moves.filter(|(_, (_, untried))| **untried != TRIED);
                let scores = moves.map(|(place, (score, _))| (Choice::Untried(place), *score));
                highest(scores)
            }
            _ => {
                let improved = self.improve(0, &self.untried_of(0), settings);
                let moves = self.branches_of(0).filter(|(_, b)| b.trial.visits == visits);
                let score = |b: &Branch| self.preferences[b.place] + improved.sigma(&b.trial);
                highest(moves.map(|(number, branch)| (Choice::Tried(number), score(branch))))
            }
        };
        best.expect("a move was tried as often as is planned")
    }

    /// The move of a node that brings the visits nearest to the improved policy.
    fn best_below(&self, node: usize, settings: &SearchSettings) -> Choice {
        let untried = self.untried_of(node);
        let improved = self.improve(node, &untried, settings);
        let visits = (1 + improved.visits) as f32;
        let tried = self.branches_of(node).map(|(number, Branch { trial, .. })| {
            let lag = improved.probability(trial) - trial.visits as f32 / visits;
            (Choice::Tried(number), lag)
        });
        let untried = untried.best.map(|place| {
            let place = self.nodes[node].moves.start + place;
            (Choice::Untried(place), self.untried[place] * improved.log_factor(None).exp())
        });
        highest(untried.into_iter().chain(tried)).expect("a node has a move")
    }

    /// What the search found out.
    pub(super) fn lesson(&self, settings: &SearchSettings) -> Lesson {
        if self.mates_at_once() {
            let share = 1.0 / self.mates.len() as f32;
            let mut policy = vec![0.0; self.root_moves()];
            self.mates.iter().for_each(|&place| policy[place] = share);
            let chosen = self.mates[0];
            return Lesson { policy, value: 1.0, chosen, by_rule: true, divergence: 0.0 };
        }
        let priors = &self.untried[..self.root_moves()];
        let untried = self.untried_of(0);
        let improved = self.improve(0, &untried, settings);
        let log_factor = improved.log_factor(None);
        let factor = log_factor.exp();
        let mut policy: Vec<_> = priors.iter().map(|prior| prior * factor).collect();
        let mut divergence = match untried.best {
            Some(_) => untried.probability * factor * log_factor,
            None => 0.0,
        };
        let mut most = 0;
        for (_, Branch { place, trial, .. }) in self.branches_of(0) {
            policy[*place] = improved.probability(trial);
            divergence += policy[*place] * improved.log_factor(Some(trial));
            most = most.max(trial.visits);
        }
        let (Choice::Untried(chosen) | Choice::Tried(chosen)) = self.best_of_root(most, settings);
        let chosen = if most > 0 { self.branches[chosen].place } else { chosen };
        Lesson { policy, value: improved.value, chosen, by_rule: false, divergence }
    }
}

/// The moves of a node that were not tried.
struct Untried {
    /// Their probability, together.
    probability: f32,
    /// The place of the likeliest of them. None, if there are no such moves.
    best: Option<usize>,
}

impl Untried {
    /// Those among the moves of a node with these probabilities.
    fn among(priors: &[f32]) -> Self {
        const LANES: usize = 8;
        // In lanes, so that vector instructions do it.
        let (mut sums, mut best) = ([0.0_f32; LANES], [TRIED; LANES]);
        let mut add = |priors: &[f32]| {
            for ((sum, best), &prior) in sums.iter_mut().zip(&mut best).zip(priors) {
                *sum += if prior > 0.0 { prior } else { 0.0 };
                *best = if prior > *best { prior } else { *best };
            }
        };
        let whole = priors.chunks_exact(LANES);
        add(whole.remainder());
        whole.for_each(add);
        let best = best.into_iter().fold(TRIED, f32::max);
        let is_there = best != TRIED;
        let place = || priors.iter().position(|&prior| prior == best);
        Self { probability: sums.iter().sum(), best: is_there.then(place).flatten() }
    }
}

/// What has the highest score; of equals, the first.
fn highest<T>(scores: impl Iterator<Item = (T, f32)>) -> Option<T> {
    let higher = |best: (T, f32), next: (T, f32)| if next.1 > best.1 { next } else { best };
    scores.reduce(higher).map(|(what, _)| what)
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
    /// Something of each of the root's moves: of those that were tried, and of the others.
    fn of_root<T>(&self, tried: impl Fn(&Trial) -> T, untried: impl Fn(f32) -> T) -> Vec<T> {
        let mut all: Vec<_> =
            self.untried[..self.root_moves()].iter().map(|&prior| untried(prior)).collect();
        self.branches_of(0).for_each(|(_, branch)| all[branch.place] = tried(&branch.trial));
        all
    }

    pub(super) fn root_visits(&self) -> Vec<u32> {
        self.of_root(|trial| trial.visits, |_| 0)
    }

    pub(super) fn root_priors(&self) -> Vec<f32> {
        self.of_root(|trial| trial.prior, |prior| prior)
    }

    /// The completed values of the root's moves.
    pub(super) fn root_values(&self, settings: &SearchSettings) -> Vec<f32> {
        let improved = self.improve(0, &self.untried_of(0), settings);
        self.of_root(Trial::q, |_| improved.mixed)
    }
}
