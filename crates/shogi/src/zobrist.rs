//! Random numbers whose exclusive or is the key of a position.

use keisei_game::SplitMix64;

use crate::{Color, HandKind, PieceKind, Square};

struct Keys {
    board: [[[u64; Square::COUNT]; 14]; 2],
    hand: [[[u64; 19]; 7]; 2],
    white_to_move: u64,
}

static KEYS: Keys = {
    let mut rng = SplitMix64::new(0x6b65_6973_6569);
    let mut keys =
        Keys { board: [[[0; Square::COUNT]; 14]; 2], hand: [[[0; 19]; 7]; 2], white_to_move: 0 };
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < 14 {
            let mut square = 0;
            while square < Square::COUNT {
                keys.board[color][kind][square] = rng.next_u64();
                square += 1;
            }
            kind += 1;
        }
        let mut kind = 0;
        while kind < 7 {
            // An empty hand adds nothing, so that it need not be mentioned.
            let mut count = 1;
            while count < 19 {
                keys.hand[color][kind][count] = rng.next_u64();
                count += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    keys.white_to_move = rng.next_u64();
    keys
};

/// The number of a piece on a square.
#[inline]
pub(crate) fn piece(color: Color, kind: PieceKind, square: usize) -> u64 {
    KEYS.board[color as usize][kind as usize][square]
}

/// The number of `count` pieces of `kind` in hand.
#[inline]
pub(crate) fn hand(color: Color, kind: HandKind, count: u8) -> u64 {
    KEYS.hand[color as usize][kind as usize][count as usize]
}

/// The number that is in the key while White is to move.
#[inline]
pub(crate) fn white_to_move() -> u64 {
    KEYS.white_to_move
}
