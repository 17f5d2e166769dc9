//! Moves, packed into 16 bits, and their USI text.

use std::fmt;
use std::str::FromStr;

use super::{HandKind, PieceKind, Square};

/// A move: a piece goes from one square to another and may promote, or a piece in hand is dropped.
///
/// Packed as destination (bits 0–6), origin or dropped kind (bits 7–13), a drop flag (bit 14) and
/// a promotion flag (bit 15). What piece moves is for the position to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(u16);

/// Where the piece of a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A square of the board.
    Board(Square),
    /// The hand of the player to move, which holds a piece of this kind.
    Hand(HandKind),
}

impl Move {
    const ORIGIN_SHIFT: u32 = 7;
    const DROP: u16 = 1 << 14;
    const PROMOTE: u16 = 1 << 15;

    /// A move over the board.
    #[inline]
    pub const fn new(from: Square, to: Square, promote: bool) -> Self {
        let bits = (from.index() as u16) << Self::ORIGIN_SHIFT | to.index() as u16;
        Self(if promote { bits | Self::PROMOTE } else { bits })
    }

    /// A drop of a piece in hand.
    #[inline]
    pub const fn drop(kind: HandKind, to: Square) -> Self {
        Self(Self::DROP | (kind as u16) << Self::ORIGIN_SHIFT | to.index() as u16)
    }

    /// Where the piece arrives.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 & 0x7f) as u8)
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn origin(self) -> Origin {
        let bits = (self.0 >> Self::ORIGIN_SHIFT & 0x7f) as usize;
        if self.is_drop() {
            Origin::Hand(HandKind::ALL[bits])
        } else {
            Origin::Board(Square::from_index(bits as u8))
        }
    }

    /// The square that the piece comes from, or `None` for a drop.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        match self.origin() {
            Origin::Board(from) => Some(from),
            Origin::Hand(_) => None,
        }
    }

    /// The kind of piece that is dropped, or `None` for a move over the board.
    #[inline]
    pub const fn dropped(self) -> Option<HandKind> {
        match self.origin() {
            Origin::Board(_) => None,
            Origin::Hand(kind) => Some(kind),
        }
    }

    /// Whether the piece comes from the hand.
    #[inline]
    pub const fn is_drop(self) -> bool {
        self.0 & Self::DROP != 0
    }

    /// Whether the piece promotes.
    #[inline]
    pub const fn promotes(self) -> bool {
        self.0 & Self::PROMOTE != 0
    }

    /// This move as a promotion; a drop cannot promote.
    pub const fn promoting(self) -> Option<Self> {
        if self.is_drop() { None } else { Some(Self(self.0 | Self::PROMOTE)) }
    }

    /// The move seen from the other side of the board.
    pub const fn rotated(self) -> Self {
        self.relocated(true)
    }

    /// The move in a left–right mirror.
    pub const fn mirrored(self) -> Self {
        self.relocated(false)
    }

    const fn relocated(self, rotate: bool) -> Self {
        const fn image(square: Square, rotate: bool) -> Square {
            if rotate { square.rotated() } else { square.mirrored() }
        }
        let to = image(self.to(), rotate);
        match self.origin() {
            Origin::Board(from) => Self::new(image(from, rotate), to, self.promotes()),
            Origin::Hand(kind) => Self::drop(kind, to),
        }
    }

    /// The packed bits, for tables and files. [`Move::from_bits`] reads them back.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move packed as `bits`, or `None` if no move is packed so.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let origin = (bits >> Self::ORIGIN_SHIFT) & 0x7f;
        let fits = if bits & Self::DROP != 0 {
            origin < 7 && bits & Self::PROMOTE == 0
        } else {
            origin < 81
        };
        if fits && bits & 0x7f < 81 { Some(Self(bits)) } else { None }
    }
}

/// Why a text is no USI move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a USI move: write 7g7f, 2b3c+ or P*5e")]
pub struct MoveParseError(pub String);

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        let bad = || MoveParseError(text.to_owned());
        let square = |range| text.get(range).and_then(|s: &str| s.parse().ok()).ok_or_else(bad);
        let to = square(2..4)?;
        match *text.as_bytes() {
            [letter @ b'A'..=b'Z', b'*', _, _] => PieceKind::from_letter(letter as char)
                .and_then(PieceKind::in_hand)
                .map(|kind| Self::drop(kind, to))
                .ok_or_else(bad),
            [_, _, _, _] => Ok(Self::new(square(0..2)?, to, false)),
            [_, _, _, _, b'+'] => Ok(Self::new(square(0..2)?, to, true)),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin() {
            Origin::Board(from) => {
                write!(f, "{from}{}{}", self.to(), if self.promotes() { "+" } else { "" })
            }
            Origin::Hand(kind) => write!(f, "{}*{}", kind.kind().letter(), self.to()),
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
    fn every_move_survives_its_text_and_its_bits() {
        let mut count = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(mv.bits(), bits);
                assert_eq!(mv.to_string().parse(), Ok(mv));
                assert_eq!(mv.rotated().rotated(), mv);
                assert_eq!(mv.mirrored().mirrored(), mv);
                count += 1;
            }
        }
        assert_eq!(count, 81 * 81 * 2 + 7 * 81);
    }

    #[test]
    fn usi_text_names_origin_destination_promotion_and_drop() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        let plain = Move::new(square("7g"), square("7f"), false);
        assert_eq!("7g7f".parse(), Ok(plain));
        assert_eq!(plain.promoting(), Some("7g7f+".parse().unwrap()));
        let drop: Move = "P*5e".parse().unwrap();
        assert_eq!(drop.origin(), Origin::Hand(HandKind::Pawn));
        assert_eq!((drop.dropped(), drop.from()), (Some(HandKind::Pawn), None));
        assert_eq!(plain.origin(), Origin::Board(square("7g")));
        assert_eq!(drop.promoting(), None);
    }

    #[test]
    fn texts_that_are_no_moves_are_refused_by_name() {
        for text in ["", "7g", "7g7", "7g7j", "K*5e", "p*5e", "P*5e+", "7g7f++", "7g7f=", "歩歩"]
        {
            assert_eq!(text.parse::<Move>(), Err(MoveParseError(text.to_owned())));
        }
    }
}
