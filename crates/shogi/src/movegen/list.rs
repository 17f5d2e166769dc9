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
    /// The moves as a slice.
    #[inline]
    pub fn as_slice(&self) -> &[Move] {
        // SAFETY: the first `len` moves are initialised: `written` saw to it.
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

    /// A list of the moves that `write` writes.
    ///
    /// # Safety
    ///
    /// `write` is given a pointer to room for [`MAX_MOVES`] moves and [`SLACK`] more that it may
    /// scribble on. It must write valid moves without a gap and return the end of the last one.
    #[inline(always)]
    pub(super) unsafe fn written(write: impl FnOnce(*mut u16) -> *mut u16) -> Self {
        let mut list = Self { moves: [const { MaybeUninit::uninit() }; MAX_MOVES + SLACK], len: 0 };
        let start = list.moves.as_mut_ptr().cast();
        let end = write(start);
        // SAFETY: both point into the array.
        list.len = unsafe { end.offset_from_unsigned(start) };
        debug_assert!(list.len <= MAX_MOVES);
        list
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
