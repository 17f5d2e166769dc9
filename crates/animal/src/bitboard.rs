//! A set of squares.

use std::ops::{BitAnd, BitOr, Not, Sub};

use crate::Square;

/// A set of squares, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(u16);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// The whole board.
    pub const ALL: Self = Self(0xfff);

    /// The set with these bits, those off the board left out.
    #[inline]
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// One bit a square, 3a the lowest.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// The squares of the row `row` from the top.
    pub const fn row(row: usize) -> Self {
        Self(0b111 << (Square::FILES * row))
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// How many squares there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The square that comes first, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        Square::new(self.0.trailing_zeros() as u8)
    }

    /// The square with `place` others before it.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    #[inline]
    pub(crate) const fn nth_square(self, place: u32) -> Square {
        let (mut bits, mut skipped) = (self.0, 0);
        while skipped < place {
            bits &= bits.wrapping_sub(1);
            skipped += 1;
        }
        Self(bits).first().expect("a square of the set")
    }

    /// The squares as the other player sees them.
    #[inline]
    #[must_use]
    pub const fn rotated(self) -> Self {
        Self(self.0.reverse_bits() >> (16 - Square::COUNT))
    }

    /// The squares in a left–right mirror.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Self {
        const LEFT: u16 = 0o1111;
        Self((self.0 & LEFT) << 2 | self.0 & LEFT << 1 | self.0 >> 2 & LEFT)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Sub for Bitboard {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_turns_and_mirrors_like_its_squares() {
        for bits in 0..=Bitboard::ALL.0 {
            let set = Bitboard::from_bits(bits);
            assert_eq!(set.rotated(), set.map(Square::rotated).collect());
            assert_eq!(set.mirrored(), set.map(Square::mirrored).collect());
            assert_eq!(set.len(), set.count());
        }
    }
}
