//! Moves of shogi as people write them: Japanese, KIF, Western and CSA notation.

mod glyphs;
mod japanese;
mod parse;
mod western;

use keisei_shogi::{Bitboard, HandKind, Move, Origin, PieceKind, Position, Square};

pub use glyphs::{DragonForm, KingForm, RankForm, Rivals, SideMark, Spelling};
pub use japanese::{Marks, Motion, Relative, japanese, kif, marks};
pub use parse::{MoveTextError, parse_any, parse_japanese};
pub use western::western;

pub(crate) use glyphs::{csa_kind, csa_name, rank_digit, rank_number};
pub(crate) use parse::MoveText;

/// Why a move has no notation in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NotationError {
    /// Nothing stands where the move starts.
    #[error("there is no piece on {0}")]
    EmptySquare(Square),
    /// The piece that should move is the opponent's.
    #[error("the piece on {0} is the opponent's")]
    OpponentsPiece(Square),
    /// The piece that should be dropped is not in hand.
    #[error("there is no {} in hand", .0.kind())]
    NotInHand(HandKind),
}

/// The kind of piece that `mv` moves or drops in `position`.
pub(crate) fn moved_kind(position: &Position, mv: Move) -> Result<PieceKind, NotationError> {
    let from = match mv.origin() {
        Origin::Board(from) => from,
        Origin::Hand(kind) if position.hand(position.turn()).has(kind) => return Ok(kind.kind()),
        Origin::Hand(kind) => return Err(NotationError::NotInHand(kind)),
    };
    let piece = position.piece_at(from).ok_or(NotationError::EmptySquare(from))?;
    if piece.color == position.turn() {
        Ok(piece.kind)
    } else {
        Err(NotationError::OpponentsPiece(from))
    }
}

/// The pieces of `kind`, other than the one that makes `mv`, that could arrive where `mv` does.
fn rivals(position: &Position, mv: Move, kind: PieceKind, which: Rivals) -> Bitboard {
    let mover = position.turn();
    let attackers = position.attackers_to(mv.to(), mover) & position.pieces_of(mover, kind);
    let other = |&from: &Square| Some(from) != mv.from();
    let legal = |from: Square| {
        let plain = Move::new(from, mv.to(), false);
        position.is_legal(plain) || plain.promoting().is_some_and(|mv| position.is_legal(mv))
    };
    let counts = |&from: &Square| which == Rivals::Attacking || legal(from);
    attackers.into_iter().filter(other).filter(counts).collect()
}
