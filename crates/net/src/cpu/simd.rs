//! Vector instructions, and memory that suits them.

use std::ops::{Deref, DerefMut};

#[cfg(any(not(target_family = "wasm"), target_feature = "simd128"))]
use pulp::Arch;
use pulp::WithSimd;

/// Does `work` with the widest vectors that this processor has.
#[cfg(any(not(target_family = "wasm"), target_feature = "simd128"))]
#[inline(always)]
pub(crate) fn dispatch<W: WithSimd>(work: W) -> W::Output {
    #[cfg(test)]
    if let Some(arch) = forced::ARCH.get() {
        return arch.dispatch(work);
    }
    Arch::new().dispatch(work)
}

/// Does `work` without vectors: a browser refuses a module that has vector instructions anywhere if
/// it does not know them, so that they cannot be chosen at run time.
#[cfg(all(target_family = "wasm", not(target_feature = "simd128")))]
#[inline(always)]
pub(crate) fn dispatch<W: WithSimd>(work: W) -> W::Output {
    work.with_simd(pulp::Scalar)
}

/// The bytes of a cache line.
const LINE: usize = 64;

/// A fixed number of numbers that begin at the start of a cache line, so that no vector crosses
/// one.
#[derive(Debug)]
pub(crate) struct Aligned<T> {
    memory: Vec<T>,
    start: usize,
    len: usize,
}

pub(crate) type AlignedFloats = Aligned<f32>;

impl<T: Clone + Default> Aligned<T> {
    /// So many zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let memory = vec![T::default(); len + LINE / size_of::<T>()];
        let start = memory.as_ptr().align_offset(LINE);
        Self { memory, start, len }
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.memory[self.start..self.start + self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.start..self.start + self.len]
    }
}

/// Lets tests choose narrower vectors for a thread.
#[cfg(test)]
pub(crate) mod forced {
    use std::cell::Cell;

    use pulp::Arch;

    thread_local! {
        pub(crate) static ARCH: Cell<Option<Arch>> = const { Cell::new(None) };
    }

    /// Does `work` in a pool of threads that use `arch`.
    pub(crate) fn with<R: Send>(arch: Arch, work: impl FnOnce() -> R + Send) -> R {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(2)
            .start_handler(move |_| ARCH.set(Some(arch)))
            .build()
            .expect("threads can be started");
        pool.install(work)
    }
}
