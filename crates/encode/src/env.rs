//! Many games at once, stepped together.

mod episode;
mod snapshot;

use std::mem;

use keisei_game::{Game, Outcome, Position};
use rayon::prelude::*;

pub use episode::{Begun, Episode, Finished, Restart, Standard};
pub use snapshot::Snapshot;

use crate::Encode;
use crate::actions::Actions;

/// Games handed to one thread at a time: enough work to outweigh the handing over.
const GAMES_A_TASK: usize = 32;

/// What a player of `A`'s game observes, packed.
pub type Observation<A> = <<A as Actions>::Game as Encode>::Packed;

type MoveOf<A> = <<A as Actions>::Game as Game>::Move;

/// Many games, each waiting for its next action; `P` is the plan that each episode carries.
///
/// A game that ends begins anew at once; the finished episode can be taken until its game ends
/// again. Steps use all threads of the current rayon pool, with the same results on any number of
/// them. They allocate nothing themselves once every game has seen its longest episode twice, if
/// finished episodes are not taken; call them from a thread of the pool
/// ([`rayon::ThreadPool::install`]) to spare rayon's own allocations.
pub struct VecEnv<A: Actions, P = ()> {
    lanes: Vec<Lane<A, P>>,
    observations: Vec<Observation<A>>,
    masks: Vec<u64>,
    results: Results,
}

/// What the last step brought, one entry a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The reward of the player who moved.
    pub rewards: Vec<f32>,
    /// Whether the game ended by its rules.
    pub terminated: Vec<bool>,
    /// Whether the game was cut off by a limit: never together with `terminated`.
    pub truncated: Vec<bool>,
    /// How the game ended, if it did.
    pub outcomes: Vec<Option<Outcome>>,
}

/// Why a step was refused. No game has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// Not one action a game.
    #[error("{found} actions for {games} games")]
    Count {
        /// How many games there are.
        games: usize,
        /// How many actions were given.
        found: usize,
    },
    /// An action that is not legal in its game.
    #[error("action {action} is not legal in game {game}")]
    Illegal {
        /// The number of the game.
        game: usize,
        /// The action.
        action: u32,
    },
}

impl<A: Actions, P: Send + Sync> VecEnv<A, P> {
    /// As many games as `games` has, each begun by `restart`.
    ///
    /// # Panics
    ///
    /// If `restart` begins an episode with a game that is over or has no legal move, here or in a
    /// later step.
    pub fn new(
        games: impl IntoIterator<Item = A::Game>,
        restart: &impl Restart<A::Game, Plan = P>,
    ) -> Self {
        let begin = |(index, game)| Episode::begin(game, index, 0, restart);
        Self::resume(games.into_iter().enumerate().map(begin))
    }

    /// Goes on with `episodes` where they stand.
    ///
    /// # Panics
    ///
    /// If one of them is over.
    pub fn resume(episodes: impl IntoIterator<Item = Episode<A::Game, P>>) -> Self {
        let mut lanes: Vec<_> = episodes.into_iter().map(Lane::new).collect();
        let count = lanes.len();
        let mut masks = vec![0; count * A::MASK_WORDS];
        let observe = |(lane, mask): (&mut Lane<A, P>, _)| lane.observe(mask);
        let observations =
            lanes.iter_mut().zip(masks.chunks_exact_mut(A::MASK_WORDS)).map(observe).collect();
        let results = Results {
            rewards: vec![0.0; count],
            terminated: vec![false; count],
            truncated: vec![false; count],
            outcomes: vec![None; count],
        };
        Self { lanes, observations, masks, results }
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.lanes.len()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// What the side to move sees in each game.
    pub fn observations(&self) -> &[Observation<A>] {
        &self.observations
    }

    /// The legal actions of each game as bits: [`Actions::MASK_WORDS`] words a game, action `a` in
    /// bit `a % 64` of word `a / 64`.
    pub fn masks(&self) -> &[u64] {
        &self.masks
    }

    /// The legal actions of a game, in the order of its legal moves.
    pub fn legal_actions(&self, game: usize) -> &[u32] {
        &self.lanes[game].actions
    }

    /// A game as it stands.
    pub fn game(&self, game: usize) -> &A::Game {
        &self.lanes[game].episode.game
    }

    /// All episodes that are being played, for [`VecEnv::resume`].
    pub fn episodes(&self) -> impl ExactSizeIterator<Item = &Episode<A::Game, P>> {
        self.lanes.iter().map(|lane| &lane.episode)
    }

    /// The episode that is being played in a game.
    pub fn episode(&self, game: usize) -> &Episode<A::Game, P> {
        &self.lanes[game].episode
    }

    /// What the last step brought.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// Hands out the episodes that ended in the last step, with the numbers of their games.
    pub fn finished(&mut self) -> impl Iterator<Item = (usize, Finished<A::Game, P>)> {
        let Self { lanes, results, .. } = self;
        let lanes = lanes.iter_mut().zip(&results.outcomes).enumerate();
        lanes.filter_map(|(game, (lane, &outcome))| {
            Some((game, Finished { outcome: outcome?, episode: lane.finished.take()? }))
        })
    }

    /// Plays one action in every game; those that end begin anew by `restart`.
    pub fn step(
        &mut self,
        actions: &[u32],
        restart: &impl Restart<A::Game, Plan = P>,
    ) -> Result<&Results, ActionError> {
        self.check(actions)?;
        let Self { lanes, observations, masks, results } = self;
        let Results { rewards, terminated, truncated, outcomes } = results;
        (
            lanes.par_iter_mut(),
            actions.par_iter(),
            observations.par_iter_mut(),
            masks.par_chunks_exact_mut(A::MASK_WORDS),
            rewards.par_iter_mut(),
            terminated.par_iter_mut(),
            truncated.par_iter_mut(),
            outcomes.par_iter_mut(),
        )
            .into_par_iter()
            .enumerate()
            .with_min_len(GAMES_A_TASK)
            .for_each(|(index, lane)| {
                let (lane, &action, observation, mask, reward, ended, cut, outcome) = lane;
                lane.play(action);
                *outcome = lane.episode.outcome();
                let mover = !lane.episode.game.turn();
                *reward = outcome.map_or(0.0, |outcome| outcome.reward(mover));
                *cut = outcome.is_some_and(Outcome::truncated);
                *ended = outcome.is_some() && !*cut;
                if outcome.is_some() {
                    lane.restart(index, restart);
                }
                *observation = lane.observe(mask);
            });
        Ok(&self.results)
    }

    fn check(&self, actions: &[u32]) -> Result<(), ActionError> {
        let (games, found) = (self.len(), actions.len());
        if games != found {
            return Err(ActionError::Count { games, found });
        }
        let masks = self.masks.par_chunks_exact(A::MASK_WORDS);
        let is_illegal = |(mask, &action): (&[u64], &u32)| {
            let word = mask.get(action as usize / 64);
            word.is_none_or(|word| word >> (action % 64) & 1 == 0)
        };
        let choices = masks.zip(actions).with_min_len(GAMES_A_TASK);
        match choices.position_first(is_illegal) {
            Some(game) => Err(ActionError::Illegal { game, action: actions[game] }),
            None => Ok(()),
        }
    }
}

/// One game with its legal moves and their numbers.
struct Lane<A: Actions, P> {
    episode: Episode<A::Game, P>,
    /// The episode before, until somebody takes it.
    finished: Option<Episode<A::Game, P>>,
    /// The game where it was created, for the next episode if the one before was taken.
    fresh: A::Game,
    moves: Vec<MoveOf<A>>,
    actions: Vec<u32>,
}

impl<A: Actions, P> Lane<A, P> {
    fn new(episode: Episode<A::Game, P>) -> Self {
        let most = A::Game::MAX_MOVES;
        let mut fresh = episode.game.clone();
        fresh.reset();
        Self {
            episode,
            fresh,
            finished: None,
            moves: Vec::with_capacity(most),
            actions: Vec::with_capacity(most),
        }
    }

    /// Puts the episode aside and begins the next one, in the memory of the one that was put aside
    /// before.
    fn restart(&mut self, index: usize, restart: &impl Restart<A::Game, Plan = P>) {
        let number = self.episode.number + 1;
        let spare = self.finished.take().map(|earlier| earlier.game);
        let game = spare.unwrap_or_else(|| self.fresh.clone());
        let next = Episode::begin(game, index, number, restart);
        self.finished = Some(mem::replace(&mut self.episode, next));
    }

    /// Lists the legal moves and their numbers, sets their bits in `mask`, and returns what the
    /// side to move observes.
    fn observe(&mut self, mask: &mut [u64]) -> Observation<A> {
        let game = &self.episode.game;
        assert!(self.episode.outcome().is_none(), "{} is over before a move", game.notation());
        let position = game.position();
        let turn = position.turn();
        self.moves.clear();
        self.moves.extend_from_slice(position.legal_moves().as_ref());
        // A game without an end and without a move is a bug of its rules, and not to be learned.
        assert!(!self.moves.is_empty(), "{} has no legal move and no outcome", game.notation());
        self.actions.clear();
        self.actions.extend(self.moves.iter().map(|&mv| A::index(turn, mv) as u32));
        mask.fill(0);
        for &action in &self.actions {
            mask[action as usize / 64] |= 1 << (action % 64);
        }
        game.pack()
    }

    /// Plays the legal action numbered `action`.
    fn play(&mut self, action: u32) {
        let place = self.actions.iter().position(|&legal| legal == action);
        let place = place.expect("a legal action belongs to a legal move");
        self.episode.game.play_unchecked(self.moves[place]);
    }
}
