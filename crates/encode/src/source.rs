//! Where planes come from: the packed form described, for devices that expand it themselves.

use std::ops::RangeInclusive;

/// What a plane holds, said of the bytes of a packed observation.
///
/// The first bytes are the board, one a square; see each game's `Packed` for the rest.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// 1 on the squares whose byte is this number, 0 elsewhere.
    Piece(u8),
    /// The same number on every square: what `level` makes of the byte at this place.
    Level {
        /// The place of the byte.
        byte: usize,
        /// What it means.
        level: fn(u8) -> f32,
    },
    /// 1 on one square, 0 elsewhere: the byte at this place is the square's place and one more. All
    /// 0 if the byte is.
    Square(usize),
    /// 1 on the squares that at least so many of these pieces attack, 0 elsewhere.
    Attack {
        /// The pieces that count.
        pieces: Pieces,
        /// How many of them must attack a square.
        at_least: u8,
    },
    /// 1 on every square if a piece of the kind `target` stands where one of these pieces attacks,
    /// 0 everywhere if not.
    Attacked {
        /// The byte of the piece that may be attacked.
        target: u8,
        /// The pieces that may attack it.
        pieces: Pieces,
    },
}

/// Pieces whose bytes are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The byte of the first.
    pub first: u8,
    /// The byte of the last, which belongs to them.
    pub last: u8,
}

/// A direction in which a piece attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// Rows down a plane.
    pub rows: i8,
    /// Columns to the right in a plane.
    pub columns: i8,
    /// Whether the piece also attacks what lies behind, up to the first square that is not empty,
    /// which it attacks too.
    pub slides: bool,
}

/// How a piece attacks: at most [`PieceMoves::MOST`] directions. Whose pieces stand on the squares
/// does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceMoves {
    /// Its directions.
    pub directions: Vec<Direction>,
}

impl PieceMoves {
    /// The most directions a piece has.
    pub const MOST: usize = 8;
}

/// A board on which pieces attack.
#[derive(Clone, Debug)]
pub struct AttackBoard {
    /// How many squares a row has.
    pub columns: usize,
    /// How each piece attacks, in the order of their bytes, of which the first is 1. Empty where no
    /// plane shows attacks.
    pub moves: Vec<PieceMoves>,
}

impl Pieces {
    fn bytes(self) -> RangeInclusive<u8> {
        self.first..=self.last
    }
}

impl AttackBoard {
    /// A board whose attacks no plane shows.
    pub const UNSEEN: Self = Self { columns: 0, moves: Vec::new() };

    /// Calls `visit` with each square that one of the `pieces` attacks, as often as it is attacked.
    ///
    /// # Shapes
    ///
    /// `board`: `[SQUARES]`
    fn visit(&self, board: &[u8], pieces: Pieces, mut visit: impl FnMut(usize)) {
        let rows = board.len() / self.columns;
        for (square, byte) in board.iter().enumerate() {
            if !pieces.bytes().contains(byte) {
                continue;
            }
            for direction in &self.moves[usize::from(*byte) - 1].directions {
                let (mut row, mut column) = (square / self.columns, square % self.columns);
                loop {
                    row = row.wrapping_add_signed(direction.rows.into());
                    column = column.wrapping_add_signed(direction.columns.into());
                    if row >= rows || column >= self.columns {
                        break;
                    }
                    let target = row * self.columns + column;
                    visit(target);
                    if !direction.slides || board[target] != 0 {
                        break;
                    }
                }
            }
        }
    }
}

impl Source {
    /// Writes the plane of an observation with these `bytes`. `attacks` counts only for planes of
    /// attacks.
    ///
    /// # Shapes
    ///
    /// `plane`: `[SQUARES]`
    pub fn expand(&self, bytes: &[u8], attacks: &AttackBoard, plane: &mut [f32]) {
        let squares = plane.len();
        match *self {
            Self::Piece(piece) => {
                for (number, &byte) in plane.iter_mut().zip(bytes) {
                    *number = f32::from(u8::from(byte == piece));
                }
            }
            Self::Level { byte, level } => plane.fill(level(bytes[byte])),
            Self::Square(byte) => {
                plane.fill(0.0);
                if let Some(square) = bytes[byte].checked_sub(1) {
                    plane[usize::from(square)] = 1.0;
                }
            }
            Self::Attack { pieces, at_least } => {
                plane.fill(0.0);
                attacks.visit(&bytes[..squares], pieces, |square| plane[square] += 1.0);
                for number in plane {
                    *number = f32::from(u8::from(*number >= f32::from(at_least)));
                }
            }
            Self::Attacked { target, pieces } => {
                let mut attacked = false;
                let visit = |square: usize| attacked |= bytes[square] == target;
                attacks.visit(&bytes[..squares], pieces, visit);
                plane.fill(f32::from(u8::from(attacked)));
            }
        }
    }
}
