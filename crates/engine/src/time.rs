//! How long to think: from clocks to times.

use std::time::Duration;

use keisei_game::Side;
use web_time::Instant;

use crate::{Clock, Limits, Signal};

/// Counts the time that a player takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    started: Instant,
    /// When the player's clock began to run; `None` while it does not.
    running_since: Option<Instant>,
    ponders: bool,
}

impl Stopwatch {
    /// A stopwatch started now. In analysis and in the other side's time no clock runs.
    pub(crate) fn start(limits: &Limits) -> Self {
        let started = Instant::now();
        let running_since = (!limits.infinite && !limits.ponder).then_some(started);
        Self { started, running_since, ponders: limits.ponder && !limits.infinite }
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time that the player's clock has run, if it does. It begins to when `signal` says that
    /// the other side played what was expected.
    pub(crate) fn spent(&mut self, signal: &Signal) -> Option<Duration> {
        if self.ponders && self.running_since.is_none() && signal.ponder_was_hit() {
            self.running_since = Some(Instant::now());
        }
        self.running_since.map(|since| since.elapsed())
    }
}

/// When to answer, counted from when the clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimePlan {
    /// When to answer if the choice is clear.
    pub(crate) soft: Duration,
    /// When to answer in any case.
    pub(crate) hard: Duration,
}

/// The least time that is planned, however short the clock.
const LEAST: Duration = Duration::from_millis(1);

/// A game is planned for so many more moves of ours, at the start and later on.
const MOVES_AHEAD: (u32, u32) = (50, 20);

/// The most that one move may take, as a multiple of what it should.
const STRETCH: u32 = 4;

/// The plan for a move of `side` after `ply` plies; `None` if no time limits it.
///
/// * The latency is kept back, but never more than half of the time.
/// * A time for the move is used up.
/// * Time that is lost if not used (byoyomi) is used, and a share of what is left on top.
/// * Of an increment four fifths are used. It is not counted on before it was given.
/// * No more than half of what is left is used where nothing comes after it.
pub(crate) fn plan(limits: &Limits, side: Side, ply: usize) -> Option<TimePlan> {
    let fixed = limits.move_time.map(|time| {
        let time = (time - limits.latency.min(time / 2)).max(LEAST);
        TimePlan { soft: time, hard: time }
    });
    let clock = limits.clock.map(|clock| by_clock(&clock, side, ply, limits.latency));
    match (fixed, clock) {
        (Some(one), Some(other)) => {
            Some(TimePlan { soft: one.soft.min(other.soft), hard: one.hard.min(other.hard) })
        }
        (one, other) => one.or(other),
    }
}

fn by_clock(clock: &Clock, side: Side, ply: usize, latency: Duration) -> TimePlan {
    let left = clock.left[side];
    let latency = latency.min((left + clock.byoyomi) / 2);
    let moves = clock.moves_to_go.map_or_else(|| moves_ahead(ply), |moves| moves.max(1));
    let share = left / moves + clock.increment[side] * 4 / 5;
    let last_period = moves == 1 && clock.moves_to_go.is_some();
    let most = if clock.byoyomi > Duration::ZERO || last_period { left } else { left / 2 };
    let within = |time: Duration| (time + clock.byoyomi).saturating_sub(latency).max(LEAST);
    let hard = within(most.min(share * STRETCH));
    TimePlan { soft: within(share).min(hard), hard }
}

/// How many more moves of ours a game is planned for after `ply` plies.
fn moves_ahead(ply: usize) -> u32 {
    let made = u32::try_from(ply / 4).unwrap_or(u32::MAX);
    MOVES_AHEAD.0.saturating_sub(made).max(MOVES_AHEAD.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::BySide;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(left: u64, increment: u64, byoyomi: u64) -> Clock {
        Clock {
            left: BySide([ms(left), ms(9_999_999)]),
            increment: BySide([ms(increment), ms(0)]),
            byoyomi: ms(byoyomi),
            moves_to_go: None,
        }
    }

    fn times(clock: Clock, ply: usize) -> (u64, u64) {
        let limits = Limits { clock: Some(clock), latency: ms(100), ..Limits::default() };
        let plan = plan(&limits, Side::First, ply).unwrap();
        (plan.soft.as_millis() as u64, plan.hard.as_millis() as u64)
    }

    #[test]
    fn without_a_clock_there_is_no_plan() {
        assert_eq!(plan(&Limits::nodes(100), Side::First, 0), None);
    }

    #[test]
    fn the_time_for_a_move_is_used_up_but_for_the_latency() {
        let used = |time| {
            let limits = Limits { latency: ms(100), ..Limits::move_time(ms(time)) };
            plan(&limits, Side::First, 0)
        };
        assert_eq!(used(1000), Some(TimePlan { soft: ms(900), hard: ms(900) }));
        assert_eq!(used(50), Some(TimePlan { soft: ms(25), hard: ms(25) }), "never more than half");
        assert_eq!(used(0), Some(TimePlan { soft: LEAST, hard: LEAST }));
    }

    #[test]
    fn main_time_is_spread_over_the_moves_to_come() {
        // 300 s over 50 moves: 6 s and at most 24 s, less the latency.
        assert_eq!(times(clock(300_000, 0, 0), 0), (5_900, 23_900));
        // After 120 plies 20 moves are expected, and so they are later.
        assert_eq!(times(clock(300_000, 0, 0), 120), (14_900, 59_900));
        assert_eq!(times(clock(300_000, 0, 0), 400), (14_900, 59_900));
        // Half of a second, over 20 moves: 50 ms less 100 ms leaves nothing.
        assert_eq!(times(clock(1_000, 0, 0), 400), (1, 100));
    }

    #[test]
    fn byoyomi_is_used_in_full_and_main_time_on_top() {
        assert_eq!(times(clock(0, 0, 10_000), 0), (9_900, 9_900));
        assert_eq!(times(clock(100_000, 0, 10_000), 0), (2_000 + 9_900, 8_000 + 9_900));
    }

    #[test]
    fn increments_are_mostly_used_but_not_counted_on() {
        // 60 s / 50 + 0.8 · 2 s = 2.8 s, at most 11.2 s.
        assert_eq!(times(clock(60_000, 2_000, 0), 0), (2_700, 11_100));
        // With 1 s left half of it is the most.
        assert_eq!(times(clock(1_000, 2_000, 0), 0), (400, 400));
    }

    #[test]
    fn moves_to_go_share_what_is_left() {
        let ten = Clock { moves_to_go: Some(10), ..clock(60_000, 0, 0) };
        assert_eq!(times(ten, 0), (5_900, 23_900));
        let last = Clock { moves_to_go: Some(1), ..clock(3_000, 0, 0) };
        assert_eq!(times(last, 0), (2_900, 2_900));
    }

    #[test]
    fn byoyomi_shorter_than_twice_the_latency_is_used_by_half() {
        assert_eq!(times(clock(0, 0, 20), 0), (10, 10));
    }

    #[test]
    fn a_clock_runs_from_the_start_or_from_the_move_that_was_guessed() {
        let spent = |limits: &Limits, hit: bool| {
            let (mut watch, signal) = (Stopwatch::start(limits), Signal::new());
            if hit {
                signal.ponder_hit();
            }
            watch.spent(&signal).is_some()
        };
        let (ponder, infinite) = (
            Limits { ponder: true, ..Limits::default() },
            Limits { infinite: true, ..Limits::default() },
        );
        assert!(spent(&Limits::default(), false));
        assert!(!spent(&ponder, false) && spent(&ponder, true));
        assert!(!spent(&infinite, false) && !spent(&infinite, true));
    }

    #[test]
    fn no_plan_outlasts_the_clock() {
        for left in [0, 10, 500, 7_000, 600_000] {
            for (increment, byoyomi) in [(0, 0), (0, 1_000), (5_000, 0), (100, 30_000)] {
                for ply in [0, 1, 60, 300] {
                    let (soft, hard) = times(clock(left, increment, byoyomi), ply);
                    assert!(soft <= hard, "{soft} {hard}");
                    assert!(hard <= (left + byoyomi).saturating_sub(100).max(1), "{hard}");
                }
            }
        }
    }
}
