//! Undefined behaviour, looked for by miri: the only unsafe code is in the rules of shogi, of which
//! miri runs what any processor can.

use anyhow::{Result, bail};

use crate::check::Step;
use crate::command::Command;

/// Interprets the tests of move generation and those that abuse its safe interface.
pub(crate) fn run() -> Result<()> {
    match missing_tool() {
        Some(reason) => bail!("miri cannot run here: {reason}"),
        None => steps().iter().try_for_each(|(_, command)| command.run()),
    }
}

/// The tests under miri, built as a release is: without debug assertions, which would stop an
/// illegal move before it does any harm.
pub(crate) fn steps() -> [Step; 2] {
    let test = |which: &str| {
        Command::cargo(&format!("+nightly miri test --package keisei-shogi {which}"))
            .env("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false")
            .env("CARGO_PROFILE_DEV_OVERFLOW_CHECKS", "false")
    };
    [
        ("miri: move generation", test("--lib movegen")),
        ("miri: illegal moves", test("--test abuse")),
    ]
}

/// Why miri cannot run here, or `None` if it can.
pub(crate) fn missing_tool() -> Option<String> {
    match Command::cargo("+nightly miri --version").output() {
        None => Some(
            "it is not installed: rustup component add miri rust-src --toolchain nightly"
                .to_owned(),
        ),
        Some(_) => None,
    }
}
