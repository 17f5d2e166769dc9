//! Whether one given move is legal, and which rule it breaks if it is not.

use super::{Position, Promotion, is_dead_row};
use crate::attacks::lines::squares_between;
use crate::attacks::{attacks, step_attacks};
use crate::movegen::is_drop_pawn_mate;
use crate::{Bitboard, Color, HandKind, Move, Origin, Piece, PieceKind, Square};

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IllegalMove {
    /// Nothing stands on the origin.
    #[error("there is no piece on {0}")]
    NoPiece(Square),
    /// The piece on the origin is the other player's.
    #[error("the {kind} on {from} is {color}'s")]
    NotYours {
        /// The origin.
        from: Square,
        /// Whose piece stands there.
        color: Color,
        /// What stands there.
        kind: PieceKind,
    },
    /// The player's own piece stands on the destination.
    #[error("your own {kind} stands on {to}")]
    OwnPiece {
        /// The destination.
        to: Square,
        /// What stands there.
        kind: PieceKind,
    },
    /// The piece does not move this way, or something stands in its way.
    #[error("a {kind} cannot go from {from} to {to}")]
    Unreachable {
        /// The piece.
        kind: PieceKind,
        /// The origin.
        from: Square,
        /// The destination.
        to: Square,
    },
    /// The piece slides this way, but another piece stands between.
    #[error("the {kind} on {from} cannot reach {to}: the piece on {blocker} is in the way")]
    Blocked {
        /// The piece.
        kind: PieceKind,
        /// The origin.
        from: Square,
        /// The destination.
        to: Square,
        /// The first piece in the way.
        blocker: Square,
    },
    /// The kind has no promoted form.
    #[error("a {0} does not promote")]
    Unpromotable(PieceKind),
    /// Neither end of the move is in the promotion zone.
    #[error("the move from {from} to {to} does not touch the promotion zone")]
    OutsideZone {
        /// The origin.
        from: Square,
        /// The destination.
        to: Square,
    },
    /// The piece must promote, because it could never move again.
    #[error("a {kind} that goes to {to} must promote: it could never move again")]
    MustPromote {
        /// The piece.
        kind: PieceKind,
        /// The destination.
        to: Square,
    },
    /// The player has no such piece in hand.
    #[error("there is no {} in hand", .0.kind())]
    NotInHand(HandKind),
    /// A drop on a square that is not empty.
    #[error("{0} is occupied: pieces are dropped on empty squares")]
    DropOnPiece(Square),
    /// A drop where the piece could never move.
    #[error("a {kind} dropped on {to} could never move")]
    DeadDrop {
        /// The piece.
        kind: PieceKind,
        /// The destination.
        to: Square,
    },
    /// A second unpromoted pawn on a file (nifu).
    #[error("nifu: there is a pawn on {pawn} already, so none may be dropped on {to}")]
    TwoPawns {
        /// The destination.
        to: Square,
        /// The pawn that is there.
        pawn: Square,
    },
    /// A pawn drop that gives checkmate (uchifuzume).
    #[error("uchifuzume: a pawn dropped on {0} would give checkmate")]
    DropPawnMate(Square),
    /// The player's king is in check and stays in check.
    #[error("the king is in check from {0} and the move does not help")]
    StillInCheck(Square),
    /// The move exposes the player's king to check.
    #[error("the move exposes the king to the piece on {0}")]
    ExposesKing(Square),
    /// The king moves to an attacked square.
    #[error("the king would be attacked on {to} by the piece on {attacker}")]
    KingIntoCheck {
        /// Where the king goes.
        to: Square,
        /// A piece that attacks it there.
        attacker: Square,
    },
}

impl Position {
    /// Whether `mv` is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.check_legal(mv).is_ok()
    }

    /// Says which rule `mv` breaks, if it is not legal here.
    pub fn check_legal(&self, mv: Move) -> Result<(), IllegalMove> {
        match mv.origin() {
            Origin::Hand(kind) => self.check_drop(kind, mv.to()),
            Origin::Board(from) => self.check_board_move(from, mv.to(), mv.promotes()),
        }
    }

    fn check_board_move(&self, from: Square, to: Square, promote: bool) -> Result<(), IllegalMove> {
        let us = self.turn;
        let Piece { color, kind } = self.piece_at(from).ok_or(IllegalMove::NoPiece(from))?;
        if color != us {
            return Err(IllegalMove::NotYours { from, color, kind });
        }
        if let Some(Piece { kind, .. }) = self.piece_at(to).filter(|piece| piece.color == us) {
            return Err(IllegalMove::OwnPiece { to, kind });
        }
        let reach = attacks(us, kind, from, self.occupied());
        if !reach.has(to) {
            let through = attacks(us, kind, from, Bitboard::EMPTY);
            // Of the pieces between, only the first is within reach.
            return Err(match (squares_between(from, to) & self.occupied() & reach).first() {
                Some(blocker) if through.has(to) => {
                    IllegalMove::Blocked { kind, from, to, blocker }
                }
                _ => IllegalMove::Unreachable { kind, from, to },
            });
        }
        match (Self::promotion(us, kind, from, to), promote) {
            (Promotion::No, true) if kind.promoted().is_none() => {
                return Err(IllegalMove::Unpromotable(kind));
            }
            (Promotion::No, true) => return Err(IllegalMove::OutsideZone { from, to }),
            (Promotion::Must, false) => return Err(IllegalMove::MustPromote { kind, to }),
            _ => {}
        }
        self.check_king_safety(kind, from, to)
    }

    fn check_king_safety(
        &self,
        kind: PieceKind,
        from: Square,
        to: Square,
    ) -> Result<(), IllegalMove> {
        let us = self.turn;
        let Some(king) = self.king(us) else { return Ok(()) };
        let occupied = (self.occupied() - from.into()) | to.into();
        if kind == PieceKind::King {
            // The captured piece, if any, does not attack the square it stood on.
            return match self.attackers_through(to, !us, occupied).first() {
                Some(attacker) => Err(IllegalMove::KingIntoCheck { to, attacker }),
                None => Ok(()),
            };
        }
        let attackers = self.attackers_through(king, !us, occupied) - to.into();
        match (attackers.first(), (attackers & self.checkers()).first()) {
            (None, _) => Ok(()),
            (_, Some(checker)) => Err(IllegalMove::StillInCheck(checker)),
            (Some(attacker), None) => Err(IllegalMove::ExposesKing(attacker)),
        }
    }

    fn check_drop(&self, kind: HandKind, to: Square) -> Result<(), IllegalMove> {
        let us = self.turn;
        if !self.hands[us].has(kind) {
            return Err(IllegalMove::NotInHand(kind));
        }
        if self.piece_at(to).is_some() {
            return Err(IllegalMove::DropOnPiece(to));
        }
        if is_dead_row(kind.kind(), us.relative_row(to.row())) {
            return Err(IllegalMove::DeadDrop { kind: kind.kind(), to });
        }
        if kind == HandKind::Pawn {
            let on_file = self.pieces_of(us, PieceKind::Pawn) & Bitboard::file(to.file());
            if let Some(pawn) = on_file.first() {
                return Err(IllegalMove::TwoPawns { to, pawn });
            }
        }
        if let Some(king) = self.king(us) {
            let occupied = self.occupied() | to.into();
            if let Some(checker) = self.attackers_through(king, !us, occupied).first() {
                return Err(IllegalMove::StillInCheck(checker));
            }
        }
        let gives_check = self.king(!us).is_some_and(|king| {
            kind == HandKind::Pawn && step_attacks(us, PieceKind::Pawn, to).has(king)
        });
        if gives_check && is_drop_pawn_mate(self, to) {
            return Err(IllegalMove::DropPawnMate(to));
        }
        Ok(())
    }
}
