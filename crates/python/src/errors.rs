//! The exceptions of the package, which are written in Python: `keisei/errors.py`.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;

/// The exception called `name` of `keisei.errors`, made with `arguments`.
fn exception<'py>(py: Python<'py>, name: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let made = py.import("keisei.errors").and_then(|errors| errors.getattr(name)?.call1(arguments));
    made.map_or_else(|problem| problem, PyErr::from_value)
}

/// Something that is none of the values that may stand there.
pub(crate) fn refused(py: Python<'_>, problem: impl ToString, value: &str) -> PyErr {
    exception(py, "KeiseiError", (problem.to_string(), value))
}

/// A text that is no position.
pub(crate) fn no_position(py: Python<'_>, problem: impl ToString, text: &str) -> PyErr {
    exception(py, "PositionError", (problem.to_string(), text))
}

/// A move that cannot be played in `position`.
pub(crate) fn illegal(py: Python<'_>, problem: impl ToString, mv: &str, position: &str) -> PyErr {
    exception(py, "IllegalMoveError", (problem.to_string(), mv, position))
}

/// A claim or declaration that does not hold in `position`.
pub(crate) fn no_claim(py: Python<'_>, problem: impl ToString, position: &str) -> PyErr {
    exception(py, "ClaimError", (problem.to_string(), position))
}

/// A number that is no legal action of the game numbered `game`.
pub(crate) fn bad_action(
    py: Python<'_>,
    problem: impl ToString,
    action: i64,
    game: usize,
) -> PyErr {
    exception(py, "ActionError", (problem.to_string(), action, game))
}

/// A file that is no record; the place of the problem is counted from 1.
pub(crate) fn unreadable(
    py: Python<'_>,
    problem: impl ToString,
    source: &str,
    place: Option<(usize, usize)>,
) -> PyErr {
    let (line, column) = place.unzip();
    exception(py, "RecordError", (problem.to_string(), source, line, column))
}

/// A player that cannot be had, or that failed.
pub(crate) fn no_player(py: Python<'_>, problem: impl ToString, name: &str) -> PyErr {
    exception(py, "PlayerError", (problem.to_string(), name))
}

/// A folder that is no run.
pub(crate) fn no_run(py: Python<'_>, problem: impl ToString, folder: &str) -> PyErr {
    exception(py, "RunError", (problem.to_string(), folder))
}
