//! The store of one rollout: what was seen, what was played and what came of it.

use std::mem;
use std::ops::Range;

use keisei_net::{Examples, Selection, Transitions};
use rayon::prelude::*;

use crate::gae::{self, Ending, Ply};
use crate::moments::Moments;
use crate::random::{Purpose, stream};
use crate::shards::Shards;

/// Moves handed to one thread at a time, where there is little to do for each.
const MOVES_A_TASK: usize = 256;

/// The transitions of `games` games over some steps, stored step by step.
#[derive(Clone, Debug)]
pub struct Buffer<P> {
    games: usize,
    /// The games of each shard.
    shards: Vec<Range<usize>>,
    /// The number of the first shard among those of all ranks.
    first_shard: usize,
    observations: Vec<P>,
    /// The legal actions of all positions, one after the other.
    legal: Vec<u32>,
    /// Where each position's legal actions end.
    legal_ends: Vec<usize>,
    /// The improved policies over the legal actions, if a teacher gave them.
    policies: Vec<f32>,
    chosen: Vec<u32>,
    log_probs: Vec<f32>,
    values: Vec<f32>,
    rewards: Vec<f32>,
    endings: Vec<Ending>,
    /// The values of the positions that games were truncated in; 0 elsewhere.
    bootstrap_values: Vec<f32>,
    /// Whether the learner made the move.
    own: Vec<bool>,
    advantages: Vec<f32>,
    returns: Vec<f32>,
    /// How many moves each shard of all ranks has that are learned from.
    learned: Vec<usize>,
}

/// One move as it is made: what came of it is added later.
#[derive(Clone, Copy, Debug)]
pub struct Transition<'a, P> {
    /// What the mover observed.
    pub observation: P,
    /// The legal actions.
    pub legal: &'a [u32],
    /// Which of them was played, as a place in the list.
    pub chosen: usize,
    /// The log-probability with which it was chosen.
    pub log_prob: f32,
    /// The learner's value of the position.
    pub value: f32,
    /// Whether the learner made the move, rather than an earlier self.
    pub own: bool,
    /// A teacher's policy over the legal actions. Either all moves of a rollout have one or none.
    pub improved: Option<&'a [f32]>,
}

/// Numbers of a finished rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many moves are learned from.
    pub moves: usize,
    /// How much of the variance of the returns the values explain: 1 all, 0 none.
    pub explained_variance: f64,
    /// The mean of the values.
    pub mean_value: f64,
    /// The deviation of the advantages before they were normalised.
    pub advantage_deviation: f64,
}

impl<P: Copy + Send + Sync> Buffer<P> {
    /// An empty buffer for this many games.
    pub fn new(games: usize) -> Self {
        Self::for_shards(&Shards::whole(games))
    }

    /// An empty buffer for the games of a rank.
    pub fn for_shards(shards: &Shards) -> Self {
        Self {
            games: shards.own_games().len(),
            shards: shards.local(),
            first_shard: shards.first(),
            observations: Vec::new(),
            legal: Vec::new(),
            legal_ends: Vec::new(),
            policies: Vec::new(),
            chosen: Vec::new(),
            log_probs: Vec::new(),
            values: Vec::new(),
            rewards: Vec::new(),
            endings: Vec::new(),
            bootstrap_values: Vec::new(),
            own: Vec::new(),
            advantages: Vec::new(),
            returns: Vec::new(),
            learned: Vec::new(),
        }
    }

    /// How many moves are stored.
    pub fn len(&self) -> usize {
        self.observations.len()
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.observations.is_empty()
    }

    /// Adds one move of every game.
    ///
    /// # Panics
    ///
    /// If there is not one transition a game.
    pub fn add_step(&mut self, transitions: &[Transition<'_, P>]) {
        assert_eq!(transitions.len(), self.games, "one transition a game");
        let made = || transitions.par_iter().with_min_len(MOVES_A_TASK);
        self.observations.par_extend(made().map(|made| made.observation));
        self.add_legal(transitions);
        self.chosen.par_extend(made().map(|made| made.chosen as u32));
        self.log_probs.par_extend(made().map(|made| made.log_prob));
        self.values.par_extend(made().map(|made| made.value));
        self.own.par_extend(made().map(|made| made.own));
        let count = self.observations.len();
        self.rewards.resize(count, 0.0);
        self.endings.resize(count, Ending::None);
        self.bootstrap_values.resize(count, 0.0);
    }

    fn add_legal(&mut self, transitions: &[Transition<'_, P>]) {
        let start = self.legal.len();
        let ends = transitions.iter().scan(start, |end, made| {
            *end += made.legal.len();
            Some(*end)
        });
        self.legal_ends.extend(ends);
        append_rows(&mut self.legal, transitions, |made| made.legal);
        if transitions.iter().any(|made| made.improved.is_some()) {
            append_rows(&mut self.policies, transitions, |made| made.improved.unwrap_or_default());
        }
        let complete = self.policies.is_empty() || self.policies.len() == self.legal.len();
        assert!(complete, "a teacher gives every move a policy over its legal actions");
    }

    /// Says what came of the last move of `game`.
    pub fn set_result(&mut self, game: usize, reward: f32, ending: Ending) {
        let place = self.last_move_of(game);
        self.rewards[place] = reward;
        self.endings[place] = ending;
    }

    /// Says how good the position was that the last move of `game` led to, which was truncated
    /// there.
    pub fn set_bootstrap_value(&mut self, game: usize, value: f32) {
        let place = self.last_move_of(game);
        self.bootstrap_values[place] = value;
    }

    fn last_move_of(&self, game: usize) -> usize {
        assert!(self.len().is_multiple_of(self.games), "every game has moved");
        self.len() - self.games + game
    }

    /// Computes advantages and returns, once all moves are in. `last_values` are the values of the
    /// positions that the games stand in now; advantages are normalised over all moves that are
    /// learned from, with a deviation of at least `floor`.
    pub fn finish(&mut self, last_values: &[f32], gamma: f32, lambda: f32, floor: f32) -> Summary {
        let moments = self.estimate(last_values, gamma, lambda);
        self.normalise(&moments, floor)
    }

    /// Computes advantages and returns as they are, and what each shard tells of them.
    pub fn estimate(&mut self, last_values: &[f32], gamma: f32, lambda: f32) -> Vec<Moments> {
        assert_eq!(last_values.len(), self.games, "one value a game");
        let steps = self.len() / self.games;
        let place = |step: usize, game: usize| step * self.games + game;
        let of_game = |(game, (advantages, &last_value)): (usize, (&mut [f32], &f32))| {
            let ply = |step: usize| Ply {
                reward: self.rewards[place(step, game)],
                value: self.values[place(step, game)],
                next_value: match self.endings[place(step, game)] {
                    Ending::Truncated => self.bootstrap_values[place(step, game)],
                    _ if step + 1 < steps => self.values[place(step + 1, game)],
                    _ => last_value,
                },
                ending: self.endings[place(step, game)],
            };
            let plies: Vec<_> = (0..steps).map(ply).collect();
            advantages.copy_from_slice(&gae::advantages(&plies, gamma, lambda));
        };
        // Game by game first, then in the order of the moves.
        let mut by_game = vec![0.0; self.len()];
        let games = by_game.par_chunks_exact_mut(steps.max(1)).zip(last_values);
        games.enumerate().for_each(of_game);
        let places = (0..self.len()).into_par_iter().with_min_len(MOVES_A_TASK);
        let advantage = |at: usize| by_game[at % self.games * steps + at / self.games];
        places.map(advantage).collect_into_vec(&mut self.advantages);
        let sums = self.advantages.par_iter().zip(&self.values).with_min_len(MOVES_A_TASK);
        sums.map(|(advantage, value)| advantage + value).collect_into_vec(&mut self.returns);
        let moments = |shard: &Range<usize>| {
            let quantities = |place: usize| {
                let [advantage, value, target] =
                    [&self.advantages, &self.values, &self.returns].map(|n| f64::from(n[place]));
                [advantage, value, target, target - value]
            };
            let places = self.own_places(shard);
            Moments::of(&places.into_iter().map(quantities).collect::<Vec<_>>())
        };
        self.shards.par_iter().map(moments).collect()
    }

    /// Normalises the advantages and sums up, by what the shards of all ranks tell, in their order.
    pub fn normalise(&mut self, shards: &[Moments], floor: f32) -> Summary {
        self.learned = shards.iter().map(Moments::count).collect();
        let all = shards.iter().fold(Moments::default(), |all, shard| all.and(shard));
        let ([advantage, value, ..], [deviation, _, of_returns, of_errors]) =
            (all.means(), all.deviations());
        let divisor = deviation.max(f64::from(floor));
        self.advantages.par_iter_mut().with_min_len(MOVES_A_TASK).for_each(|number| {
            *number = ((f64::from(*number) - advantage) / divisor) as f32;
        });
        Summary {
            moves: all.count(),
            explained_variance: match of_returns {
                0.0 => 0.0,
                _ => 1.0 - (of_errors / of_returns).powi(2),
            },
            mean_value: value,
            advantage_deviation: deviation,
        }
    }

    /// The moves of a shard that are learned from.
    fn own_places(&self, shard: &Range<usize>) -> Vec<usize> {
        let rows = (0..self.len()).step_by(self.games.max(1));
        let places = rows.flat_map(|row| shard.clone().map(move |game| row + game));
        places.filter(|&place| self.own[place]).collect()
    }

    /// The places of the moves that are learned from in a random order that follows from `seed`,
    /// `update` and `epoch`, cut into minibatches of about `size`. Each has its share of every
    /// shard: none has more than one move of it more than another.
    pub fn minibatch_places(
        &self,
        size: usize,
        seed: u64,
        update: u64,
        epoch: u64,
    ) -> Vec<Selection> {
        let count = self.learned.iter().sum::<usize>().div_ceil(size);
        let part = |len: usize, number: usize| number * len / count..(number + 1) * len / count;
        let shuffled = |(index, shard): (usize, &Range<usize>)| {
            let mut places = self.own_places(shard);
            let which = epoch << 32 | (self.first_shard + index) as u64;
            stream(seed, Purpose::Shuffle, update, which).shuffle(&mut places);
            places
        };
        let shards: Vec<_> = self.shards.par_iter().enumerate().map(shuffled).collect();
        let minibatch = |number: usize| {
            let mut selection = Selection::default();
            for shard in &shards {
                selection.places.extend(&shard[part(shard.len(), number)]);
                selection.shards.push(selection.places.len());
            }
            selection.total = self.learned.iter().map(|&len| part(len, number).len()).sum();
            selection
        };
        (0..count).into_par_iter().map(minibatch).collect()
    }

    /// The legal actions of each move.
    pub fn legal(&self) -> Vec<&[u32]> {
        (0..self.len()).into_par_iter().map(|place| self.legal_of(place)).collect()
    }

    /// A teacher's policy for each move, if the moves had one.
    pub fn policies(&self) -> Vec<&[f32]> {
        (0..self.len()).into_par_iter().map(|place| self.policy_of(place)).collect()
    }

    /// All moves as a learner takes them for PPO, with [`Buffer::legal`].
    pub fn transitions<'a>(&'a self, legal: &'a [&'a [u32]]) -> Transitions<'a, P> {
        Transitions {
            observations: &self.observations,
            legal,
            chosen: &self.chosen,
            old_log_probs: &self.log_probs,
            old_values: &self.values,
            advantages: &self.advantages,
            returns: &self.returns,
        }
    }

    /// All moves as examples to imitate, with [`Buffer::legal`] and [`Buffer::policies`].
    pub fn examples<'a>(
        &'a self,
        legal: &'a [&'a [u32]],
        policies: &'a [&'a [f32]],
    ) -> Examples<'a, P> {
        Examples { observations: &self.observations, legal, policies, returns: &self.returns }
    }

    /// Where the legal actions of a move lie.
    fn legal_range(&self, place: usize) -> Range<usize> {
        let start = if place == 0 { 0 } else { self.legal_ends[place - 1] };
        start..self.legal_ends[place]
    }

    fn legal_of(&self, place: usize) -> &[u32] {
        &self.legal[self.legal_range(place)]
    }

    /// A teacher's policy for a move; empty without a teacher.
    fn policy_of(&self, place: usize) -> &[f32] {
        self.policies.get(self.legal_range(place)).unwrap_or_default()
    }

    /// Forgets everything, and keeps the memory for the next rollout.
    pub fn clear(&mut self) {
        self.observations.clear();
        self.legal.clear();
        self.legal_ends.clear();
        self.policies.clear();
        self.chosen.clear();
        self.log_probs.clear();
        self.values.clear();
        self.rewards.clear();
        self.endings.clear();
        self.bootstrap_values.clear();
        self.own.clear();
        self.advantages.clear();
        self.returns.clear();
        self.learned.clear();
    }
}

/// Adds the rows of all transitions to `numbers`, one after the other.
fn append_rows<'a, P: Sync, T: Copy + Default + Send + Sync + 'a>(
    numbers: &mut Vec<T>,
    transitions: &[Transition<'a, P>],
    row: impl Fn(&Transition<'a, P>) -> &'a [T] + Sync,
) {
    let tasks = transitions.par_chunks(MOVES_A_TASK);
    let count = |task: &[Transition<'a, P>]| task.iter().map(|made| row(made).len()).sum();
    let counts: Vec<usize> = tasks.clone().map(count).collect();
    let start = numbers.len();
    numbers.resize(start + counts.iter().sum::<usize>(), T::default());
    let mut rest = &mut numbers[start..];
    let places = counts.iter().map(|&count| rest.split_off_mut(..count).expect("all were counted"));
    let places: Vec<_> = places.collect();
    places.into_par_iter().zip(tasks).for_each(|(mut place, task)| {
        for row in task.iter().map(&row) {
            let (own, after) = mem::take(&mut place).split_at_mut(row.len());
            own.copy_from_slice(row);
            place = after;
        }
    });
}

/// What is known of a stored move, for tests of those who store.
#[cfg(test)]
impl<P: Copy + Send + Sync> Buffer<P> {
    pub(crate) fn stored(&self, step: usize, game: usize) -> (P, &[u32], usize, bool) {
        let place = step * self.games + game;
        let chosen = self.chosen[place] as usize;
        (self.observations[place], self.legal_of(place), chosen, self.own[place])
    }

    pub(crate) fn return_of(&self, step: usize, game: usize) -> f32 {
        self.returns[step * self.games + game]
    }

    pub(crate) fn ending_of(&self, step: usize, game: usize) -> Ending {
        self.endings[step * self.games + game]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_cluster::Threads;
    use std::collections::BTreeSet;

    /// Moves of two games over some steps, numbered by their observation; every third is not the
    /// learner's.
    fn filled(steps: usize) -> Buffer<usize> {
        let mut buffer = Buffer::new(2);
        let legal: Vec<u32> = (0..2 * steps as u32).collect();
        let policies: Vec<f32> = legal.iter().map(|&action| 0.5 * action as f32).collect();
        for step in 0..steps {
            let transition = |observation: usize| Transition {
                observation,
                legal: &legal[..=observation],
                chosen: observation / 2,
                log_prob: -(observation as f32),
                value: 0.1 * observation as f32,
                own: observation % 3 != 2,
                improved: Some(&policies[..=observation]),
            };
            buffer.add_step(&[2 * step, 2 * step + 1].map(transition));
        }
        buffer
    }

    #[test]
    fn each_game_gets_the_advantages_of_its_own_moves() {
        let mut buffer = Buffer::new(2);
        let value = [[0.2, -0.1], [0.1, 0.3], [-0.4, 0.2]];
        for (step, values) in value.into_iter().enumerate() {
            buffer.add_step(&values.map(|value| {
                let (observation, legal, chosen, log_prob, own) = ((), &[0][..], 0, 0.0, true);
                let improved = None;
                Transition { observation, legal, chosen, log_prob, value, own, improved }
            }));
            match step {
                1 => buffer.set_result(0, 1.0, Ending::Terminated),
                2 => {
                    buffer.set_result(1, 0.0, Ending::Truncated);
                    buffer.set_bootstrap_value(1, -0.5);
                }
                _ => {}
            }
        }
        buffer.finish(&[0.7, 0.9], 0.5, 0.5, 1.0);
        // Game 0: mate at the second move, then one move of a new game. Game 1: cut off.
        // .9, −.25 − .225, −.35 + .4; .05, −.4 − .0125, −.05 + .103125.
        let advantages = [-0.475, 0.053_125, 0.9, -0.412_5, 0.05, 0.05];
        let mean = advantages.iter().sum::<f32>() / 6.0;
        for (place, advantage) in advantages.into_iter().enumerate() {
            let value = value[place / 2][place % 2];
            assert!((buffer.advantages[place] - (advantage - mean)).abs() < 1e-6, "{place}");
            assert!((buffer.returns[place] - (advantage + value)).abs() < 1e-6, "{place}");
        }
    }

    #[test]
    fn advantages_of_the_learners_moves_have_mean_0_and_deviation_1_unless_the_floor_is_higher() {
        for (floor, expected) in [(1e-8, 1.0), (1e9, 0.0)] {
            let mut buffer = filled(30);
            let summary = buffer.finish(&[0.0, 1.0], 0.99, 0.95, floor);
            let own = buffer.own_places(&(0..2));
            let own: Vec<_> =
                own.iter().map(|&place| [f64::from(buffer.advantages[place]); 4]).collect();
            let moments = Moments::of(&own);
            let (mean, deviation) = (moments.means()[0], moments.deviations()[0]);
            assert!(mean.abs() < 1e-5 && (deviation - expected).abs() < 1e-4, "{mean} {deviation}");
            assert_eq!(summary.moves, 40);
        }
    }

    #[test]
    fn minibatches_hold_every_own_move_once_with_all_that_belongs_to_it() {
        let mut buffer = filled(30);
        buffer.finish(&[0.0, 1.0], 0.99, 0.95, 1e-8);
        let (legal, policies) = (buffer.legal(), buffer.policies());
        let transitions = buffer.transitions(&legal);
        let examples = buffer.examples(&legal, &policies);
        let mut seen = BTreeSet::new();
        let mut sizes = BTreeSet::new();
        for minibatch in buffer.minibatch_places(12, 7, 3, 0) {
            sizes.insert(minibatch.places.len());
            for i in minibatch.places {
                let observation = transitions.observations[i];
                assert!(seen.insert(observation), "{observation} twice");
                assert_eq!(transitions.legal[i].len(), observation + 1);
                assert_eq!(transitions.chosen[i] as usize, observation / 2);
                assert_eq!(transitions.old_log_probs[i], -(observation as f32));
                assert_eq!(transitions.advantages[i], buffer.advantages[observation]);
                assert_eq!(transitions.returns[i], buffer.returns[observation]);
                assert_eq!(examples.policies[i].len(), observation + 1);
                assert_eq!(examples.policies[i][observation], 0.5 * observation as f32);
            }
        }
        assert_eq!(seen, (0..60).filter(|n| n % 3 != 2).collect());
        assert_eq!(sizes, BTreeSet::from([10]));
    }

    /// The observations of a minibatch, where its shards end, and how many it has over all ranks.
    type Dealt = (Vec<usize>, Vec<usize>, usize);

    /// The moves of 8 games in 4 shards, dealt to `size` ranks: the observations of each minibatch
    /// and where its shards end, over all ranks.
    fn dealt(size: usize) -> (Vec<Dealt>, Vec<Summary>) {
        let mut config = crate::config::Config::default();
        (config.rollout.games, config.training.shards) = (8, Some(4));
        let parts = Threads::run(size, |ranks| {
            let shards = Shards::of(&config, &*ranks).unwrap();
            let mut buffer = Buffer::for_shards(&shards);
            for step in 0..10 {
                let transition = |game: usize| Transition {
                    observation: 8 * step + game,
                    legal: &[0][..],
                    chosen: 0,
                    log_prob: 0.0,
                    value: ((8 * step + game) as f32).sin(),
                    own: (step + game) % 5 != 2,
                    improved: None,
                };
                buffer.add_step(&shards.own_games().map(transition).collect::<Vec<_>>());
            }
            let last_values = vec![0.1; shards.own_games().len()];
            let own = buffer.estimate(&last_values, 0.99, 0.95);
            let all = ranks.collect(own).concat();
            let summary = buffer.normalise(&all, 1e-8);
            let dealt = |Selection { places, shards, total }| -> Dealt {
                (places.iter().map(|&place| buffer.observations[place]).collect(), shards, total)
            };
            let minibatches = buffer.minibatch_places(16, 1, 2, 0);
            (minibatches.into_iter().map(dealt).collect::<Vec<_>>(), summary)
        });
        let (batches, summaries): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let mut together = batches[0].clone();
        for part in &batches[1..] {
            for (all, (observations, shards, total)) in together.iter_mut().zip(part) {
                assert_eq!(all.2, *total);
                let before = all.0.len();
                all.0.extend(observations);
                all.1.extend(shards.iter().map(|end| end + before));
            }
        }
        (together, summaries)
    }

    #[test]
    fn minibatches_and_advantages_do_not_depend_on_who_has_which_shard() {
        let (alone, summary) = dealt(1);
        assert_eq!(alone.len(), 4);
        assert!(alone.iter().all(|(observations, shards, total)| {
            observations.len() == *total && shards.len() == 4
        }));
        for size in [2, 4] {
            let (batches, summaries) = dealt(size);
            assert_eq!(batches, alone);
            assert!(summaries.iter().all(|found| *found == summary[0]), "{summaries:?}");
        }
    }

    #[test]
    fn the_order_of_moves_follows_from_seed_update_and_epoch() {
        let mut buffer = filled(30);
        buffer.finish(&[0.0, 1.0], 0.99, 0.95, 1e-8);
        let order = |seed, update, epoch| -> Vec<usize> {
            let minibatches = buffer.minibatch_places(8, seed, update, epoch);
            minibatches.into_iter().flat_map(|minibatch| minibatch.places).collect()
        };
        assert_eq!(order(1, 2, 3), order(1, 2, 3));
        let orders =
            BTreeSet::from([order(1, 2, 3), order(1, 2, 4), order(1, 3, 3), order(2, 2, 3)]);
        assert_eq!(orders.len(), 4);
    }

    #[test]
    fn a_cleared_buffer_is_a_new_one() {
        let mut buffer = filled(3);
        buffer.finish(&[0.0, 0.0], 0.9, 0.9, 0.1);
        buffer.clear();
        assert!(buffer.is_empty() && buffer.legal.is_empty() && buffer.returns.is_empty());
        assert!(buffer.minibatch_places(4, 0, 0, 0).is_empty());
    }
}
