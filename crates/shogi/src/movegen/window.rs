//! Seven files of the board in one machine word.
//!
//! Everything within two files of a square fits into seven neighbouring files, 63 bits. Two such
//! windows cover the board, so steps and king safety need 64-bit arithmetic only.

use crate::attacks::steps;
use crate::{Color, PieceKind, Square};

/// The window over files 1–7, or the one over files 3–9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    far: bool,
}

/// How many squares lie before the far window: files 1 and 2.
const BEFORE_FAR: u32 = 18;

impl Window {
    /// A window that holds `square` and the two files on either side of it.
    #[inline(always)]
    pub(super) const fn around(square: usize) -> Self {
        Self { far: square >= 5 * 9 }
    }

    /// What `set` has in the window, and in the top bit the first square beyond it.
    #[inline(always)]
    pub(super) const fn of(self, set: u128) -> u64 {
        if self.far { (set >> BEFORE_FAR) as u64 } else { set as u64 }
    }

    /// The number of the window's first square.
    #[inline(always)]
    pub(super) const fn start(self) -> u16 {
        if self.far { BEFORE_FAR as u16 } else { 0 }
    }
}

/// A set seen through both windows.
#[derive(Clone, Copy)]
pub(super) struct Windows {
    near: u64,
    far: u64,
}

impl Windows {
    #[inline(always)]
    pub(super) const fn of(set: u128) -> Self {
        Self { near: Window { far: false }.of(set), far: Window { far: true }.of(set) }
    }

    /// The set as `window` shows it.
    #[inline(always)]
    pub(super) const fn through(self, window: Window) -> u64 {
        if window.far { self.far } else { self.near }
    }
}

/// A pattern of rows (bit 0 for rank a) in every file of a window, and in the bit beyond it.
pub(super) const fn window_rows(pattern: u64) -> u64 {
    board_rows(pattern as u128) as u64
}

/// A pattern of rows (bit 0 for rank a) in every file of the board.
pub(super) const fn board_rows(pattern: u128) -> u128 {
    let mut bits = 0;
    let mut file = 0;
    while file < 9 {
        bits |= pattern << (9 * file);
        file += 1;
    }
    bits
}

/// The steps of a piece from each square, in the window around that square.
pub(super) type WindowSteps = [u64; Square::COUNT];

/// The table of `kind` for both colours.
pub(super) const fn window_steps(kind: PieceKind) -> [WindowSteps; 2] {
    let mut table = [[0; Square::COUNT]; 2];
    let mut square = 0;
    while square < Square::COUNT {
        let window = Window::around(square);
        let mut color = 0;
        while color < 2 {
            table[color][square] = window.of(steps(Color::ALL[color], kind)[square].bits());
            color += 1;
        }
        square += 1;
    }
    table
}

/// The squares ahead of each square of a window, up to the edge: the same in both windows.
pub(super) const fn window_files(color: Color) -> [u64; 63] {
    let mut table = [0; 63];
    let mut bit = 0;
    while bit < table.len() {
        let row = bit % 9;
        let file: u64 = match color {
            Color::Black => (1 << row) - 1,
            Color::White => 0x1ff & !((2 << row) - 1),
        };
        table[bit] = file << (bit - row);
        bit += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_holds_two_files_on_either_side_of_its_square() {
        for square in Square::all() {
            let window = Window::around(square.index());
            for near in Square::all().filter(|near| near.file().abs_diff(square.file()) <= 2) {
                let bit = window.of(1 << near.index());
                assert_eq!(bit.trailing_zeros() as usize + window.start() as usize, near.index());
                assert!(bit < 1 << 63);
            }
        }
    }
}
