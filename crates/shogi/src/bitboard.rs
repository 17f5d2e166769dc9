//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use crate::Square;

/// A set of squares, one bit a square in the order of [`Square::index`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Bitboard(u128);

const FULL: u128 = (1 << Square::COUNT) - 1;

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// All 81 squares.
    pub const FULL: Self = Self(FULL);

    /// The set with these bits; bits past the 81st are ignored.
    #[inline]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & FULL)
    }

    /// The bits of the set.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// All squares of `row`, 0 (rank a) to 8 (rank i).
    pub const fn row(row: u8) -> Self {
        let mut bits = 0;
        let mut column = 0;
        while column < 9 {
            bits |= 1 << (column * 9 + row);
            column += 1;
        }
        Self(bits)
    }

    /// All squares of a file as players count it, 1 to 9 from the right.
    pub const fn file(file: u8) -> Self {
        Self(0x1ff << ((file - 1) * 9))
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The square with the lowest number, or `None` from an empty set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as u8)) }
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self(1 << square.index())
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
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

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

/// The squares of the first set that are not in the second.
impl Sub for Bitboard {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// The squares of the board that are not in the set.
impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & FULL)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`] in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// A nine-line diagram, `x` for a square in the set, as a player sees the board.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..9 {
            let marks = (0..9).map(|column| match Square::at(row, column) {
                Some(square) if self.has(square) => " x",
                _ => " .",
            });
            writeln!(f, "{}", marks.collect::<String>().trim_start())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_operators_are_those_of_sets() {
        let (rank, file) = (Bitboard::row(4), Bitboard::file(5));
        assert_eq!((rank | file).len(), 17);
        assert_eq!((rank & file).into_iter().collect::<Vec<_>>(), ["5e".parse().unwrap()]);
        assert_eq!(rank - file, rank ^ (rank & file));
        assert_eq!((!rank).len(), 72);
        assert_eq!(!Bitboard::FULL, Bitboard::EMPTY);
        assert_eq!(rank.into_iter().len(), 9);
        assert_eq!(rank.into_iter().collect::<Bitboard>(), rank);
    }

    #[test]
    fn a_set_prints_as_a_board() {
        let corner: Bitboard = ["9a".parse().unwrap(), "1i".parse().unwrap()].into_iter().collect();
        let text = corner.to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "x . . . . . . . .");
        assert_eq!(lines[8], ". . . . . . . . x");
    }
}
