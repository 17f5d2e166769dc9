//! The pieces a player holds in hand.

use std::fmt;

use super::HandKind;

/// The pieces one player holds, packed into one word: a few bits a kind, pawns lowest.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Hand(u32);

const SHIFT: [u32; 7] = [0, 5, 8, 11, 14, 17, 19];
const MASK: [u32; 7] = [31, 7, 7, 7, 7, 3, 3];

impl Hand {
    /// The empty hand.
    pub const EMPTY: Self = Self(0);

    /// How many pieces of `kind` are held.
    #[inline]
    pub const fn count(self, kind: HandKind) -> u8 {
        ((self.0 >> SHIFT[kind as usize]) & MASK[kind as usize]) as u8
    }

    /// Whether a piece of `kind` is held.
    #[inline]
    pub const fn has(self, kind: HandKind) -> bool {
        self.0 & (MASK[kind as usize] << SHIFT[kind as usize]) != 0
    }

    /// Whether nothing is held.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds held, pawn first.
    pub fn kinds(self) -> impl Iterator<Item = HandKind> {
        HandKind::ALL.into_iter().filter(move |&kind| self.has(kind))
    }

    /// This hand with `count` pieces of `kind`.
    ///
    /// # Panics
    ///
    /// If a shogi set has fewer than `count` pieces of `kind`.
    #[must_use]
    pub const fn with(self, kind: HandKind, count: u8) -> Self {
        assert!(count <= kind.total(), "more pieces in hand than in a set");
        let shift = SHIFT[kind as usize];
        Self(self.0 & !(MASK[kind as usize] << shift) | (count as u32) << shift)
    }

    /// Adds a piece of `kind`.
    #[inline]
    pub(crate) const fn add(&mut self, kind: HandKind) {
        debug_assert!(self.count(kind) < kind.total());
        self.0 += 1 << SHIFT[kind as usize];
    }

    /// Takes away a piece of `kind`, which must be held.
    #[inline]
    pub(crate) const fn remove(&mut self, kind: HandKind) {
        debug_assert!(self.has(kind));
        self.0 -= 1 << SHIFT[kind as usize];
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.kinds().map(|kind| (kind, self.count(kind)))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_counted_apart_up_to_all_pieces_of_a_set() {
        let mut hand = Hand::EMPTY;
        for kind in HandKind::ALL {
            (0..kind.total()).for_each(|_| hand.add(kind));
        }
        for kind in HandKind::ALL {
            assert_eq!(hand.count(kind), kind.total());
            (0..kind.total()).for_each(|_| hand.remove(kind));
            assert!(!hand.has(kind));
        }
        assert!(hand.is_empty());
    }
}
