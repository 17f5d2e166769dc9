//! One thread of a search: it gathers leaves, looks at them and brings home what it found.

use std::ops::Range;
use std::sync::Mutex;

use keisei_encode::Actions;
use keisei_game::Position;
use keisei_net::{Evaluator, evaluate_mirrored};

use super::evaluations::{Evaluations, Key, Known, Way};
use super::proof::Proof;
use super::settings::{LeafMates, SearchSettings};
use super::shared::{Shared, lock};
use super::tree::{Edge, Path, Reached, Tree};
use super::walk::Walk;
use crate::{Arena, mate_in_one, mate_in_three};

/// A position that has to be looked at.
struct Leaf<M> {
    path: Path<M>,
    /// Whether it has a node.
    has_node: bool,
    finding: Finding<M>,
}

impl<M> Leaf<M> {
    fn new(path: Path<M>, has_node: bool) -> Self {
        Self { path, has_node, finding: Finding::Open { value: 0.0, moves: 0..0 } }
    }
}

/// What a look at a position found.
#[derive(Clone, Debug)]
enum Finding<M> {
    /// The game ends here, by the rules or as good as.
    End { value: f32, proof: Proof },
    /// The side to move mates in so many plies, beginning with this move.
    Mate { mv: M, plies: u16 },
    /// The game goes on: a value, and where the moves lie in the list of all moves found.
    Open { value: f32, moves: Range<usize> },
}

/// A position that the evaluator is asked about: the leaf, and where the numbers of its moves lie.
struct Question {
    leaf: usize,
    key: Key,
    actions: Range<usize>,
}

/// A thread's own things. Its lists are used again and again.
pub(super) struct Worker<'a, G: Arena, E> {
    evaluator: &'a mut E,
    evaluations: &'a Mutex<Evaluations<G::Move>>,
    settings: &'a SearchSettings,
    /// The moves of the root that are searched; none for all.
    root_moves: &'a [G::Move],
    walk: Walk<G>,
    leaves: Vec<Leaf<G::Move>>,
    /// Simulations that met another on its way. They stay under way until the batch is done, so
    /// that the simulations after them go elsewhere.
    collisions: Vec<Path<G::Move>>,
    spare: Vec<Path<G::Move>>,
    /// The moves of all open leaves with their priors.
    moves: Vec<(G::Move, f32)>,
    questions: Vec<Question>,
    observations: Vec<G::Packed>,
    actions: Vec<u32>,
}

impl<'a, G: Arena, E: Evaluator<G::Packed>> Worker<'a, G, E> {
    pub(super) fn new(
        game: &G,
        root_moves: &'a [G::Move],
        evaluator: &'a mut E,
        evaluations: &'a Mutex<Evaluations<G::Move>>,
        settings: &'a SearchSettings,
    ) -> Self {
        Self {
            evaluator,
            evaluations,
            settings,
            root_moves,
            walk: Walk::new(game),
            leaves: Vec::new(),
            collisions: Vec::new(),
            spare: Vec::new(),
            moves: Vec::new(),
            questions: Vec::new(),
            observations: Vec::new(),
            actions: Vec::new(),
        }
    }

    /// Looks at the root, if nobody has. This is no simulation.
    pub(super) fn open_root(&mut self, shared: &Mutex<Shared<G::Move>>) {
        let mut path = Path::default();
        if lock(shared).tree.root().visits > 0 {
            return;
        }
        lock(shared).tree.descend(None, &mut path);
        self.leaves.push(Leaf::new(path, true));
        self.look();
        self.evaluate();
        self.bring_home(&mut lock(shared).tree);
    }

    /// Does a batch of simulations. Whether there was anything to do.
    pub(super) fn step(&mut self, shared: &Mutex<Shared<G::Move>>) -> bool {
        let any = self.gather(&mut lock(shared));
        self.look();
        self.evaluate();
        let mut shared = lock(shared);
        self.bring_home(&mut shared.tree);
        self.leaves.iter().for_each(|leaf| shared.count(&leaf.path));
        any
    }

    /// Begins simulations until a batch of leaves is found.
    fn gather(&mut self, shared: &mut Shared<G::Move>) -> bool {
        self.spare.extend(self.leaves.drain(..).map(|leaf| leaf.path));
        let before = shared.begun;
        let batch = match &shared.halving {
            None => self.settings.batch_after(shared.tree.root().visits),
            // No candidate is tried again before it is known what the last try found.
            Some(halving) => self.settings.most_at_once().min(halving.width()),
        };
        for _ in 0..batch {
            if !shared.may_begin() {
                break;
            }
            let first = match &mut shared.halving {
                None => None,
                Some(halving) => match halving.next(&shared.tree) {
                    None => break,
                    first => first,
                },
            };
            let mut path = self.spare.pop().unwrap_or_default();
            shared.begun += 1;
            match shared.tree.descend(first, &mut path) {
                Reached::New => self.leaves.push(Leaf::new(path, true)),
                Reached::NoRoom => self.leaves.push(Leaf::new(path, false)),
                Reached::Known => {
                    shared.tree.back_up_known(&path);
                    shared.count(&path);
                    self.spare.push(path);
                }
                Reached::Busy => {
                    shared.begun -= 1;
                    self.collisions.push(path);
                    if let Some(halving) = &mut shared.halving {
                        halving.abandoned();
                        break;
                    }
                }
            }
        }
        shared.begun > before
    }

    /// Looks at all leaves: who has won, which moves there are, what the evaluator will see if it
    /// has not seen it before.
    fn look(&mut self) {
        self.moves.clear();
        self.questions.clear();
        self.observations.clear();
        self.actions.clear();
        for place in 0..self.leaves.len() {
            let leaf = &self.leaves[place];
            self.walk.go_to(&leaf.path.moves);
            let is_root = leaf.path.moves.is_empty();
            let found = if is_root { None } else { finding(&self.walk, self.settings) };
            self.leaves[place].finding = found.unwrap_or_else(|| self.open(place, is_root));
        }
    }

    /// Looks at the leaf at `place`, where the walk stands and the game goes on.
    fn open(&mut self, place: usize, is_root: bool) -> Finding<G::Move> {
        let game = self.walk.game();
        let first = self.moves.len();
        if self.evaluator.knows_nothing() {
            self.list_moves(is_root);
            return Finding::Open { value: 0.0, moves: first..self.moves.len() };
        }
        let observation = game.pack();
        let key = Key::of(G::shown(&observation));
        // The root may be searched by some of its moves only.
        if !is_root && let Some(known) = lock(self.evaluations).get(key) {
            self.moves.extend_from_slice(&known.moves);
            return Finding::Open { value: known.value, moves: first..self.moves.len() };
        }
        let turn = game.turn();
        self.list_moves(is_root);
        let moves = first..self.moves.len();
        let number = |&(mv, _): &(G::Move, f32)| <G::Actions as Actions>::index(turn, mv) as u32;
        let first_action = self.actions.len();
        self.actions.extend(self.moves[moves.clone()].iter().map(number));
        let actions = first_action..self.actions.len();
        self.observations.push(observation);
        self.questions.push(Question { leaf: place, key, actions });
        Finding::Open { value: 0.0, moves }
    }

    /// Lists the moves where the walk stands, all alike.
    fn list_moves(&mut self, is_root: bool) {
        let legal = self.walk.game().position().legal_moves();
        let chosen = is_root && !self.root_moves.is_empty();
        let moves = if chosen { self.root_moves } else { legal.as_ref() };
        let even = 1.0 / moves.len() as f32;
        self.moves.extend(moves.iter().map(|&mv| (mv, even)));
    }

    /// Asks the evaluator all questions.
    fn evaluate(&mut self) {
        if self.questions.is_empty() {
            return;
        }
        let actions = self.questions.iter().map(|question| &self.actions[question.actions.clone()]);
        let legal: Vec<_> = actions.collect();
        let Way { mirror, policy_temperature } = lock(self.evaluations).way();
        let evaluations = match mirror {
            false => self.evaluator.evaluate(&self.observations, &legal),
            true => evaluate_mirrored::<G::Actions>(self.evaluator, &self.observations, &legal),
        };
        for (question, evaluation) in self.questions.iter().zip(evaluations) {
            let leaf = &mut self.leaves[question.leaf];
            let Finding::Open { value, moves } = &mut leaf.finding else { continue };
            *value = evaluation.value;
            let moves = &mut self.moves[moves.clone()];
            let policy = tempered(evaluation.policy, policy_temperature);
            for ((_, prior), probability) in moves.iter_mut().zip(policy) {
                *prior = probability;
            }
            moves.sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
            if !leaf.path.moves.is_empty() {
                let known = Known { value: *value, moves: (&*moves).into() };
                let forgotten = lock(self.evaluations).keep(question.key, known);
                // Not before others may go on.
                drop(forgotten);
            }
        }
    }

    /// Adds what was found to the tree.
    fn bring_home(&mut self, tree: &mut Tree<G::Move>) {
        for path in &self.collisions {
            tree.abandon(path);
        }
        self.spare.append(&mut self.collisions);
        for leaf in &self.leaves {
            bring_home(tree, leaf, &self.moves);
        }
    }
}

/// Probabilities whose logits are divided by `temperature`.
fn tempered(mut policy: Vec<f32>, temperature: f32) -> Vec<f32> {
    if temperature == 1.0 {
        return policy;
    }
    let most = policy.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    policy
        .iter_mut()
        .for_each(|probability| *probability = (*probability / most).powf(1.0 / temperature));
    let total: f32 = policy.iter().sum();
    policy.iter_mut().for_each(|probability| *probability /= total);
    policy
}

/// What is found where the walk stands, which is not the root, unless the game simply goes on.
fn finding<G: Arena>(walk: &Walk<G>, settings: &SearchSettings) -> Option<Finding<G::Move>> {
    let game = walk.game();
    if let Some(outcome) = game.outcome() {
        let value = outcome.reward(game.turn());
        let proof = match outcome.winner() {
            None => Proof::UNKNOWN,
            Some(winner) if winner == game.turn() => Proof::win(0),
            Some(_) => Proof::loss(0),
        };
        return Some(Finding::End { value, proof });
    }
    if let Some(value) = walk.repetition(settings.history_repeats) {
        return Some(Finding::End { value, proof: Proof::UNKNOWN });
    }
    let position = game.position();
    match settings.leaf_mates {
        LeafMates::Off => None,
        LeafMates::One => mate_in_one::<G>(position).map(|mv| Finding::Mate { mv, plies: 1 }),
        LeafMates::Three => mate_in_three::<G>(position).map(|mv| {
            let plies = if position.mates(mv) { 1 } else { 3 };
            Finding::Mate { mv, plies }
        }),
    }
}

/// Adds what was found at a leaf to the tree.
fn bring_home<M: Copy + PartialEq>(tree: &mut Tree<M>, leaf: &Leaf<M>, moves: &[(M, f32)]) {
    let path = &leaf.path;
    let value = match &leaf.finding {
        Finding::End { value, .. } | Finding::Open { value, .. } => *value,
        Finding::Mate { .. } => 1.0,
    };
    if !leaf.has_node {
        tree.back_up(path, -value);
        return;
    }
    match &leaf.finding {
        Finding::End { proof, .. } if proof.is_known() => tree.prove(path, *proof),
        Finding::End { .. } => (),
        Finding::Mate { mv, plies } => {
            tree.expand(path, [Edge::new(*mv, 1.0)].into_iter());
            tree.prove_win(path, *mv, *plies);
        }
        Finding::Open { moves: range, .. } => {
            let edges = moves[range.clone()].iter();
            tree.expand(path, edges.map(|&(mv, prior)| Edge::new(mv, prior)));
        }
    }
    tree.back_up(path, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_temperature_divides_the_logits() {
        let logits = [2.0, 0.0, -1.0_f32];
        let softmax = |temperature: f32| {
            let weights = logits.map(|logit| (logit / temperature).exp());
            weights.map(|weight| weight / weights.iter().sum::<f32>())
        };
        for temperature in [0.5, 1.0, 2.5] {
            let policy = tempered(softmax(1.0).to_vec(), temperature);
            let expected = softmax(temperature);
            assert!(policy.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-6));
        }
        assert_eq!(tempered(vec![0.0, 1.0], 4.0), [0.0, 1.0]);
    }
}
