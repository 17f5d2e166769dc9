//! Ctrl-C, and other signals that ask the program to end: the first asks, the second insists.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// The exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// A request to end. Clones are the same request.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<Request>);

struct Request {
    asked: AtomicBool,
    on_ask: Box<dyn Fn() + Send + Sync>,
    before_exit: Box<dyn Fn() + Send + Sync>,
}

impl Interrupt {
    /// Listens from now on. The first signal calls `on_ask`; the second calls `before_exit` and ends
    /// the program at once.
    pub(crate) fn catch(
        on_ask: impl Fn() + Send + Sync + 'static,
        before_exit: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self> {
        let (on_ask, before_exit) = (Box::new(on_ask), Box::new(before_exit));
        let interrupt = Self(Arc::new(Request { asked: false.into(), on_ask, before_exit }));
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
        if !self.0.asked.swap(true, Ordering::AcqRel) {
            (self.0.on_ask)();
        }
    }

    /// Does what Ctrl-C does: asks, or ends the program if that was asked before.
    pub(crate) fn insist(&self) {
        if self.asked() {
            (self.0.before_exit)();
            process::exit(INTERRUPTED);
        }
        self.ask();
    }
}
