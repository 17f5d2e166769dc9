//! Adding, reordering and deleting moves of a record.

use super::{Node, NodeId, Record, Step};
use crate::{Ending, Notes, Recorded};

/// Why a step cannot be added to a record.
#[derive(Debug, thiserror::Error)]
pub enum EditError<E: std::error::Error + 'static> {
    /// The move breaks the rules.
    #[error(transparent)]
    Illegal(#[from] E),
    /// The line is over.
    #[error("the line ended by {0}: nothing follows it")]
    Ended(Ending),
}

impl<G: Recorded> Record<G> {
    /// Plays `mv` at the cursor and follows it. A move that is already there is followed; another
    /// one becomes a new variation.
    pub fn play(&mut self, mv: G::Move) -> Result<NodeId, EditError<G::Illegal>> {
        self.not_ended()?;
        G::check(&self.position, mv)?;
        let id = self.add(self.current, Step::Move(mv));
        self.enter(id);
        Ok(id)
    }

    /// Ends the line at the cursor and puts the cursor on the ending.
    pub fn end(&mut self, ending: Ending) -> Result<NodeId, EditError<G::Illegal>> {
        self.not_ended()?;
        let id = self.add(self.current, Step::End(ending));
        self.enter(id);
        Ok(id)
    }

    fn not_ended(&self) -> Result<(), EditError<G::Illegal>> {
        match self.node(self.current).ending() {
            Some(ending) => Err(EditError::Ended(ending)),
            None => Ok(()),
        }
    }

    /// The continuation of `parent` by `step`, added as the last one if it is not there yet. A move
    /// must be legal and `parent` must not be an ending.
    pub(crate) fn add(&mut self, parent: NodeId, step: Step<G::Move>) -> NodeId {
        let children = &self.node(parent).children;
        if let Some(&id) = children.iter().find(|&&id| self.node(id).step() == Some(step)) {
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2³² nodes"));
        let ply = self.node(parent).ply + 1;
        let origin = Some((parent, step));
        let notes = Notes::default();
        self.nodes.push(Node { origin, children: Vec::new(), active: 0, ply, notes });
        self.nodes[parent.index()].children.push(id);
        id
    }

    /// Moves the variation `id` one place forward among its siblings. False if it is the first.
    pub fn promote(&mut self, id: NodeId) -> bool {
        let Some((parent, place)) = self.place(id).filter(|&(_, place)| place > 0) else {
            return false;
        };
        self.reorder(parent, |children| children.swap(place - 1, place));
        true
    }

    /// Moves the variation `id` one place back among its siblings. False if it is the last.
    pub fn demote(&mut self, id: NodeId) -> bool {
        let Some((parent, place)) = self.place(id) else { return false };
        if place + 1 == self.node(parent).children.len() {
            return false;
        }
        self.reorder(parent, |children| children.swap(place, place + 1));
        true
    }

    /// Makes the line through `id` the main line.
    pub fn make_main(&mut self, id: NodeId) {
        for id in self.line_to(id) {
            if let Some((parent, place)) = self.place(id) {
                self.reorder(parent, |children| children[..=place].rotate_right(1));
            }
        }
    }

    /// Deletes `id` and all that follows it. A cursor inside moves back to the parent. False at the
    /// start, which cannot be deleted.
    pub fn delete(&mut self, id: NodeId) -> bool {
        let Some((parent, place)) = self.place(id) else { return false };
        if self.line_to(self.current).contains(&id) {
            self.jump(parent);
        }
        self.reorder(parent, |children| {
            children.remove(place);
        });
        // The nodes stay in the arena so that other names remain valid; what they hold is dropped.
        let mut dead = vec![id];
        while let Some(id) = dead.pop() {
            let node = &mut self.nodes[id.index()];
            dead.append(&mut node.children);
            node.origin = None;
            node.notes = Notes::default();
        }
        true
    }

    /// The parent of `id` and the place of `id` among the parent's continuations.
    fn place(&self, id: NodeId) -> Option<(NodeId, usize)> {
        let parent = self.node(id).parent()?;
        let place = self.node(parent).children.iter().position(|&child| child == id)?;
        Some((parent, place))
    }

    /// Changes the order of continuations; the one visited last stays the one visited last.
    fn reorder(&mut self, parent: NodeId, change: impl FnOnce(&mut Vec<NodeId>)) {
        let node = &mut self.nodes[parent.index()];
        let active = node.children.get(node.active).copied();
        change(&mut node.children);
        let place = node.children.iter().position(|&child| Some(child) == active);
        node.active = place.unwrap_or(0);
    }
}
