//! Planes of attacks: what the views that show them have in common.

use crate::{Pieces, Source};

/// The name of such views in settings and models.
pub(crate) const NAME: &str = "attacks";

/// Planes that count attacks: one, two, three.
const COUNTS: usize = 3;

/// The most squares a board has.
const MOST_SQUARES: usize = 81;

/// What a view adds to a game's own planes: for each side, the side to move first, the squares that
/// its pieces of each kind attack, then those that at least one, two, three of its pieces attack;
/// last, whether the side to move is in check.
///
/// A piece attacks a square if it could take an enemy there: own pieces are defended by the attacks
/// on them, a line ends with the first piece that stands on it, and whether the move would leave the
/// king in check does not matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttackPlanes {
    /// How many kinds of pieces a side has: their planes are the first of the game's own, and their
    /// bytes follow one another from 1, the opponent's after those of the side to move.
    pub(crate) kinds: usize,
    /// The place of the king among them.
    pub(crate) king: usize,
}

/// A piece on the board.
pub(crate) struct Attacker<T> {
    /// Its plane among the game's own.
    pub(crate) plane: usize,
    /// Where it stands in a plane.
    pub(crate) place: usize,
    /// The places that it attacks.
    pub(crate) targets: T,
}

impl AttackPlanes {
    /// How many planes show the attacks of one side.
    const fn side(self) -> usize {
        self.kinds + COUNTS
    }

    /// How many planes there are.
    pub(crate) const fn len(self) -> usize {
        2 * self.side() + 1
    }

    /// Writes the planes.
    ///
    /// # Shapes
    ///
    /// `planes`: `[len, squares]`
    pub(crate) fn expand<T: Iterator<Item = usize>>(
        self,
        pieces: impl Iterator<Item = Attacker<T>>,
        planes: &mut [f32],
    ) {
        let squares = planes.len() / self.len();
        planes.fill(0.0);
        let mut counts = [[0_u8; MOST_SQUARES]; 2];
        let mut king = None;
        for Attacker { plane, place, targets } in pieces {
            let (owner, kind) = (plane / self.kinds, plane % self.kinds);
            let attacked = &mut planes[(owner * self.side() + kind) * squares..][..squares];
            for target in targets {
                attacked[target] = 1.0;
                counts[owner][target] += 1;
            }
            if plane == self.king {
                king = Some(place);
            }
        }
        for (owner, counts) in counts.iter().enumerate() {
            let first = owner * self.side() + self.kinds;
            for (place, &count) in counts[..squares].iter().enumerate() {
                for level in 0..COUNTS.min(count.into()) {
                    planes[(first + level) * squares + place] = 1.0;
                }
            }
        }
        if king.is_some_and(|king| counts[1][king] > 0) {
            planes[2 * self.side() * squares..].fill(1.0);
        }
    }

    /// Where the planes come from.
    pub(crate) fn sources(self) -> Vec<Source> {
        let byte = |owner: usize, kind: usize| (1 + owner * self.kinds + kind) as u8;
        let all = |owner| Pieces { first: byte(owner, 0), last: byte(owner, self.kinds - 1) };
        let mut sources = Vec::with_capacity(self.len());
        for owner in 0..2 {
            sources.extend((0..self.kinds).map(|kind| {
                let byte = byte(owner, kind);
                Source::Attack { pieces: Pieces { first: byte, last: byte }, at_least: 1 }
            }));
            let pieces = all(owner);
            let count = |at_least| Source::Attack { pieces, at_least };
            sources.extend((1..=COUNTS as u8).map(count));
        }
        sources.push(Source::Attacked { target: byte(0, self.king), pieces: all(1) });
        sources
    }
}
