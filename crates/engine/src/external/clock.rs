//! How long to wait for a program's move.

use std::time::{Duration, Instant};

use keisei_game::Side;

use super::{Patience, USUAL_TIME};
use crate::{Limits, Signal};

/// What there is to say to a program that thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Say {
    /// Answer now.
    Stop,
    /// The other side made the expected move.
    PonderHit,
    /// Nothing; it was silent for too long.
    GiveUp,
}

/// When a program that thinks has to be told something.
pub(super) struct Deadline<'a> {
    limits: &'a Limits,
    signal: &'a Signal,
    turn: Side,
    patience: Patience,
    /// When the clocks began to count, if they do.
    begun: Option<Instant>,
    /// When it was told to stop.
    stopped: Option<Instant>,
    ponder_hit: bool,
}

impl<'a> Deadline<'a> {
    pub(super) fn new(
        limits: &'a Limits,
        signal: &'a Signal,
        turn: Side,
        patience: Patience,
    ) -> Self {
        let counts = !limits.infinite && !limits.ponder;
        let begun = counts.then(Instant::now);
        Self { limits, signal, turn, patience, begun, stopped: None, ponder_hit: false }
    }

    /// How long the program may be silent from now on, until it is given up.
    pub(super) fn limit(&self) -> Duration {
        match self.stopped {
            Some(_) => self.patience.answer,
            None => self.allowed().saturating_add(self.patience.answer),
        }
    }

    /// What has to be said now, each thing once.
    pub(super) fn say(&mut self) -> Option<Say> {
        let now = Instant::now();
        if self.limits.ponder && !self.ponder_hit && self.signal.ponder_was_hit() {
            self.ponder_hit = true;
            self.begun = Some(now);
            return Some(Say::PonderHit);
        }
        if let Some(stopped) = self.stopped {
            return (now - stopped >= self.patience.answer).then_some(Say::GiveUp);
        }
        let over = self.move_time().zip(self.begun).is_some_and(|(time, at)| now - at >= time);
        if over || self.signal.stopped() {
            self.stopped = Some(now);
            return Some(Say::Stop);
        }
        let given_up = self.begun.is_some_and(|begun| now - begun >= self.limit());
        given_up.then_some(Say::GiveUp)
    }

    /// The time for this move, if that is limited.
    fn move_time(&self) -> Option<Duration> {
        move_time(self.limits)
    }

    /// The longest time that the limits allow.
    fn allowed(&self) -> Duration {
        let clock = self.limits.clock;
        let clock = clock.map(|clock| clock.left[self.turn].saturating_add(clock.byoyomi));
        self.move_time().into_iter().chain(clock).min().unwrap_or(self.patience.thought)
    }
}

/// The time for a move: the usual one if there are no limits at all.
pub(super) fn move_time(limits: &Limits) -> Option<Duration> {
    let unlimited = limits.clock.is_none()
        && limits.nodes.is_none()
        && limits.depth.is_none()
        && !limits.infinite
        && !limits.ponder;
    limits.move_time.or(unlimited.then_some(USUAL_TIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;
    use keisei_game::BySide;

    #[test]
    fn times_that_no_clock_can_count_do_not_end() {
        let long = Duration::MAX;
        let clock = Clock { left: BySide([long; 2]), byoyomi: long, ..Clock::default() };
        let clocked = Limits { clock: Some(clock), ..Limits::default() };
        let signal = Signal::new();
        for limits in [Limits::move_time(long), clocked] {
            let mut deadline = Deadline::new(&limits, &signal, Side::First, Patience::default());
            assert_eq!((deadline.say(), deadline.limit()), (None, long));
        }
        let patience = Patience { answer: long, ..Patience::default() };
        signal.stop();
        let limits = Limits::default();
        let mut deadline = Deadline::new(&limits, &signal, Side::First, patience);
        assert_eq!([deadline.say(), deadline.say()], [Some(Say::Stop), None]);
    }
}
