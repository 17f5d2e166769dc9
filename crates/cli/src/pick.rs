//! The one place where the command line picks the game.

use std::io::Write;

use anyhow::Result;
use clap::ValueEnum;
use keisei_chess::Chess;
use keisei_shogi::Shogi;

use crate::text_game::TextGame;

/// A game by its name on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GameName {
    /// Positions as SFEN, moves as USI
    #[default]
    Shogi,
    /// Positions as FEN, moves as UCI
    Chess,
}

/// A subcommand that is written once for all games.
pub(crate) trait ForAnyGame {
    /// The game that was asked for.
    fn game(&self) -> GameName;

    /// Does the work.
    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()>;
}

/// Runs `command` with the game it asks for.
pub(crate) fn run(command: &impl ForAnyGame, out: &mut dyn Write) -> Result<()> {
    match command.game() {
        GameName::Shogi => command.run::<Shogi>(out),
        GameName::Chess => command.run::<Chess>(out),
    }
}
