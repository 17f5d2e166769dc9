//! Playing: all games move together, and every move is stored to be learned from.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use keisei_cluster::{Alone, Communicator};
use keisei_encode::{Actions, Encode, Episode, Finished, Observation, VecEnv, legal_actions};
use keisei_game::{Game, Outcome, Rules};
use keisei_net::loss::log_softmax;
use keisei_net::{Evaluator, Outputs};
use rayon::prelude::*;

use crate::buffer::{Buffer, Transition};
use crate::curriculum::{Curriculum, Plan};
use crate::gae::Ending;
use crate::opponents::Pool;
use crate::random::{Purpose, stream};
use crate::shards::Shards;
use crate::tally::Tally;
use crate::teacher::{LessonTally, Root, Teacher};

/// Games handed to one thread at a time: enough work to outweigh the handing over.
const GAMES_A_TASK: usize = 32;

/// All games of a run and the moves of the current rollout.
pub struct Rollout<A: Actions> {
    env: VecEnv<A, Plan>,
    buffer: Buffer<Observation<A>>,
    seed: u64,
    /// How many moves each game has made since the run began.
    step: u64,
    /// Each action's number in a mirror.
    mirror: Vec<u32>,
    /// Whether games truncated at the limit of moves are valued by their last position.
    bootstrap: bool,
    /// Positions that games were truncated in at the last step, to be valued.
    truncated: Vec<Truncated<Observation<A>>>,
    /// Which side the values favoured before each move of the running episodes: the mover, or not.
    favoured: Vec<Vec<bool>>,
    /// Who chooses the moves by a search, if somebody does.
    teacher: Option<Teacher<A>>,
    /// What the networks say, in memory that is used again: the learner, and an earlier self.
    outputs: Outputs,
    opponents_outputs: Outputs,
    /// Which of a run's games these are.
    shards: Shards,
    /// Who plays the others.
    ranks: Arc<dyn Communicator>,
}

/// A position that a game was truncated in.
struct Truncated<P> {
    game: usize,
    view: View<'static, P>,
}

/// An episode that ended during a rollout.
#[derive(Clone, Debug)]
pub struct Ended<G> {
    /// How many moves all games together had made by then.
    pub step: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// Its game and its plan.
    pub episode: Episode<G, Plan>,
}

impl<G: Game> Ended<G> {
    /// How many moves the episode had.
    pub fn length(&self) -> usize {
        self.episode.game.ply() - self.episode.plan.began_at
    }
}

/// What a rollout brought, beside its moves. Games are those of this rank, counts those of all.
#[derive(Clone, Debug)]
pub struct Collected<G> {
    /// The value of the position each game stands in now, for its mover.
    pub last_values: Vec<f32>,
    /// Counts of the episodes that ended.
    pub tally: Tally,
    /// The episodes that ended, in order.
    pub ended: Vec<Ended<G>>,
    /// The number of each of them among all that ended, in the order of steps and games.
    pub numbers: Vec<u64>,
    /// Counts of what a teacher said.
    pub lessons: LessonTally,
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
            numbers: Vec::new(),
            lessons: LessonTally::default(),
            time: Duration::ZERO,
            network_time: Duration::ZERO,
        }
    }
}

/// A running episode as it is stored.
#[derive(Clone, Debug)]
pub struct Running<G> {
    /// Its game and its plan.
    pub episode: Episode<G, Plan>,
    /// Whether the values favoured the mover, before each of its moves.
    pub favoured: Vec<bool>,
}

impl<A: Actions> Rollout<A> {
    /// New games.
    pub fn new(curriculum: &Curriculum<A::Game>, games: usize, seed: u64, bootstrap: bool) -> Self {
        let fresh = (0..games).map(|_| A::Game::new_with(Rules::LEARNING));
        let env = VecEnv::new(fresh, curriculum);
        Self::with_env(env, vec![Vec::new(); games], seed, bootstrap, 0)
    }

    /// Games that were stored after each had made `step` moves.
    pub fn resume(running: Vec<Running<A::Game>>, seed: u64, bootstrap: bool, step: u64) -> Self {
        let (episodes, favoured): (Vec<_>, _) =
            running.into_iter().map(|running| (running.episode, running.favoured)).unzip();
        Self::with_env(VecEnv::resume(episodes), favoured, seed, bootstrap, step)
    }

    fn with_env(
        env: VecEnv<A, Plan>,
        favoured: Vec<Vec<bool>>,
        seed: u64,
        bootstrap: bool,
        step: u64,
    ) -> Self {
        let shards = Shards::whole(env.len());
        let buffer = Buffer::for_shards(&shards);
        let mirror = (0..A::COUNT).map(|action| A::mirrored(action) as u32).collect();
        Self {
            env,
            buffer,
            seed,
            step,
            mirror,
            bootstrap,
            truncated: Vec::new(),
            favoured,
            teacher: None,
            outputs: Outputs::default(),
            opponents_outputs: Outputs::default(),
            shards,
            ranks: Arc::new(Alone),
        }
    }

    /// The same games as those of a rank among others.
    #[must_use]
    pub fn among(self, shards: Shards, ranks: Arc<dyn Communicator>) -> Self {
        assert_eq!(shards.own_games().len(), self.env.len(), "the games of the rank's shards");
        Self { buffer: Buffer::for_shards(&shards), shards, ranks, ..self }
    }

    /// The same games with moves chosen by `teacher`, if there is one.
    pub fn taught_by(self, teacher: Option<Teacher<A>>) -> Self {
        Self { teacher, ..self }
    }

    /// The moves of the last rollout.
    pub fn buffer(&mut self) -> &mut Buffer<Observation<A>> {
        &mut self.buffer
    }

    /// The running episodes, each with whom the values favoured before its moves.
    pub fn running(&self) -> impl ExactSizeIterator<Item = (&Episode<A::Game, Plan>, &[bool])> {
        self.env.episodes().zip(self.favoured.iter().map(Vec::as_slice))
    }

    /// How many moves each game has made since the run began.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Plays `steps` moves in every game and stores them.
    pub fn collect(
        &mut self,
        learner: &mut dyn Evaluator<Observation<A>>,
        pool: &mut Pool<Observation<A>>,
        curriculum: &mut Curriculum<A::Game>,
        steps: usize,
    ) -> Collected<A::Game> {
        let start = Instant::now();
        self.buffer.clear();
        let mut collected = Collected::default();
        for _ in 0..steps {
            self.play_one_move(learner, pool, curriculum, &mut collected);
        }
        let Self { env, buffer, mirror, truncated, outputs, .. } = self;
        let views = observe(env, mirror);
        evaluate(learner, &views, truncated, buffer, outputs, &mut collected);
        truncated.clear();
        collected.last_values.extend_from_slice(&outputs.values);
        curriculum.take_in(&*self.ranks);
        self.count_all(&mut collected);
        collected.time = start.elapsed();
        collected
    }

    /// Counts what all ranks have played, and numbers the episodes that ended: those of an earlier
    /// step, or of the same step and an earlier game, come before.
    fn count_all(&self, collected: &mut Collected<A::Game>) {
        if self.ranks.size() == 1 {
            collected.numbers = (0..collected.ended.len() as u64).collect();
            return;
        }
        let steps: Vec<_> = collected.ended.iter().map(|ended| ended.step).collect();
        let all = self.ranks.collect((steps, collected.tally, collected.lessons));
        // Within a step the games of lower ranks come first.
        let mut order: Vec<_> = all
            .iter()
            .enumerate()
            .flat_map(|(rank, (steps, ..))| steps.iter().map(move |&step| (step, rank)))
            .collect();
        order.sort();
        let numbers = (0..).zip(order).filter(|(_, (_, rank))| *rank == self.ranks.rank());
        collected.numbers = numbers.map(|(number, _)| number).collect();
        (collected.tally, collected.lessons) = Default::default();
        for (_, tally, lessons) in &all {
            collected.tally += *tally;
            collected.lessons += *lessons;
        }
    }

    /// Chooses a move in every game, plays it, and notes what came of it.
    fn play_one_move(
        &mut self,
        learner: &mut dyn Evaluator<Observation<A>>,
        pool: &mut Pool<Observation<A>>,
        curriculum: &mut Curriculum<A::Game>,
        collected: &mut Collected<A::Game>,
    ) {
        let actions = match self.teacher.take() {
            None => self.choose(learner, pool, collected),
            Some(mut teacher) => {
                let actions = self.ask(&mut teacher, learner, collected);
                self.teacher = Some(teacher);
                actions
            }
        };
        self.step += 1;
        self.env.step(&actions, curriculum).expect("the chosen actions are legal");
        self.note_finished(curriculum, collected);
    }

    /// Chooses moves by the policies of the learner and its earlier selves.
    fn choose(
        &mut self,
        learner: &mut dyn Evaluator<Observation<A>>,
        pool: &mut Pool<Observation<A>>,
        collected: &mut Collected<A::Game>,
    ) -> Vec<u32> {
        let (seed, step) = (self.seed, self.step);
        let first = self.shards.own_games().start;
        let Self { env, buffer, mirror, truncated, outputs, opponents_outputs, .. } = self;
        let views = observe(env, mirror);
        evaluate(learner, &views, truncated, buffer, outputs, collected);
        let Outputs { logits, values } = outputs;
        let mut logits = rows(logits, &views);
        evaluate_opponents(pool, &views, &mut logits, opponents_outputs, collected);
        let choose = |(game, policy): (usize, &mut [f32])| {
            let view = &views[game];
            log_softmax(policy);
            policy.iter_mut().for_each(|log| *log = log.exp());
            let mut rng = stream(seed, Purpose::Action, (first + game) as u64, step);
            let chosen = rng.sample(policy).expect("a policy has weights");
            Transition {
                observation: view.observation,
                legal: &view.legal,
                chosen,
                log_prob: policy[chosen].ln(),
                value: values[game],
                own: view.opponent.is_none(),
                improved: None,
            }
        };
        let games = logits.into_par_iter().enumerate().with_min_len(GAMES_A_TASK);
        let transitions: Vec<_> = games.map(choose).collect();
        store(buffer, &mut self.favoured, env, &transitions)
    }

    /// Has a teacher choose the moves.
    fn ask(
        &mut self,
        teacher: &mut Teacher<A>,
        learner: &mut dyn Evaluator<Observation<A>>,
        collected: &mut Collected<A::Game>,
    ) -> Vec<u32> {
        let Self { env, buffer, truncated, outputs, .. } = self;
        evaluate(learner, &[], truncated, buffer, outputs, collected);
        let roots: Vec<_> = env
            .episodes()
            .map(|Episode { game, plan, .. }| Root { game, mirrored: plan.mirrored })
            .collect();
        let games = self.shards.own_games();
        let (lessons, time) = teacher.teach(learner, &roots, games, self.seed, self.step);
        collected.network_time += time;
        lessons.iter().for_each(|lesson| collected.lessons.add(lesson));
        let views = observe(env, &self.mirror);
        let follow = |game: usize| {
            let (view, lesson) = (&views[game], &lessons[game]);
            Transition {
                observation: view.observation,
                legal: &view.legal,
                chosen: lesson.chosen,
                log_prob: lesson.policy[lesson.chosen].ln(),
                value: lesson.value,
                own: true,
                improved: Some(&lesson.policy),
            }
        };
        let games = (0..env.len()).into_par_iter().with_min_len(GAMES_A_TASK);
        let transitions: Vec<_> = games.map(follow).collect();
        store(buffer, &mut self.favoured, env, &transitions)
    }

    /// Notes the ends of games, and what they leave behind.
    fn note_finished(
        &mut self,
        curriculum: &mut Curriculum<A::Game>,
        collected: &mut Collected<A::Game>,
    ) {
        self.truncated.clear();
        let step = self.step * self.shards.all_games() as u64;
        let mut places = Vec::new();
        let first = collected.ended.len();
        for (game, Finished { episode, outcome }) in self.env.finished() {
            let ending = if outcome.truncated() { Ending::Truncated } else { Ending::Terminated };
            let mover = !episode.game.turn();
            self.buffer.set_result(game, outcome.reward(mover), ending);
            if ending == Ending::Truncated && (self.bootstrap || episode.plan.is_rewound()) {
                let view = last_view::<A>(&episode, &self.mirror);
                self.truncated.push(Truncated { game, view });
            }
            let ended = Ended { step, outcome, episode };
            collected.tally.add(ended.episode.plan.start, outcome, ended.length());
            let favoured = mem::take(&mut self.favoured[game]);
            collected.tally.add_favoured(&favoured, outcome, mover);
            collected.ended.push(ended);
            places.push(game);
        }
        let episodes = collected.ended[first..].iter().map(|ended| &ended.episode);
        let ended: Vec<_> = places.into_iter().zip(episodes).collect();
        curriculum.keep(self.step, &ended);
    }
}

/// Stores a move of every game, and gives the actions.
fn store<A: Actions>(
    buffer: &mut Buffer<Observation<A>>,
    favoured: &mut [Vec<bool>],
    env: &VecEnv<A, Plan>,
    transitions: &[Transition<'_, Observation<A>>],
) -> Vec<u32> {
    buffer.add_step(transitions);
    let moves = transitions.par_iter().zip(favoured).enumerate().with_min_len(GAMES_A_TASK);
    let action = |(game, (made, favoured)): (usize, (&Transition<'_, _>, &mut Vec<bool>))| {
        favoured.push(made.value > 0.0);
        env.legal_actions(game)[made.chosen]
    };
    moves.map(action).collect()
}

/// What a player sees: the position and the legal actions, in a mirror or not.
struct View<'a, P> {
    observation: P,
    legal: Cow<'a, [u32]>,
    /// The slot of the earlier self that is to move, if it is not the learner.
    opponent: Option<usize>,
}

impl<'a, P: Copy> View<'a, P> {
    fn new<A>(observation: P, legal: Cow<'a, [u32]>, mirrored: bool, mirror: &[u32]) -> Self
    where
        A: Actions<Game: Encode<Packed = P>>,
    {
        let opponent = None;
        if !mirrored {
            return Self { observation, legal, opponent };
        }
        let observation = <A::Game as Encode>::mirrored(&observation);
        Self {
            observation: observation.expect("only games with this symmetry are mirrored"),
            legal: legal.iter().map(|&action| mirror[action as usize]).collect(),
            opponent,
        }
    }
}

/// What the player to move sees in each game.
fn observe<'a, A: Actions>(
    env: &'a VecEnv<A, Plan>,
    mirror: &[u32],
) -> Vec<View<'a, Observation<A>>> {
    let view = |game: usize| {
        let legal = Cow::Borrowed(env.legal_actions(game));
        let Episode { game: played, plan, .. } = env.episode(game);
        let view = View::new::<A>(env.observations()[game], legal, plan.mirrored, mirror);
        View { opponent: plan.mover(played.turn()), ..view }
    };
    (0..env.len()).into_par_iter().with_min_len(GAMES_A_TASK).map(view).collect()
}

/// What the player to move saw in a game that was truncated.
fn last_view<A: Actions>(
    episode: &Episode<A::Game, Plan>,
    mirror: &[u32],
) -> View<'static, Observation<A>> {
    let legal = legal_actions::<A>(episode.game.position());
    let legal = legal.into_iter().map(|(action, _)| action as u32).collect();
    View::new::<A>(episode.game.pack(), legal, episode.plan.mirrored, mirror)
}

/// Evaluates all games in one batch, together with the positions that games were truncated in at
/// the last step, whose values go to the moves that led there.
fn evaluate<P: Copy + Send + Sync, G>(
    learner: &mut dyn Evaluator<P>,
    views: &[View<'_, P>],
    truncated: &[Truncated<P>],
    buffer: &mut Buffer<P>,
    outputs: &mut Outputs,
    collected: &mut Collected<G>,
) {
    outputs.clear();
    if views.is_empty() && truncated.is_empty() {
        return;
    }
    let all = views.par_iter().chain(truncated.par_iter().map(|truncated| &truncated.view));
    let seen = all.with_min_len(GAMES_A_TASK).map(|view| (view.observation, &*view.legal));
    let (observations, legal): (Vec<_>, Vec<_>) = seen.unzip();
    let start = Instant::now();
    learner.evaluate_into(&observations, &legal, outputs);
    collected.network_time += start.elapsed();
    for (truncated, value) in truncated.iter().zip(outputs.values.drain(views.len()..)) {
        buffer.set_bootstrap_value(truncated.game, value);
    }
}

/// The logits of each view: they lie one view after the other.
fn rows<'a, P>(mut logits: &'a mut [f32], views: &[View<'_, P>]) -> Vec<&'a mut [f32]> {
    let row = |view: &View<'_, P>| {
        logits.split_off_mut(..view.legal.len()).expect("a logit for each legal action")
    };
    views.iter().map(row).collect()
}

/// Replaces the learner's logits by those of earlier selves in the games where one of them is to
/// move.
fn evaluate_opponents<P: Copy, G>(
    pool: &mut Pool<P>,
    views: &[View<'_, P>],
    logits: &mut [&mut [f32]],
    outputs: &mut Outputs,
    collected: &mut Collected<G>,
) {
    let mut by_slot = BTreeMap::<usize, Vec<usize>>::new();
    for (game, view) in views.iter().enumerate() {
        if let Some(slot) = view.opponent {
            by_slot.entry(slot).or_default().push(game);
        }
    }
    for (slot, games) in by_slot {
        let observations: Vec<_> = games.iter().map(|&game| views[game].observation).collect();
        let legal: Vec<_> = games.iter().map(|&game| &*views[game].legal).collect();
        let start = Instant::now();
        pool.player(slot).evaluate_into(&observations, &legal, outputs);
        collected.network_time += start.elapsed();
        let mut theirs = &outputs.logits[..];
        for game in games {
            let (row, after) = theirs.split_at(logits[game].len());
            logits[game].copy_from_slice(row);
            theirs = after;
        }
    }
}

#[cfg(test)]
mod tests;
