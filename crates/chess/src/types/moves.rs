//! Moves, packed into 16 bits, and their UCI text.

use std::fmt;
use std::str::FromStr;

use cozy_chess::Square;

use super::PieceKind;

/// A move: a piece goes from one square to another, and a pawn may become another piece.
///
/// Castling is the king's move of two squares (`e1g1`), as UCI writes it. Packed as destination
/// (bits 0–5), origin (bits 6–11) and promotion (bits 12–14, 0 for none). What piece moves, and
/// whether a pawn captures en passant, is for the position to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(u16);

impl Move {
    const FROM_SHIFT: u32 = 6;
    const PROMOTION_SHIFT: u32 = 12;

    /// A move without promotion.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        Self((from as u16) << Self::FROM_SHIFT | to as u16)
    }

    /// This move with the pawn becoming a piece of `kind`, or `None` for a king or a pawn, which
    /// no pawn becomes.
    #[inline]
    pub const fn promoting(self, kind: PieceKind) -> Option<Self> {
        let code = match kind {
            PieceKind::Pawn | PieceKind::King => return None,
            PieceKind::Knight | PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen => {
                kind as u16
            }
        };
        Some(Self(self.0 & 0xfff | code << Self::PROMOTION_SHIFT))
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::index_const((self.0 >> Self::FROM_SHIFT & 0x3f) as usize)
    }

    /// Where the piece arrives.
    #[inline]
    pub const fn to(self) -> Square {
        Square::index_const((self.0 & 0x3f) as usize)
    }

    /// What the pawn becomes, or `None` if nothing is promoted.
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        match self.0 >> Self::PROMOTION_SHIFT {
            1 => Some(PieceKind::Knight),
            2 => Some(PieceKind::Bishop),
            3 => Some(PieceKind::Rook),
            4 => Some(PieceKind::Queen),
            _ => None,
        }
    }

    /// The same move with the colours exchanged: ranks counted from the other side.
    pub const fn flipped(self) -> Self {
        const RANKS: u16 = 0o7070;
        Self(self.0 ^ RANKS)
    }

    /// The packed bits, for tables and files. [`Move::from_bits`] reads them back.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move packed as `bits`, or `None` if no move is packed so.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if bits >> Self::PROMOTION_SHIFT <= 4 { Some(Self(bits)) } else { None }
    }
}

/// Why a text is no UCI move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a UCI move: write e2e4, e1g1 or e7e8q")]
pub struct MoveParseError(pub String);

impl FromStr for Move {
    type Err = MoveParseError;

    fn from_str(text: &str) -> Result<Self, MoveParseError> {
        let bad = || MoveParseError(text.to_owned());
        let square = |range| text.get(range).and_then(|s: &str| s.parse().ok()).ok_or_else(bad);
        let plain = Self::new(square(0..2)?, square(2..4)?);
        let mut rest = text[4..].chars();
        match (rest.next(), rest.next()) {
            (None, _) => Ok(plain),
            (Some(letter), None) => PieceKind::from_letter(letter)
                .and_then(|kind| plain.promoting(kind))
                .ok_or_else(bad),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.letter().to_ascii_lowercase()),
            None => Ok(()),
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
                assert_eq!(mv.flipped().flipped(), mv);
                assert_eq!(mv.flipped().from(), mv.from().flip_rank());
                assert_eq!(mv.flipped().to(), mv.to().flip_rank());
                assert_eq!(mv.flipped().promotion(), mv.promotion());
                count += 1;
            }
        }
        assert_eq!(count, 64 * 64 * 5);
    }

    #[test]
    fn uci_text_names_origin_destination_and_promotion() {
        let plain: Move = "a7a8".parse().unwrap();
        assert_eq!((plain.from(), plain.to()), (Square::A7, Square::A8));
        assert_eq!(plain.promotion(), None);
        let queen: Move = "a7a8q".parse().unwrap();
        assert_eq!(Some(queen), plain.promoting(PieceKind::Queen));
        assert_eq!("a7a8Q".parse(), Ok(queen), "a capital is read too");
        assert_eq!(plain.promoting(PieceKind::King), None);
        assert_eq!(plain.promoting(PieceKind::Pawn), None);
    }

    #[test]
    fn texts_that_are_no_moves_are_refused_by_name() {
        for text in ["", "e2", "e2e", "e2e9", "i2e4", "e7e8k", "e7e8p", "e7e8qq", "e2-e4", "éé"] {
            assert_eq!(text.parse::<Move>(), Err(MoveParseError(text.to_owned())));
        }
    }
}
