//! The planes of a position of animal shogi and their packed form. The table of the planes is the
//! documentation of [`crate::animal`].

use keisei_animal::{Animal, HandKind, MAX_MOVES, PieceKind, Square};
use keisei_game::{Game, Side};

use super::seen_by;
use crate::{AttackBoard, Encode, Source};

const PLANES: usize = 18;
const SQUARES: usize = Square::COUNT;
const KINDS: usize = PieceKind::ALL.len();
const HELD: usize = HandKind::ALL.len();

/// An observation in 20 bytes.
///
/// | bytes | what they hold |
/// |---|---|
/// | 0–11 | the board, row by row: 0 for an empty square, otherwise 1 + the number of the plane |
/// | 12–14, 15–17 | own hand and the opponent's, chick to giraffe |
/// | 18 | 1 if the position occurred before |
/// | 19 | 1 if the first player is to move |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Packed([u8; 20]);

impl Packed {
    const HANDS: usize = SQUARES;
    const REPEATED: usize = SQUARES + 2 * HELD;
    const FIRST_TO_MOVE: usize = Self::REPEATED + 1;
}

impl AsRef<[u8]> for Packed {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Where each plane comes from.
static SOURCES: [Source; PLANES] = {
    let mut sources = [Source::Piece(0); PLANES];
    let mut plane = 0;
    while plane < 2 * KINDS {
        sources[plane] = Source::Piece(plane as u8 + 1);
        plane += 1;
    }
    let mut byte = Packed::HANDS;
    while plane < sources.len() {
        let level = if byte < Packed::REPEATED { share_of_two } else { whole };
        sources[plane] = Source::Level { byte, level };
        plane += 1;
        byte += 1;
    }
    sources
};

fn share_of_two(count: u8) -> f32 {
    f32::from(count) / 2.0
}

fn whole(byte: u8) -> f32 {
    f32::from(byte)
}

impl Encode for Animal {
    type Actions = super::Arrivals;

    const PLANES: usize = PLANES;
    const SQUARES: usize = SQUARES;
    const COLUMNS: usize = Square::FILES;
    const MAX_MOVES: usize = MAX_MOVES;

    type Packed = Packed;

    fn pack(&self) -> Packed {
        let position = self.position();
        let us = position.turn();
        let mut bytes = [0; 20];
        for square in Square::all() {
            if let Some(piece) = position.piece_at(square) {
                let first = if piece.side == us { 0 } else { KINDS as u8 };
                bytes[seen_by(us, square).index()] = first + piece.kind as u8;
            }
        }
        for (hand, side) in bytes[Packed::HANDS..].chunks_exact_mut(HELD).zip([us, !us]) {
            for (byte, kind) in hand.iter_mut().zip(HandKind::ALL) {
                *byte = position.in_hand(side, kind);
            }
        }
        bytes[Packed::REPEATED] = u8::from(self.repetitions() > 0);
        bytes[Packed::FIRST_TO_MOVE] = u8::from(us == Side::First);
        Packed(bytes)
    }

    fn expand(packed: &Packed, planes: &mut [f32]) {
        assert_eq!(planes.len(), PLANES * SQUARES, "an observation has 18 planes of 12");
        for (source, plane) in SOURCES.iter().zip(planes.chunks_exact_mut(SQUARES)) {
            source.expand(&packed.0, &AttackBoard::UNSEEN, plane);
        }
    }

    fn sources() -> Vec<Source> {
        SOURCES.to_vec()
    }

    fn mirrored(packed: &Packed) -> Option<Packed> {
        let mut mirror = *packed;
        for row in mirror.0[..SQUARES].chunks_exact_mut(Square::FILES) {
            row.reverse();
        }
        Some(mirror)
    }
}
