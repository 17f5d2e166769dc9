//! The words for what ends a line of a record.

use keisei_records::Ending;
use pyo3::prelude::*;

use crate::errors::refused;

/// The names of [`Ending::ALL`], in that order.
const ENDINGS: [&str; 20] = [
    "resignation",
    "timeout",
    "interruption",
    "repetition",
    "impasse",
    "draw",
    "max_moves",
    "checkmate",
    "no_mate",
    "illegal_move",
    "opponent_illegal_move",
    "declaration",
    "try",
    "win_by_default",
    "loss_by_default",
    "stalemate",
    "taken_back",
    "error",
    "first_won",
    "second_won",
];

/// The word for `ending`.
pub(super) fn ending_name(ending: Ending) -> &'static str {
    let place = Ending::ALL.into_iter().position(|one| one == ending);
    ENDINGS[place.expect("all endings are listed")]
}

/// The ending that `name` stands for.
pub(super) fn ending(py: Python<'_>, name: &str) -> PyResult<Ending> {
    let place = ENDINGS.into_iter().position(|one| one == name);
    let problem = || format!("{name:?} ends no line; there are {}", ENDINGS.join(", "));
    Ok(Ending::ALL[place.ok_or_else(|| refused(py, problem(), name))?])
}
