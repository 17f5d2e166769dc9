//! The clocks of a game. They are ours: what a player says about its time is not believed.

use std::time::Duration;

use keisei_engine::{Clock, Limits};
use keisei_game::{BySide, Side};

use super::TimeControl;

/// The clocks of both sides during a game.
pub(super) struct Clocks {
    controls: BySide<TimeControl>,
    left: BySide<Duration>,
    /// How many moves each side made.
    moves: BySide<u32>,
}

impl Clocks {
    pub(super) fn new(controls: BySide<TimeControl>) -> Self {
        let time = |side: Side| controls[side].clock.map_or(Duration::ZERO, |clock| clock.time);
        let left = BySide(Side::ALL.map(time));
        Self { controls, left, moves: BySide::default() }
    }

    /// What `side` is told before its move.
    pub(super) fn limits(&self, side: Side) -> Limits {
        let control = &self.controls[side];
        let clocked = control.clock.is_some() || control.byoyomi.is_some();
        let increment =
            |side: Side| self.controls[side].clock.map_or(Duration::ZERO, |clock| clock.increment);
        let moves_to_go = control.clock.and_then(|clock| {
            let period = clock.moves?;
            Some(period - self.moves[side] % period)
        });
        let clock = Clock {
            left: self.left,
            increment: BySide(Side::ALL.map(increment)),
            byoyomi: control.byoyomi.unwrap_or_default(),
            moves_to_go,
        };
        Limits {
            clock: clocked.then_some(clock),
            move_time: control.move_time,
            nodes: control.nodes,
            depth: control.depth,
            ..Limits::default()
        }
    }

    /// How long `side` may take before it loses on time; `None` if time does not matter to it.
    pub(super) fn allowed(&self, side: Side) -> Option<Duration> {
        let control = &self.controls[side];
        let clocked = control.clock.is_some() || control.byoyomi.is_some();
        let clock = clocked.then(|| self.left[side] + control.byoyomi.unwrap_or_default());
        let shortest = match (clock, control.move_time) {
            (Some(clock), Some(time)) => clock.min(time),
            (clock, time) => clock.or(time)?,
        };
        Some(shortest + control.margin())
    }

    /// Takes `elapsed` from `side`'s clock for a move. False if it lost on time.
    pub(super) fn spend(&mut self, side: Side, elapsed: Duration) -> bool {
        if self.allowed(side).is_some_and(|allowed| elapsed > allowed) {
            return false;
        }
        self.moves[side] += 1;
        if let Some(clock) = self.controls[side].clock {
            let left = self.left[side].saturating_sub(elapsed) + clock.increment;
            let renewed = clock.moves.is_some_and(|moves| self.moves[side].is_multiple_of(moves));
            self.left[side] = if renewed { left + clock.time } else { left };
        }
        true
    }

    /// The time left to `side`, if it has a clock.
    pub(super) fn left(&self, side: Side) -> Option<Duration> {
        self.controls[side].clock.map(|_| self.left[side])
    }

    /// Whether the time of `side`'s moves matters.
    pub(super) fn is_timed(&self, side: Side) -> bool {
        self.controls[side].is_timed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clocks(words: &str) -> Clocks {
        let control = TimeControl::default().with(words.split(' ')).unwrap();
        Clocks::new(BySide([control.clone(), control]))
    }

    #[test]
    fn time_is_spent_and_increments_are_given() {
        let mut clocks = clocks("tc=10+2 timemargin=0");
        assert!(clocks.spend(Side::First, 3 * SECOND));
        let limits = clocks.limits(Side::Second).clock.unwrap();
        assert_eq!(limits.left, BySide([9 * SECOND, 10 * SECOND]));
        assert_eq!((limits.increment[Side::Second], limits.moves_to_go), (2 * SECOND, None));
        assert!(!clocks.spend(Side::First, 9 * SECOND + Duration::from_nanos(1)));
        assert!(clocks.spend(Side::First, 9 * SECOND));
        assert_eq!(clocks.left(Side::First), Some(2 * SECOND));
    }

    #[test]
    fn a_period_of_moves_renews_the_clock() {
        let mut clocks = clocks("tc=2/10");
        let to_go = |clocks: &Clocks| clocks.limits(Side::First).clock.unwrap().moves_to_go;
        assert_eq!(to_go(&clocks), Some(2));
        clocks.spend(Side::First, 4 * SECOND);
        assert_eq!((to_go(&clocks), clocks.left(Side::First)), (Some(1), Some(6 * SECOND)));
        clocks.spend(Side::First, SECOND);
        assert_eq!((to_go(&clocks), clocks.left(Side::First)), (Some(2), Some(15 * SECOND)));
    }

    #[test]
    fn byoyomi_is_there_for_every_move_after_the_clock_ran_out() {
        let mut clocks = clocks("tc=3 byoyomi=5 timemargin=0");
        assert!(clocks.spend(Side::Second, 8 * SECOND));
        assert_eq!(clocks.left(Side::Second), Some(Duration::ZERO));
        assert!(clocks.spend(Side::Second, 5 * SECOND));
        assert!(!clocks.spend(Side::Second, 6 * SECOND));
        assert_eq!(clocks.limits(Side::Second).clock.unwrap().byoyomi, 5 * SECOND);
    }

    #[test]
    fn a_time_for_each_move_has_a_margin_and_counts_of_nodes_have_no_time() {
        let clocks = clocks("st=1 timemargin=50");
        assert_eq!(clocks.allowed(Side::First), Some(Duration::from_millis(1050)));
        assert_eq!(clocks.limits(Side::First).move_time, Some(SECOND));
        let clocks = super::tests::clocks("nodes=5");
        assert_eq!((clocks.allowed(Side::First), clocks.is_timed(Side::First)), (None, false));
        assert_eq!(clocks.limits(Side::First), Limits::nodes(5));
    }
}
