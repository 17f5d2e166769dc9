//! When a search has to end.

use std::time::{Duration, Instant};

use keisei_game::Side;

use crate::{Clock, Limits, Signal};

/// How much a search may still do.
pub(super) struct Budget<'a> {
    begun: Instant,
    time: Option<Duration>,
    nodes: Option<u64>,
    signal: &'a Signal,
}

impl<'a> Budget<'a> {
    /// What `limits` allow the side to move.
    pub(super) fn new(limits: &Limits, signal: &'a Signal, turn: Side) -> Self {
        // In analysis and in the other side's time only the signal counts.
        let unlimited = limits.infinite || limits.ponder;
        let clock = limits.clock.map(|clock| share(&clock, turn));
        let time = [limits.move_time, clock].into_iter().flatten().min().filter(|_| !unlimited);
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

/// The share of the clock for one move: what the move brings back, and a part of the rest.
fn share(clock: &Clock, turn: Side) -> Duration {
    let moves = clock.moves_to_go.map_or(40, |moves| moves.clamp(1, 40));
    let left = clock.left[turn];
    let safe = (left + clock.byoyomi) * 4 / 5;
    (left / moves + clock.increment[turn] / 2 + clock.byoyomi * 4 / 5).min(safe)
}
