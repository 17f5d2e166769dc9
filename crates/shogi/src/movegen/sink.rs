//! What is done with sets of legal moves: written down or counted.

// Unsafe: moves are written through a raw pointer into an uninitialised list.
#![allow(unsafe_code)]

use super::list::Room;
use crate::{Hand, HandKind, Move, Square};

/// Receives sets of legal moves.
pub(super) trait Sink {
    /// One piece's moves to at most 8 squares of a window: bit `i` is the move `base + i`.
    fn steps(&mut self, squares: u64, base: u16);

    /// One piece's moves to at most 20 squares of the board: bit `i` is the move `base + i`.
    fn slides(&mut self, squares: u128, base: u16);

    /// Pawn moves to `squares`, each from the square whose number differs by `back`.
    fn pawns(&mut self, squares: u128, back: i16, promote: bool);

    /// Every drop of a piece of `hand` on the squares where it may be dropped.
    fn drops(&mut self, hand: Hand, squares: &DropSquares);

    /// Whether further moves make no difference.
    #[inline(always)]
    fn has_enough(&self) -> bool {
        false
    }
}

/// Where pieces may be dropped.
pub(super) struct DropSquares {
    /// Where a pawn may be dropped.
    pub(super) pawn: u128,
    /// Where a lance may be dropped.
    pub(super) lance: u128,
    /// Where a knight may be dropped.
    pub(super) knight: u128,
    /// Where everything else may be dropped.
    pub(super) any: u128,
}

impl DropSquares {
    /// The kinds that share a set of squares, in the order in which drops are listed.
    #[inline(always)]
    pub(super) const fn by_kind(&self) -> [(u128, &'static [HandKind]); 4] {
        [
            (self.pawn, &[HandKind::Pawn]),
            (self.lance, &[HandKind::Lance]),
            (self.knight, &[HandKind::Knight]),
            (self.any, &[HandKind::Silver, HandKind::Gold, HandKind::Bishop, HandKind::Rook]),
        ]
    }
}

/// The bits of a promoting move.
pub(super) const PROMOTE: u16 = Move::new(square(0), square(0), true).bits();

const fn square(index: u8) -> Square {
    Square::from_index(index)
}

/// The bits that a move from the square numbered `from` has besides its destination.
#[inline(always)]
pub(super) const fn origin(from: usize) -> u16 {
    Move::new(square(from as u8), square(0), false).bits()
}

/// The bits that a drop of `kind` has besides its destination.
#[inline(always)]
pub(super) const fn drop_origin(kind: HandKind) -> u16 {
    Move::drop(kind, square(0)).bits()
}

/// Counts moves, until `ENOUGH` are found.
#[derive(Default)]
pub(super) struct Counter<const ENOUGH: u32>(u32);

impl<const ENOUGH: u32> Counter<ENOUGH> {
    pub(super) const fn count(self) -> usize {
        self.0 as usize
    }
}

impl<const ENOUGH: u32> Sink for Counter<ENOUGH> {
    #[inline(always)]
    fn steps(&mut self, squares: u64, _: u16) {
        self.0 += squares.count_ones();
    }

    #[inline(always)]
    fn slides(&mut self, squares: u128, _: u16) {
        self.0 += squares.count_ones();
    }

    #[inline(always)]
    fn pawns(&mut self, squares: u128, _: i16, _: bool) {
        self.0 += squares.count_ones();
    }

    #[inline(always)]
    fn drops(&mut self, hand: Hand, squares: &DropSquares) {
        for (squares, kinds) in squares.by_kind() {
            let held = kinds.iter().map(|&kind| u32::from(hand.has(kind))).sum::<u32>();
            self.0 += held * squares.count_ones();
        }
    }

    #[inline(always)]
    fn has_enough(&self) -> bool {
        self.0 >= ENOUGH
    }
}

/// The numbers of the bits of `bits`, lowest first.
#[inline(always)]
pub(super) fn each_bit(bits: u64) -> impl Iterator<Item = usize> {
    each_square(u128::from(bits))
}

/// The numbers of the squares of `set`, lowest first.
///
/// An iterator over halves, because 128-bit arithmetic takes twice the instructions, and one that
/// is always inlined, so that loops over it are compiled for the processor of their function.
#[inline(always)]
pub(super) const fn each_square(set: u128) -> EachSquare {
    EachSquare { word: set as u64, rest: (set >> 64) as u64, start: 0 }
}

pub(super) struct EachSquare {
    word: u64,
    rest: u64,
    start: usize,
}

impl Iterator for EachSquare {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.word == 0 {
            if self.rest == 0 {
                return None;
            }
            (self.word, self.rest, self.start) = (self.rest, 0, 64);
        }
        let square = self.start + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(square)
    }
}

/// The most pawn moves of one kind: with two pawns on a file, a position is not legal.
pub(super) const MAX_PAWNS: u32 = 9;

/// Writes moves one by one, on any processor.
pub(super) struct Writer(pub(super) Room);

impl Writer {
    /// Writes the drops of each of `kinds` on `squares`.
    #[inline(always)]
    fn push_drops<'a>(&mut self, squares: u128, kinds: impl Iterator<Item = &'a HandKind>) {
        // The numbers of the squares are worked out once and written for each kind, eight moves at
        // a time; what the last eight write too much is overwritten or slack.
        let mut numbers = [[0u16; 8]; Square::COUNT.div_ceil(8)];
        let mut count = 0;
        for square in each_square(squares) {
            numbers[count / 8][count % 8] = square as u16;
            count += 1;
        }
        for &kind in kinds {
            self.0.check_for(count);
            let origin = drop_origin(kind);
            for (index, eight) in numbers[..count.div_ceil(8)].iter().enumerate() {
                let moves = eight.map(|square| origin + square);
                // SAFETY: there is room for `count` moves and slack for the last eight.
                unsafe { self.0.next.add(8 * index).cast::<[u16; 8]>().write_unaligned(moves) };
            }
            // SAFETY: `count` moves were written.
            self.0.next = unsafe { self.0.next.add(count) };
        }
    }

    /// Writes one of the moves of a set.
    ///
    /// # Safety
    ///
    /// There must be room for it: see [`Room::check`].
    #[inline(always)]
    unsafe fn push(&mut self, mv: u16) {
        // SAFETY: there is room for it.
        unsafe {
            self.0.next.write(mv);
            self.0.next = self.0.next.add(1);
        }
    }
}

impl Sink for Writer {
    #[inline(always)]
    fn steps(&mut self, squares: u64, base: u16) {
        self.0.check();
        for bit in each_bit(squares) {
            // SAFETY: at most 64 moves since the check.
            unsafe { self.push(base + bit as u16) };
        }
    }

    #[inline(always)]
    fn slides(&mut self, squares: u128, base: u16) {
        self.0.check();
        for square in each_square(squares) {
            // SAFETY: no slider reaches more than 20 squares.
            unsafe { self.push(base + square as u16) };
        }
    }

    #[inline(always)]
    fn pawns(&mut self, squares: u128, back: i16, promote: bool) {
        let base = if promote { PROMOTE } else { 0 };
        assert!(squares.count_ones() <= MAX_PAWNS, "two pawns on a file");
        self.0.check();
        for to in each_square(squares) {
            let from = to.wrapping_add_signed(back as isize);
            // SAFETY: nine moves at most since the check.
            unsafe { self.push(base + origin(from) + to as u16) };
        }
    }

    #[inline(always)]
    fn drops(&mut self, hand: Hand, squares: &DropSquares) {
        for (squares, kinds) in squares.by_kind() {
            if kinds.iter().any(|&kind| hand.has(kind)) {
                self.push_drops(squares, kinds.iter().filter(|&&kind| hand.has(kind)));
            }
        }
    }
}
