//! Which vector instructions are used.

use pulp::{Arch, WithSimd};

/// Does `work` with the widest vectors that this processor has.
#[inline(always)]
pub(crate) fn dispatch<W: WithSimd>(work: W) -> W::Output {
    #[cfg(test)]
    if let Some(arch) = forced::ARCH.get() {
        return arch.dispatch(work);
    }
    Arch::new().dispatch(work)
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
