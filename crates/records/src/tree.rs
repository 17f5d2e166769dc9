//! A game with its variations: the tree of a record.

mod edit;
mod navigate;

use std::fmt;

pub use edit::EditError;
use keisei_game::{Outcome, Position, Rules, Side};

use crate::{Ending, Headers, Notes, Recorded};

/// The name of a node in its record. It stays valid until the node is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The start position of every record.
    pub const ROOT: Self = Self(0);

    /// The number by which programs outside name the node: see [`Record::numbered`].
    pub const fn number(self) -> u32 {
        self.0
    }

    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What leads from one node to the next: a move, or the mark that ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step<M> {
    /// A move.
    Move(M),
    /// The line ends here. Nothing follows an ending; other moves may stand beside it.
    End(Ending),
}

impl<M: Copy> Step<M> {
    /// The move, if this is one.
    pub const fn mv(&self) -> Option<M> {
        match *self {
            Self::Move(mv) => Some(mv),
            Self::End(_) => None,
        }
    }

    /// The ending, if this is one.
    pub const fn ending(&self) -> Option<Ending> {
        match *self {
            Self::Move(_) => None,
            Self::End(ending) => Some(ending),
        }
    }
}

/// A node: the step that led to it, what is noted about it, and where it goes on.
#[derive(Clone, Debug)]
pub struct Node<M> {
    /// The parent and the step from it: `None` at the start position.
    origin: Option<(NodeId, Step<M>)>,
    /// The continuations, the main one first.
    children: Vec<NodeId>,
    /// Which continuation was visited last.
    active: usize,
    /// The moves from the start to here. An ending counts like a move.
    ply: usize,
    /// What is noted here.
    pub notes: Notes<M>,
}

impl<M: Copy> Node<M> {
    /// The node before this one: `None` at the start.
    pub fn parent(&self) -> Option<NodeId> {
        self.origin.map(|(parent, _)| parent)
    }

    /// The step that led here: `None` at the start.
    pub fn step(&self) -> Option<Step<M>> {
        self.origin.map(|(_, step)| step)
    }

    /// The move that led here, if a move did.
    pub fn mv(&self) -> Option<M> {
        self.step()?.mv()
    }

    /// The ending that stands here, if one does.
    pub fn ending(&self) -> Option<Ending> {
        self.step()?.ending()
    }

    /// The continuations, the main one first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// How many steps lie between the start and here.
    pub fn ply(&self) -> usize {
        self.ply
    }
}

/// A record of a game: a start position, headers, and a tree of moves with notes. A cursor stands
/// at one node.
pub struct Record<G: Recorded> {
    start: G::Position,
    /// Players, event, dates and whatever else heads the record.
    pub headers: Headers,
    nodes: Vec<Node<G::Move>>,
    current: NodeId,
    position: G::Position,
}

impl<G: Recorded> Record<G> {
    /// An empty record from the standard start.
    pub fn new() -> Self {
        Self::from_position(G::new().start().clone())
    }

    /// An empty record from `start`.
    pub fn from_position(start: G::Position) -> Self {
        let root =
            Node { origin: None, children: Vec::new(), active: 0, ply: 0, notes: Notes::default() };
        let position = start.clone();
        Self {
            start,
            headers: Headers::default(),
            nodes: vec![root],
            current: NodeId::ROOT,
            position,
        }
    }

    /// The record of a game that was played, with its end if it is over. The cursor stands at the
    /// start.
    pub fn of_game(game: &G) -> Self {
        let mut record = Self::from_position(game.start().clone());
        for &mv in game.moves() {
            record.play(mv).expect("a game has legal moves");
        }
        if let Some(outcome) = game.outcome() {
            let ending = Ending::of(outcome, game.turn());
            record.end(ending).expect("nothing has ended the line yet");
        }
        record.first();
        record
    }

    /// The game at `id` by `rules`, with the moves that led there. Where the rules ended it before,
    /// it begins anew from there.
    pub fn game_at(&self, id: NodeId, rules: Rules) -> G {
        let mut game = G::with_rules(self.start.clone(), rules);
        for id in self.line_to(id) {
            let Some(mv) = self.node(id).mv() else { break };
            if game.play(mv).is_err() {
                let mut position = game.position().clone();
                position.play_unchecked(mv);
                game = G::with_rules(position, rules);
            }
        }
        game
    }

    /// The position that the record starts from.
    pub fn start(&self) -> &G::Position {
        &self.start
    }

    /// The node named `id`.
    ///
    /// # Panics
    ///
    /// If `id` is of another, larger record.
    pub fn node(&self, id: NodeId) -> &Node<G::Move> {
        &self.nodes[id.index()]
    }

    /// The node that [`NodeId::number`] gave `number`, unless it was deleted or never was.
    pub fn numbered(&self, number: u32) -> Option<NodeId> {
        let id = NodeId(number);
        let node = self.nodes.get(id.index())?;
        (id == NodeId::ROOT || node.origin.is_some()).then_some(id)
    }

    /// The notes at `id`, to be changed.
    ///
    /// # Panics
    ///
    /// As [`Record::node`].
    pub fn notes_mut(&mut self, id: NodeId) -> &mut Notes<G::Move> {
        &mut self.nodes[id.index()].notes
    }

    /// The side to move at `id`.
    pub fn turn_at(&self, id: NodeId) -> Side {
        let node = self.node(id);
        let moves = node.ply - usize::from(node.ending().is_some());
        if moves.is_multiple_of(2) { self.start.turn() } else { !self.start.turn() }
    }

    /// The position at `id`, played out from the start.
    pub fn position_at(&self, id: NodeId) -> G::Position {
        let mut position = self.start.clone();
        for id in self.line_to(id) {
            if let Some(mv) = self.node(id).mv() {
                position.play_unchecked(mv);
            }
        }
        position
    }

    /// The nodes from the first step to `id`.
    pub fn line_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut line = Vec::with_capacity(self.node(id).ply);
        let mut at = id;
        while let Some(parent) = self.node(at).parent() {
            line.push(at);
            at = parent;
        }
        line.reverse();
        line
    }

    /// The nodes of the main line, from its first step to its end.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        let mut at = NodeId::ROOT;
        std::iter::from_fn(move || {
            at = *self.node(at).children.first()?;
            Some(at)
        })
    }

    /// The moves of the main line.
    pub fn main_moves(&self) -> impl Iterator<Item = G::Move> {
        self.main_line().filter_map(|id| self.node(id).mv())
    }

    /// All nodes below the start, each before its continuations and the main ones first: the order
    /// in which KIF writes a tree.
    pub fn preorder(&self) -> impl Iterator<Item = NodeId> {
        let mut stack: Vec<_> = self.node(NodeId::ROOT).children.iter().rev().copied().collect();
        std::iter::from_fn(move || {
            let id = stack.pop()?;
            stack.extend(self.node(id).children.iter().rev());
            Some(id)
        })
    }

    /// Whether `id` lies on the main line. The start does.
    pub fn is_main(&self, id: NodeId) -> bool {
        let mut at = id;
        while let Some(parent) = self.node(at).parent() {
            if self.node(parent).children.first() != Some(&at) {
                return false;
            }
            at = parent;
        }
        true
    }

    /// Whether `id` is the first continuation of its parent. The start is.
    pub fn is_first(&self, id: NodeId) -> bool {
        let parent = self.node(id).parent();
        parent.is_none_or(|parent| self.node(parent).children.first() == Some(&id))
    }

    /// The ending of the main line with the side to move there, if one is marked.
    pub fn ending(&self) -> Option<(Ending, Side)> {
        let last = self.main_line().last()?;
        Some((self.node(last).ending()?, self.turn_at(last)))
    }

    /// How the game ended as its main line says: by its ending, or by the rules of the board
    /// where it stops.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.ending() {
            Some((ending, mover)) => ending.outcome(mover),
            None => {
                let last = self.main_line().last().unwrap_or(NodeId::ROOT);
                G::with_rules(self.position_at(last), Rules::BARE).outcome()
            }
        }
    }

    /// The name of the player of `side`, if a header gives it.
    pub fn player(&self, side: Side) -> Option<&str> {
        self.headers.player(G::PLAYER_KEYS, side)
    }

    /// Whether the two records say the same: same start, headers and tree with all notes. The order
    /// of the headers does not matter, nor where the cursors stand.
    pub fn same_as(&self, other: &Self) -> bool {
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((one, two)) = pairs.pop() {
            let (one, two) = (self.node(one), other.node(two));
            let alike = one.step() == two.step()
                && one.notes == two.notes
                && one.children.len() == two.children.len();
            if !alike {
                return false;
            }
            pairs.extend(one.children.iter().copied().zip(two.children.iter().copied()));
        }
        self.start == other.start && self.headers.same_as(&other.headers)
    }
}

impl<G: Recorded> Default for Record<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Recorded> Clone for Record<G> {
    fn clone(&self) -> Self {
        Self {
            start: self.start.clone(),
            headers: self.headers.clone(),
            nodes: self.nodes.clone(),
            current: self.current,
            position: self.position.clone(),
        }
    }
}

impl<G: Recorded> fmt::Debug for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tree = f.debug_struct("Record");
        tree.field("start", &self.start).field("headers", &self.headers);
        tree.field("nodes", &self.nodes).field("current", &self.current).finish()
    }
}
