//! How a run is asked to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use super::console::Console;

/// The exit status of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// A wish to end, by a signal or a key. Clones are the same wish.
#[derive(Clone)]
pub(super) struct Stop {
    asked: Arc<AtomicBool>,
    console: Console,
}

impl Stop {
    /// Listens to Ctrl-C and to signals that ask the program to end.
    pub(super) fn on_signals(console: &Console) -> Result<Self> {
        let stop = Self { asked: Arc::default(), console: console.clone() };
        let handler = stop.clone();
        ctrlc::set_handler(move || handler.insist()).context("Ctrl-C cannot be caught")?;
        Ok(stop)
    }

    /// What the trainer looks at before every rollout.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// Whether the end was asked for.
    pub(super) fn asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Asks to save and end after this update.
    pub(super) fn ask(&self) {
        if !self.asked.swap(true, Ordering::Relaxed) {
            self.console.say("stopping after this update; Ctrl-C again stops at once");
        }
    }

    /// Asks; the second time, ends the program at once. The last checkpoint stays.
    pub(super) fn insist(&self) {
        if self.asked() {
            self.console.leave_screen();
            std::process::exit(INTERRUPTED);
        }
        self.ask();
    }
}
