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

/// Room past the last move. A set of moves is written in whole vectors, and whoever writes sets asks
/// for room once a set: there is always room for one more.
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
    /// `write` must write moves at [`Room::next`] without a gap, leave it at the end of the last
    /// one, and write no more than [`SLACK`] moves between two calls of [`Room::check`].
    #[inline(always)]
    pub(super) unsafe fn written(write: impl FnOnce(Room) -> Room) -> Self {
        let mut list = Self { moves: [const { MaybeUninit::uninit() }; MAX_MOVES + SLACK], len: 0 };
        let start: *mut u16 = list.moves.as_mut_ptr().cast();
        // SAFETY: the array is longer than that.
        let last = unsafe { start.add(MAX_MOVES) };
        let room = write(Room { next: start, last });
        room.check();
        // SAFETY: both point into the array.
        list.len = unsafe { room.next.offset_from_unsigned(start) };
        list
    }
}

/// The room of a list while moves are written to it.
///
/// A legal position never fills it. One that was made by moves that were not legal may have more
/// moves than any list has room for, and then generation stops with a panic instead of writing
/// beyond the end.
pub(super) struct Room {
    /// Where the next move goes.
    pub(super) next: *mut u16,
    /// The end of the last move that a position can have; [`SLACK`] moves fit behind it.
    last: *mut u16,
}

impl Room {
    /// Makes sure that another set of moves fits.
    ///
    /// # Panics
    ///
    /// If more than [`MAX_MOVES`] moves were written.
    #[inline(always)]
    pub(super) fn check(&self) {
        if self.next > self.last {
            too_many();
        }
    }

    /// Makes sure that `count` moves fit.
    #[inline(always)]
    pub(super) fn check_for(&self, count: usize) {
        if self.next.wrapping_add(count) > self.last {
            too_many();
        }
    }
}

#[cold]
#[inline(never)]
fn too_many() -> ! {
    panic!("more than {MAX_MOVES} moves: the position was reached by moves that are not legal");
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
