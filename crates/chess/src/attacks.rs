//! What pieces attack.

use cozy_chess::{
    BitBoard, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use crate::{Color, PieceKind};

/// The squares that a piece attacks from `square` when `occupied` is what stands in the way: where
/// it could take an enemy, wherever it is pinned.
pub fn attacks(color: Color, kind: PieceKind, square: Square, occupied: BitBoard) -> BitBoard {
    match kind {
        PieceKind::Pawn => get_pawn_attacks(square, color.into()),
        PieceKind::Knight => get_knight_moves(square),
        PieceKind::Bishop => get_bishop_moves(square, occupied),
        PieceKind::Rook => get_rook_moves(square, occupied),
        PieceKind::Queen => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
        PieceKind::King => get_king_moves(square),
    }
}

/// The pieces of `by` that attack `square` when `occupied` is what stands in the way and
/// `pieces_of` says where the pieces of `by` are.
pub(crate) fn attackers(
    square: Square,
    by: Color,
    occupied: BitBoard,
    pieces_of: impl Fn(PieceKind) -> BitBoard,
) -> BitBoard {
    let queens = pieces_of(PieceKind::Queen);
    // The squares from which a pawn hits a square are those that an enemy pawn there would hit.
    get_pawn_attacks(square, (!by).into()) & pieces_of(PieceKind::Pawn)
        | get_knight_moves(square) & pieces_of(PieceKind::Knight)
        | get_king_moves(square) & pieces_of(PieceKind::King)
        | get_bishop_moves(square, occupied) & (pieces_of(PieceKind::Bishop) | queens)
        | get_rook_moves(square, occupied) & (pieces_of(PieceKind::Rook) | queens)
}
