//! Many games at once, stepped together on all cores, with numpy's arrays filled in place.

mod arrays;
mod lanes;
mod state;

use keisei_encode::{ActionError, Actions, Encode as _, VecEnv as Games};
use keisei_game::Rules as GameRules;
use keisei_games::{GameName, with_game};
use numpy::{AllowTypeChange, PyArray1, PyArrayLike1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::{bad_action, refused};
use crate::games::game_name;
use crate::rules::Rules;
use arrays::{Arrays, Masks, Observations, fill, on_threads};
use lanes::{Lanes, Make, Openings};
use state::State;

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
///
/// A copy or a pickle goes on with exactly the same steps.
#[pyclass(module = "keisei")]
pub(crate) struct VecEnv {
    lanes: Box<dyn Lanes>,
    game: GameName,
    rules: GameRules,
    openings: Openings,
    arrays: Arrays,
    threads: Option<usize>,
    pool: Option<rayon::ThreadPool>,
    /// How often actions were drawn since the last seed.
    rounds: u64,
    chosen: Vec<u32>,
    observations: Py<PyAny>,
    masks: Py<PyAny>,
    rewards: Py<PyArray1<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
}

impl VecEnv {
    fn write_observations(&self, out: &Bound<'_, PyAny>) -> PyResult<()> {
        self.arrays.write_observations(&*self.lanes, self.pool.as_ref(), out)
    }

    fn write_masks(&self, out: &Bound<'_, PyAny>) -> PyResult<()> {
        self.arrays.write_masks(&*self.lanes, self.pool.as_ref(), out)
    }

    fn write_results(&self, py: Python<'_>) -> PyResult<()> {
        let shape = [self.arrays.count];
        fill(self.rewards.bind(py), &shape, |out| out.copy_from_slice(self.lanes.rewards()))?;
        fill(self.terminated.bind(py), &shape, |out| out.copy_from_slice(self.lanes.terminated()))?;
        fill(self.truncated.bind(py), &shape, |out| out.copy_from_slice(self.lanes.truncated()))
    }

    /// The games, if they are of this game and numbering of moves.
    pub(crate) fn games<A: Actions>(&self) -> Option<&Games<A>> {
        self.lanes.as_any().downcast_ref()
    }

    /// Fills all arrays of the environment.
    fn write_all(&self, py: Python<'_>) -> PyResult<()> {
        self.write_observations(self.observations.bind(py))?;
        self.write_masks(self.masks.bind(py))?;
        self.write_results(py)
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
        let observations = Observations::named(py, observations)?;
        let masks = Masks::named(py, masks)?;
        let rules = rules.map_or(GameRules::LEARNING, |rules| rules.get().0);
        let openings = Openings { seed, plies: random_plies, max_moves };
        let make = Make { count, rules, openings };
        let (lanes, sizes) = with_game!(game, G => G::with_actions(actions, make));
        if actions != 0 && actions != sizes.actions {
            let problem = format!("no numbering of {game} has {actions} actions");
            return Err(refused(py, problem, &actions.to_string()));
        }
        let pool =
            threads.map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
        let pool = pool.transpose().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let arrays = Arrays { observations, masks, count, sizes };
        let env = Self {
            lanes,
            game,
            rules,
            openings,
            arrays,
            threads,
            pool,
            rounds: 0,
            chosen: Vec::with_capacity(count),
            observations: arrays.new_observations(py).unbind(),
            masks: arrays.new_masks(py).unbind(),
            rewards: PyArray1::zeros(py, count, false).unbind(),
            terminated: PyArray1::zeros(py, count, false).unbind(),
            truncated: PyArray1::zeros(py, count, false).unbind(),
        };
        env.write_all(py)?;
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
        let stepped = py.detach(|| on_threads(pool.as_ref(), || lanes.step(chosen)));
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
            (self.openings.seed, self.rounds) = (seed, 0);
        }
        let Self { arrays, rules, openings, .. } = *self;
        let make = Make { count: arrays.count, rules, openings };
        let (lanes, _) = with_game!(self.game, G => G::with_actions(arrays.sizes.actions, make));
        self.lanes = lanes;
        self.write_all(py)
    }

    /// A uniformly random legal action for every game.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let actions = PyArray1::zeros(py, self.arrays.count, false);
        let (seed, round) = (self.openings.seed, self.rounds);
        self.rounds += 1;
        let (lanes, pool) = (&self.lanes, self.pool.as_ref());
        fill(&actions, &[self.arrays.count], |out| {
            on_threads(pool, || lanes.sample(seed, round, out));
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
        let players = PyArray1::zeros(py, self.arrays.count, false);
        fill(&players, &[self.arrays.count], |out| self.lanes.write_players(out))?;
        Ok(players)
    }

    /// A copy of a game as it stands.
    fn game<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.arrays.count;
        if index >= count {
            let message = format!("there is no game {index} among {count}");
            return Err(PyIndexError::new_err(message));
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
    pub(crate) fn name(&self) -> &'static str {
        self.game.name()
    }

    /// How many numbers the moves have.
    #[getter]
    fn action_count(&self) -> usize {
        self.arrays.sizes.actions
    }

    fn __len__(&self) -> usize {
        self.arrays.count
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((&'static str, usize), Bound<'py, PyDict>)> {
        let Self { arrays, openings, .. } = self;
        let keywords = PyDict::new(py);
        keywords.set_item("observations", arrays.observations.name())?;
        keywords.set_item("masks", arrays.masks.name())?;
        keywords.set_item("actions", arrays.sizes.actions)?;
        keywords.set_item("max_moves", openings.max_moves)?;
        keywords.set_item("random_plies", openings.plies)?;
        keywords.set_item("rules", Rules(self.rules))?;
        keywords.set_item("seed", openings.seed)?;
        keywords.set_item("threads", self.threads)?;
        Ok(((self.game.name(), arrays.count), keywords))
    }

    fn __getstate__(&self, py: Python<'_>) -> (u64, State) {
        (self.rounds, py.detach(|| self.lanes.state()))
    }

    fn __setstate__(&mut self, py: Python<'_>, state: (u64, State)) -> PyResult<()> {
        let (rounds, games) = state;
        self.lanes.restore(py, games)?;
        self.rounds = rounds;
        self.write_all(py)
    }
}
