//! Numbers in memory, placed so that vector loads never cross a cache line.

use std::ops::{Deref, DerefMut};

const LINE: usize = 64;

/// A fixed number of `f32` that begin at the start of a cache line.
#[derive(Debug)]
pub(crate) struct Floats {
    memory: Vec<f32>,
    start: usize,
    len: usize,
}

impl Floats {
    /// So many zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let memory = vec![0.0; len + LINE / size_of::<f32>()];
        let start = memory.as_ptr().align_offset(LINE);
        Self { memory, start, len }
    }
}

impl Deref for Floats {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.memory[self.start..self.start + self.len]
    }
}

impl DerefMut for Floats {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.memory[self.start..self.start + self.len]
    }
}
