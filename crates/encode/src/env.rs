//! Many games at once, stepped together.

use keisei_game::{Game, Outcome, Position};
use rayon::prelude::*;

use crate::Encode;
use crate::actions::Actions;

/// Games handed to one thread at a time: enough work to outweigh the handing over.
const GAMES_A_TASK: usize = 32;

/// Where the next episode of a game begins.
pub trait Restart<G: Game>: Send + Sync {
    /// Makes `game`, the one numbered `index`, ready for its `episode`-th episode, from 0.
    fn restart(&self, game: &mut G, index: usize, episode: u64);
}

/// Every episode begins where the game was created.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

impl<G: Game> Restart<G> for Standard {
    fn restart(&self, game: &mut G, _: usize, _: u64) {
        game.reset();
    }
}

/// Many games, each waiting for its next action.
///
/// A game that ends begins anew at once; what it looked like at its end is kept until the next
/// step. Steps allocate nothing, and use all threads of the current rayon pool.
pub struct VecEnv<A: Actions<Game: Encode>, R = Standard> {
    restart: R,
    lanes: Vec<Lane<A>>,
    observations: Vec<Seen<A>>,
    masks: Vec<u64>,
    results: Results<Seen<A>>,
}

type Seen<A> = <<A as Actions>::Game as Encode>::Packed;
type MoveOf<A> = <<A as Actions>::Game as Game>::Move;

/// What the last step brought, one entry a game.
#[derive(Clone, Debug)]
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

/// One game with its legal moves and their numbers.
struct Lane<A: Actions> {
    game: A::Game,
    episode: u64,
    moves: Vec<MoveOf<A>>,
    indices: Vec<u32>,
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

impl<A: Actions<Game: Encode>, R: Restart<A::Game>> VecEnv<A, R> {
    /// As many games as `games` has, each to be restarted by `restart` when it ends.
    pub fn new(games: impl IntoIterator<Item = A::Game>, restart: R) -> Self {
        let lanes: Vec<_> = games.into_iter().map(Lane::new).collect();
        let count = lanes.len();
        let mut env = Self {
            restart,
            lanes,
            observations: vec![Seen::<A>::default(); count],
            masks: vec![0; count * A::MASK_WORDS],
            results: Results {
                rewards: vec![0.0; count],
                terminated: vec![false; count],
                truncated: vec![false; count],
                outcomes: vec![None; count],
                last_observations: vec![Seen::<A>::default(); count],
            },
        };
        for (lane, mask) in env.lanes.iter_mut().zip(env.masks.chunks_exact_mut(A::MASK_WORDS)) {
            lane.look(mask);
        }
        for (lane, seen) in env.lanes.iter().zip(&mut env.observations) {
            *seen = lane.game.pack();
        }
        env
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
        &self.lanes[game].indices
    }

    /// A game as it stands.
    pub fn game(&self, game: usize) -> &A::Game {
        &self.lanes[game].game
    }

    /// How many episodes a game has finished.
    pub fn episode(&self, game: usize) -> u64 {
        self.lanes[game].episode
    }

    /// What the last step brought.
    pub fn results(&self) -> &Results<Seen<A>> {
        &self.results
    }

    /// Plays one action in every game.
    pub fn step(&mut self, actions: &[u32]) -> Result<&Results<Seen<A>>, ActionError>
    where
        MoveOf<A>: Send,
    {
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
                *reward = lane.game.reward();
                *outcome = lane.game.outcome();
                *cut = outcome.is_some_and(Outcome::truncated);
                *ended = outcome.is_some() && !*cut;
                if outcome.is_some() {
                    *last = lane.game.pack();
                    lane.episode += 1;
                    restart.restart(&mut lane.game, index, lane.episode);
                }
                lane.look(mask);
                *seen = lane.game.pack();
            });
        Ok(&self.results)
    }

    fn check(&self, actions: &[u32]) -> Result<(), ActionError> {
        let (games, found) = (self.len(), actions.len());
        if games != found {
            return Err(ActionError::Count { games, found });
        }
        for (game, &action) in actions.iter().enumerate() {
            let mask = &self.masks[game * A::MASK_WORDS..][..A::MASK_WORDS];
            let legal =
                mask.get(action as usize / 64).is_some_and(|word| word >> (action % 64) & 1 != 0);
            if !legal {
                return Err(ActionError::Illegal { game, action });
            }
        }
        Ok(())
    }
}

impl<A: Actions> Lane<A> {
    fn new(game: A::Game) -> Self {
        Self { game, episode: 0, moves: Vec::new(), indices: Vec::new() }
    }

    /// Lists the legal moves and their numbers, and sets their bits in `mask`.
    fn look(&mut self, mask: &mut [u64]) {
        let position = self.game.position();
        let turn = position.turn();
        self.moves.clear();
        self.moves.extend_from_slice(position.legal_moves().as_ref());
        self.indices.clear();
        self.indices.extend(self.moves.iter().map(|&mv| A::index(turn, mv) as u32));
        mask.fill(0);
        for &index in &self.indices {
            mask[index as usize / 64] |= 1 << (index % 64);
        }
    }

    /// Plays the legal action numbered `action`.
    fn play(&mut self, action: u32) {
        let place = self.indices.iter().position(|&index| index == action);
        let place = place.expect("a legal action belongs to a legal move");
        self.game.play_unchecked(self.moves[place]);
    }
}
