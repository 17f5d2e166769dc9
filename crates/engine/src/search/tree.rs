//! The tree of a search: nodes in one list, their moves in another; and PUCT, by which a simulation
//! goes down it.
//!
//! A node is 32 bytes and its moves lie side by side, best prior first. Moves that were never tried
//! differ by their priors alone, so that choosing looks only at those tried and the next one. The
//! tree knows nothing of clocks, limits and evaluators.

use std::num::NonZeroU32;
use std::ops::Range;

use super::proof::Proof;

/// The numbers of PUCT.
#[derive(Clone, Copy, Debug)]
pub(super) struct Puct {
    /// The weight of the priors in a young node.
    pub(super) exploration: f32,
    /// What is taken from a node's value for a move that was never tried, when all the rest of the
    /// policy was: the first-play urgency.
    pub(super) fpu_reduction: f32,
    /// The same for the root.
    pub(super) root_fpu_reduction: f32,
}

/// The place of a node in its list. The root is the first, and never a child.
type Place = u32;

const ROOT: Place = 0;

/// A position that was reached, with what is thought of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// The sum of all values backed up, for the side to move here.
    total: f64,
    /// Their mean, kept because choosing reads it far more often than it changes.
    mean: f32,
    /// How many simulations came through. 0 while the node waits to be looked at.
    pub(super) visits: u32,
    /// The share of the policy that was tried.
    tried: f32,
    first_edge: u32,
    edge_count: u16,
    /// How far into the moves any was tried.
    reach: u16,
    /// How many simulations are under way through here.
    in_flight: u16,
    pub(super) proof: Proof,
}

impl Node {
    /// What the position is worth to the side to move.
    pub(super) fn value(&self) -> f32 {
        if self.proof.is_known() { self.proof.value() } else { self.mean }
    }

    fn edges(&self) -> Range<usize> {
        let first = self.first_edge as usize;
        first..first + usize::from(self.edge_count)
    }
}

/// A move from a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<M> {
    pub(super) mv: M,
    prior: Prior,
    child: Option<NonZeroU32>,
}

impl<M> Edge<M> {
    pub(super) fn new(mv: M, prior: f32) -> Self {
        Self { mv, prior: Prior::new(prior), child: None }
    }

    pub(super) fn prior(&self) -> f32 {
        self.prior.get()
    }
}

/// A probability in two bytes: the upper half of an `f32`. Moves are most of a tree's memory.
#[derive(Clone, Copy, Debug)]
struct Prior(u16);

impl Prior {
    fn new(probability: f32) -> Self {
        Self(((probability.to_bits() + 0x8000) >> 16) as u16)
    }

    fn get(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }
}

/// The nodes that a simulation went through, from the root, and the moves it made.
#[derive(Clone, Debug)]
pub(super) struct Path<M> {
    nodes: Vec<Place>,
    pub(super) moves: Vec<M>,
}

impl<M> Default for Path<M> {
    fn default() -> Self {
        Self { nodes: Vec::new(), moves: Vec::new() }
    }
}

/// Where a simulation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// A new node, which has to be looked at.
    New,
    /// A position for which there is no room: its move was made, but it has no node.
    NoRoom,
    /// A node whose value is known for good.
    Known,
    /// A node that another simulation is looking at.
    Busy,
}

/// The tree.
#[derive(Debug)]
pub(super) struct Tree<M> {
    nodes: Vec<Node>,
    edges: Vec<Edge<M>>,
    /// How many bytes it may use before it stops growing.
    room: usize,
    puct: Puct,
}

impl<M: Copy + PartialEq> Tree<M> {
    /// A tree of a root that nobody has looked at.
    pub(super) fn new(room: usize, puct: Puct) -> Self {
        Self { nodes: vec![Node::default()], edges: Vec::new(), room, puct }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(self.room, self.puct);
    }

    /// Sets what [`Tree::new`] was given.
    pub(super) fn set(&mut self, room: usize, puct: Puct) {
        (self.room, self.puct) = (room, puct);
    }

    pub(super) fn root(&self) -> &Node {
        &self.nodes[ROOT as usize]
    }

    /// The moves of the root.
    pub(super) fn root_edges(&self) -> &[Edge<M>] {
        &self.edges[self.root().edges()]
    }

    /// The moves of `node`.
    pub(super) fn edges_of(&self, node: &Node) -> &[Edge<M>] {
        &self.edges[node.edges()]
    }

    /// Where `edge` leads, if that was tried.
    pub(super) fn child(&self, edge: &Edge<M>) -> Option<&Node> {
        edge.child.map(|child| &self.nodes[child.get() as usize])
    }

    fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.edges.len() * size_of::<Edge<M>>()
    }

    /// How much of the room is used, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        (self.bytes() as u128 * 1000 / self.room.max(1) as u128).min(1000) as u32
    }

    /// Goes from the root to where there is something to learn, by way of the root's move at
    /// `first` if one is given. Every node on the way counts one more simulation under way.
    pub(super) fn descend(&mut self, first: Option<usize>, path: &mut Path<M>) -> Reached {
        path.nodes.clear();
        path.moves.clear();
        let (mut place, mut first) = (ROOT, first);
        loop {
            path.nodes.push(place);
            let node = &mut self.nodes[place as usize];
            node.in_flight += 1;
            if node.visits == 0 {
                return if node.in_flight == 1 { Reached::New } else { Reached::Busy };
            }
            if node.edge_count == 0 || (node.proof.is_known() && place != ROOT) {
                return Reached::Known;
            }
            let choice = first.take().unwrap_or_else(|| self.choose(place));
            let edge = self.nodes[place as usize].first_edge as usize + choice;
            path.moves.push(self.edges[edge].mv);
            place = match self.edges[edge].child {
                Some(child) => child.get(),
                None if self.bytes() >= self.room => return Reached::NoRoom,
                None => self.open(place, choice),
            };
        }
    }

    /// The move of a node to be tried next.
    fn choose(&self, place: Place) -> usize {
        let node = &self.nodes[place as usize];
        let edges = &self.edges[node.edges()];
        // This simulation itself is under way too, and the first visit tried no move.
        let visits = (node.visits + u32::from(node.in_flight)).saturating_sub(2);
        let Puct { exploration, fpu_reduction, root_fpu_reduction } = self.puct;
        let weight = prior_weight(exploration, visits as f32);
        let reduction = if place == ROOT { root_fpu_reduction } else { fpu_reduction };
        let untried = first_play(node.mean, node.tried, reduction);
        let (mut best, mut best_score) = (0, f32::NEG_INFINITY);
        let seen = edges.len().min(usize::from(node.reach) + 1);
        for (choice, edge) in edges[..seen].iter().enumerate() {
            let (value, tries) = match edge.child {
                None => (untried, 0),
                Some(child) => {
                    let child = &self.nodes[child.get() as usize];
                    if child.proof.is_win() {
                        continue;
                    }
                    let value = if child.visits == 0 { untried } else { -child.value() };
                    (value, child.visits + u32::from(child.in_flight))
                }
            };
            let score = value + weight * edge.prior.get() / (1 + tries) as f32;
            if score > best_score {
                (best, best_score) = (choice, score);
            }
        }
        best
    }

    /// Gives the move `choice` of a node a node of its own.
    fn open(&mut self, place: Place, choice: usize) -> Place {
        let child = self.nodes.len() as Place;
        let node = &mut self.nodes[place as usize];
        let edge = &mut self.edges[node.first_edge as usize + choice];
        edge.child = NonZeroU32::new(child);
        node.tried += edge.prior.get();
        node.reach = node.reach.max(choice as u16 + 1);
        self.nodes.push(Node::default());
        child
    }

    /// Gives the last node of `path`, which has no moves yet, its moves, the best prior first.
    pub(super) fn expand(&mut self, path: &Path<M>, edges: impl Iterator<Item = Edge<M>>) {
        let first = self.edges.len();
        self.edges.extend(edges);
        let count = self.edges.len() - first;
        let node = self.last_mut(path);
        (node.first_edge, node.edge_count) = (first as u32, count as u16);
    }

    fn last_mut(&mut self, path: &Path<M>) -> &mut Node {
        let place = path.nodes.last().copied().unwrap_or(ROOT);
        &mut self.nodes[place as usize]
    }

    /// Notes at the last node of `path` that `mv`, one of its moves, wins by force in `plies`.
    pub(super) fn prove_win(&mut self, path: &Path<M>, mv: M, plies: u16) {
        let place = path.nodes.last().copied().unwrap_or(ROOT);
        let edges = self.nodes[place as usize].edges();
        let Some(choice) = self.edges[edges].iter().position(|edge| edge.mv == mv) else { return };
        let edge = self.nodes[place as usize].first_edge as usize + choice;
        let child = match self.edges[edge].child {
            Some(child) => child.get(),
            None => self.open(place, choice),
        };
        let child = &mut self.nodes[child as usize];
        child.proof = Proof::loss(plies - 1);
        if child.visits == 0 {
            (child.visits, child.total, child.mean) = (1, -1.0, -1.0);
        }
        self.prove(path, Proof::win(plies));
    }

    /// Notes what is known of the last node of `path`, and all that follows for those before it.
    pub(super) fn prove(&mut self, path: &Path<M>, proof: Proof) {
        self.last_mut(path).proof = proof;
        for &place in path.nodes.iter().rev().skip(1) {
            let node = &self.nodes[place as usize];
            let children = self.edges[node.edges()].iter();
            let follows = Proof::from_children(
                children.map(|edge| self.child(edge).map(|child| child.proof)),
            );
            if !follows.is_known() || follows == node.proof {
                return;
            }
            self.nodes[place as usize].proof = follows;
        }
    }

    /// Adds `value`, for the side to move at the last node of `path`, to all its nodes.
    pub(super) fn back_up(&mut self, path: &Path<M>, value: f32) {
        let mut value = f64::from(value);
        for &place in path.nodes.iter().rev() {
            let node = &mut self.nodes[place as usize];
            node.in_flight -= 1;
            node.visits += 1;
            node.total += value;
            node.mean = (node.total / f64::from(node.visits)) as f32;
            value = -value;
        }
    }

    /// Backs up what is known of the last node of `path` for good.
    pub(super) fn back_up_known(&mut self, path: &Path<M>) {
        let value = self.last_mut(path).value();
        self.back_up(path, value);
    }

    /// Takes a simulation back that came to nothing.
    pub(super) fn abandon(&mut self, path: &Path<M>) {
        for &place in &path.nodes {
            self.nodes[place as usize].in_flight -= 1;
        }
    }

    /// Makes the position after `moves` the root and forgets all that cannot be reached from it.
    /// If that position was never looked at, or the game ended there, nothing is left.
    pub(super) fn advance(&mut self, moves: &[M]) {
        if moves.is_empty() && self.root().edge_count > 0 {
            return;
        }
        let root = moves.iter().try_fold(ROOT, |place, mv| {
            let edges = &self.edges[self.nodes[place as usize].edges()];
            let edge = edges.iter().find(|edge| edge.mv == *mv)?;
            edge.child.map(NonZeroU32::get)
        });
        match root.filter(|&place| self.nodes[place as usize].edge_count > 0) {
            Some(place) => self.keep_only(place),
            None => self.clear(),
        }
    }

    /// Copies what can be reached from `root` to new lists, level by level.
    fn keep_only(&mut self, root: Place) {
        let mut kept = Self { nodes: Vec::new(), edges: Vec::new(), ..*self };
        let mut places = vec![root];
        let mut next = 0;
        while let Some(&place) = places.get(next) {
            let mut node = self.nodes[place as usize];
            let first_edge = kept.edges.len() as u32;
            for edge in &self.edges[node.edges()] {
                let mut edge = *edge;
                if let Some(child) = edge.child {
                    edge.child = NonZeroU32::new(places.len() as Place);
                    places.push(child.get());
                }
                kept.edges.push(edge);
            }
            node.first_edge = first_edge;
            kept.nodes.push(node);
            next += 1;
        }
        *self = kept;
    }
}

/// The weight of the prior of a node whose moves were tried `visits` times: it grows slowly, so
/// that a large search doubts its network more.
fn exploration_after(exploration: f32, visits: f32) -> f32 {
    const BASE: f32 = 19652.0;
    ((1.0 + visits + BASE) / BASE).ln() + exploration
}

/// By what the prior of a move is multiplied and its tries plus one divide: see
/// [`exploration_after`].
fn prior_weight(exploration: f32, visits: f32) -> f32 {
    exploration_after(exploration, visits) * visits.max(1.0).sqrt()
}

/// What a move that was never tried is taken to be worth, in a node worth `value` where moves with
/// the share `tried` of the policy were tried: the more was tried, the less is hoped of the rest.
fn first_play(value: f32, tried: f32, reduction: f32) -> f32 {
    value - reduction * tried.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exploration_grows_by_the_logarithm_of_the_visits() {
        assert!((exploration_after(1.25, 0.0) - 1.250_05).abs() < 1e-4);
        // ln((1 + 19651 + 19652) / 19652) = ln 2
        assert!((exploration_after(1.25, 19651.0) - (1.25 + std::f32::consts::LN_2)).abs() < 1e-4);
    }

    #[test]
    fn the_prior_counts_before_the_first_visit() {
        assert!((prior_weight(1.25, 0.0) - 1.250_05).abs() < 1e-4);
        assert!((prior_weight(1.25, 4.0) / exploration_after(1.25, 4.0) - 2.0).abs() < 1e-6);
    }

    #[test]
    fn what_was_never_tried_is_worth_less_the_more_was_tried() {
        assert_eq!(first_play(0.3, 0.0, 0.2), 0.3);
        assert!((first_play(0.3, 0.25, 0.2) - 0.2).abs() < 1e-6);
        assert!((first_play(0.3, 1.0, 0.2) - 0.1).abs() < 1e-6);
        assert_eq!(first_play(0.3, 1.0, 0.0), 0.3);
    }

    #[test]
    fn a_root_without_reduction_tries_moves_sooner() {
        // Two moves, the first far likelier: after one visit worth as much as the root.
        let tried = |root_fpu_reduction| {
            let puct = Puct { exploration: 1.25, fpu_reduction: 0.2, root_fpu_reduction };
            let mut tree = Tree::new(1 << 20, puct);
            let mut path = Path::default();
            tree.descend(None, &mut path);
            tree.expand(&path, [Edge::new('a', 0.9), Edge::new('b', 0.1)].into_iter());
            tree.back_up(&path, 0.0);
            for visits in 1..100 {
                tree.descend(None, &mut path);
                if path.moves == ['b'] {
                    return visits;
                }
                tree.back_up(&path, 0.0);
            }
            100
        };
        assert!(tried(0.0) < tried(0.5), "{} {}", tried(0.0), tried(0.5));
    }
}
