#![doc = include_str!("../README.md")]
#![allow(missing_docs, reason = "the macros make items of their own")]

mod contest;
mod errors;
mod game;
mod games;
mod interrupt;
mod mate;
mod moves;
mod network;
mod player;
mod record;
mod rules;
mod run;
mod svg;
mod vec_env;

use pyo3::prelude::*;

/// Everything of `keisei` that is compiled.
#[pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::contest::{MatchResult, play_match};
    #[pymodule_export]
    use crate::game::{Game, perft};
    #[pymodule_export]
    use crate::games::{Animal, Chess, Shogi};
    #[pymodule_export]
    use crate::mate::{MateSolution, solve_mate};
    #[pymodule_export]
    use crate::moves::Move;
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::player::{Answer, Player, Report};
    #[pymodule_export]
    use crate::record::{Evaluation, Node, Record, Written, read_records};
    #[pymodule_export]
    use crate::rules::{Declaration, Outcome, Rules};
    #[pymodule_export]
    use crate::run::{Run, runs};
    #[pymodule_export]
    use crate::vec_env::VecEnv;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
