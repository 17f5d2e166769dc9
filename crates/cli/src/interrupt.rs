//! Ctrl-C, and other signals that ask the program to end: the first asks, the second insists.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// A signal so soon after the first one is the same request: `timeout` and job managers signal a
/// process and then its group, and whoever is asked twice in a moment had no time to end.
const ECHO: Duration = Duration::from_secs(1);

/// A request to end. Clones are the same request.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<Request>);

struct Request {
    asked: AtomicBool,
    /// When the end was asked for first.
    since: OnceLock<Instant>,
    on_ask: Box<dyn Fn() + Send + Sync>,
    before_exit: Box<dyn Fn() + Send + Sync>,
}

impl Interrupt {
    /// Listens from now on. The first signal calls `on_ask`; a second one calls `before_exit` and ends
    /// the program at once, unless it comes within the same second.
    pub(crate) fn catch(
        on_ask: impl Fn() + Send + Sync + 'static,
        before_exit: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self> {
        let (on_ask, before_exit) = (Box::new(on_ask), Box::new(before_exit));
        let (asked, since) = (false.into(), OnceLock::new());
        let interrupt = Self(Arc::new(Request { asked, since, on_ask, before_exit }));
        let handler = interrupt.clone();
        ctrlc::set_handler(move || handler.insist()).context("Ctrl-C cannot be caught")?;
        Ok(interrupt)
    }

    /// The flag that is set once the end was asked for.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0.asked
    }

    /// Whether the end was asked for.
    pub(crate) fn asked(&self) -> bool {
        self.0.asked.load(Ordering::Acquire)
    }

    /// Asks for the end, once.
    pub(crate) fn ask(&self) {
        if self.0.since.set(Instant::now()).is_ok() {
            self.0.asked.store(true, Ordering::Release);
            (self.0.on_ask)();
        }
    }

    /// Does what Ctrl-C does: asks, or ends the program if that was asked before.
    pub(crate) fn insist(&self) {
        match self.0.since.get() {
            None => self.ask(),
            Some(since) if since.elapsed() < ECHO => {}
            Some(_) => {
                (self.0.before_exit)();
                process::exit(INTERRUPTED);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn a_second_signal_in_the_same_moment_is_the_same_request() {
        let told = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&told);
        let interrupt = Interrupt(Arc::new(Request {
            asked: false.into(),
            since: OnceLock::new(),
            on_ask: Box::new(move || {
                counter.fetch_add(1, Ordering::Relaxed);
            }),
            before_exit: Box::new(|| panic!("nobody has insisted")),
        }));
        assert!(!interrupt.asked());
        interrupt.insist();
        interrupt.insist();
        assert!(interrupt.asked());
        assert_eq!(told.load(Ordering::Relaxed), 1);
    }
}
