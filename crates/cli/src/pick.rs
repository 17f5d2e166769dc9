//! The game that a command line names.

use std::io::Write;

use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use keisei_games::{GameName, with_game};

use crate::text_game::TextGame;

/// Reads the name of a game.
pub(crate) fn game_name() -> impl TypedValueParser<Value = GameName> {
    let known = |&game: &GameName| PossibleValue::new(game.name()).help(game.about());
    PossibleValuesParser::new(GameName::ALL.iter().map(known)).try_map(|name| name.parse())
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
    with_game!(command.game(), G => command.run::<G>(out))
}
