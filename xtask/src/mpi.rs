//! Processes that an installed `mpirun` starts, against each other and against one alone.

use crate::check::{DEVELOPMENT, Step};
use crate::command::Command;

/// Checks and tests what ranks over MPI do.
pub(crate) fn steps() -> Vec<Step> {
    // Only the program and the crate over MPI differ from the other builds for development.
    let build = format!("{DEVELOPMENT},keisei/mpi");
    vec![
        (
            "clippy of the ranks over MPI",
            Command::cargo(&format!("clippy {build} --all-targets -- -D warnings")),
        ),
        // The tests start several processes each, so they take turns.
        (
            "ranks over MPI",
            Command::cargo(&format!("nextest run {build} --test mpi --test-threads 1")),
        ),
    ]
}
