//! Players by the names that the command line knows.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use keisei_engine::{Answer as Chosen, Limits, PlayerSpec, Score, Signal};
use keisei_games::{GameName, with_game};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyList, PyTuple};

use crate::errors::{no_player, refused};
use crate::game::Game;
use crate::games::{Exposed, game_name};
use crate::interrupt::interruptible;
use crate::moves::{Move, interned, objects};

/// A player by name, as on the command line: `random`, `mate1`, `greedy`, `ab:3`,
/// `net:shipped,simulations=200`, `policy:runs/first`, `usi:COMMAND`, `uci:COMMAND`.
///
/// Players think without Python's lock; Ctrl-C stops them.
///
/// >>> import keisei
/// >>> player = keisei.Player("mate1", "chess", seed=7)
/// >>> game = keisei.Chess("startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6")
/// >>> answer = player.choose(game)
/// >>> game.san(answer.move)
/// 'Qxf7#'
/// >>> keisei.Player("nobody", "chess")  # doctest: +ELLIPSIS
/// Traceback (most recent call last):
/// ...
/// keisei.errors.PlayerError: ...
#[pyclass(frozen, module = "keisei")]
pub(crate) struct Player {
    seat: Mutex<Box<dyn Seat>>,
    name: String,
    game: GameName,
    seed: u64,
}

/// A player of one game.
trait Seat: Send {
    fn new_game(&mut self) -> Result<(), String>;
    fn think(
        &mut self,
        py: Python<'_>,
        game: &Game,
        limits: &Limits,
        name: &str,
    ) -> PyResult<Answer>;
}

struct Seated<G: Exposed>(Box<dyn keisei_engine::Player<G>>);

impl<G: Exposed> Seat for Seated<G> {
    fn new_game(&mut self) -> Result<(), String> {
        self.0.new_game().map_err(|error| error.to_string())
    }

    fn think(
        &mut self,
        py: Python<'_>,
        game: &Game,
        limits: &Limits,
        name: &str,
    ) -> PyResult<Answer> {
        let game = game.expect::<G>(py)?;
        if game.is_over() {
            return Err(refused(py, "the game is over", &game.notation()));
        }
        let (player, signal) = (&mut self.0, Signal::new());
        let mut reports = Vec::new();
        let answer = interruptible(
            py,
            || signal.stop(),
            || player.think(game, limits, &signal, &mut |report| reports.push(report.clone())),
        )?;
        let answer = answer.map_err(|error| no_player(py, error, name))?;
        let object = |mv: G::Move| interned::<G>(py, mv).map(|mv| mv.clone_ref(py));
        let reports: PyResult<Vec<_>> = reports
            .into_iter()
            .map(|report| {
                let (centipawns, mate) = match report.score {
                    Score::Centipawns(score) => (Some(score), None),
                    Score::Mate(plies) => (None, Some(plies)),
                };
                let moves = objects::<G>(py, &report.moves)?.unbind();
                Ok(Report {
                    line: report.line,
                    depth: report.depth,
                    centipawns,
                    mate,
                    win_rate: report.win_rate,
                    nodes: report.nodes,
                    seconds: report.time.as_secs_f64(),
                    moves,
                })
            })
            .collect();
        let reports = PyList::new(py, reports?)?.unbind();
        let (mv, ponder, resigns, declares) = match answer {
            Chosen::Play { mv, ponder } => {
                (Some(object(mv)?), ponder.map(object).transpose()?, false, false)
            }
            Chosen::Resign => (None, None, true, false),
            Chosen::Win => (None, None, false, true),
        };
        Ok(Answer { mv, ponder, resigns, declares, reports })
    }
}

/// What a player answers: a move, or that it resigns or declares a win.
#[pyclass(frozen, module = "keisei")]
pub(crate) struct Answer {
    mv: Option<Py<Move>>,
    ponder: Option<Py<Move>>,
    /// Whether the player gives up.
    #[pyo3(get)]
    resigns: bool,
    /// Whether the player declares a win by the rules.
    #[pyo3(get)]
    declares: bool,
    reports: Py<PyList>,
}

#[pymethods]
impl Answer {
    /// The move; None if the player resigns or declares a win.
    #[getter]
    fn r#move(&self, py: Python<'_>) -> Option<Py<Move>> {
        self.mv.as_ref().map(|mv| mv.clone_ref(py))
    }

    /// The reply that the player expects.
    #[getter]
    fn ponder(&self, py: Python<'_>) -> Option<Py<Move>> {
        self.ponder.as_ref().map(|mv| mv.clone_ref(py))
    }

    /// The lines that the player considered on the way, the last thoughts last.
    #[getter]
    fn reports(&self, py: Python<'_>) -> Py<PyList> {
        self.reports.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        match &self.mv {
            Some(mv) => format!("Answer({})", mv.get().0.text()),
            None if self.resigns => "Answer(resigns)".to_owned(),
            None => "Answer(declares)".to_owned(),
        }
    }
}

/// A line of play that a player considered, and how good it is for the side to move.
#[pyclass(frozen, module = "keisei")]
pub(crate) struct Report {
    /// Which of the best lines this is, from 1.
    #[pyo3(get)]
    line: usize,
    /// How many plies deep the search looked.
    #[pyo3(get)]
    depth: u32,
    /// The score in hundredths of a pawn; None for a mate.
    #[pyo3(get)]
    centipawns: Option<i32>,
    /// The plies to a mate: positive if the side to move gives it.
    #[pyo3(get)]
    mate: Option<i32>,
    /// How likely the side to move wins, from 0 to 1, where the player knows.
    #[pyo3(get)]
    win_rate: Option<f32>,
    /// How many positions were visited.
    #[pyo3(get)]
    nodes: u64,
    /// How long the player had been thinking.
    #[pyo3(get)]
    seconds: f64,
    moves: Py<PyList>,
}

#[pymethods]
impl Report {
    /// The moves that the player expects.
    #[getter]
    fn moves(&self, py: Python<'_>) -> Py<PyList> {
        self.moves.clone_ref(py)
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (name, game = "shogi", seed = 0))]
    fn new(py: Python<'_>, name: &str, game: &str, seed: u64) -> PyResult<Self> {
        let spec: PlayerSpec = name.parse().map_err(|error| no_player(py, error, name))?;
        let game = game_name(py, game)?;
        let seat = py.detach(|| with_game!(game, G => seated::<G>(&spec, seed)));
        let seat = Mutex::new(seat.map_err(|problem| no_player(py, problem, name))?);
        Ok(Self { seat, name: name.to_owned(), game, seed })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The game that it plays.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// Thinks about a game that is not over and answers for the side to move, within the first
    /// limit that is reached.
    #[pyo3(signature = (game, *, seconds = None, nodes = None, depth = None))]
    fn choose(
        &self,
        py: Python<'_>,
        game: &Bound<'_, Game>,
        seconds: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
    ) -> PyResult<Answer> {
        let time = seconds.map(Duration::try_from_secs_f64).transpose();
        let move_time = time.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let limits = Limits { move_time, nodes, depth, ..Limits::default() };
        // Another thread may be thinking with this player: let it go on meanwhile.
        let mut seat = self.seat.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        seat.think(py, &game.borrow(), &limits, &self.name)
    }

    /// Says that a game begins that has nothing to do with the one before.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        let begun =
            py.detach(|| self.seat.lock().unwrap_or_else(PoisonError::into_inner).new_game());
        begun.map_err(|problem| no_player(py, problem, &self.name))
    }

    fn __repr__(&self) -> String {
        format!("Player('{}', '{}')", self.name, self.game)
    }

    /// A pickled player is made anew from its name and seed.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = (&self.name, self.game.name(), self.seed);
        (py.get_type::<Self>(), arguments).into_pyobject(py)
    }
}

fn seated<G: Exposed>(spec: &PlayerSpec, seed: u64) -> Result<Box<dyn Seat>, String> {
    let player = spec.build::<G>(seed).map_err(|error| error.to_string())?;
    Ok(Box::new(Seated(player)))
}
