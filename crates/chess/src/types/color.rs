//! The two players.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

use cozy_chess::{File, Rank, Square};
use keisei_game::{BySide, Side};

/// A player. White opens the game and moves up the board, from rank 1 towards rank 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// The first side.
    White,
    /// The second side.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The square of `file` on this player's first rank.
    pub(crate) fn home(self, file: File) -> Square {
        Square::new(file, Rank::First.relative_to(self.into()))
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl From<Color> for Side {
    #[inline]
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::First,
            Color::Black => Self::Second,
        }
    }
}

impl From<Side> for Color {
    #[inline]
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::White,
            Side::Second => Self::Black,
        }
    }
}

impl From<Color> for cozy_chess::Color {
    #[inline]
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl From<cozy_chess::Color> for Color {
    #[inline]
    fn from(color: cozy_chess::Color) -> Self {
        match color {
            cozy_chess::Color::White => Self::White,
            cozy_chess::Color::Black => Self::Black,
        }
    }
}

impl<T> Index<Color> for BySide<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        &self[Side::from(color)]
    }
}

impl<T> IndexMut<Color> for BySide<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self[Side::from(color)]
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}
