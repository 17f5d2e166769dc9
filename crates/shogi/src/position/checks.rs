//! Which moves give check.

use super::{Cell, Position};
use crate::attacks::attacks;
use crate::attacks::lines::ray_through;
use crate::movegen::MoveList;
use crate::{Bitboard, Move, Origin, PieceKind, Square};

impl Position {
    /// The legal moves that give check.
    pub fn legal_checks(&self) -> MoveList {
        let mut moves = self.legal_moves();
        match Checks::new(self) {
            Some(checks) => moves.retain(|mv| checks.has(mv)),
            None => moves.retain(|_| false),
        }
        moves
    }

    /// Whether the legal move `mv` gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        Checks::new(self).is_some_and(|checks| checks.has(mv))
    }
}

/// What there is to know about the other side's king before asking which moves attack it.
struct Checks<'a> {
    board: &'a [Cell; Square::COUNT],
    king: Square,
    /// The squares from which each kind attacks the king.
    from: [Bitboard; 14],
    /// Our pieces that stand alone between the king and one of our sliders.
    shields: Bitboard,
}

impl<'a> Checks<'a> {
    fn new(position: &'a Position) -> Option<Self> {
        let us = position.turn;
        let king = position.king(!us)?;
        // A piece attacks the king from where the same piece of the other colour, put on the
        // king's square, attacks. That a piece leaves its square opens no line for the piece
        // itself: it would attack the king already.
        let occupied = position.occupied();
        let from = PieceKind::ALL.map(|kind| match kind {
            PieceKind::King => Bitboard::EMPTY,
            _ => attacks(!us, kind, king, occupied),
        });
        let shields = position.shields(!us) & position.pieces(us);
        Some(Self { board: &position.board, king, from, shields })
    }

    fn has(&self, mv: Move) -> bool {
        let to = mv.to();
        match mv.origin() {
            Origin::Hand(kind) => self.from[kind.kind() as usize].has(to),
            Origin::Board(from) => {
                let kind = self.board[from.index()].kind();
                let arrived = if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind };
                self.from[arrived as usize].has(to) || self.uncovers(from, to)
            }
        }
    }

    /// Whether a piece that goes from `from` to `to` opens the line of a slider behind it.
    fn uncovers(&self, from: Square, to: Square) -> bool {
        let line = ray_through(self.king.index(), from.index());
        self.shields.has(from) && !Bitboard::from_bits(line).has(to)
    }
}
