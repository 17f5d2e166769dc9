//! What is done with sets of legal moves: written down or counted.

// Unsafe: moves are written through a raw pointer into an uninitialised list.
#![allow(unsafe_code)]

use super::list::MoveList;
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
const fn drop_origin(kind: HandKind) -> u16 {
    Move::drop(kind, square(0)).bits()
}

/// Counts moves.
#[derive(Default)]
pub(super) struct Counter(u32);

impl Counter {
    pub(super) const fn count(self) -> usize {
        self.0 as usize
    }
}

impl Sink for Counter {
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
        let any = [HandKind::Silver, HandKind::Gold, HandKind::Bishop, HandKind::Rook];
        let kinds = any.into_iter().map(|kind| u32::from(hand.has(kind))).sum::<u32>();
        self.0 += kinds * squares.any.count_ones()
            + u32::from(hand.has(HandKind::Pawn)) * squares.pawn.count_ones()
            + u32::from(hand.has(HandKind::Lance)) * squares.lance.count_ones()
            + u32::from(hand.has(HandKind::Knight)) * squares.knight.count_ones();
    }
}

/// Calls `f` with the number of each bit of `bits`, lowest first.
#[inline(always)]
pub(super) fn each_bit(mut bits: u64, mut f: impl FnMut(u32)) {
    while bits != 0 {
        f(bits.trailing_zeros());
        bits &= bits - 1;
    }
}

/// Calls `f` with the number of each square of `set`, lowest first.
#[inline(always)]
pub(super) fn each_square(set: u128, mut f: impl FnMut(usize)) {
    let (mut word, mut rest, mut start) = (set as u64, (set >> 64) as u64, 0);
    loop {
        if word == 0 {
            if rest == 0 {
                return;
            }
            (word, rest, start) = (rest, 0, 64);
        }
        f(start + word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

impl Sink for MoveList {
    #[inline(always)]
    fn steps(&mut self, squares: u64, base: u16) {
        // SAFETY: each bit becomes a move of the piece; the caller passes legal moves only.
        unsafe {
            self.extend(|end| {
                let mut next = end;
                each_bit(squares, |bit| {
                    next.write(base + bit as u16);
                    next = next.add(1);
                });
                squares.count_ones() as usize
            });
        }
    }

    #[inline(always)]
    fn slides(&mut self, squares: u128, base: u16) {
        self.steps(squares as u64, base);
        self.steps((squares >> 64) as u64, base + 64);
    }

    #[inline(always)]
    fn pawns(&mut self, squares: u128, back: i16, promote: bool) {
        let base = if promote { PROMOTE } else { 0 };
        // SAFETY: as in `steps`.
        unsafe {
            self.extend(|end| {
                let mut next = end;
                each_square(squares, |to| {
                    let from = to.wrapping_add_signed(back as isize);
                    next.write(base + origin(from) + to as u16);
                    next = next.add(1);
                });
                squares.count_ones() as usize
            });
        }
    }

    #[inline(always)]
    fn drops(&mut self, hand: Hand, squares: &DropSquares) {
        // All drops on a square are written at once. The kinds stand in an order in which those
        // that a far row forbids come last and are cut off there.
        let mut origins = [0u16; 8];
        let mut kinds = 0;
        let mut ends = [0; 3];
        const BY_REACH: [&[HandKind]; 3] = [
            &[HandKind::Silver, HandKind::Gold, HandKind::Bishop, HandKind::Rook],
            &[HandKind::Lance],
            &[HandKind::Knight],
        ];
        for (end, group) in ends.iter_mut().zip(BY_REACH) {
            for &kind in group {
                origins[kinds] = drop_origin(kind);
                kinds += usize::from(hand.has(kind));
            }
            *end = kinds;
        }
        let [any, lance, knight] = ends;
        let rows = [
            (squares.any & !squares.lance, any),
            (squares.lance & !squares.knight, lance),
            (squares.knight, knight),
        ];
        for (set, kinds) in rows {
            if kinds == 0 {
                continue;
            }
            // SAFETY: the first `kinds` of the eight moves written are kept, the rest is slack.
            unsafe {
                self.extend(|end| {
                    let mut next = end;
                    each_square(set, |to| {
                        next.cast::<[u16; 8]>()
                            .write_unaligned(origins.map(|origin| origin + to as u16));
                        next = next.add(kinds);
                    });
                    set.count_ones() as usize * kinds
                });
            }
        }
        if hand.has(HandKind::Pawn) {
            self.slides(squares.pawn, drop_origin(HandKind::Pawn));
        }
    }
}
