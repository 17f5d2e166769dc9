//! Speed beside other libraries.

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::command::Command;

/// What is measured.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Move generation, making moves and random games of shogi, with rsshogi and haitaka
    Movegen(Movegen),
}

/// How the benchmark is built and what it is told.
#[derive(Args)]
pub(crate) struct Movegen {
    /// Build for any processor of this kind instead of for the one at hand
    #[arg(long)]
    portable: bool,
    /// Passed on: --seconds, --rounds, --work, --position, --json
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

/// Builds and runs a benchmark. Builds for one processor have their own folder, so that they and
/// the ordinary builds do not undo each other.
pub(crate) fn run(Bench::Movegen(movegen): &Bench) -> Result<()> {
    let command = Command::cargo("run --quiet --release --package keisei-bench");
    let command = if movegen.portable {
        command
    } else {
        command.arg("--target-dir").arg("target/native").env("RUSTFLAGS", "-C target-cpu=native")
    };
    command.arg("--").arg("movegen").args(&movegen.options).run()
}
