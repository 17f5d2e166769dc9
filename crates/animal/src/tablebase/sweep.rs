//! One byte for every number, swept by several threads.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// How many numbers a thread takes at a time.
const BLOCK: usize = 1 << 14;

/// A byte for every number, and which blocks of them the next sweep must look at.
pub(super) struct Bytes {
    bytes: Vec<AtomicU8>,
    /// The blocks of this sweep and of the next, taking turns.
    waiting: [Vec<AtomicBool>; 2],
    next: AtomicUsize,
    threads: usize,
}

impl Bytes {
    /// Bytes that are all 0, for `threads` threads.
    pub(super) fn new(len: usize, threads: usize) -> Self {
        let blocks = || (0..len.div_ceil(BLOCK)).map(|_| AtomicBool::new(false)).collect();
        Self {
            bytes: (0..len).map(|_| AtomicU8::new(0)).collect(),
            waiting: [blocks(), blocks()],
            next: AtomicUsize::new(0),
            threads,
        }
    }

    #[inline]
    pub(super) fn get(&self, number: usize) -> u8 {
        self.bytes[number].load(Relaxed)
    }

    /// Sets a byte that the next sweep need not look at.
    #[inline]
    pub(super) fn set(&self, number: usize, byte: u8) {
        self.bytes[number].store(byte, Relaxed);
    }

    /// Sets a byte for the next sweep to look at.
    #[inline]
    pub(super) fn set_waiting(&self, number: usize, byte: u8) {
        self.set(number, byte);
        self.wait(number);
    }

    /// Changes a byte that is `from` to `to`, for the next sweep to look at.
    #[inline]
    pub(super) fn change(&self, number: usize, from: u8, to: u8) {
        let byte = &self.bytes[number];
        // Most bytes were changed before, and looking costs less than trying.
        if byte.load(Relaxed) == from && byte.compare_exchange(from, to, Relaxed, Relaxed).is_ok() {
            self.wait(number);
        }
    }

    /// Adds 1 to a byte and gives the new one.
    #[inline]
    pub(super) fn increment(&self, number: usize) -> u8 {
        self.bytes[number].fetch_add(1, Relaxed).wrapping_add(1)
    }

    #[inline]
    fn wait(&self, number: usize) {
        let waiting = &self.waiting[self.next.load(Relaxed)][number / BLOCK];
        if !waiting.load(Relaxed) {
            waiting.store(true, Relaxed);
        }
    }

    /// Has the next sweep look at everything.
    pub(super) fn wait_for_all(&self) {
        for waiting in &self.waiting[self.next.load(Relaxed)] {
            waiting.store(true, Relaxed);
        }
    }

    /// Calls `visit` for the numbers with this `byte` in all waiting blocks, and says for how many.
    pub(super) fn sweep(&self, byte: u8, visit: impl Fn(usize) + Sync) -> usize {
        let waiting = &self.waiting[self.next.fetch_xor(1, Relaxed)];
        let (next, visited) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            loop {
                let block = next.fetch_add(1, Relaxed);
                let Some(waits) = waiting.get(block) else { break };
                if waits.swap(false, Relaxed) {
                    visited.fetch_add(self.sweep_block(block, byte, &visit), Relaxed);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(work);
            }
        });
        visited.into_inner()
    }

    fn sweep_block(&self, block: usize, byte: u8, visit: &impl Fn(usize)) -> usize {
        let start = block * BLOCK;
        let end = (start + BLOCK).min(self.bytes.len());
        let mut visited = 0;
        for number in start..end {
            if self.get(number) == byte {
                visit(number);
                visited += 1;
            }
        }
        visited
    }

    /// The bytes in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u8> {
        self.bytes.iter().map(|byte| byte.load(Relaxed))
    }
}
