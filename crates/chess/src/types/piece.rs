//! Pieces: their kinds, their steps and their letters.

use std::fmt;

use super::Color;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// Advances, captures diagonally, promotes on the last rank.
    Pawn = 0,
    /// Jumps.
    Knight = 1,
    /// Slides diagonally.
    Bishop = 2,
    /// Slides along ranks and files.
    Rook = 3,
    /// Slides in all eight directions.
    Queen = 4,
    /// Steps in all eight directions, and castles.
    King = 5,
}

use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};

impl PieceKind {
    /// All kinds, pawn to king.
    pub const ALL: [Self; 6] = [Pawn, Knight, Bishop, Rook, Queen, King];

    /// The four kinds a pawn can become, the queen first.
    pub const PROMOTIONS: [Self; 4] = [Queen, Rook, Bishop, Knight];

    /// The steps of this kind as (files to the right, ranks up). A pawn's are White's, captures
    /// first; Black's pawns step down instead of up.
    pub const fn steps(self) -> &'static [(i8, i8)] {
        match self {
            Pawn => &[(1, 1), (-1, 1), (0, 1)],
            Knight => &[(2, 1), (1, 2), (-2, 1), (-1, 2), (2, -1), (1, -2), (-2, -1), (-1, -2)],
            Bishop => &[(1, 1), (-1, 1), (1, -1), (-1, -1)],
            Rook => &[(1, 0), (-1, 0), (0, 1), (0, -1)],
            Queen | King => &[(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)],
        }
    }

    /// Whether the piece slides, repeating a step until something is in the way: bishop, rook and
    /// queen.
    pub const fn is_slider(self) -> bool {
        matches!(self, Bishop | Rook | Queen)
    }

    /// The letter of this kind, as White's pieces are written.
    pub const fn letter(self) -> char {
        match self {
            Pawn => 'P',
            Knight => 'N',
            Bishop => 'B',
            Rook => 'R',
            Queen => 'Q',
            King => 'K',
        }
    }

    /// The kind written as `letter` in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Pawn,
            'N' => Knight,
            'B' => Bishop,
            'R' => Rook,
            'Q' => Queen,
            'K' => King,
            _ => return None,
        })
    }
}

impl From<PieceKind> for cozy_chess::Piece {
    #[inline]
    fn from(kind: PieceKind) -> Self {
        match kind {
            Pawn => Self::Pawn,
            Knight => Self::Knight,
            Bishop => Self::Bishop,
            Rook => Self::Rook,
            Queen => Self::Queen,
            King => Self::King,
        }
    }
}

impl From<cozy_chess::Piece> for PieceKind {
    #[inline]
    fn from(piece: cozy_chess::Piece) -> Self {
        Self::ALL[piece as usize]
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Pawn => "pawn",
            Knight => "knight",
            Bishop => "bishop",
            Rook => "rook",
            Queen => "queen",
            King => "king",
        })
    }
}

/// A piece of one player. Displayed as FEN writes it: `N` is White's knight, `n` Black's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Whose piece it is.
    pub color: Color,
    /// What piece it is.
    pub kind: PieceKind,
}

impl Piece {
    /// A piece of `kind` for `color`.
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self { color, kind }
    }

    /// All twelve pieces, White's first, pawn to king.
    pub fn all() -> impl Iterator<Item = Self> {
        Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| Self { color, kind }))
    }

    /// The letter of the piece: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece written as `letter`.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match PieceKind::from_letter(letter) {
            Some(kind) => Some(Self { color, kind }),
            None => None,
        }
    }

    /// The piece's place among the twelve, from 1: White's pawn to king, then Black's. 0 is left for
    /// the empty square. It is the same on every board.
    pub const fn id(self) -> u8 {
        1 + 6 * self.color as u8 + self.kind as u8
    }

    /// The piece whose [`id`](Self::id) this is.
    pub const fn from_id(id: u8) -> Option<Self> {
        match id {
            1..=6 => Some(Self::new(Color::White, PieceKind::ALL[id as usize - 1])),
            7..=12 => Some(Self::new(Color::Black, PieceKind::ALL[id as usize - 7])),
            _ => None,
        }
    }

    /// All pieces with both of their numbers, a line each: `white pawn : 1, token 7`.
    pub fn table() -> String {
        let line = |piece: Self| {
            let color = piece.color.to_string().to_lowercase();
            format!("{color} {} : {}, token {}\n", piece.kind, piece.id(), piece.token())
        };
        Self::all().map(line).collect()
    }

    /// The piece as a number, for boards kept as numbers: 1 to 6 are Black's pawn to king, 7 to
    /// 12 White's. 0 is left for the empty square.
    pub const fn token(self) -> u8 {
        match self.color {
            Color::Black => 1 + self.kind as u8,
            Color::White => 7 + self.kind as u8,
        }
    }

    /// The piece numbered `token`: `None` for 0, the empty square, and for what is no token.
    pub const fn from_token(token: u8) -> Option<Self> {
        match token {
            1..=6 => Some(Self::new(Color::Black, PieceKind::ALL[token as usize - 1])),
            7..=12 => Some(Self::new(Color::White, PieceKind::ALL[token as usize - 7])),
            _ => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}
