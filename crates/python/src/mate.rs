//! Mates by checks, proven or refuted.

use std::time::Duration;

use keisei_engine::Signal;
use keisei_engine::mate::{MateLimits, Solver, Verdict};
use keisei_games::with_game;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::refused;
use crate::game::Game;
use crate::games::{Exposed, game_name};
use crate::interrupt::interruptible;
use crate::moves::objects;

/// What the solver found out: whether the side to move mates by checks.
#[pyclass(frozen, module = "keisei")]
pub(crate) struct MateSolution {
    /// "mate", "no mate" (not by checks alone) or "unknown" (a limit was reached first).
    #[pyo3(get)]
    verdict: &'static str,
    /// How many plies the mate takes at most, whatever the other side answers.
    #[pyo3(get)]
    plies: Option<usize>,
    /// Whether no mate takes fewer plies; None without a mate.
    #[pyo3(get)]
    shortest: Option<bool>,
    /// How many positions were visited.
    #[pyo3(get)]
    nodes: u64,
    moves: Py<PyList>,
}

#[pymethods]
impl MateSolution {
    /// The moves of both sides to the mate; none without one.
    #[getter]
    fn moves(&self, py: Python<'_>) -> Py<PyList> {
        self.moves.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        match self.plies {
            Some(plies) => format!("<MateSolution mate in {plies}>"),
            None => format!("<MateSolution {}>", self.verdict),
        }
    }
}

/// Whether the side to move mates if each of its moves gives check, whatever the other side
/// answers, with the shortest line to the mate. The search ends with the first limit that is
/// reached: positions visited, seconds, or plies of the mate. `any_length` is content with the
/// first mate found; `memory` is in MiB.
///
/// >>> import keisei
/// >>> solution = keisei.solve_mate(keisei.Shogi("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"))
/// >>> solution.verdict, solution.plies, [str(move) for move in solution.moves]
/// ('mate', 1, ['G*5b'])
/// >>> keisei.solve_mate(keisei.Shogi()).verdict
/// 'no mate'
#[pyfunction]
#[pyo3(signature = (
    game, *, nodes = None, seconds = Some(60.0), plies = None, any_length = false, memory = 64
))]
pub(crate) fn solve_mate(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    plies: Option<u16>,
    any_length: bool,
    memory: usize,
) -> PyResult<MateSolution> {
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let limits = MateLimits { nodes, time, plies, any_length };
    let game = game.borrow();
    with_game!(game_name(py, game.name())?, G => solve::<G>(py, game.expect(py)?, &limits, memory))
}

fn solve<G: Exposed>(
    py: Python<'_>,
    game: &G,
    limits: &MateLimits,
    memory: usize,
) -> PyResult<MateSolution> {
    if game.is_over() {
        return Err(refused(py, "the game is over", &game.notation()));
    }
    let signal = Signal::new();
    let solution = interruptible(
        py,
        || signal.stop(),
        || Solver::new(memory << 20).solve(game, limits, &signal),
    )?;
    let (verdict, plies, shortest, line) = match solution.verdict {
        Verdict::Mate { line, within, shortest } => ("mate", Some(within), Some(shortest), line),
        Verdict::NoMate => ("no mate", None, None, Vec::new()),
        Verdict::Unknown => ("unknown", None, None, Vec::new()),
    };
    let moves = objects::<G>(py, &line)?.unbind();
    Ok(MateSolution { verdict, plies, shortest, nodes: solution.nodes, moves })
}
