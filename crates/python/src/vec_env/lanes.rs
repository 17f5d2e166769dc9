//! The games behind an environment, of whatever game and numbering of moves.

use std::any::Any;

use keisei_encode::{
    ActionError, Actions, Begun, BytePlanes, Encode, ForActions, Restart, VecEnv as Games,
    expand_batch,
};
use keisei_game::{Game as _, Rules as GameRules, SplitMix64, random_game};
use pyo3::prelude::*;
use rayon::prelude::*;

use super::arrays::Sizes;
use super::state::State;
use crate::games::Exposed;

/// Where episodes begin: at the start, or some random moves later.
#[derive(Clone, Copy)]
pub(super) struct Openings {
    pub(super) seed: u64,
    pub(super) plies: usize,
    pub(super) max_moves: Option<usize>,
}

impl<G: keisei_game::Game> Restart<G> for Openings {
    type Plan = ();

    fn restart(&self, game: &mut G, index: usize, episode: u64) -> Begun<()> {
        game.reset();
        if self.plies > 0 {
            let mut rng = stream(self.seed, episode, index);
            let plies = rng.below(self.plies + 1);
            random_game(game, rng.next_u64(), plies);
            if game.is_over() {
                game.reset();
            }
        }
        Begun { plan: (), truncate_at: self.max_moves }
    }
}

/// Random numbers for the game numbered `index` that depend on nothing else.
fn stream(seed: u64, round: u64, index: usize) -> SplitMix64 {
    let mut rng = SplitMix64::new(seed ^ round.rotate_left(32) ^ (index as u64).rotate_left(16));
    SplitMix64::new(rng.next_u64())
}

/// What an environment can do, whichever game is played.
pub(super) trait Lanes: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn step(&mut self, actions: &[u32]) -> Result<(), ActionError>;
    fn rewards(&self) -> &[f32];
    fn terminated(&self) -> &[bool];
    fn truncated(&self) -> &[bool];
    fn write_floats(&self, out: &mut [f32]);
    fn write_bytes(&self, out: &mut [u8]);
    fn write_packed(&self, out: &mut [u8]);
    fn write_mask_bits(&self, out: &mut [u64]);
    fn write_mask_bytes(&self, out: &mut [bool]);
    fn write_mask_indices(&self, out: &mut [i32]);
    fn write_players(&self, out: &mut [u8]);
    fn sample(&self, seed: u64, round: u64, out: &mut [i64]);
    fn game<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>>;
    fn finished<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<(usize, Bound<'py, PyAny>)>>;
    fn state(&self) -> State;
    fn restore(&mut self, py: Python<'_>, state: State) -> PyResult<()>;
}

/// Games of one kind with their numbering of moves.
struct Kind<A: Actions> {
    games: Games<A>,
    rules: GameRules,
    openings: Openings,
    bytes: BytePlanes,
}

/// How many games a thread takes at once.
const GAMES_A_TASK: usize = 32;

impl<A: Actions> Lanes for Kind<A>
where
    A::Game: Exposed,
{
    fn as_any(&self) -> &dyn Any {
        &self.games
    }

    fn step(&mut self, actions: &[u32]) -> Result<(), ActionError> {
        self.games.step(actions, &self.openings).map(|_| ())
    }

    fn rewards(&self) -> &[f32] {
        &self.games.results().rewards
    }

    fn terminated(&self) -> &[bool] {
        &self.games.results().terminated
    }

    fn truncated(&self) -> &[bool] {
        &self.games.results().truncated
    }

    fn write_floats(&self, out: &mut [f32]) {
        expand_batch::<A::Game>(self.games.observations(), out);
    }

    fn write_bytes(&self, out: &mut [u8]) {
        let size = <A::Game as Encode>::PLANES * <A::Game as Encode>::SQUARES;
        let observations = self.games.observations().par_iter();
        observations
            .zip(out.par_chunks_exact_mut(size))
            .with_min_len(GAMES_A_TASK)
            .for_each(|(packed, planes)| self.bytes.expand(packed.as_ref(), planes));
    }

    fn write_packed(&self, out: &mut [u8]) {
        let size = size_of::<<A::Game as Encode>::Packed>();
        for (packed, row) in self.games.observations().iter().zip(out.chunks_exact_mut(size)) {
            row.copy_from_slice(packed.as_ref());
        }
    }

    fn write_mask_bits(&self, out: &mut [u64]) {
        out.copy_from_slice(self.games.masks());
    }

    fn write_mask_bytes(&self, out: &mut [bool]) {
        out.par_chunks_exact_mut(A::COUNT).enumerate().with_min_len(GAMES_A_TASK).for_each(
            |(game, row)| {
                row.fill(false);
                for &action in self.games.legal_actions(game) {
                    row[action as usize] = true;
                }
            },
        );
    }

    fn write_mask_indices(&self, out: &mut [i32]) {
        let size = <A::Game as Encode>::MAX_MOVES;
        out.par_chunks_exact_mut(size).enumerate().with_min_len(GAMES_A_TASK).for_each(
            |(game, row)| {
                let legal = self.games.legal_actions(game);
                let (listed, rest) = row.split_at_mut(legal.len());
                for (place, &action) in listed.iter_mut().zip(legal) {
                    *place = action as i32;
                }
                rest.fill(-1);
            },
        );
    }

    fn write_players(&self, out: &mut [u8]) {
        for (game, player) in out.iter_mut().enumerate() {
            *player = self.games.game(game).turn() as u8;
        }
    }

    fn sample(&self, seed: u64, round: u64, out: &mut [i64]) {
        out.par_iter_mut().enumerate().with_min_len(8 * GAMES_A_TASK).for_each(|(game, action)| {
            let chosen = stream(seed, round, game).choose(self.games.legal_actions(game));
            *action = chosen.map_or(-1, i64::from);
        });
    }

    fn game<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        A::Game::wrapped(py, self.games.game(index).clone())
    }

    fn finished<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<(usize, Bound<'py, PyAny>)>> {
        let ended = self.games.finished();
        ended
            .map(|(index, finished)| {
                let mut game = finished.episode.game;
                game.adjudicate(finished.outcome);
                Ok((index, A::Game::wrapped(py, game)?))
            })
            .collect()
    }
    fn state(&self) -> State {
        State::of(&self.games)
    }

    fn restore(&mut self, py: Python<'_>, state: State) -> PyResult<()> {
        let (count, max_moves) = (self.games.len(), self.openings.max_moves);
        self.games = state.restored(py, count, self.rules, max_moves)?;
        Ok(())
    }
}

/// Makes the games with the numbering that is asked for.
pub(super) struct Make {
    pub(super) count: usize,
    pub(super) rules: GameRules,
    pub(super) openings: Openings,
}

impl<G: Exposed> ForActions<G> for Make {
    type Output = (Box<dyn Lanes>, Sizes);

    fn visit<A: Actions<Game = G>>(self) -> Self::Output {
        let Self { count, rules, openings } = self;
        let games = (0..count).map(|_| G::new_with(rules));
        let games = Games::<A>::new(games, &openings);
        let sizes = Sizes {
            actions: A::COUNT,
            max_legal: G::MAX_MOVES,
            planes: [G::PLANES, G::SQUARES / G::COLUMNS, G::COLUMNS],
            packed: size_of::<G::Packed>(),
        };
        (Box::new(Kind { games, rules, openings, bytes: BytePlanes::of::<G>() }), sizes)
    }
}
