//! When a search ends, and what it tells on the way.

use std::sync::Mutex;
use std::time::Duration;

use keisei_game::Position;
use web_time::Instant;

use super::lines::{ranked, reaches};
use super::settings::SearchSettings;
use super::shared::{Shared, lock};
use crate::time::{Stopwatch, TimePlan, plan};
use crate::{Arena, Limits, Report, Signal};

/// How often it is asked whether the choice is clear.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(10);

/// Who ends a search and speaks for it.
#[derive(Debug)]
pub(super) struct TimeManager {
    limits: Limits,
    plan: Option<TimePlan>,
    stopwatch: Stopwatch,
    asked: Instant,
    told: Instant,
    told_every: Duration,
    lines: usize,
    only_move: bool,
}

impl TimeManager {
    pub(super) fn new<G: Arena>(game: &G, limits: &Limits, settings: &SearchSettings) -> Self {
        Self {
            limits: limits.clone(),
            plan: plan(limits, game.turn(), game.ply()),
            stopwatch: Stopwatch::start(limits),
            asked: Instant::now(),
            told: Instant::now(),
            told_every: settings.report_every,
            lines: settings.multi_pv.max(1),
            only_move: game.position().count_legal_moves() == 1,
        }
    }

    /// Whether it is time to answer, or there is nothing more to find.
    pub(super) fn is_over<M: Copy + PartialEq>(
        &mut self,
        shared: &Shared<M>,
        signal: &Signal,
    ) -> bool {
        if signal.stopped() || shared.is_done() || shared.tree.root().proof.is_known() {
            return true;
        }
        let Some(spent) = self.stopwatch.spent(signal) else { return false };
        self.is_deep_enough(shared)
            || self.plan.is_some_and(|plan| self.is_out_of_time(shared, plan, spent))
    }

    fn is_deep_enough<M: Copy + PartialEq>(&self, shared: &Shared<M>) -> bool {
        self.limits.depth.is_some_and(|depth| reaches(&shared.tree, depth as usize))
    }

    fn is_out_of_time<M: Copy + PartialEq>(
        &mut self,
        shared: &Shared<M>,
        plan: TimePlan,
        spent: Duration,
    ) -> bool {
        if spent >= plan.hard {
            return true;
        }
        // A time for the move alone is there to be used.
        if self.limits.clock.is_none() || self.asked.elapsed() < BETWEEN_QUESTIONS {
            return false;
        }
        self.asked = Instant::now();
        let left = plan.soft.saturating_sub(spent);
        self.only_move
            || if left.is_zero() { is_settled(shared) } else { self.is_clear(shared, left) }
    }

    /// Whether no other move can overtake the most visited one in the time that is left.
    fn is_clear<M: Copy + PartialEq>(&self, shared: &Shared<M>, left: Duration) -> bool {
        // A few simulations tell nothing of how many are to come.
        const ENOUGH: u64 = 64;
        if shared.finished < ENOUGH {
            return false;
        }
        let rate = shared.finished as f64 / self.stopwatch.elapsed().as_secs_f64();
        let order = ranked(&shared.tree);
        let visits = |place: usize| {
            let edge = order.get(place).and_then(|&choice| shared.tree.root_edges().get(choice));
            let child = edge.and_then(|edge| shared.tree.child(edge));
            f64::from(child.map_or(0, |child| child.visits))
        };
        visits(0) - visits(1) > rate * left.as_secs_f64()
    }

    /// Hands the best lines to `report` if it is time again.
    pub(super) fn report_in_time<G: Arena>(
        &mut self,
        shared: &Mutex<Shared<G::Move>>,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) {
        if self.told.elapsed() >= self.told_every {
            let shared = lock(shared);
            self.report::<G>(&shared, &ranked(&shared.tree), report);
            self.told = Instant::now();
        }
    }

    /// Hands the first lines of `order` to `report`.
    pub(super) fn report<G: Arena>(
        &self,
        shared: &Shared<G::Move>,
        order: &[usize],
        report: &mut dyn FnMut(&Report<G::Move>),
    ) {
        let time = self.stopwatch.elapsed();
        for (place, &choice) in order.iter().take(self.lines).enumerate() {
            let line = shared.variation(choice);
            report(&Report {
                line: place + 1,
                depth: shared.plies.div_ceil(shared.finished.max(1)).max(1) as u32,
                selective_depth: Some(shared.deepest.max(1)),
                score: line.score::<G>(),
                win_rate: Some(line.win_rate()),
                nodes: shared.finished,
                time,
                hash_full: Some(shared.tree.fullness()),
                moves: line.moves,
            });
        }
    }
}

/// Whether the most visited move is also the best, as far as others were tried in earnest.
fn is_settled<M: Copy + PartialEq>(shared: &Shared<M>) -> bool {
    const IN_EARNEST: u32 = 10;
    let tree = &shared.tree;
    let order = ranked(tree);
    let edges = order.iter().map(|&choice| &tree.root_edges()[choice]);
    let mut children = edges.filter_map(|edge| tree.child(edge)).filter(|child| child.visits > 0);
    let Some(best) = children.next() else { return false };
    children.all(|other| other.visits < best.visits / IN_EARNEST || other.value() >= best.value())
}
