//! When a search has to end.

use std::time::{Duration, Instant};

use crate::search::plan;
use crate::{Arena, Limits, Signal};

/// The time between the clock and us that is kept back.
const OVERHEAD: Duration = Duration::from_millis(20);

/// How much a search may still do.
pub(super) struct Budget<'a> {
    begun: Instant,
    time: Option<Duration>,
    nodes: Option<u64>,
    signal: &'a Signal,
}

impl<'a> Budget<'a> {
    /// What `limits` allow the side to move in `game`.
    pub(super) fn new<G: Arena>(limits: &Limits, signal: &'a Signal, game: &G) -> Self {
        // In analysis and in the other side's time only the signal counts.
        let counts = !limits.infinite && !limits.ponder;
        let plan = plan(limits, game.turn(), game.ply(), OVERHEAD).filter(|_| counts);
        let time = plan.map(|plan| plan.soft);
        Self { begun: Instant::now(), time, nodes: limits.nodes, signal }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether the search has to end after `nodes` positions. Looks at the clock only now and then.
    pub(super) fn is_spent(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|limit| nodes > limit)
            || nodes.is_multiple_of(1024)
                && (self.signal.stopped() || self.time.is_some_and(|time| self.elapsed() >= time))
    }
}
