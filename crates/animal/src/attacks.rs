//! The squares that a piece attacks.

use keisei_game::Side;

use crate::{Bitboard, PieceKind, Square};

/// The squares that a piece of `kind` and `side` attacks from `square`.
#[inline]
pub(crate) const fn attacks(kind: PieceKind, side: Side, square: Square) -> Bitboard {
    TABLE[side as usize][kind as usize - 1][square.index()]
}

/// By side, kind and square.
static TABLE: [[[Bitboard; Square::COUNT]; PieceKind::ALL.len()]; 2] = {
    let mut table = [[[Bitboard::EMPTY; Square::COUNT]; PieceKind::ALL.len()]; 2];
    let mut kind = 0;
    while kind < PieceKind::ALL.len() {
        let steps = steps(PieceKind::ALL[kind]);
        let mut index = 0;
        while let Some(square) = Square::new(index) {
            let reached = reached(steps, square);
            table[Side::First as usize][kind][square.index()] = reached;
            table[Side::Second as usize][kind][square.rotated().index()] = reached.rotated();
            index += 1;
        }
        kind += 1;
    }
    table
};

/// The steps of a kind as (rows down, columns right) for the first player, who goes up.
const fn steps(kind: PieceKind) -> &'static [(i8, i8)] {
    match kind {
        PieceKind::Chick => &[(-1, 0)],
        PieceKind::Elephant => &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
        PieceKind::Giraffe => &[(-1, 0), (0, -1), (0, 1), (1, 0)],
        PieceKind::Lion => &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)],
        PieceKind::Hen => &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)],
    }
}

const fn reached(steps: &[(i8, i8)], square: Square) -> Bitboard {
    let (mut bits, mut step) = (0, 0);
    while step < steps.len() {
        let row = square.row() as i8 + steps[step].0;
        let column = square.column() as i8 + steps[step].1;
        if 0 <= row && row < Square::RANKS as i8 && 0 <= column && column < Square::FILES as i8 {
            bits |= 1 << (row * Square::FILES as i8 + column);
        }
        step += 1;
    }
    Bitboard::from_bits(bits)
}
