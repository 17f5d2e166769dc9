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

/// Shows `visit` every piece with the squares that it attacks, and counts the attacks.
pub(super) fn count_attacks(packed: &Packed, mut visit: impl FnMut(SeenPiece)) -> AttackCounts {
    let pieces = || {
        packed.pieces().map(|(place, owner, kind)| {
            let square = Square::at((place / 9) as u8, (place % 9) as u8);
            (square.expect("a place on the board"), owner, kind)
        })
    };
    let occupied = pieces().fold(Bitboard::EMPTY, |set, (square, ..)| set | square.into());
    let mut by_side = [[0; Square::COUNT]; 2];
    let mut king = None;
    for (square, owner, kind) in pieces() {
        let attacks = attacks(owner, kind, square, occupied);
        for target in attacks {
            by_side[owner as usize][target.index()] += 1;
        }
        if (owner, kind) == (Color::Black, PieceKind::King) {
            king = Some(square);
        }
        visit(SeenPiece { owner, kind, square, attacks });
    }
    let in_check =
        king.is_some_and(|king: Square| by_side[Color::White as usize][king.index()] > 0);
    AttackCounts { by_side, in_check }
}
