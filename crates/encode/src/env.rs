//! Many games at once, stepped together.

mod restart;

use keisei_game::{Game, Outcome, Position};
use rayon::prelude::*;

pub use restart::{Episode, Restart, Standard};

use crate::Encode;
use crate::actions::Actions;

/// Games handed to one thread at a time: enough work to outweigh the handing over.
const GAMES_A_TASK: usize = 32;

/// Many games, each waiting for its next action.
///
/// A game that ends begins anew at once; what it looked like at its end is kept until the next
/// step. Steps use all threads of the current rayon pool, with the same results on any number of
/// them. They allocate nothing themselves once every game has seen its longest episode; call them
/// from a thread of the pool ([`rayon::ThreadPool::install`]) to spare rayon's own allocations.
pub struct VecEnv<A: Actions, R = Standard> {
    restart: R,
    lanes: Vec<Lane<A>>,
    observations: Vec<Seen<A>>,
    masks: Vec<u64>,
    results: Results<Seen<A>>,
}

type Seen<A> = <<A as Actions>::Game as Encode>::Packed;
type MoveOf<A> = <<A as Actions>::Game as Game>::Move;

/// What the last step brought, one entry a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Results<P> {
    /// The reward of the player who moved.
    pub rewards: Vec<f32>,
    /// Whether the game ended by its rules.
    pub terminated: Vec<bool>,
    /// Whether the game was cut off by a limit: never together with `terminated`.
    pub truncated: Vec<bool>,
    /// How the game ended, if it did.
    pub outcomes: Vec<Option<Outcome>>,
    /// What the side to move saw when the game ended; stale where it did not.
    pub last_observations: Vec<P>,
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

impl<A: Actions, R: Restart<A::Game>> VecEnv<A, R> {
    /// As many games as `games` has, each begun by `restart`.
    ///
    /// # Panics
    ///
    /// If `restart` begins an episode with a game that is over, here or in a later step.
    pub fn new(games: impl IntoIterator<Item = A::Game>, restart: R) -> Self {
        let begin = |(index, game)| Episode::begin(game, index, &restart);
        let episodes: Vec<_> = games.into_iter().enumerate().map(begin).collect();
        Self::resume(episodes, restart)
    }

    /// Goes on with `episodes` where they stand.
    ///
    /// # Panics
    ///
    /// If one of them is over.
    pub fn resume(episodes: impl IntoIterator<Item = Episode<A::Game>>, restart: R) -> Self {
        let mut lanes: Vec<_> = episodes.into_iter().map(Lane::new).collect();
        let count = lanes.len();
        let mut masks = vec![0; count * A::MASK_WORDS];
        let look = |(lane, mask): (&mut Lane<A>, _)| lane.look(mask);
        let observations =
            lanes.iter_mut().zip(masks.chunks_exact_mut(A::MASK_WORDS)).map(look).collect();
        let results = Results {
            rewards: vec![0.0; count],
            terminated: vec![false; count],
            truncated: vec![false; count],
            outcomes: vec![None; count],
            last_observations: vec![Seen::<A>::default(); count],
        };
        Self { restart, lanes, observations, masks, results }
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
    pub fn observations(&self) -> &[Seen<A>] {
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

    /// All games with their numbers of episodes, for [`VecEnv::resume`].
    pub fn episodes(&self) -> impl ExactSizeIterator<Item = &Episode<A::Game>> {
        self.lanes.iter().map(|lane| &lane.episode)
    }

    /// What the last step brought.
    pub fn results(&self) -> &Results<Seen<A>> {
        &self.results
    }

    /// What begins the episodes, to be changed between steps.
    pub fn restart_mut(&mut self) -> &mut R {
        &mut self.restart
    }

    /// Plays one action in every game.
    pub fn step(&mut self, actions: &[u32]) -> Result<&Results<Seen<A>>, ActionError> {
        self.check(actions)?;
        let Self { restart, lanes, observations, masks, results } = self;
        let Results { rewards, terminated, truncated, outcomes, last_observations } = results;
        (
            lanes.par_iter_mut(),
            actions.par_iter(),
            observations.par_iter_mut(),
            masks.par_chunks_exact_mut(A::MASK_WORDS),
            rewards.par_iter_mut(),
            terminated.par_iter_mut(),
            truncated.par_iter_mut(),
            outcomes.par_iter_mut(),
            last_observations.par_iter_mut(),
        )
            .into_par_iter()
            .enumerate()
            .with_min_len(GAMES_A_TASK)
            .for_each(|(index, lane)| {
                let (lane, &action, seen, mask, reward, ended, cut, outcome, last) = lane;
                lane.play(action);
                let episode = &mut lane.episode;
                *outcome = episode.outcome();
                let mover = !episode.game.turn();
                *reward = outcome.map_or(0.0, |outcome| outcome.reward(mover));
                *cut = outcome.is_some_and(Outcome::truncated);
                *ended = outcome.is_some() && !*cut;
                if outcome.is_some() {
                    *last = episode.game.pack();
                    episode.next(index, restart);
                }
                *seen = lane.look(mask);
            });
        Ok(&self.results)
    }

    /// Ends the episode of a game where it stands, and begins the next one.
    pub fn abandon(&mut self, game: usize) {
        let lane = &mut self.lanes[game];
        lane.episode.next(game, &self.restart);
        let mask = self.masks.chunks_exact_mut(A::MASK_WORDS).nth(game);
        self.observations[game] = lane.look(mask.expect("every game has a mask"));
    }

    fn check(&self, actions: &[u32]) -> Result<(), ActionError> {
        let (games, found) = (self.len(), actions.len());
        if games != found {
            return Err(ActionError::Count { games, found });
        }
        let masks = self.masks.chunks_exact(A::MASK_WORDS);
        for (game, (mask, &action)) in masks.zip(actions).enumerate() {
            let word = mask.get(action as usize / 64);
            if word.is_none_or(|word| word >> (action % 64) & 1 == 0) {
                return Err(ActionError::Illegal { game, action });
            }
        }
        Ok(())
    }
}

/// One game with its legal moves and their numbers.
struct Lane<A: Actions> {
    episode: Episode<A::Game>,
    moves: Vec<MoveOf<A>>,
    actions: Vec<u32>,
}

impl<A: Actions> Lane<A> {
    fn new(episode: Episode<A::Game>) -> Self {
        let most = A::Game::MAX_MOVES;
        Self { episode, moves: Vec::with_capacity(most), actions: Vec::with_capacity(most) }
    }

    /// Lists the legal moves and their numbers, sets their bits in `mask`, and returns what the
    /// side to move sees.
    fn look(&mut self, mask: &mut [u64]) -> Seen<A> {
        let game = &self.episode.game;
        assert!(self.episode.outcome().is_none(), "{} is over before a move", game.notation());
        let position = game.position();
        let turn = position.turn();
        self.moves.clear();
        self.moves.extend_from_slice(position.legal_moves().as_ref());
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
