//! The 81 squares.

use std::fmt;
use std::str::FromStr;

/// A square, `1a` to `9i`.
///
/// Squares are numbered down the files from the right: `1a` is 0, `1b` is 1, `9i` is 80. Rows and
/// columns are those of a printed board: row 0 is rank a at the top, column 0 is file 9 on the
/// left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 81;

    /// The square numbered `index`, or `None` off the board.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 81 { Some(Self(index)) } else { None }
    }

    /// The square numbered `index`.
    ///
    /// # Panics
    ///
    /// If `index` is not below 81, in debug builds. Tables indexed by squares are checked anyway,
    /// so a wrong index stays a panic and never becomes undefined behaviour.
    #[inline]
    pub(crate) const fn from_index(index: u8) -> Self {
        debug_assert!(index < 81);
        Self(index)
    }

    /// The square at `row` (0 = rank a, at the top) and `column` (0 = file 9, on the left), or
    /// `None` off the board.
    pub const fn at(row: u8, column: u8) -> Option<Self> {
        if row < 9 && column < 9 { Some(Self((8 - column) * 9 + row)) } else { None }
    }

    /// The number of the square, below 81.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, 0 (rank a) to 8 (rank i).
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 % 9
    }

    /// The column, 0 (file 9) to 8 (file 1).
    #[inline]
    pub const fn column(self) -> u8 {
        8 - self.0 / 9
    }

    /// The file as players count it, 1 to 9 from the right.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 / 9 + 1
    }

    /// The same square seen from the other side of the board.
    #[inline]
    pub const fn rotated(self) -> Self {
        Self(80 - self.0)
    }

    /// The same square in a left–right mirror.
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self((8 - self.0 / 9) * 9 + self.0 % 9)
    }

    /// The square `rows` further down and `columns` further right, or `None` off the board.
    pub const fn offset(self, rows: i8, columns: i8) -> Option<Self> {
        let (row, column) = (self.row() as i8 + rows, self.column() as i8 + columns);
        if row < 0 || column < 0 { None } else { Self::at(row as u8, column as u8) }
    }

    /// All squares in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }
}

/// Why a text names no square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a square: a file 1 to 9 and a rank a to i, such as 7g")]
pub struct SquareParseError(pub String);

impl FromStr for Square {
    type Err = SquareParseError;

    fn from_str(text: &str) -> Result<Self, SquareParseError> {
        match *text.as_bytes() {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Ok(Self((file - b'1') * 9 + rank - b'a')),
            _ => Err(SquareParseError(text.to_owned())),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), (b'a' + self.row()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_indices_and_coordinates_agree_on_all_81_squares() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::at(square.row(), square.column()), Some(square));
            assert_eq!(Square::new(square.index() as u8), Some(square));
            assert_eq!(square.rotated().rotated(), square);
            assert_eq!(square.mirrored().mirrored(), square);
        }
        assert_eq!("7g".parse(), Ok(Square::at(6, 2).unwrap()));
        assert_eq!("9a".parse(), Ok(Square::at(0, 0).unwrap()));
    }

    #[test]
    fn a_square_is_on_the_board_exactly_when_row_and_column_are_0_to_8() {
        for row in 0..=255 {
            for column in 0..=255 {
                assert_eq!(Square::at(row, column).is_some(), row <= 8 && column <= 8);
            }
        }
        assert_eq!(Square::new(81), None);
    }

    #[test]
    fn texts_that_name_no_square_are_refused() {
        for text in ["", "7", "7j", "0a", "7gg", "g7", "七七"] {
            assert_eq!(text.parse::<Square>(), Err(SquareParseError(text.to_owned())));
        }
    }
}
