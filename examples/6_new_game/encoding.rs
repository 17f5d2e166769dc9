//! Hexapawn as a network sees it: two planes in, 27 actions out, both from the mover's side.

use keisei_encode::{Actions, AttackBoard, Encode, Source};
use keisei_game::{Game, Side};

use crate::hexapawn::{Hexapawn, Step};

/// The board as the mover sees it: 1 for own pawns, 2 for the opponent's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Packed([u8; 9]);

/// Actions by direction (left, straight on, right) and destination: three planes of nine squares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps;

/// A square as `side` sees the board, which is turned by 180° for the second player.
fn seen_by(side: Side, square: u8) -> usize {
    usize::from(if side == Side::First { square } else { 8 - square })
}

impl AsRef<[u8]> for Packed {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Encode for Hexapawn {
    type Actions = Steps;
    type Packed = Packed;

    const PLANES: usize = 2;
    const SQUARES: usize = 9;
    const COLUMNS: usize = 3;
    const MAX_MOVES: usize = 9;

    fn pack(&self) -> Packed {
        let mut packed = Packed::default();
        for (square, pawn) in (0..).zip(self.position().squares) {
            let byte = pawn.map_or(0, |side| if side == self.turn() { 1 } else { 2 });
            packed.0[seen_by(self.turn(), square)] = byte;
        }
        packed
    }

    fn expand(packed: &Packed, planes: &mut [f32]) {
        for (source, plane) in Self::sources().iter().zip(planes.chunks_exact_mut(Self::SQUARES)) {
            source.expand(&packed.0, &AttackBoard::UNSEEN, plane);
        }
    }

    fn sources() -> Vec<Source> {
        vec![Source::Piece(1), Source::Piece(2)]
    }

    fn mirrored(packed: &Packed) -> Option<Packed> {
        Some(Packed(std::array::from_fn(|square| packed.0[mirror(square)])))
    }
}

fn mirror(square: usize) -> usize {
    square / 3 * 3 + 2 - square % 3
}

impl Actions for Steps {
    type Game = Hexapawn;

    const NAME: &'static str = "steps";
    const COUNT: usize = 27;

    fn index(turn: Side, Step { from, to }: Step) -> usize {
        let (from, to) = (seen_by(turn, from), seen_by(turn, to));
        let direction = to % 3 + 1 - from % 3;
        direction * 9 + to
    }

    fn mirrored(index: usize) -> usize {
        (2 - index / 9) * 9 + mirror(index % 9)
    }

    fn cell(index: usize) -> Option<usize> {
        Some(index)
    }
}
