//! The planes of a shogi position and their packed form. The table of the planes is the
//! documentation of [`crate::shogi`].

use keisei_game::Game;
use keisei_shogi::{Color, Hand, HandKind, PieceKind, Shogi, Square};

use super::{Compact, Full, attacks, dlshogi, place, seen_by};
use crate::{Actions, Encode, ForActions, Source, View};

const SQUARES: usize = Square::COUNT;
/// The first plane of the opponent's pieces: so many kinds there are.
pub(super) const OPPONENT: usize = 14;
const HANDS: usize = 28;
const BLACK_TO_MOVE: usize = 42;
const REPETITIONS: usize = 43;
const PLANES: usize = 46;

/// The plane of each kind among a player's fourteen.
pub(super) const PLANE_OF: [u8; 14] = [0, 1, 2, 3, 4, 5, 6, 13, 7, 8, 9, 10, 11, 12];

/// The number of moves by which [`move_count_plane`] is divided.
pub const MOVE_COUNT_SCALE: f32 = 500.0;

/// An observation in 100 bytes.
///
/// | bytes | what they hold |
/// |---|---|
/// | 0–80 | the board, row by row: 0 for an empty square, otherwise 1 + the number of the plane |
/// | 81–87, 88–94 | own hand and the opponent's, pawn to rook |
/// | 95 | 1 if Black is to move |
/// | 96 | how often the position occurred before, at most 3 |
/// | 97 | unused, 0 |
/// | 98–99 | the number of moves played, little end first |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed([u8; 100]);

impl Packed {
    const HANDS: usize = 81;
    const BLACK_TO_MOVE: usize = 95;
    const REPETITIONS: usize = 96;
    const MOVE_COUNT: usize = 98;

    /// The observation in these bytes, or `None` if no observation is packed so.
    pub fn from_bytes(bytes: [u8; 100]) -> Option<Self> {
        let board = bytes[..Self::HANDS].iter().all(|&cell| cell <= HANDS as u8);
        let totals = HandKind::ALL.into_iter().cycle().map(HandKind::total);
        let hands =
            bytes[Self::HANDS..Self::BLACK_TO_MOVE].iter().zip(totals).all(|(&n, t)| n <= t);
        let rest =
            bytes[Self::BLACK_TO_MOVE] <= 1 && bytes[Self::REPETITIONS] <= 3 && bytes[97] == 0;
        (board && hands && rest).then_some(Self(bytes))
    }

    /// The pieces on the board: where each stands, counted row by row, whose it is, with Black for
    /// the side to move, and its kind.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (usize, Color, PieceKind)> {
        self.0[..Self::HANDS].iter().enumerate().filter_map(|(place, &cell)| {
            let plane = cell.checked_sub(1)?;
            let (owner, plane) = match plane.checked_sub(OPPONENT as u8) {
                None => (Color::Black, plane),
                Some(plane) => (Color::White, plane),
            };
            let kind = PLANE_OF.iter().position(|&of| of == plane)?;
            Some((place, owner, PieceKind::ALL[kind]))
        })
    }

    /// What the side to move holds and what the opponent does, pawn to rook.
    pub(super) fn hands(&self) -> [&[u8]; 2] {
        let (own, rest) = self.0[Self::HANDS..Self::BLACK_TO_MOVE].split_at(HandKind::ALL.len());
        [own, rest]
    }

    /// How many moves were played.
    pub fn move_count(&self) -> u16 {
        u16::from_le_bytes([self.0[Self::MOVE_COUNT], self.0[Self::MOVE_COUNT + 1]])
    }
}

impl Default for Packed {
    fn default() -> Self {
        Self([0; 100])
    }
}

impl AsRef<[u8]> for Packed {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Encode for Shogi {
    type Actions = Compact;

    fn with_actions<V: ForActions<Self>>(count: usize, visitor: V) -> V::Output {
        match count {
            Full::COUNT => visitor.visit::<Full>(),
            _ => visitor.visit::<Compact>(),
        }
    }

    const PLANES: usize = PLANES;
    const SQUARES: usize = SQUARES;
    const COLUMNS: usize = 9;
    const MAX_MOVES: usize = keisei_shogi::MAX_MOVES;

    type Packed = Packed;

    fn pack(&self) -> Packed {
        let position = self.position();
        let us = position.turn();
        let mut bytes = [0; 100];
        for (owner, first) in [(us, 1), (!us, 1 + OPPONENT as u8)] {
            for square in position.pieces(owner) {
                if let Some(piece) = position.piece_at(square) {
                    bytes[place(seen_by(us, square))] = first + PLANE_OF[piece.kind as usize];
                }
            }
        }
        let pack_hand = |bytes: &mut [u8], hand: Hand| {
            for (byte, kind) in bytes.iter_mut().zip(HandKind::ALL) {
                *byte = hand.count(kind);
            }
        };
        pack_hand(&mut bytes[Packed::HANDS..], position.hand(us));
        pack_hand(&mut bytes[Packed::HANDS + 7..], position.hand(!us));
        bytes[Packed::BLACK_TO_MOVE] = u8::from(us == Color::Black);
        bytes[Packed::REPETITIONS] = self.repetitions().min(3) as u8;
        let moves = u16::try_from(self.ply()).unwrap_or(u16::MAX);
        bytes[Packed::MOVE_COUNT..].copy_from_slice(&moves.to_le_bytes());
        Packed(bytes)
    }

    fn expand(packed: &Packed, planes: &mut [f32]) {
        assert_eq!(planes.len(), PLANES * SQUARES, "an observation has 46 planes of 81 squares");
        let (pieces, rest) = planes.split_at_mut(HANDS * SQUARES);
        pieces.fill(0.0);
        for (square, &cell) in packed.0[..SQUARES].iter().enumerate() {
            if let Some(plane) = cell.checked_sub(1) {
                pieces[usize::from(plane) * SQUARES + square] = 1.0;
            }
        }
        let mut constant = |plane: usize, value: f32| {
            let start = (plane - HANDS) * SQUARES;
            rest[start..start + SQUARES].fill(value);
        };
        let counts = &packed.0[Packed::HANDS..Packed::BLACK_TO_MOVE];
        for (index, (&count, kind)) in counts.iter().zip(HandKind::ALL.iter().cycle()).enumerate() {
            constant(HANDS + index, f32::from(count) / f32::from(kind.total()));
        }
        constant(BLACK_TO_MOVE, f32::from(packed.0[Packed::BLACK_TO_MOVE]));
        for times in 1..=3 {
            let seen = packed.0[Packed::REPETITIONS] == times;
            constant(REPETITIONS + usize::from(times) - 1, f32::from(u8::from(seen)));
        }
    }

    fn sources() -> Vec<Source> {
        const SHARES: [fn(u8) -> f32; 7] =
            [share::<0>, share::<1>, share::<2>, share::<3>, share::<4>, share::<5>, share::<6>];
        const TIMES: [fn(u8) -> f32; 3] = [is::<1>, is::<2>, is::<3>];
        let pieces = (1..=HANDS as u8).map(Source::Piece);
        let level = |(byte, &level): (usize, &fn(u8) -> f32)| Source::Level { byte, level };
        let hands = (Packed::HANDS..).zip(SHARES.iter().chain(&SHARES)).map(level);
        let turn = Source::Level { byte: Packed::BLACK_TO_MOVE, level: f32::from };
        let times = TIMES.map(|level| Source::Level { byte: Packed::REPETITIONS, level });
        pieces.chain(hands).chain([turn]).chain(times).collect()
    }

    fn view(name: &str) -> Option<View<Self>> {
        match name {
            attacks::NAME => Some(attacks::VIEW),
            dlshogi::NAME => Some(dlshogi::VIEW),
            _ => None,
        }
    }

    fn shown(packed: &Packed) -> &[u8] {
        &packed.0[..Packed::MOVE_COUNT]
    }

    fn mirrored(packed: &Packed) -> Option<Packed> {
        let mut mirror = *packed;
        for row in mirror.0[..SQUARES].chunks_exact_mut(9) {
            row.reverse();
        }
        Some(mirror)
    }
}

/// How large a share of all pieces of a kind `count` is. `KIND` numbers the kinds of a hand.
fn share<const KIND: usize>(count: u8) -> f32 {
    f32::from(count) / f32::from(HandKind::ALL[KIND].total())
}

/// 1 if `value` is `THIS`.
fn is<const THIS: u8>(value: u8) -> f32 {
    f32::from(u8::from(value == THIS))
}

/// The optional plane of the move count: the number of moves played over [`MOVE_COUNT_SCALE`], at
/// most 1, on every square.
pub fn move_count_plane(packed: &Packed) -> [f32; SQUARES] {
    [(f32::from(packed.move_count()) / MOVE_COUNT_SCALE).min(1.0); SQUARES]
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_shogi::PieceKind;

    #[test]
    fn kinds_fill_their_fourteen_planes_and_gold_and_king_have_no_promoted_one() {
        let plane = |kind: PieceKind| PLANE_OF[kind as usize];
        assert_eq!(
            PieceKind::ALL[..7].iter().map(|&k| plane(k)).collect::<Vec<_>>(),
            [0, 1, 2, 3, 4, 5, 6]
        );
        assert_eq!(plane(PieceKind::King), 13);
        let promoted: Vec<_> = PieceKind::ALL[8..].iter().map(|&k| plane(k)).collect();
        assert_eq!(promoted, [7, 8, 9, 10, 11, 12]);
    }

    #[test]
    fn bytes_that_no_game_packs_are_refused() {
        let good = Shogi::new().pack();
        assert_eq!(Packed::from_bytes(good.0), Some(good));
        for (place, value) in [(0, 29), (81, 19), (87, 3), (95, 2), (96, 4), (97, 1)] {
            let mut bytes = good.0;
            bytes[place] = value;
            assert_eq!(Packed::from_bytes(bytes), None, "byte {place} = {value}");
        }
    }
}
