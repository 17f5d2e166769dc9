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
}

/// Builds and runs a comparison.
pub(crate) fn run(Soak::Rules(options): &Soak) -> Result<()> {
    rules(options).run()
}

/// The comparison of the rules of shogi.
pub(crate) fn rules(options: &RulesOptions) -> Command {
    Command::cargo("run --quiet --release --package keisei-bench -- soak")
        .option("--plies", Some(options.plies))
        .option("--seed", Some(options.seed))
        .option("--threads", options.threads)
}
