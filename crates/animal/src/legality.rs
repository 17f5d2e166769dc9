//! Why a move is illegal.

use keisei_game::Side;

use crate::attacks::attacks;
use crate::{HandKind, Move, Piece, PieceKind, Position, Square};

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IllegalMove {
    /// The game is lost already.
    #[error("the game is over")]
    GameOver,
    /// No piece of the mover's stands there.
    #[error("the {side} player has no piece on {square}")]
    NoPiece {
        /// Who moves.
        side: Side,
        /// The origin.
        square: Square,
    },
    /// The piece does not go there.
    #[error("a {kind} does not go from {from} to {to}")]
    Reach {
        /// The piece.
        kind: PieceKind,
        /// The origin.
        from: Square,
        /// The destination.
        to: Square,
    },
    /// A piece that the move may not take stands on the destination.
    #[error("{0} is occupied")]
    Occupied(Square),
    /// Nothing of the kind is in hand.
    #[error("there is no {} in hand", .0.kind())]
    NotInHand(HandKind),
    /// Only a chick promotes, when it reaches the last rank, and then it must.
    #[error("a chick promotes when it reaches the last rank, and nothing else does")]
    Promotion,
}

impl Position {
    /// Whether `mv` is legal, or which rule it breaks.
    pub fn check_legal(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.is_legal(mv) {
            return Ok(());
        }
        let side = self.turn();
        let ours = |square| self.piece_at(square).filter(|piece| piece.side == side);
        Err(match mv {
            _ if self.board().lost().is_some() => IllegalMove::GameOver,
            Move::Step { from, to, .. } => match ours(from) {
                None => IllegalMove::NoPiece { side, square: from },
                Some(Piece { kind, .. }) if !attacks(kind, side, from).has(to) => {
                    IllegalMove::Reach { kind, from, to }
                }
                Some(_) if ours(to).is_some() => IllegalMove::Occupied(to),
                Some(_) => IllegalMove::Promotion,
            },
            Move::Drop { kind, .. } if self.in_hand(side, kind) == 0 => {
                IllegalMove::NotInHand(kind)
            }
            Move::Drop { to, .. } => IllegalMove::Occupied(to),
        })
    }
}
