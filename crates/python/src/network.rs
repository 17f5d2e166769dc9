//! Networks: what they think of positions at first sight.

use std::path::{Path, PathBuf};

use keisei_encode::{Actions, Encode, Observation};
use keisei_engine::network_player::load_network;
use keisei_games::{GameName, with_game};
use keisei_net::{Evaluator as _, InferencePrecision, NetEvaluator};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::{no_player, refused};
use crate::game::Game;
use crate::games::{Exposed, game_name};
use crate::moves::interned;
use crate::vec_env::VecEnv;

/// A policy for each position, a probability an action, and the values.
type Evaluated<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

/// A network with its weights, which judges positions at first sight: a weights file, the folder of
/// a run, or a built-in one ("shipped", "shipped/ID"), as in `policy:PATH`.
///
/// Its policy is over the legal moves; its value is what the side to move can expect, from -1 (lost)
/// to 1 (won). It computes in "int16", as players do, or in "f32".
///
/// >>> import keisei
/// >>> network = keisei.Network("shipped")
/// >>> policy, value = network.evaluate(keisei.Shogi())
/// >>> len(policy), abs(sum(policy.values()) - 1) < 1e-5, -1 < value < 1
/// (30, True, True)
/// >>> policies, values = network.evaluate_games([keisei.Shogi(), keisei.Shogi("two")])
/// >>> policies.shape, values.shape
/// ((2, 2187), (2,))
#[pyclass(frozen, module = "keisei")]
pub(crate) struct Network {
    mind: Box<dyn Mind>,
    path: PathBuf,
    game: GameName,
    precision: InferencePrecision,
}

/// A network of one game.
trait Mind: Send + Sync {
    fn step(&self) -> u64;
    fn action_count(&self) -> usize;
    fn evaluate<'py>(&self, py: Python<'py>, game: &Game) -> PyResult<(Bound<'py, PyDict>, f32)>;
    fn evaluate_games<'py>(
        &self,
        py: Python<'py>,
        games: &[PyRef<'py, Game>],
    ) -> PyResult<Evaluated<'py>>;
    fn evaluate_env<'py>(&self, py: Python<'py>, env: &VecEnv) -> PyResult<Evaluated<'py>>;
}

/// The numbering of the moves of a network's policy.
type Numbering<G> = <G as Encode>::Actions;

struct Reader<G: Exposed>(NetEvaluator<Numbering<G>>);

impl<G: Exposed> Reader<G> {
    /// What the network sees of a game, and the numbers of its legal moves, in their order.
    fn seen(&self, py: Python<'_>, game: &G) -> PyResult<(Observation<Numbering<G>>, Vec<u32>)> {
        let moves = keisei_encode::legal_actions::<Numbering<G>>(game.position());
        if game.is_over() || moves.is_empty() {
            return Err(refused(py, "the game is over", &game.notation()));
        }
        Ok((game.pack(), moves.into_iter().map(|(action, _)| action as u32).collect()))
    }

    /// Evaluates a batch on all cores, without Python's lock, into arrays.
    fn batch<'py>(
        &self,
        py: Python<'py>,
        observations: &[Observation<Numbering<G>>],
        legal: &[&[u32]],
    ) -> PyResult<Evaluated<'py>> {
        let count = <Numbering<G> as Actions>::COUNT;
        let policies = PyArray2::zeros(py, [observations.len(), count], false);
        let values = PyArray1::zeros(py, observations.len(), false);
        let (mut rows, mut column) = (policies.try_readwrite()?, values.try_readwrite()?);
        let (rows, column) = (rows.as_slice_mut()?, column.as_slice_mut()?);
        let mut network = self.0.clone();
        py.detach(|| {
            let evaluations = network.evaluate(observations, legal);
            let rows = rows.chunks_exact_mut(count).zip(column).zip(legal);
            for (evaluation, ((row, value), legal)) in evaluations.into_iter().zip(rows) {
                *value = evaluation.value;
                for (&action, probability) in legal.iter().zip(evaluation.policy) {
                    row[action as usize] = probability;
                }
            }
        });
        Ok((policies, values))
    }
}

impl<G: Exposed> Mind for Reader<G> {
    fn step(&self) -> u64 {
        self.0.header().step
    }

    fn action_count(&self) -> usize {
        <Numbering<G> as Actions>::COUNT
    }

    fn evaluate<'py>(&self, py: Python<'py>, game: &Game) -> PyResult<(Bound<'py, PyDict>, f32)> {
        let game = game.expect::<G>(py)?;
        let (observation, actions) = self.seen(py, game)?;
        let mut network = self.0.clone();
        let found = py.detach(|| network.evaluate(&[observation], &[&actions]).remove(0));
        let moves = game.legal_moves();
        let mut likely: Vec<_> = moves.iter().copied().zip(found.policy).collect();
        likely.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let policy = PyDict::new(py);
        for (mv, probability) in likely {
            policy.set_item(interned::<G>(py, mv)?, probability)?;
        }
        Ok((policy, found.value))
    }

    fn evaluate_games<'py>(
        &self,
        py: Python<'py>,
        games: &[PyRef<'py, Game>],
    ) -> PyResult<Evaluated<'py>> {
        let seen = games.iter().map(|game| self.seen(py, game.expect::<G>(py)?));
        let (observations, legal): (Vec<_>, Vec<_>) =
            seen.collect::<PyResult<Vec<_>>>()?.into_iter().unzip();
        let legal: Vec<_> = legal.iter().map(Vec::as_slice).collect();
        self.batch(py, &observations, &legal)
    }

    fn evaluate_env<'py>(&self, py: Python<'py>, env: &VecEnv) -> PyResult<Evaluated<'py>> {
        let games = env.games::<Numbering<G>>().ok_or_else(|| {
            let count = self.action_count();
            let problem = format!("the network is for {} with {count} actions", G::NAME);
            refused(py, problem, env.name())
        })?;
        let legal: Vec<_> = (0..games.len()).map(|game| games.legal_actions(game)).collect();
        self.batch(py, games.observations(), &legal)
    }
}

fn read<G: Exposed>(path: &Path, precision: InferencePrecision) -> Result<Box<dyn Mind>, String> {
    let network = load_network::<G>(path).map_err(|error| error.to_string())?;
    Ok(Box::new(Reader::<G>(network.with_precision(precision))))
}

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (path = PathBuf::from("shipped"), game = "shogi", *, precision = "int16"))]
    fn new(py: Python<'_>, path: PathBuf, game: &str, precision: &str) -> PyResult<Self> {
        let game = game_name(py, game)?;
        let known = InferencePrecision::from_name(precision);
        let problem = || format!("{precision:?} is no precision: f32 or int16");
        let precision = known.ok_or_else(|| refused(py, problem(), precision))?;
        let mind = py.detach(|| with_game!(game, G => read::<G>(&path, precision)));
        let mind = mind.map_err(|problem| no_player(py, problem, &path.display().to_string()))?;
        Ok(Self { mind, path, game, precision })
    }

    /// Where the weights are, or "shipped".
    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    /// The game that it knows.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// How many updates the weights have seen.
    #[getter]
    fn step(&self) -> u64 {
        self.mind.step()
    }

    /// How many numbers the moves of its policy have.
    #[getter]
    fn action_count(&self) -> usize {
        self.mind.action_count()
    }

    /// The legal moves with their probabilities, the likeliest first, and the value.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, Game>,
    ) -> PyResult<(Bound<'py, PyDict>, f32)> {
        self.mind.evaluate(py, &game.borrow())
    }

    /// Evaluates many games on all cores: policies as rows of probabilities by the number of the
    /// action (0 where it is not legal), and values.
    fn evaluate_games<'py>(
        &self,
        py: Python<'py>,
        games: Vec<PyRef<'py, Game>>,
    ) -> PyResult<Evaluated<'py>> {
        self.mind.evaluate_games(py, &games)
    }

    /// The same for all games of an environment.
    ///
    /// >>> import keisei
    /// >>> env = keisei.VecEnv("shogi", 3)
    /// >>> policies, values = keisei.Network("shipped").evaluate_env(env)
    /// >>> bool((policies[env.masks] > 0).all()), bool((policies[~env.masks] == 0).all())
    /// (True, True)
    fn evaluate_env<'py>(
        &self,
        py: Python<'py>,
        env: &Bound<'py, VecEnv>,
    ) -> PyResult<Evaluated<'py>> {
        self.mind.evaluate_env(py, &env.borrow())
    }

    fn __repr__(&self) -> String {
        format!("Network('{}', '{}')", self.path.display(), self.game)
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("precision", self.precision.name())?;
        Ok(((&self.path, self.game.name()).into_pyobject(py)?, keywords))
    }
}
