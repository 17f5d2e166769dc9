//! The vocabulary of animal shogi: squares, pieces and moves.

use std::fmt;
use std::str::FromStr;

use keisei_game::Side;

/// A square, `3a` at the top left to `1d` at the bottom right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// How many squares the board has.
    pub const COUNT: usize = 12;
    /// How many files the board has.
    pub const FILES: usize = 3;
    /// How many ranks the board has.
    pub const RANKS: usize = 4;

    /// The square at `index`, row by row from the top left, or `None` off the board.
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < Self::COUNT { Some(Self(index)) } else { None }
    }

    /// All squares, row by row from the top left.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Where the square lies, row by row from the top left.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row from the top: 0 is rank `a`.
    pub const fn row(self) -> usize {
        self.index() / Self::FILES
    }

    /// The column from the left: 0 is file 3.
    pub const fn column(self) -> usize {
        self.index() % Self::FILES
    }

    /// The square as the other player sees it.
    #[inline]
    pub const fn rotated(self) -> Self {
        Self(Self::COUNT as u8 - 1 - self.0)
    }

    /// The square in a left–right mirror.
    pub const fn mirrored(self) -> Self {
        Self((self.row() * Self::FILES + Self::FILES - 1 - self.column()) as u8)
    }
}

/// Why a text is no square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a square: files are 1 to 3, ranks a to d")]
pub struct SquareParseError(pub String);

impl FromStr for Square {
    type Err = SquareParseError;

    fn from_str(text: &str) -> Result<Self, SquareParseError> {
        match *text.as_bytes() {
            [file @ b'1'..=b'3', rank @ b'a'..=b'd'] => {
                Ok(Self((rank - b'a') * Self::FILES as u8 + (b'3' - file)))
            }
            _ => Err(SquareParseError(text.to_owned())),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = char::from(b'a' + self.row() as u8);
        write!(f, "{}{rank}", Self::FILES - self.column())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PieceKind {
    /// One step straight ahead.
    Chick = 1,
    /// One step diagonally.
    Elephant = 2,
    /// One step straight in any direction.
    Giraffe = 3,
    /// One step in any direction. Whoever loses it loses the game.
    Lion = 4,
    /// A chick that reached the last rank: one step in any direction but diagonally back.
    Hen = 5,
}

impl PieceKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Chick, Self::Elephant, Self::Giraffe, Self::Lion, Self::Hen];

    /// What a captured piece becomes in the hand, or `None` for a lion: its capture ends the game.
    pub const fn in_hand(self) -> Option<HandKind> {
        match self {
            Self::Chick | Self::Hen => Some(HandKind::Chick),
            Self::Elephant => Some(HandKind::Elephant),
            Self::Giraffe => Some(HandKind::Giraffe),
            Self::Lion => None,
        }
    }

    /// The kind's letters in notation, in capitals.
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Chick => "C",
            Self::Elephant => "E",
            Self::Giraffe => "G",
            Self::Lion => "L",
            Self::Hen => "+C",
        }
    }

    /// The kind's name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chick => "chick",
            Self::Elephant => "elephant",
            Self::Giraffe => "giraffe",
            Self::Lion => "lion",
            Self::Hen => "hen",
        }
    }

    /// The character printed on the Japanese piece.
    pub const fn kana(self) -> char {
        match self {
            Self::Chick => 'ひ',
            Self::Elephant => 'ぞ',
            Self::Giraffe => 'き',
            Self::Lion => 'ラ',
            Self::Hen => 'に',
        }
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The kinds a hand can hold: no lion, and no hen, because a captured hen is a chick again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HandKind {
    /// A chick.
    Chick = 1,
    /// An elephant.
    Elephant = 2,
    /// A giraffe.
    Giraffe = 3,
}

impl HandKind {
    /// All kinds, the least valuable first.
    pub const ALL: [Self; 3] = [Self::Chick, Self::Elephant, Self::Giraffe];

    /// The kind on the board after a drop.
    pub const fn kind(self) -> PieceKind {
        match self {
            Self::Chick => PieceKind::Chick,
            Self::Elephant => PieceKind::Elephant,
            Self::Giraffe => PieceKind::Giraffe,
        }
    }

    /// The kind written as `letter`, in capitals.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The kind's letter in notation, a capital.
    pub const fn letter(self) -> char {
        match self {
            Self::Chick => 'C',
            Self::Elephant => 'E',
            Self::Giraffe => 'G',
        }
    }
}

/// A piece and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: PieceKind,
}

impl fmt::Display for Piece {
    /// Letters as in SFEN: capitals for the first player.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Side::First => f.pad(self.kind.letters()),
            Side::Second => f.pad(&self.kind.letters().to_ascii_lowercase()),
        }
    }
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A piece goes from one square to another.
    Step {
        /// Where it comes from.
        from: Square,
        /// Where it arrives.
        to: Square,
        /// Whether it is a chick that becomes a hen.
        promotes: bool,
    },
    /// A piece in hand is put on an empty square.
    Drop {
        /// What is dropped.
        kind: HandKind,
        /// Where it arrives.
        to: Square,
    },
}

impl Move {
    /// Where the piece arrives.
    #[inline]
    pub const fn to(self) -> Square {
        match self {
            Self::Step { to, .. } | Self::Drop { to, .. } => to,
        }
    }

    /// The move as the other player sees it.
    #[must_use]
    pub const fn rotated(self) -> Self {
        match self {
            Self::Step { from, to, promotes } => {
                Self::Step { from: from.rotated(), to: to.rotated(), promotes }
            }
            Self::Drop { kind, to } => Self::Drop { kind, to: to.rotated() },
        }
    }

    /// The move in a left–right mirror.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Step { from, to, promotes } => {
                Self::Step { from: from.mirrored(), to: to.mirrored(), promotes }
            }
            Self::Drop { kind, to } => Self::Drop { kind, to: to.mirrored() },
        }
    }
}

/// Why a text is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a move of animal shogi: write 2c2b, 2b2a+ or C*2b")]
pub struct MoveParseError(pub String);

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        let bad = || MoveParseError(text.to_owned());
        let square = |range| text.get(range).and_then(|s: &str| s.parse().ok()).ok_or_else(bad);
        let to = square(2..4)?;
        match *text.as_bytes() {
            [letter, b'*', _, _] => {
                let kind = HandKind::from_letter(char::from(letter)).ok_or_else(bad)?;
                Ok(Self::Drop { kind, to })
            }
            [_, _, _, _] => Ok(Self::Step { from: square(0..2)?, to, promotes: false }),
            [_, _, _, _, b'+'] => Ok(Self::Step { from: square(0..2)?, to, promotes: true }),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step { from, to, promotes } => {
                write!(f, "{from}{to}{}", if *promotes { "+" } else { "" })
            }
            Self::Drop { kind, to } => write!(f, "{}*{to}", kind.letter()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_named_from_the_right_and_from_the_top() {
        assert_eq!(Square::new(0).unwrap().to_string(), "3a");
        assert_eq!(Square::new(11).unwrap().to_string(), "1d");
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.rotated().rotated(), square);
            assert_eq!(square.mirrored().row(), square.row());
        }
    }

    #[test]
    fn every_move_survives_its_text() {
        for to in Square::all() {
            for from in Square::all() {
                for promotes in [false, true] {
                    let mv = Move::Step { from, to, promotes };
                    assert_eq!(mv.to_string().parse(), Ok(mv));
                    assert_eq!(mv.rotated().rotated(), mv);
                    assert_eq!(mv.mirrored().mirrored(), mv);
                }
            }
            for kind in HandKind::ALL {
                let mv = Move::Drop { kind, to };
                assert_eq!(mv.to_string().parse(), Ok(mv));
            }
        }
    }

    #[test]
    fn texts_that_are_no_moves_are_refused_by_name() {
        for text in ["", "2c", "2c2", "2c2e", "4c2b", "L*2b", "H*2b", "c*2b", "C*2b+", "ひひ"] {
            assert_eq!(text.parse::<Move>(), Err(MoveParseError(text.to_owned())));
        }
    }
}
