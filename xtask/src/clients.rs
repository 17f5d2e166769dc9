//! Games that other people's clients drive: cshogi, python-shogi and ShogiArena over USI,
//! python-chess over UCI.

use anyhow::Result;
use clap::Args;

use crate::check::Step;
use crate::command::Command;

/// A Python environment with the clients.
const FOLDER: &str = "target/clients";
pub(crate) const PYTHON: &str = "target/clients/bin/python";
const SCRIPTS: &str = "crates/engine/python";

/// How much is played.
#[derive(Args)]
pub(crate) struct ClientOptions {
    /// How many games in each protocol and with each kind of clock
    #[arg(long, default_value_t = 50)]
    games: u32,
    /// After this many plies a game is drawn
    #[arg(long, default_value_t = 160)]
    plies: u32,
    /// How many milliseconds over the clock are forgiven
    #[arg(long, default_value_t = 0)]
    margin: u32,
}

impl ClientOptions {
    /// The short run that is part of every check. A busy machine may be late.
    fn short() -> Self {
        Self { games: 2, plies: 60, margin: 5000 }
    }
}

/// Builds the engine, makes the environment and plays.
pub(crate) fn run(options: &ClientOptions) -> Result<()> {
    Command::cargo("build --quiet --release --package keisei").run()?;
    all_steps(options).iter().try_for_each(|(_, command)| command.run())
}

/// What is part of every check, once the engine is built.
pub(crate) fn steps() -> Vec<Step> {
    all_steps(&ClientOptions::short())
}

fn all_steps(options: &ClientOptions) -> Vec<Step> {
    let requirements = format!("{SCRIPTS}/requirements.txt");
    let games = |script: &str, clock: &str| {
        Command::new(PYTHON, &format!("{SCRIPTS}/{script} {clock}"))
            .option("--games", Some(options.games))
            .option("--plies", Some(options.plies))
            .option("--margin", Some(options.margin))
    };
    vec![
        ("environment of the clients", Command::new("python3", "-m venv").arg(FOLDER)),
        (
            "clients",
            Command::new(PYTHON, "-m pip install --quiet --disable-pip-version-check")
                .args(&["--requirement".to_owned(), requirements]),
        ),
        ("USI, byoyomi", games("usi_games.py", "--byoyomi 20")),
        ("USI, increments", games("usi_games.py", "--time 100 --increment 10")),
        ("USI, tournament", games("shogiarena_games.py", "--time 1000 --increment 50")),
        ("UCI, increments", games("uci_games.py", "--time 100 --increment 10")),
        ("UCI, pondering", games("uci_games.py", "--time 500 --increment 30 --ponder")),
    ]
}
