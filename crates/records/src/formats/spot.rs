//! Where a writer stands in a shogi record: the position and the time spent.

use std::time::Duration;

use keisei_shogi::{Color, Position, Shogi, Square};

use crate::{NodeId, Record};

/// A node with what leads to it.
#[derive(Clone)]
pub(super) struct Spot {
    /// The position before the step to the node.
    pub(super) before: Position,
    /// The position at the node.
    pub(super) position: Position,
    /// Where the move before the step went.
    pub(super) previous: Option<Square>,
    /// The whole seconds that each side has spent.
    spent: [Duration; 2],
}

impl Spot {
    /// The start of the record.
    pub(super) fn start(record: &Record<Shogi>) -> Self {
        let start = *record.start();
        Self { before: start, position: start, previous: None, spent: [Duration::ZERO; 2] }
    }

    /// The continuation `id` of this spot.
    pub(super) fn step(&self, record: &Record<Shogi>, id: NodeId) -> Self {
        let node = record.node(id);
        let mut next = Self { before: self.position, ..self.clone() };
        let parent = node.parent().and_then(|parent| record.node(parent).mv());
        next.previous = parent.map(|mv| mv.to());
        if let Some(mv) = node.mv() {
            next.position.play_unchecked(mv);
        }
        let time = Duration::from_secs(node.notes.time.unwrap_or_default().as_secs());
        let spent = &mut next.spent[next.before.turn() as usize];
        *spent = spent.saturating_add(time);
        next
    }

    /// The time that the side of the last step has spent in all.
    pub(super) fn total(&self) -> Duration {
        self.spent[self.before.turn() as usize]
    }

    /// The side to move at the node.
    pub(super) fn turn(&self) -> Color {
        self.position.turn()
    }
}

/// The spots of the line that is being written, when nodes are written in the order of
/// [`Record::preorder`].
pub(super) struct Path<'a> {
    record: &'a Record<Shogi>,
    spots: Vec<Spot>,
}

impl<'a> Path<'a> {
    pub(super) fn new(record: &'a Record<Shogi>) -> Self {
        Self { record, spots: vec![Spot::start(record)] }
    }

    /// The spot written last.
    pub(super) fn last(&self) -> &Spot {
        self.spots.last().expect("the start stays")
    }

    /// Goes to `id`, whose parent is on the line.
    pub(super) fn step(&mut self, id: NodeId) -> &Spot {
        self.spots.truncate(self.record.node(id).ply());
        let next = self.last().step(self.record, id);
        self.spots.push(next);
        self.last()
    }
}
