//! The pieces, the hands and whose turn it is, in 64 bits.

use std::ops::BitOr;

use keisei_game::{Reason, Side};

use crate::attacks::attacks;
use crate::{Bitboard, HandKind, Move, Piece, PieceKind, Square};

/// Everything that makes two positions the same for the rules, in 64 bits.
///
/// | bits | what they hold |
/// |---|---|
/// | 0–35 | the kind of piece on each square, as three sets of squares: one a bit of its number |
/// | 36–47 | the squares of the second player's pieces |
/// | 48–53, 54–59 | the first and the second player's hand, two bits a kind |
/// | 60 | whether the second player is to move |
///
/// So a set of pieces is a few ANDs away, a move changes a few bits, and the bits are the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board(u64);

const PLANE: u32 = Square::COUNT as u32;
const OWNER: u32 = 3 * PLANE;
const HANDS: [u32; 2] = [48, 54];
const HAND_BITS: u64 = 0x3f;
const TURN: u32 = 60;

impl Board {
    /// No piece anywhere, the first player to move.
    pub(crate) const EMPTY: Self = Self(0);

    /// The bits; see the table above.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The side to move.
    #[inline]
    pub const fn turn(self) -> Side {
        if self.0 >> TURN & 1 == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    const fn plane(self, start: u32) -> Bitboard {
        Bitboard::from_bits((self.0 >> start) as u16)
    }

    /// The squares with a piece.
    #[inline]
    pub fn occupied(self) -> Bitboard {
        self.plane(0) | self.plane(PLANE) | self.plane(2 * PLANE)
    }

    /// The squares of one player's pieces.
    #[inline]
    pub fn pieces(self, side: Side) -> Bitboard {
        match side {
            Side::First => self.occupied() - self.plane(OWNER),
            Side::Second => self.plane(OWNER),
        }
    }

    /// The squares of both players' pieces of one kind.
    #[inline]
    pub fn kind(self, kind: PieceKind) -> Bitboard {
        let [low, middle, high] = [0, PLANE, 2 * PLANE].map(|start| self.plane(start));
        match kind {
            PieceKind::Chick => low - middle - high,
            PieceKind::Elephant => middle - low,
            PieceKind::Giraffe => low & middle,
            PieceKind::Lion => high - low,
            PieceKind::Hen => low & high,
        }
    }

    /// Where a player's lion stands, or `None` if it was caught.
    #[inline]
    pub fn lion(self, side: Side) -> Option<Square> {
        (self.kind(PieceKind::Lion) & self.pieces(side)).first()
    }

    /// The piece on `square`.
    #[inline]
    pub fn piece_at(self, square: Square) -> Option<Piece> {
        let planes = self.0 >> square.index();
        let number = planes & 1 | planes >> (PLANE - 1) & 2 | planes >> (2 * PLANE - 2) & 4;
        let kind = *PieceKind::ALL.get((number as usize).wrapping_sub(1))?;
        let side = if planes >> OWNER & 1 == 0 { Side::First } else { Side::Second };
        Some(Piece { side, kind })
    }

    /// How many pieces of `kind` a player holds in hand.
    #[inline]
    pub const fn in_hand(self, side: Side, kind: HandKind) -> u8 {
        (self.0 >> Self::hand_shift(side, kind) & 3) as u8
    }

    #[inline]
    const fn hand_shift(side: Side, kind: HandKind) -> u32 {
        HANDS[side as usize] + 2 * (kind as u32 - 1)
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(crate) const fn put(&mut self, piece: Piece, square: Square) {
        self.0 |= Self::piece_bits(piece) << square.index();
    }

    /// Takes a piece away from where it stands.
    #[inline]
    pub(crate) const fn take(&mut self, piece: Piece, square: Square) {
        self.0 &= !(Self::piece_bits(piece) << square.index());
    }

    /// The bits of a piece on the first square.
    #[inline]
    const fn piece_bits(piece: Piece) -> u64 {
        let number = piece.kind as u64;
        number & 1
            | (number >> 1 & 1) << PLANE
            | (number >> 2) << (2 * PLANE)
            | (piece.side as u64) << OWNER
    }

    /// Sets how many pieces of `kind` a player holds, 3 at most.
    #[inline]
    pub(crate) const fn set_hand(&mut self, side: Side, kind: HandKind, count: u8) {
        let shift = Self::hand_shift(side, kind);
        self.0 = self.0 & !(3 << shift) | (count as u64 & 3) << shift;
    }

    /// Gives the turn to the other side.
    #[inline]
    pub(crate) const fn pass_turn(&mut self) {
        self.0 ^= 1 << TURN;
    }

    /// Plays a legal move.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move) {
        let side = self.turn();
        match mv {
            Move::Step { from, to, promotes } => {
                if let Some(taken) = self.piece_at(to) {
                    self.take(taken, to);
                    if let Some(kind) = taken.kind.in_hand() {
                        self.set_hand(side, kind, self.in_hand(side, kind) + 1);
                    }
                }
                if let Some(piece) = self.piece_at(from) {
                    self.take(piece, from);
                    let kind = if promotes { PieceKind::Hen } else { piece.kind };
                    self.put(Piece { side, kind }, to);
                }
            }
            Move::Drop { kind, to } => {
                self.set_hand(side, kind, self.in_hand(side, kind).wrapping_sub(1));
                self.put(Piece { side, kind: kind.kind() }, to);
            }
        }
        self.pass_turn();
    }

    /// The pieces of `by` that attack `square`.
    #[inline]
    pub fn attackers(self, square: Square, by: Side) -> Bitboard {
        // A piece attacks what the same piece of the other side would attack it from.
        let attackers = PieceKind::ALL.map(|kind| attacks(kind, !by, square) & self.kind(kind));
        attackers.into_iter().fold(Bitboard::EMPTY, Bitboard::bitor) & self.pieces(by)
    }

    /// Whether the lion of the side to move is attacked.
    #[inline]
    pub fn lion_attacked(self) -> bool {
        let turn = self.turn();
        self.lion(turn).is_some_and(|lion| !self.attackers(lion, !turn).is_empty())
    }

    /// Why the side to move has lost, if it has: its lion was caught, or the other lion stands on
    /// the last rank and cannot be taken.
    #[inline]
    pub fn lost(self) -> Option<Reason> {
        let turn = self.turn();
        if self.lion(turn).is_none() {
            return Some(Reason::KingCaptured);
        }
        let entered = self.kind(PieceKind::Lion) & self.pieces(!turn) & last_rank(!turn);
        let lion = entered.first()?;
        self.attackers(lion, turn).is_empty().then_some(Reason::Try)
    }

    /// The board with the players exchanged: the same for whoever is to move.
    #[must_use]
    pub fn rotated(self) -> Self {
        let owner = self.pieces(Side::First);
        let mut turned = self.with_planes(Bitboard::rotated, owner);
        let [first, second] = HANDS.map(|start| self.0 >> start & HAND_BITS);
        turned |= second << HANDS[0] | first << HANDS[1];
        Self(turned | (self.0 ^ 1 << TURN) & 1 << TURN)
    }

    /// The board in a left–right mirror.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let rest = self.0 >> HANDS[0] << HANDS[0];
        Self(self.with_planes(Bitboard::mirrored, self.plane(OWNER)) | rest)
    }

    /// The four planes with every square moved by `image`, and `owner` as the last of them.
    #[inline]
    fn with_planes(self, image: impl Fn(Bitboard) -> Bitboard, owner: Bitboard) -> u64 {
        let [low, middle, high] = [0, PLANE, 2 * PLANE].map(|start| self.plane(start));
        let planes = [low, middle, high, owner].map(|plane| u64::from(image(plane).bits()));
        planes[0] | planes[1] << PLANE | planes[2] << (2 * PLANE) | planes[3] << OWNER
    }
}

/// The rank farthest from a player, where its chicks promote and its lion wins.
#[inline]
pub(crate) const fn last_rank(side: Side) -> Bitboard {
    match side {
        Side::First => Bitboard::row(0),
        Side::Second => Bitboard::row(Square::RANKS - 1),
    }
}
