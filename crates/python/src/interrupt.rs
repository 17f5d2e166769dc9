//! Long work without Python's lock, which Ctrl-C stops.

use std::panic::resume_unwind;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use pyo3::prelude::*;

/// How often Python may look for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Does `work` on a thread of its own. When Python is interrupted meanwhile, `stop` asks the work
/// to end, and the interruption is raised once it has.
pub(crate) fn interruptible<R: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, wait) = mpsc::channel();
            let working = scope.spawn(move || {
                let result = work();
                // Whoever waits may have gone.
                let _ = done.send(());
                result
            });
            let mut interrupted = None;
            while wait.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    interrupted = Some(error);
                    stop();
                }
            }
            let result = working.join().unwrap_or_else(|panic| resume_unwind(panic));
            interrupted.map_or(Ok(result), Err)
        })
    })
}
