//! Playing: all games move together, and every move is stored to be learned from.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use keisei_encode::{Actions, Encode, Episode, VecEnv, legal_actions};
use keisei_game::{Game, Outcome, Reason, Rules};
use keisei_net::{Evaluation, Evaluator};

use crate::buffer::{Buffer, Move};
use crate::gae::Ending;
use crate::opponents::Pool;
use crate::random::{Purpose, sample, stream};
use crate::starts::{Finished, Plan, Start, Starts};
use crate::tally::Tally;

/// What a player of `A`'s game sees.
pub type Seen<A> = <<A as Actions>::Game as Encode>::Packed;

/// All games of a run and the moves of the current rollout.
pub struct Rollout<A: Actions> {
    env: VecEnv<A, Starts<A::Game>>,
    buffer: Buffer<Seen<A>>,
    seed: u64,
    /// How many moves each game has made since the run began.
    step: u64,
    /// Each action's number in a mirror.
    mirror: Vec<u32>,
    /// Whether games cut off at the limit of moves are valued by their last position.
    bootstrap: bool,
    /// Games that were cut off in the last step, to be valued.
    cut: Vec<Cut<Seen<A>>>,
}

/// A position that a game was cut off in.
struct Cut<P> {
    game: usize,
    view: View<'static, P>,
}

/// A game that ended.
#[derive(Clone, Debug)]
pub struct Ended<G> {
    /// How many moves all games together had made by then.
    pub step: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// The game and how it was played.
    pub finished: Finished<G>,
}

/// What a rollout brought, beside its moves.
#[derive(Clone, Debug)]
pub struct Collected<G> {
    /// The value of the position each game stands in now, for its mover.
    pub last_values: Vec<f32>,
    /// Counts of the games that ended.
    pub tally: Tally,
    /// The games that ended, in order.
    pub ended: Vec<Ended<G>>,
    /// How long it took.
    pub time: Duration,
    /// Of that, the time in networks.
    pub network_time: Duration,
}

impl<G> Default for Collected<G> {
    fn default() -> Self {
        Self {
            last_values: Vec::new(),
            tally: Tally::default(),
            ended: Vec::new(),
            time: Duration::ZERO,
            network_time: Duration::ZERO,
        }
    }
}

impl<A: Actions> Rollout<A> {
    /// New games.
    pub fn new(starts: Starts<A::Game>, games: usize, seed: u64, bootstrap: bool) -> Self {
        let fresh = (0..games).map(|_| A::Game::new_with(Rules::LEARNING));
        Self::with_env(VecEnv::new(fresh, starts), seed, bootstrap, 0)
    }

    /// Games that were stored after each had made `step` moves.
    pub fn resume(
        starts: Starts<A::Game>,
        episodes: Vec<Episode<A::Game>>,
        seed: u64,
        bootstrap: bool,
        step: u64,
    ) -> Self {
        Self::with_env(VecEnv::resume(episodes, starts), seed, bootstrap, step)
    }

    fn with_env(env: VecEnv<A, Starts<A::Game>>, seed: u64, bootstrap: bool, step: u64) -> Self {
        let buffer = Buffer::new(env.len());
        let mirror = (0..A::COUNT).map(|action| A::mirrored(action) as u32).collect();
        Self { env, buffer, seed, step, mirror, bootstrap, cut: Vec::new() }
    }

    /// The moves of the last rollout.
    pub fn buffer(&mut self) -> &mut Buffer<Seen<A>> {
        &mut self.buffer
    }

    /// Where episodes begin.
    pub fn starts(&mut self) -> &mut Starts<A::Game> {
        self.env.restart_mut()
    }

    /// The games as they stand.
    pub fn episodes(&self) -> impl ExactSizeIterator<Item = &Episode<A::Game>> {
        self.env.episodes()
    }

    /// How many moves each game has made since the run began.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Plays `steps` moves in every game and stores them.
    pub fn collect(
        &mut self,
        learner: &mut dyn Evaluator<Seen<A>>,
        pool: &mut Pool<Seen<A>>,
        steps: usize,
    ) -> Collected<A::Game> {
        let start = Instant::now();
        self.buffer.clear();
        self.starts().opponents = pool.len();
        let mut collected = Collected::default();
        for _ in 0..steps {
            self.play_one_move(learner, pool, &mut collected);
        }
        let plans = self.starts().plans();
        let views = look(&self.env, &self.mirror, &plans);
        let evaluations = evaluate(learner, &views, &self.cut, &mut self.buffer, &mut collected);
        self.cut.clear();
        collected.last_values = evaluations.iter().map(|evaluation| evaluation.value).collect();
        collected.time = start.elapsed();
        collected
    }

    /// Chooses a move in every game, plays it, and notes what came of it.
    fn play_one_move(
        &mut self,
        learner: &mut dyn Evaluator<Seen<A>>,
        pool: &mut Pool<Seen<A>>,
        collected: &mut Collected<A::Game>,
    ) {
        let plans = self.starts().plans();
        let views = look(&self.env, &self.mirror, &plans);
        let own = evaluate(learner, &views, &self.cut, &mut self.buffer, collected);
        let others = evaluate_others(pool, &self.env, &plans, &views, collected);
        let mut actions = Vec::with_capacity(views.len());
        for (game, (view, own)) in views.iter().zip(&own).enumerate() {
            let other = others.get(&game);
            let policy = other.unwrap_or(&own.policy);
            let mut rng = stream(self.seed, Purpose::Action, game as u64, self.step);
            let chosen = sample(&mut rng, policy);
            actions.push(self.env.legal_actions(game)[chosen]);
            self.buffer.add(Move {
                observation: view.observation,
                legal: &view.legal,
                chosen,
                log_prob: policy[chosen].ln(),
                value: own.value,
                own: other.is_none(),
            });
        }
        self.step += 1;
        self.env.step(&actions).expect("the chosen actions are legal");
        self.note_results(collected);
    }

    /// Notes rewards and ends, and what games that ended leave behind.
    fn note_results(&mut self, collected: &mut Collected<A::Game>) {
        self.cut.clear();
        let first = collected.ended.len();
        let games = self.env.len();
        for game in 0..games {
            let results = self.env.results();
            let (reward, last) = (results.rewards[game], results.last_observations[game]);
            let outcome = results.outcomes[game].or_else(|| self.end_stuck(game));
            let Some(outcome) = outcome else { continue };
            let ending = if outcome.truncated() { Ending::Truncated } else { Ending::Terminated };
            self.buffer.set_result(game, reward, ending);
            let finished = self.env.restart_mut().take_finished(game);
            let finished = finished.expect("an ended game was put aside");
            let rewound = matches!(finished.plan.start, Start::Rewound(_));
            if ending == Ending::Truncated && (self.bootstrap || rewound) {
                let view = left_behind::<A>(&finished, last, &self.mirror);
                self.cut.push(Cut { game, view });
            }
            collected.tally.add(finished.plan.start, outcome, finished.length());
            let step = self.step * games as u64;
            collected.ended.push(Ended { step, outcome, finished });
        }
        let ended: Vec<_> = collected.ended[first..].iter().map(|ended| &ended.finished).collect();
        self.env.restart_mut().keep(self.step, &ended);
    }

    /// Ends a game that nobody can move in although its rules do not say that it is over. No rules
    /// should allow that, but a run must not die of it.
    fn end_stuck(&mut self, game: usize) -> Option<Outcome> {
        if !self.env.legal_actions(game).is_empty() {
            return None;
        }
        let position = self.env.game(game).notation();
        tracing::warn!(position, "no legal move in a game that is not over; it ends as a draw");
        self.env.abandon(game);
        Some(Outcome::draw(Reason::NoMoves))
    }
}

/// What a player sees: the position and the legal actions, in a mirror or not.
struct View<'a, P> {
    observation: P,
    legal: Cow<'a, [u32]>,
}

impl<'a, P: Copy> View<'a, P> {
    fn new<A>(observation: P, legal: Cow<'a, [u32]>, mirrored: bool, mirror: &[u32]) -> Self
    where
        A: Actions<Game: Encode<Packed = P>>,
    {
        if !mirrored {
            return Self { observation, legal };
        }
        let observation = <A::Game as Encode>::mirrored(&observation);
        Self {
            observation: observation.expect("only games with this symmetry are mirrored"),
            legal: legal.iter().map(|&action| mirror[action as usize]).collect(),
        }
    }
}

/// What the player to move sees in each game.
fn look<'a, A: Actions>(
    env: &'a VecEnv<A, Starts<A::Game>>,
    mirror: &[u32],
    plans: &[Plan],
) -> Vec<View<'a, Seen<A>>> {
    let view = |(game, plan): (usize, &Plan)| {
        let legal = Cow::Borrowed(env.legal_actions(game));
        View::new::<A>(env.observations()[game], legal, plan.mirrored, mirror)
    };
    plans.iter().enumerate().map(view).collect()
}

/// What the player to move saw in a game that was cut off.
fn left_behind<A: Actions>(
    finished: &Finished<A::Game>,
    observation: Seen<A>,
    mirror: &[u32],
) -> View<'static, Seen<A>> {
    let legal = legal_actions::<A>(finished.game.position());
    let legal = legal.into_iter().map(|(action, _)| action as u32).collect();
    View::new::<A>(observation, legal, finished.plan.mirrored, mirror)
}

/// Evaluates all games in one batch, together with the positions that games were cut off in at the
/// last step, whose values go to the moves that led there.
fn evaluate<P: Copy, G>(
    learner: &mut dyn Evaluator<P>,
    views: &[View<'_, P>],
    cut: &[Cut<P>],
    buffer: &mut Buffer<P>,
    collected: &mut Collected<G>,
) -> Vec<Evaluation> {
    let all = || views.iter().chain(cut.iter().map(|cut| &cut.view));
    let observations: Vec<P> = all().map(|view| view.observation).collect();
    let legal: Vec<&[u32]> = all().map(|view| &*view.legal).collect();
    let start = Instant::now();
    let mut evaluations = learner.evaluate(&observations, &legal);
    collected.network_time += start.elapsed();
    for (cut, evaluation) in cut.iter().zip(evaluations.drain(views.len()..)) {
        buffer.set_cut_value(cut.game, evaluation.value);
    }
    evaluations
}

/// The policies of earlier selves in the games where one of them is to move.
fn evaluate_others<A: Actions>(
    pool: &mut Pool<Seen<A>>,
    env: &VecEnv<A, Starts<A::Game>>,
    plans: &[Plan],
    views: &[View<'_, Seen<A>>],
    collected: &mut Collected<A::Game>,
) -> BTreeMap<usize, Vec<f32>> {
    let mut by_slot = BTreeMap::<usize, Vec<usize>>::new();
    for (game, plan) in plans.iter().enumerate() {
        if let Some(slot) = plan.mover(env.game(game).turn()) {
            by_slot.entry(slot).or_default().push(game);
        }
    }
    let mut policies = BTreeMap::new();
    for (slot, games) in by_slot {
        let observations: Vec<_> = games.iter().map(|&game| views[game].observation).collect();
        let legal: Vec<_> = games.iter().map(|&game| &*views[game].legal).collect();
        let start = Instant::now();
        let evaluations = pool.player(slot).evaluate(&observations, &legal);
        collected.network_time += start.elapsed();
        policies.extend(games.into_iter().zip(evaluations.into_iter().map(|e| e.policy)));
    }
    policies
}

#[cfg(test)]
mod tests;
