//! HCPE and PSV: a packed position and what goes with it, as bytes.

use keisei_game::Side;
use keisei_shogi::{Color, HandKind, Move, Origin, Position, Square};

use super::huffman::{Code, PackError, pack, unpack};
use super::{Problem, Sample};

const SQUARE_BITS: u16 = 7;
const SQUARE_MASK: u16 = (1 << SQUARE_BITS) - 1;

/// The kinds in the order of both programs: gold comes last.
const DROP_ORDER: [HandKind; 7] = [
    HandKind::Pawn,
    HandKind::Lance,
    HandKind::Knight,
    HandKind::Silver,
    HandKind::Bishop,
    HandKind::Rook,
    HandKind::Gold,
];

/// How a program puts a move into 16 bits: the destination, then the origin, then flags.
struct MoveBits {
    /// What the number of a dropped kind, from 1, is added to.
    drop_base: u16,
    drop_flag: u16,
    promotion: u16,
}

const APERY: MoveBits = MoveBits { drop_base: 80, drop_flag: 0, promotion: 1 << 14 };
const YANEURAOU: MoveBits = MoveBits { drop_base: 0, drop_flag: 1 << 14, promotion: 1 << 15 };

impl MoveBits {
    fn write(&self, mv: Move) -> u16 {
        let origin = match mv.origin() {
            Origin::Board(from) => {
                let flag = if mv.promotes() { self.promotion } else { 0 };
                (from.index() as u16) << SQUARE_BITS | flag
            }
            Origin::Hand(kind) => {
                let place = DROP_ORDER.iter().position(|&k| k == kind).unwrap_or_default();
                (self.drop_base + 1 + place as u16) << SQUARE_BITS | self.drop_flag
            }
        };
        mv.to().index() as u16 | origin
    }

    fn read(&self, bits: u16) -> Option<Move> {
        let to = Square::new((bits & SQUARE_MASK) as u8)?;
        let origin = bits >> SQUARE_BITS & SQUARE_MASK;
        let drops = match self.drop_flag {
            0 => origin > self.drop_base,
            flag => bits & flag != 0,
        };
        if drops {
            let place = usize::from(origin.checked_sub(self.drop_base + 1)?);
            return Some(Move::drop(*DROP_ORDER.get(place)?, to));
        }
        let from = Square::new(origin as u8)?;
        Some(Move::new(from, to, bits & self.promotion != 0))
    }

    /// The legal move of `position` in these bits.
    fn read_legal(&self, position: &Position, bits: u16) -> Result<Move, Problem> {
        let mv = self.read(bits).filter(|&mv| position.is_legal(mv));
        mv.ok_or_else(|| Problem::Move { mv: format!("{bits:#06x}"), sfen: position.to_string() })
    }
}

/// A sample as HCPE.
pub(super) fn hcpe(sample: &Sample) -> Result<[u8; 38], PackError> {
    let mut bytes = [0; 38];
    bytes[..32].copy_from_slice(&pack(&sample.position, Code::Hcp)?);
    bytes[32..34].copy_from_slice(&sample.score.to_le_bytes());
    bytes[34..36].copy_from_slice(&APERY.write(sample.mv).to_le_bytes());
    bytes[36] = match sample.winner {
        None => 0,
        Some(Side::First) => 1,
        Some(Side::Second) => 2,
    };
    Ok(bytes)
}

/// Reads HCPE. It does not say how many moves were made, so the position is called the first.
pub(super) fn read_hcpe(bytes: &[u8; 38]) -> Result<Sample, Problem> {
    let (packed, rest) = bytes.split_first_chunk().expect("38 is more than 32");
    let position = unpack(packed, Code::Hcp, 1)?;
    let winner = match rest[4] {
        0 => None,
        1 => Some(Side::First),
        2 => Some(Side::Second),
        other => return Err(Problem::Result(other.into())),
    };
    let mv = APERY.read_legal(&position, u16::from_le_bytes([rest[2], rest[3]]))?;
    Ok(Sample { position, mv, score: i16::from_le_bytes([rest[0], rest[1]]), winner })
}

/// A sample as PSV.
pub(super) fn psv(sample: &Sample) -> Result<[u8; 40], PackError> {
    let mut bytes = [0; 40];
    bytes[..32].copy_from_slice(&pack(&sample.position, Code::PackedSfen)?);
    bytes[32..34].copy_from_slice(&sample.score.to_le_bytes());
    bytes[34..36].copy_from_slice(&YANEURAOU.write(sample.mv).to_le_bytes());
    bytes[36..38].copy_from_slice(&sample.position.move_number().to_le_bytes());
    bytes[38] = seen_by(sample.position.turn(), sample.winner).to_le_bytes()[0];
    Ok(bytes)
}

/// Reads PSV.
pub(super) fn read_psv(bytes: &[u8; 40]) -> Result<Sample, Problem> {
    let (packed, rest) = bytes.split_first_chunk().expect("40 is more than 32");
    let position = unpack(packed, Code::PackedSfen, u16::from_le_bytes([rest[4], rest[5]]).max(1))?;
    let winner = winner(position.turn(), i8::from_le_bytes([rest[6]]).into())?;
    let mv = YANEURAOU.read_legal(&position, u16::from_le_bytes([rest[2], rest[3]]))?;
    Ok(Sample { position, mv, score: i16::from_le_bytes([rest[0], rest[1]]), winner })
}

/// 1 if `turn` won, −1 if it lost, 0 for a draw.
pub(super) fn seen_by(turn: Color, winner: Option<Side>) -> i8 {
    match winner {
        None => 0,
        Some(side) if side == turn.into() => 1,
        Some(_) => -1,
    }
}

/// Who won, if `turn` sees `result`.
pub(super) fn winner(turn: Color, result: i64) -> Result<Option<Side>, Problem> {
    let side = Side::from(turn);
    match result {
        0 => Ok(None),
        1 => Ok(Some(side)),
        -1 => Ok(Some(!side)),
        other => Err(Problem::Result(other)),
    }
}
