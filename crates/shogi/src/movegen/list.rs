//! A list of moves on the stack.

// Unsafe: the list's array starts uninitialised; zeroing 1.3 KB would cost more than generating
// the thirty moves of a quiet position.
#![allow(unsafe_code)]

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;

use crate::Move;

/// The most legal moves a position can have.
pub const MAX_MOVES: usize = 593;

/// Room past the last move: a set of moves is written in whole vectors.
const SLACK: usize = 64;

/// The legal moves of a position, in an order that depends on the position alone.
#[derive(Clone)]
pub struct MoveList {
    moves: [MaybeUninit<Move>; MAX_MOVES + SLACK],
    len: usize,
}

impl MoveList {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self { moves: [const { MaybeUninit::uninit() }; MAX_MOVES + SLACK], len: 0 }
    }

    /// The moves as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[Move] {
        // SAFETY: the first `len` moves are initialised: `extend` is the only way to grow.
        unsafe { std::slice::from_raw_parts(self.moves.as_ptr().cast(), self.len) }
    }

    /// Keeps the moves for which `keep` holds, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let mv = self[index];
            if keep(mv) {
                self.moves[kept] = MaybeUninit::new(mv);
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Adds the moves that `write` writes at the pointer it is given; it returns how many, and may
    /// scribble up to [`SLACK`] elements past them.
    ///
    /// # Safety
    ///
    /// `write` must initialise as many valid moves as it returns, and no position may get more
    /// than [`MAX_MOVES`].
    #[inline(always)]
    pub(super) unsafe fn extend(&mut self, write: impl FnOnce(*mut u16) -> usize) {
        debug_assert!(self.len <= MAX_MOVES);
        // SAFETY: `len` is at most MAX_MOVES, so the pointer is inside the array; a `Move` is a
        // transparent u16.
        let end = unsafe { self.moves.as_mut_ptr().add(self.len).cast() };
        self.len += write(end);
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl AsRef<[Move]> for MoveList {
    #[inline]
    fn as_ref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}
