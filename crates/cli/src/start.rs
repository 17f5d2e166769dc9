//! The game and the position that a subcommand starts from.

use anyhow::Result;
use clap::Args;
use clap::error::ErrorKind;
use keisei_games::GameName;

use crate::pick::game_name;
use crate::text_game::{TextGame, from_text};

/// Which game, and from which position.
#[derive(Args)]
pub(crate) struct StartArgs {
    /// The game
    #[arg(long, value_name = "GAME", value_parser = game_name(), default_value_t)]
    pub(crate) game: GameName,
    /// The position to start from: SFEN or FEN, `startpos`, or a whole `position` line with moves
    #[arg(long, value_name = "SFEN|FEN", conflicts_with = "handicap")]
    position: Option<String>,
    /// The handicap to start from: none, lance, right-lance, bishop, rook, rook-lance, two, three,
    /// four, five, six, eight or ten
    #[arg(long, value_name = "NAME")]
    handicap: Option<String>,
}

impl StartArgs {
    /// A new game from this start.
    pub(crate) fn new_game<G: TextGame>(&self) -> Result<G> {
        match (&self.position, &self.handicap) {
            (Some(text), _) => from_text(text).map_err(usage),
            (None, Some(name)) => {
                Ok(G::with_rules(G::handicap_start(name).map_err(usage)?, G::RULES))
            }
            (None, None) => Ok(G::new()),
        }
    }
}

/// The error of a command line that asks for something impossible.
pub(crate) fn usage(message: impl std::fmt::Display) -> anyhow::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{message:#}\n")).into()
}
