//! Positions in 256 bits, in the two codes that shogi programs use.
//!
//! A bit for the side to move, seven for the square of each king, then the other squares from 1a
//! down the files to 9i, then what Black holds and what White holds. Frequent pieces have short
//! codes, chosen such that 40 pieces always fill 256 bits, wherever they are. A set with fewer
//! pieces does not, so positions of handicap games cannot be packed.

use keisei_shogi::{ByColor, Color, HandKind, Piece, PieceKind, Position, Setup, Square};

/// Which of the codes. Within a byte the first bit is the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// Apery's `HuffmanCodedPos`: colour before promotion.
    Hcp,
    /// YaneuraOu's `PackedSfen`: promotion before colour.
    PackedSfen,
}

/// Bits, the first one lowest, and how many they are.
type Word = (u8, u8);

/// The words of the kinds of [`HandKind::ALL`], pawn to rook, without colour and promotion.
struct Words {
    board: [Word; 7],
    hand: [Word; 7],
}

const HCP: Words = Words {
    board: [
        (0b01, 2),
        (0b0011, 4),
        (0b0111, 4),
        (0b1011, 4),
        (0b0_1111, 5),
        (0b01_1111, 6),
        (0b11_1111, 6),
    ],
    hand: [
        (0b00, 2),
        (0b0001, 4),
        (0b0011, 4),
        (0b0101, 4),
        (0b0111, 4),
        (0b01_1111, 6),
        (0b11_1111, 6),
    ],
};

const PACKED_SFEN: Words = Words {
    board: [
        (0b01, 2),
        (0b0011, 4),
        (0b1011, 4),
        (0b0111, 4),
        (0b0_1111, 5),
        (0b01_1111, 6),
        (0b11_1111, 6),
    ],
    hand: [
        (0b00, 2),
        (0b0001, 4),
        (0b0101, 4),
        (0b0011, 4),
        (0b0111, 4),
        (0b00_1111, 6),
        (0b01_1111, 6),
    ],
};

/// Why a position cannot be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    /// A king is missing.
    #[error("a packed position needs both kings")]
    NoKing,
    /// A handicap, or a problem without a full set.
    #[error("a packed position needs all 40 pieces, but there are {0}")]
    Pieces(u32),
}

/// Why bytes are no packed position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnpackError {
    /// The square of a king is off the board.
    #[error("a king stands on square {0} of 81")]
    KingSquare(u8),
    /// The bits end in a piece, or are no piece at all.
    #[error("the bits are no position")]
    Bits,
    /// The pieces are no position.
    #[error("the pieces are no position: {0}")]
    Position(String),
}

impl Code {
    const fn words(self) -> &'static Words {
        match self {
            Self::Hcp => &HCP,
            Self::PackedSfen => &PACKED_SFEN,
        }
    }
}

/// Packs a position.
///
/// # Errors
///
/// If it has not all 40 pieces.
pub fn pack(position: &Position, code: Code) -> Result<[u8; 32], PackError> {
    let words = code.words();
    let (Some(black), Some(white)) = (position.king(Color::Black), position.king(Color::White))
    else {
        return Err(PackError::NoKing);
    };
    let in_hand = |color| HandKind::ALL.map(|kind| u32::from(position.hand(color).count(kind)));
    let held: u32 = Color::ALL.into_iter().flat_map(in_hand).sum();
    let pieces = position.occupied().len() as u32 + held;
    if pieces != 40 {
        return Err(PackError::Pieces(pieces));
    }
    let mut bits = Writer::default();
    bits.write(position.turn() as u8, 1);
    bits.write(black.index() as u8, 7);
    bits.write(white.index() as u8, 7);
    for square in (0..Square::COUNT as u8).filter_map(Square::new) {
        let Some(Piece { color, kind }) = position.piece_at(square) else {
            bits.write(0, 1);
            continue;
        };
        // Kings have been told.
        let Some(held) = kind.in_hand() else { continue };
        let (word, len) = words.board[held as usize];
        bits.write(word, len);
        let (color, promoted) = ((color as u8, 1), (u8::from(kind.is_promoted()), 1));
        let flags = match (code, held) {
            (_, HandKind::Gold) => [color, (0, 0)],
            (Code::Hcp, _) => [color, promoted],
            (Code::PackedSfen, _) => [promoted, color],
        };
        flags.into_iter().for_each(|(flag, len)| bits.write(flag, len));
    }
    for color in Color::ALL {
        for kind in HandKind::ALL {
            for _ in 0..position.hand(color).count(kind) {
                let (word, len) = words.hand[kind as usize];
                bits.write(word, len);
                bits.write(color as u8, 1);
            }
        }
    }
    Ok(bits.bytes)
}

/// Unpacks a position whose next move has this number.
///
/// # Errors
///
/// If the bits are no position that can occur.
pub fn unpack(bytes: &[u8; 32], code: Code, move_number: u16) -> Result<Position, UnpackError> {
    let words = code.words();
    let mut bits = Reader { bytes, at: 0 };
    let turn = color(bits.read(1)?);
    let mut setup = Setup { turn, move_number, ..Setup::EMPTY };
    for color in Color::ALL {
        let square = bits.read(7)?;
        let place = setup.board.get_mut(usize::from(square));
        let place = place.ok_or(UnpackError::KingSquare(square))?;
        *place = Some(Piece::new(color, PieceKind::King));
    }
    for place in &mut setup.board {
        if place.is_some() || !bits.has_one()? {
            continue;
        }
        let held = bits.word(&words.board)?;
        let kind = held.kind();
        let (owner, promoted) = match (code, held) {
            (_, HandKind::Gold) => (bits.read(1)?, 0),
            (Code::Hcp, _) => {
                let owner = bits.read(1)?;
                (owner, bits.read(1)?)
            }
            (Code::PackedSfen, _) => {
                let promoted = bits.read(1)?;
                (bits.read(1)?, promoted)
            }
        };
        let kind = if promoted == 1 { kind.promoted().unwrap_or(kind) } else { kind };
        *place = Some(Piece::new(color(owner), kind));
    }
    let mut hands: ByColor<_> = setup.hands;
    while bits.at < 256 {
        let kind = bits.word(&words.hand)?;
        let hand = &mut hands[color(bits.read(1)?)];
        if hand.count(kind) >= kind.total() {
            return Err(UnpackError::Bits);
        }
        *hand = hand.with(kind, hand.count(kind) + 1);
    }
    Position::try_from(Setup { hands, ..setup })
        .map_err(|error| UnpackError::Position(error.to_string()))
}

const fn color(bit: u8) -> Color {
    if bit == 0 { Color::Black } else { Color::White }
}

#[derive(Default)]
struct Writer {
    bytes: [u8; 32],
    at: usize,
}

impl Writer {
    /// Writes the lowest `len` bits of `word`. 40 pieces never take more than there is.
    fn write(&mut self, word: u8, len: u8) {
        for i in 0..len {
            self.bytes[self.at / 8] |= (word >> i & 1) << (self.at % 8);
            self.at += 1;
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8; 32],
    at: usize,
}

impl Reader<'_> {
    fn read(&mut self, len: usize) -> Result<u8, UnpackError> {
        let mut word = 0;
        for i in 0..len {
            let byte = self.bytes.get(self.at / 8).ok_or(UnpackError::Bits)?;
            word |= (byte >> (self.at % 8) & 1) << i;
            self.at += 1;
        }
        Ok(word)
    }

    /// Whether the next bit, which is not taken, is 1; a 0 stands for an empty square and is taken.
    fn has_one(&mut self) -> Result<bool, UnpackError> {
        let one = self.read(1)? == 1;
        self.at -= usize::from(one);
        Ok(one)
    }

    /// The kind whose word comes next. No word begins another.
    fn word(&mut self, words: &[Word; 7]) -> Result<HandKind, UnpackError> {
        let (mut read, mut len) = (0, 0);
        while len < 6 {
            read |= self.read(1)? << len;
            len += 1;
            let found = words.iter().position(|&word| word == (read, len));
            if let Some(found) = found {
                return Ok(HandKind::ALL[found]);
            }
        }
        Err(UnpackError::Bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::{Game, random_game};
    use keisei_shogi::Shogi;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_position_of_a_game_survives_both_codes(seed: u64, plies in 0_usize..300) {
            let mut game = Shogi::new();
            random_game(&mut game, seed, plies);
            let position = *game.position();
            for code in [Code::Hcp, Code::PackedSfen] {
                let packed = pack(&position, code).unwrap();
                prop_assert_eq!(unpack(&packed, code, position.move_number()), Ok(position));
            }
        }

        #[test]
        fn bytes_that_are_no_position_are_refused(bytes: [u8; 32]) {
            for code in [Code::Hcp, Code::PackedSfen] {
                if let Ok(position) = unpack(&bytes, code, 1) {
                    prop_assert_eq!(pack(&position, code), Ok(bytes));
                }
            }
        }
    }

    #[test]
    fn a_handicap_has_too_few_pieces() {
        let sfen = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        let position: Position = sfen.parse().unwrap();
        assert_eq!(pack(&position, Code::Hcp), Err(PackError::Pieces(38)));
    }
}
