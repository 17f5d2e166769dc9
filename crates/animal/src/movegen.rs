//! Legal moves.

use arrayvec::ArrayVec;
use keisei_game::Side;

use crate::attacks::attacks;
use crate::board::last_rank;
use crate::{Bitboard, Board, HandKind, Move, PieceKind, Square};

/// The most moves a position can have: three kinds in hand for seven empty squares, and a lion, a
/// hen, a giraffe and an elephant that go everywhere they could in the open.
pub const MAX_MOVES: usize = 3 * 7 + 8 + 6 + 4 + 4;

/// The legal moves of a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

impl Board {
    /// All legal moves: by kind of piece and square, then drops. None once the game is lost.
    ///
    /// A lion may go or stay where it can be taken: that loses, but no rule forbids it.
    #[inline]
    pub fn legal_moves(self) -> MoveList {
        let mut moves = MoveList::new();
        self.visit(|set| match set {
            MoveSet::Steps { from, kind, to } => {
                let promotions = self.promotions(kind);
                let step = |to| Move::Step { from, to, promotes: promotions.has(to) };
                moves.extend(to.map(step));
            }
            MoveSet::Drops { kind, to } => moves.extend(to.map(|to| Move::Drop { kind, to })),
        });
        moves
    }

    /// How many legal moves there are.
    pub fn count_legal_moves(self) -> usize {
        let mut count = 0;
        self.visit(|set| {
            count += match set {
                MoveSet::Steps { to, .. } | MoveSet::Drops { to, .. } => to.len(),
            };
        });
        count
    }

    /// Whether `mv` is legal.
    pub fn is_legal(self, mv: Move) -> bool {
        if self.lost().is_some() {
            return false;
        }
        let turn = self.turn();
        match mv {
            Move::Step { from, to, promotes } => {
                let mover = self.piece_at(from).filter(|piece| piece.side == turn);
                mover.is_some_and(|piece| {
                    (attacks(piece.kind, turn, from) - self.pieces(turn)).has(to)
                        && promotes == self.promotions(piece.kind).has(to)
                })
            }
            Move::Drop { kind, to } => self.in_hand(turn, kind) > 0 && !self.occupied().has(to),
        }
    }

    /// Where a piece of `kind` promotes when it arrives: it always does.
    #[inline]
    fn promotions(self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Chick => last_rank(self.turn()),
            _ => Bitboard::EMPTY,
        }
    }

    /// Calls `visit` with every set of legal moves, which may be empty.
    #[inline]
    pub(crate) fn visit(self, mut visit: impl FnMut(MoveSet)) {
        if self.lost().is_some() {
            return;
        }
        let turn = self.turn();
        let (own, empty) = (self.pieces(turn), !self.occupied());
        for kind in PieceKind::ALL {
            for from in self.kind(kind) & own {
                visit(MoveSet::Steps { from, kind, to: attacks(kind, turn, from) - own });
            }
        }
        for kind in self.hand_kinds(turn) {
            visit(MoveSet::Drops { kind, to: empty });
        }
    }

    /// The kinds that a player holds in hand.
    #[inline]
    pub(crate) fn hand_kinds(self, side: Side) -> impl Iterator<Item = HandKind> {
        HandKind::ALL.into_iter().filter(move |&kind| self.in_hand(side, kind) > 0)
    }
}

/// The moves of one piece, or the drops of one kind.
pub(crate) enum MoveSet {
    /// The piece of `kind` on `from` goes to any square of `to`.
    Steps { from: Square, kind: PieceKind, to: Bitboard },
    /// A piece of `kind` is dropped on any square of `to`.
    Drops { kind: HandKind, to: Bitboard },
}
