//! What the pieces of a packed observation attack, for views that show it.

use keisei_shogi::attacks::attacks;
use keisei_shogi::{Bitboard, Color, PieceKind, Square};

use super::planes::Packed;

/// A piece on the board as the side to move, who is Black here, sees it.
pub(super) struct SeenPiece {
    pub(super) owner: Color,
    pub(super) kind: PieceKind,
    pub(super) square: Square,
    pub(super) attacks: Bitboard,
}

/// How often each side attacks.
pub(super) struct AttackCounts {
    /// How many pieces of each side attack each square: Black, who is the side to move, then White.
    pub(super) by_side: [[u8; Square::COUNT]; 2],
    /// Whether the side to move is in check.
    pub(super) in_check: bool,
}

/// The pieces with the squares that they attack.
pub(super) fn pieces(packed: &Packed) -> impl Iterator<Item = SeenPiece> {
    let square = |place: usize| {
        let square = Square::at((place / 9) as u8, (place % 9) as u8);
        square.expect("a place on the board")
    };
    let squares = packed.pieces().map(|(place, ..)| square(place));
    let occupied = squares.fold(Bitboard::EMPTY, |set, square| set | square.into());
    packed.pieces().map(move |(place, owner, kind)| {
        let square = square(place);
        SeenPiece { owner, kind, square, attacks: attacks(owner, kind, square, occupied) }
    })
}

/// Shows `visit` every piece, and counts the attacks.
pub(super) fn count_attacks(packed: &Packed, mut visit: impl FnMut(&SeenPiece)) -> AttackCounts {
    let mut by_side = [[0; Square::COUNT]; 2];
    let mut king = None;
    for piece in pieces(packed) {
        for target in piece.attacks {
            by_side[piece.owner as usize][target.index()] += 1;
        }
        if (piece.owner, piece.kind) == (Color::Black, PieceKind::King) {
            king = Some(piece.square);
        }
        visit(&piece);
    }
    let in_check =
        king.is_some_and(|king: Square| by_side[Color::White as usize][king.index()] > 0);
    AttackCounts { by_side, in_check }
}
