//! The line of a mate that was proven.

use keisei_game::Position;

use super::after;
use super::search::Search;
use crate::Arena;

impl<G: Arena> Search<'_, G> {
    /// The line of a mate in at most `plies`, with the best defence if that is the `shortest` mate
    /// there is, otherwise with the defence that is answered by the longest mate found.
    pub(super) fn best_line(
        &mut self,
        root: &G::Position,
        mut plies: u16,
        shortest: bool,
    ) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut position = root.clone();
        while let Some((check, left)) = self.mating_check(&position, plies) {
            line.push(check);
            position = after::<G>(&position, check);
            let Some((defence, left)) = self.longest_defence(&position, left, shortest) else {
                break;
            };
            line.push(defence);
            position = after::<G>(&position, defence);
            plies = left;
        }
        line
    }

    /// A check that mates within `plies`, and the plies left after it.
    fn mating_check(&mut self, position: &G::Position, plies: u16) -> Option<(G::Move, u16)> {
        for _ in 0..2 {
            let children = self.children(position, 0, plies);
            let mates =
                children.iter().filter_map(|child| Some((child.mv, child.mate_plies(true)?)));
            if let Some(best) = mates.min_by_key(|&(_, left)| left) {
                return Some(best);
            }
            // The memory of the mate was overwritten.
            self.visit_root(position, plies);
        }
        None
    }

    /// The answer to a check that holds out longest, and the plies left after it; `None` if there
    /// is none because it is mate. The attacker mates within `plies`.
    fn longest_defence(
        &mut self,
        position: &G::Position,
        plies: u16,
        shortest: bool,
    ) -> Option<(G::Move, u16)> {
        let mut best = None;
        for &mv in position.legal_moves().as_ref() {
            let left = plies.checked_sub(1)?;
            let next = after::<G>(position, mv);
            if shortest && (left < 3 || self.visit_root(&next, left - 2).is_no_mate(true)) {
                return Some((mv, left));
            }
            let left = self.visit_root(&next, left).mate_plies(true).unwrap_or(left);
            if best.is_none_or(|(_, longest)| left > longest) {
                best = Some((mv, left));
            }
            if self.is_stopped() {
                break;
            }
        }
        best
    }
}
