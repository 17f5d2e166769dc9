//! What is said to a player while it thinks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A line to a player that thinks. Clones are ends of the same line.
#[derive(Clone, Debug, Default)]
pub struct Signal(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    stop: AtomicBool,
    ponder_hit: AtomicBool,
}

impl Signal {
    /// A line on which nothing has been said.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for an answer at once.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Release);
    }

    /// Whether an answer is asked for at once.
    pub fn stopped(&self) -> bool {
        self.0.stop.load(Ordering::Acquire)
    }

    /// Says that the other side played what was expected: from now on the clocks count.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit.store(true, Ordering::Release);
    }

    /// Whether the other side played what was expected.
    pub fn ponder_was_hit(&self) -> bool {
        self.0.ponder_hit.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_end_says_the_other_hears() {
        let (here, there) = (Signal::new(), Signal::new());
        let line = here.clone();
        line.stop();
        line.ponder_hit();
        assert!(here.stopped() && here.ponder_was_hit());
        assert!(!there.stopped() && !there.ponder_was_hit());
    }
}
