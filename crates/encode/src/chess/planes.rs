//! The planes of a chess position and their packed form. The table of the planes is the
//! documentation of [`crate::chess`].

use keisei_chess::{Chess, Color, Move, PieceKind, Position, Square};
use keisei_game::Game;

use super::{attacks, place};
use crate::{Encode, Source, View};

const SQUARES: usize = 64;
/// The first plane of the opponent's pieces: so many kinds there are.
pub(super) const OPPONENT: u8 = 6;
const PIECES: usize = 12;
const CASTLING: usize = 12;
const EN_PASSANT: usize = 16;
const REPETITIONS: usize = 17;
const CLOCK: usize = 19;
const WHITE_TO_MOVE: usize = 20;
const PLANES: usize = 21;

/// An observation in 72 bytes.
///
/// | bytes | what they hold |
/// |---|---|
/// | 0–63 | the board, row by row: 0 for an empty square, otherwise 1 + the number of the plane |
/// | 64 | castling: 1 own short, 2 own long, 4 the opponent's short, 8 long |
/// | 65 | en passant: 0 if no pawn can capture so, otherwise 1 + the square's place on the board |
/// | 66 | how often the position occurred before, at most 2 |
/// | 67 | moves without capture or pawn move, at most 255 |
/// | 68 | 1 if White is to move |
/// | 69 | unused, 0 |
/// | 70–71 | the number of moves played, little end first |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed([u8; 72]);

impl Packed {
    const CASTLING: usize = 64;
    const EN_PASSANT: usize = 65;
    const REPETITIONS: usize = 66;
    const CLOCK: usize = 67;
    const WHITE_TO_MOVE: usize = 68;
    const MOVE_COUNT: usize = 70;

    /// The observation in these bytes, or `None` if no observation is packed so.
    pub fn from_bytes(bytes: [u8; 72]) -> Option<Self> {
        let board = bytes[..SQUARES].iter().all(|&cell| cell <= PIECES as u8);
        let rest = bytes[Self::CASTLING] < 16
            && bytes[Self::EN_PASSANT] <= SQUARES as u8
            && bytes[Self::REPETITIONS] <= 2
            && bytes[Self::WHITE_TO_MOVE] <= 1
            && bytes[69] == 0;
        (board && rest).then_some(Self(bytes))
    }

    /// The pieces on the board: where each stands in a plane, and in which.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (usize, usize)> {
        let cells = self.0[..SQUARES].iter().enumerate();
        cells.filter_map(|(place, &cell)| Some((place, usize::from(cell.checked_sub(1)?))))
    }

    /// How many moves were played.
    pub fn move_count(&self) -> u16 {
        u16::from_le_bytes([self.0[Self::MOVE_COUNT], self.0[Self::MOVE_COUNT + 1]])
    }
}

impl Default for Packed {
    fn default() -> Self {
        Self([0; 72])
    }
}

impl AsRef<[u8]> for Packed {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The square where a pawn of the side to move can capture en passant.
fn en_passant_target(position: &Position) -> Option<Square> {
    let (us, target) = (position.turn(), position.en_passant()?);
    let pawns = position.attackers_to(target, us) & position.pieces_of(us, PieceKind::Pawn);
    pawns.into_iter().any(|pawn| position.is_legal(Move::new(pawn, target))).then_some(target)
}

impl Encode for Chess {
    type Actions = super::AlphaZero;

    const PLANES: usize = PLANES;
    const SQUARES: usize = SQUARES;
    const COLUMNS: usize = 8;
    const MAX_MOVES: usize = 218;

    type Packed = Packed;

    fn pack(&self) -> Packed {
        let position = self.position();
        let us = position.turn();
        let mut bytes = [0; 72];
        for (owner, first) in [(us, 1), (!us, 1 + OPPONENT)] {
            for kind in PieceKind::ALL {
                for square in position.pieces_of(owner, kind) {
                    bytes[place(us, square)] = first + kind as u8;
                }
            }
        }
        let (own, other) = (position.castling(us), position.castling(!us));
        let rights = [own.short, own.long, other.short, other.long];
        bytes[Packed::CASTLING] =
            rights.iter().rev().fold(0, |bits, &may| bits << 1 | u8::from(may));
        bytes[Packed::EN_PASSANT] =
            en_passant_target(position).map_or(0, |square| 1 + place(us, square) as u8);
        bytes[Packed::REPETITIONS] = self.repetitions().min(2) as u8;
        bytes[Packed::CLOCK] = u8::try_from(position.halfmove_clock()).unwrap_or(u8::MAX);
        bytes[Packed::WHITE_TO_MOVE] = u8::from(us == Color::White);
        let moves = u16::try_from(self.ply()).unwrap_or(u16::MAX);
        bytes[Packed::MOVE_COUNT..].copy_from_slice(&moves.to_le_bytes());
        Packed(bytes)
    }

    fn expand(packed: &Packed, planes: &mut [f32]) {
        assert_eq!(planes.len(), PLANES * SQUARES, "an observation has 21 planes of 64 squares");
        let bytes = &packed.0;
        planes.fill(0.0);
        for (square, plane) in packed.pieces() {
            planes[plane * SQUARES + square] = 1.0;
        }
        if let Some(square) = bytes[Packed::EN_PASSANT].checked_sub(1) {
            planes[EN_PASSANT * SQUARES + usize::from(square)] = 1.0;
        }
        let mut constant =
            |plane: usize, value: f32| planes[plane * SQUARES..][..SQUARES].fill(value);
        for right in 0..4 {
            constant(CASTLING + right, f32::from(bytes[Packed::CASTLING] >> right & 1));
        }
        if let Some(times) = bytes[Packed::REPETITIONS].checked_sub(1) {
            constant(REPETITIONS + usize::from(times), 1.0);
        }
        constant(CLOCK, f32::from(bytes[Packed::CLOCK]) / 100.0);
        constant(WHITE_TO_MOVE, f32::from(bytes[Packed::WHITE_TO_MOVE]));
    }

    fn sources() -> Vec<Source> {
        const RIGHTS: [fn(u8) -> f32; 4] = [bit::<0>, bit::<1>, bit::<2>, bit::<3>];
        let pieces = (1..=PIECES as u8).map(Source::Piece);
        let rights = RIGHTS.map(|level| Source::Level { byte: Packed::CASTLING, level });
        let rest = [
            Source::Square(Packed::EN_PASSANT),
            Source::Level { byte: Packed::REPETITIONS, level: |n| f32::from(u8::from(n == 1)) },
            Source::Level { byte: Packed::REPETITIONS, level: |n| f32::from(u8::from(n == 2)) },
            Source::Level { byte: Packed::CLOCK, level: |moves| f32::from(moves) / 100.0 },
            Source::Level { byte: Packed::WHITE_TO_MOVE, level: f32::from },
        ];
        pieces.chain(rights).chain(rest).collect()
    }

    fn view(name: &str) -> Option<View<Self>> {
        (name == attacks::NAME).then_some(attacks::VIEW)
    }

    fn shown(packed: &Packed) -> &[u8] {
        &packed.0[..Packed::MOVE_COUNT]
    }

    /// In a mirror kings castle the wrong way, so there is none while any right to castle is left.
    fn mirrored(packed: &Packed) -> Option<Packed> {
        if packed.0[Packed::CASTLING] != 0 {
            return None;
        }
        let mut mirror = *packed;
        mirror.0[..SQUARES].chunks_exact_mut(8).for_each(<[u8]>::reverse);
        if let Some(square) = packed.0[Packed::EN_PASSANT].checked_sub(1) {
            mirror.0[Packed::EN_PASSANT] = 1 + (square ^ 7);
        }
        Some(mirror)
    }
}

/// One bit of `bits`.
fn bit<const NUMBER: u8>(bits: u8) -> f32 {
    f32::from(bits >> NUMBER & 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_no_game_packs_are_refused() {
        let good = Chess::new().pack();
        assert_eq!(Packed::from_bytes(good.0), Some(good));
        for (place, value) in [(0, 13), (64, 16), (65, 65), (66, 3), (68, 2), (69, 1)] {
            let mut bytes = good.0;
            bytes[place] = value;
            assert_eq!(Packed::from_bytes(bytes), None, "byte {place} = {value}");
        }
    }
}
