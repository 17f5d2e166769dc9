//! Keeping the part of a tree that is still of use after moves were made.

use std::num::NonZeroU32;

use super::{Place, ROOT, Tree};

impl<M: Copy + PartialEq> Tree<M> {
    /// Makes the position after `moves` the root and forgets all that cannot be reached from it.
    /// If that position was never looked at, or the game ended there, nothing is left.
    pub(in crate::search) fn advance(&mut self, moves: &[M]) {
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
        let mut kept = Self { nodes: Vec::new(), edges: Vec::new(), room: self.room };
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
