//! Many games at once, stepped together on all cores, with numpy's arrays filled in place.

use keisei_encode::{
    ActionError, Actions, Begun, BytePlanes, Encode, ForActions, Restart, VecEnv as Games,
    expand_batch,
};
use keisei_game::{Game as _, Rules as GameRules, SplitMix64, random_game};
use keisei_games::{GameName, with_game};
use numpy::{
    AllowTypeChange, Element, PyArray1, PyArrayDyn, PyArrayLike1, PyArrayMethods,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;

use crate::errors::{bad_action, refused};
use crate::games::{Exposed, game_name};
use crate::rules::Rules;

/// Where episodes begin: at the start, or some random moves later.
#[derive(Clone, Copy)]
struct Openings {
    seed: u64,
    plies: usize,
    max_moves: Option<usize>,
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

/// What a [`VecEnv`] can do, whichever game is played.
trait Lanes: Send + Sync {
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
}

/// Games of one kind with their numbering of moves.
struct Kind<A: Actions> {
    games: Games<A>,
    openings: Openings,
    bytes: BytePlanes,
}

/// How many games a thread takes at once.
const GAMES_A_TASK: usize = 32;

impl<A: Actions> Lanes for Kind<A>
where
    A::Game: Exposed,
{
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
}

/// Makes the games with the numbering that is asked for.
struct Make {
    count: usize,
    rules: GameRules,
    openings: Openings,
}

/// What is fixed with the game and the numbering.
struct Made {
    lanes: Box<dyn Lanes>,
    actions: usize,
    max_legal: usize,
    planes: [usize; 3],
    packed: usize,
}

impl<G: Exposed> ForActions<G> for Make {
    type Output = Made;

    fn visit<A: Actions<Game = G>>(self) -> Made {
        let Self { count, rules, openings } = self;
        let games = (0..count).map(|_| G::new_with(rules));
        let games = Games::<A>::new(games, &openings);
        Made {
            lanes: Box::new(Kind { games, openings, bytes: BytePlanes::of::<G>() }),
            actions: A::COUNT,
            max_legal: G::MAX_MOVES,
            planes: [G::PLANES, G::SQUARES / G::COLUMNS, G::COLUMNS],
            packed: size_of::<G::Packed>(),
        }
    }
}

/// Many games at once, each waiting for its next action.
///
/// A game that ends begins anew in the same step. `step` plays one action in every game on all
/// cores, without holding Python's lock, and fills arrays in place: those of the environment, or
/// those that the caller gives it. Rewards are those of the player who moved.
///
/// Observations are "float32" planes, "uint8" planes (255 times as large) or "packed" bytes; masks
/// are "bytes" (bool), "bits" (64 a word) or "indices" (filled up with -1). Games are cut off after
/// `max_moves`; each begins after up to `random_plies` random moves. Shogi can number its moves by
/// `actions=13527` as well as by 2187.
///
/// >>> import keisei
/// >>> env = keisei.VecEnv("animal", 256, observations="uint8", masks="bytes", seed=1)
/// >>> env.observations.shape, env.masks.shape
/// ((256, 18, 4, 3), (256, 132))
/// >>> for _ in range(100):
/// ...     observations, rewards, terminated, truncated = env.step(env.sample())
/// >>> observations is env.observations, bool(env.masks.any(axis=1).all())
/// (True, True)
#[pyclass(module = "keisei")]
pub(crate) struct VecEnv {
    lanes: Box<dyn Lanes>,
    game: GameName,
    rules: GameRules,
    openings: Openings,
    count: usize,
    action_count: usize,
    max_legal: usize,
    planes: [usize; 3],
    packed: usize,
    pool: Option<rayon::ThreadPool>,
    seed: u64,
    rounds: u64,
    chosen: Vec<u32>,
    observations: Py<PyAny>,
    masks: Py<PyAny>,
    format: Format,
    rewards: Py<PyArray1<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
}

/// What the arrays hold.
#[derive(Clone, Copy)]
struct Format {
    observations: Observations,
    masks: Masks,
}

#[derive(Clone, Copy)]
enum Observations {
    Floats,
    Bytes,
    Packed,
}

#[derive(Clone, Copy)]
enum Masks {
    Bytes,
    Bits,
    Indices,
}

/// An array of zeros.
fn zeros<'py, T: Element>(py: Python<'py>, shape: &[usize]) -> Bound<'py, PyAny> {
    PyArrayDyn::<T>::zeros(py, shape, false).into_any()
}

/// Lets `write` fill an array, without Python's lock. It must have the shape and the type that are
/// expected, and lie in one piece.
fn fill<T: Element + Send>(
    array: &Bound<'_, PyAny>,
    shape: &[usize],
    write: impl FnOnce(&mut [T]) + Send,
) -> PyResult<()> {
    let py = array.py();
    let array = array.cast::<PyArrayDyn<T>>()?;
    if array.shape() != shape {
        let message = format!("an array of shape {:?} where {shape:?} is needed", array.shape());
        return Err(PyValueError::new_err(message));
    }
    let mut borrowed = array.try_readwrite()?;
    let slice = borrowed.as_slice_mut()?;
    py.detach(|| write(slice));
    Ok(())
}

impl VecEnv {
    /// Does `work` on the threads of the environment.
    fn on_threads<R: Send>(pool: Option<&rayon::ThreadPool>, work: impl FnOnce() -> R + Send) -> R {
        match pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    fn observation_shape(&self) -> Vec<usize> {
        match self.format.observations {
            Observations::Packed => vec![self.count, self.packed],
            _ => [&[self.count], &self.planes[..]].concat(),
        }
    }

    fn mask_shape(&self) -> [usize; 2] {
        [
            self.count,
            match self.format.masks {
                Masks::Bytes => self.action_count,
                Masks::Bits => self.action_count.div_ceil(64),
                Masks::Indices => self.max_legal,
            },
        ]
    }

    fn write_observations(&self, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let (shape, lanes, pool) = (self.observation_shape(), &self.lanes, self.pool.as_ref());
        match self.format.observations {
            Observations::Floats => fill(out, &shape, |out| {
                Self::on_threads(pool, || lanes.write_floats(out));
            }),
            Observations::Bytes => fill(out, &shape, |out| {
                Self::on_threads(pool, || lanes.write_bytes(out));
            }),
            Observations::Packed => fill(out, &shape, |out| lanes.write_packed(out)),
        }
    }

    fn write_masks(&self, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let (shape, lanes, pool) = (self.mask_shape(), &self.lanes, self.pool.as_ref());
        match self.format.masks {
            Masks::Bytes => fill(out, &shape, |out| {
                Self::on_threads(pool, || lanes.write_mask_bytes(out));
            }),
            Masks::Bits => fill(out, &shape, |out| lanes.write_mask_bits(out)),
            Masks::Indices => fill(out, &shape, |out| {
                Self::on_threads(pool, || lanes.write_mask_indices(out));
            }),
        }
    }

    fn write_results(&self, py: Python<'_>) -> PyResult<()> {
        let shape = [self.count];
        fill(self.rewards.bind(py), &shape, |out| out.copy_from_slice(self.lanes.rewards()))?;
        fill(self.terminated.bind(py), &shape, |out| out.copy_from_slice(self.lanes.terminated()))?;
        fill(self.truncated.bind(py), &shape, |out| out.copy_from_slice(self.lanes.truncated()))
    }

    fn make(&self) -> Made {
        let Self { count, rules, openings, .. } = *self;
        let make = Make { count, rules, openings };
        with_game!(self.game, G => G::with_actions(self.action_count, make))
    }
}

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (
        game, count, *, observations = "float32", masks = "bytes", actions = 0,
        max_moves = Some(512), random_plies = 0, rules = None, seed = 0, threads = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        py: Python<'_>,
        game: &str,
        count: usize,
        observations: &str,
        masks: &str,
        actions: usize,
        max_moves: Option<usize>,
        random_plies: usize,
        rules: Option<&Bound<'_, Rules>>,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let game = game_name(py, game)?;
        let format = Format {
            observations: match observations {
                "float32" => Observations::Floats,
                "uint8" => Observations::Bytes,
                "packed" => Observations::Packed,
                other => {
                    let problem =
                        format!("{other:?} are no observations: float32, uint8 or packed");
                    return Err(refused(py, problem, other));
                }
            },
            masks: match masks {
                "bytes" => Masks::Bytes,
                "bits" => Masks::Bits,
                "indices" => Masks::Indices,
                other => {
                    let problem = format!("{other:?} are no masks: bytes, bits or indices");
                    return Err(refused(py, problem, other));
                }
            },
        };
        let rules = rules.map_or(GameRules::LEARNING, |rules| rules.get().0);
        let openings = Openings { seed, plies: random_plies, max_moves };
        let make = Make { count, rules, openings };
        let made = with_game!(game, G => G::with_actions(actions, make));
        if actions != 0 && actions != made.actions {
            let problem = format!("no numbering of {game} has {actions} actions");
            return Err(refused(py, problem, &actions.to_string()));
        }
        let pool =
            threads.map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
        let pool = pool.transpose().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let mut env = Self {
            lanes: made.lanes,
            game,
            rules,
            openings,
            count,
            action_count: made.actions,
            max_legal: made.max_legal,
            planes: made.planes,
            packed: made.packed,
            pool,
            seed,
            rounds: 0,
            chosen: Vec::with_capacity(count),
            observations: py.None(),
            masks: py.None(),
            format,
            rewards: PyArray1::zeros(py, count, false).unbind(),
            terminated: PyArray1::zeros(py, count, false).unbind(),
            truncated: PyArray1::zeros(py, count, false).unbind(),
        };
        let shape = env.observation_shape();
        env.observations = match format.observations {
            Observations::Floats => zeros::<f32>(py, &shape),
            Observations::Bytes | Observations::Packed => zeros::<u8>(py, &shape),
        }
        .unbind();
        let shape = env.mask_shape();
        env.masks = match format.masks {
            Masks::Bytes => zeros::<bool>(py, &shape),
            Masks::Bits => zeros::<u64>(py, &shape),
            Masks::Indices => zeros::<i32>(py, &shape),
        }
        .unbind();
        env.write_observations(env.observations.bind(py))?;
        env.write_masks(env.masks.bind(py))?;
        Ok(env)
    }

    /// Plays one action in every game, and fills the environment's arrays, or those that are given
    /// for this step. Returns observations, rewards, terminated and truncated.
    ///
    /// >>> import keisei
    /// >>> env = keisei.VecEnv("shogi", 2)
    /// >>> env.step([0, 0])
    /// Traceback (most recent call last):
    /// ...
    /// keisei.errors.ActionError: action 0 is not legal in game 0
    #[pyo3(signature = (actions, observations = None, masks = None))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyArrayLike1<'py, i64, AllowTypeChange>,
        observations: Option<Bound<'py, PyAny>>,
        masks: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let given = actions.as_array();
        self.chosen.clear();
        self.chosen.extend(given.iter().map(|&action| u32::try_from(action).unwrap_or(u32::MAX)));
        let Self { lanes, chosen, pool, .. } = self;
        let stepped = py.detach(|| Self::on_threads(pool.as_ref(), || lanes.step(chosen)));
        stepped.map_err(|error| match error {
            ActionError::Illegal { game, .. } => {
                let action = given[game];
                let problem = format!("action {action} is not legal in game {game}");
                bad_action(py, problem, action, game)
            }
            ActionError::Count { .. } => PyValueError::new_err(error.to_string()),
        })?;
        let observations = observations.unwrap_or_else(|| self.observations.bind(py).clone());
        let masks = masks.unwrap_or_else(|| self.masks.bind(py).clone());
        self.write_observations(&observations)?;
        self.write_masks(&masks)?;
        self.write_results(py)?;
        let [terminated, truncated] = [&self.terminated, &self.truncated].map(|one| one.bind(py));
        (observations, self.rewards.bind(py), terminated, truncated).into_pyobject(py)
    }

    /// Begins all games anew, with another seed if one is given.
    #[pyo3(signature = (seed = None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        if let Some(seed) = seed {
            (self.seed, self.openings.seed, self.rounds) = (seed, seed, 0);
        }
        self.lanes = self.make().lanes;
        self.write_observations(self.observations.bind(py))?;
        self.write_masks(self.masks.bind(py))?;
        self.write_results(py)
    }

    /// A uniformly random legal action for every game.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let actions = PyArray1::zeros(py, self.count, false);
        let (seed, round) = (self.seed, self.rounds);
        self.rounds += 1;
        let (lanes, pool) = (&self.lanes, self.pool.as_ref());
        fill(&actions, &[self.count], |out| {
            Self::on_threads(pool, || lanes.sample(seed, round, out));
        })?;
        Ok(actions)
    }

    /// Writes the observations into another array.
    fn observe(&self, out: &Bound<'_, PyAny>) -> PyResult<()> {
        self.write_observations(out)
    }

    /// Writes the masks into another array.
    fn mask(&self, out: &Bound<'_, PyAny>) -> PyResult<()> {
        self.write_masks(out)
    }

    /// Which player is to move in each game: 0 for the one that opens it, 1 for the other.
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let players = PyArray1::zeros(py, self.count, false);
        fill(&players, &[self.count], |out| self.lanes.write_players(out))?;
        Ok(players)
    }

    /// A copy of a game as it stands.
    fn game<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        if index >= self.count {
            let message = format!("there is no game {index} among {}", self.count);
            return Err(pyo3::exceptions::PyIndexError::new_err(message));
        }
        self.lanes.game(py, index)
    }

    /// The games that ended in the last step, with their numbers. They are handed out once.
    fn finished<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<(usize, Bound<'py, PyAny>)>> {
        self.lanes.finished(py)
    }

    /// What the side to move sees in each game; overwritten by every step.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyAny> {
        self.observations.clone_ref(py)
    }

    /// The legal actions of each game; overwritten by every step.
    #[getter]
    fn masks(&self, py: Python<'_>) -> Py<PyAny> {
        self.masks.clone_ref(py)
    }

    /// The rewards of the players who moved; overwritten by every step.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        self.rewards.clone_ref(py)
    }

    /// Which games ended by their rules; overwritten by every step.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.terminated.clone_ref(py)
    }

    /// Which games were cut off; overwritten by every step.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.truncated.clone_ref(py)
    }

    /// The name of the game.
    #[getter]
    fn name(&self) -> &'static str {
        self.game.name()
    }

    /// How many numbers the moves have.
    #[getter]
    fn action_count(&self) -> usize {
        self.action_count
    }

    fn __len__(&self) -> usize {
        self.count
    }
}
