//! Comparisons with another library over many random games.

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::command::Command;

/// What is compared.
#[derive(Subcommand)]
pub(crate) enum Soak {
    /// The rules of shogi with rsshogi's
    Rules(RulesOptions),
}

/// How much is played.
#[derive(Args)]
pub(crate) struct RulesOptions {
    /// How many plies are compared, at least
    #[arg(long, default_value_t = 10_000_000)]
    plies: u64,
    /// Another seed gives other games
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many threads play [default: one a processor]
    #[arg(long)]
    threads: Option<usize>,
}

impl RulesOptions {
    /// The short run that is part of every check.
    pub(crate) fn short() -> Self {
        Self { plies: 300_000, seed: 0, threads: None }
    }

    /// The comparison of the rules of shogi by `program`, keisei-bench however it is started.
    pub(crate) fn command(&self, program: Command) -> Command {
        program
            .arg("soak")
            .option("--plies", Some(self.plies))
            .option("--seed", Some(self.seed))
            .option("--threads", self.threads)
    }
}

/// Builds and runs a comparison.
pub(crate) fn run(Soak::Rules(options): &Soak) -> Result<()> {
    options.command(Command::cargo("run --quiet --release --package keisei-bench --")).run()
}
