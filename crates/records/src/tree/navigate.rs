//! Moving the cursor of a record.

use keisei_game::Position;

use super::{NodeId, Record};
use crate::Recorded;

impl<G: Recorded> Record<G> {
    /// Where the cursor stands.
    pub fn current(&self) -> NodeId {
        self.current
    }

    /// The position at the cursor.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// Puts the cursor on `id`; [`Record::next`] will then follow the line through `id`.
    pub fn jump(&mut self, id: NodeId) {
        for id in self.line_to(id) {
            self.activate(id);
        }
        self.position = self.position_at(id);
        self.current = id;
    }

    /// One step forward along the line visited last. `None`, and no step, at the end of a line.
    #[allow(clippy::should_implement_trait, reason = "a cursor steps; it is no iterator")]
    pub fn next(&mut self) -> Option<NodeId> {
        let node = self.node(self.current);
        let id = *node.children.get(node.active)?;
        self.enter(id);
        Some(id)
    }

    /// One step back. `None`, and no step, at the start.
    pub fn previous(&mut self) -> Option<NodeId> {
        let parent = self.node(self.current).parent()?;
        self.jump(parent);
        Some(parent)
    }

    /// Back to the start.
    pub fn first(&mut self) {
        self.jump(NodeId::ROOT);
    }

    /// Forward to the end of the line visited last.
    pub fn last(&mut self) -> NodeId {
        while self.next().is_some() {}
        self.current
    }

    /// To the next variation at this move, and from the last one to the first. `None`, and no step,
    /// where there is no other.
    pub fn sibling(&mut self) -> Option<NodeId> {
        self.sibling_at(1)
    }

    /// To the variation before this one, and from the first one to the last. `None`, and no step,
    /// where there is no other.
    pub fn sibling_before(&mut self) -> Option<NodeId> {
        let parent = self.node(self.current).parent()?;
        self.sibling_at(self.node(parent).children.len() - 1)
    }

    fn sibling_at(&mut self, distance: usize) -> Option<NodeId> {
        let parent = self.node(self.current).parent()?;
        let siblings = &self.node(parent).children;
        let place = siblings.iter().position(|&id| id == self.current)?;
        let id = siblings[(place + distance) % siblings.len()];
        (id != self.current).then(|| {
            self.jump(id);
            id
        })
    }

    /// Steps from the cursor to its continuation `id`.
    pub(super) fn enter(&mut self, id: NodeId) {
        self.activate(id);
        if let Some(mv) = self.node(id).mv() {
            self.position.play_unchecked(mv);
        }
        self.current = id;
    }

    /// Remembers `id` as the continuation of its parent that was visited last.
    fn activate(&mut self, id: NodeId) {
        let Some(parent) = self.node(id).parent() else { return };
        let parent = &mut self.nodes[parent.index()];
        parent.active = parent.children.iter().position(|&child| child == id).unwrap_or(0);
    }
}
