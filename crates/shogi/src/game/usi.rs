//! The `position` line of the USI protocol.

use std::str::FromStr;

use keisei_game::{Game, Rules};

use super::{MoveError, Shogi};
use crate::{Position, PositionError};

/// Why a `position` line cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionLineError {
    /// The line says neither `startpos` nor `sfen`.
    #[error("expected startpos or sfen, found {0:?}")]
    NoStart(String),
    /// The SFEN is refused.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A word other than `moves` follows the position.
    #[error("expected moves, found {0:?}")]
    NoMoves(String),
    /// A move is refused.
    #[error("move {number}: {error}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// Why.
        error: MoveError,
    },
}

/// Reads `[position] startpos|sfen <SFEN> [moves <move>…]`. The usual rules hold, but no limit of
/// moves: how long a game may last is for whoever sends the line to say.
impl FromStr for Shogi {
    type Err = PositionLineError;

    fn from_str(line: &str) -> Result<Self, PositionLineError> {
        let mut words = line.split_ascii_whitespace().peekable();
        words.next_if_eq(&"position");
        let start = match words.next() {
            Some("startpos") => Position::start(),
            Some("sfen") => {
                let mut sfen = Vec::new();
                while let Some(word) = words.next_if(|&word| word != "moves") {
                    sfen.push(word);
                }
                sfen.join(" ").parse()?
            }
            other => return Err(PositionLineError::NoStart(other.unwrap_or("").to_owned())),
        };
        let mut game = Self::with_rules(start, Rules::BARE);
        match words.next() {
            None | Some("moves") => {}
            Some(other) => return Err(PositionLineError::NoMoves(other.to_owned())),
        }
        for (index, word) in words.enumerate() {
            let played = game.parse_move(word).and_then(|mv| game.play(mv));
            played.map_err(|error| PositionLineError::Move { number: index + 1, error })?;
        }
        Ok(game)
    }
}
