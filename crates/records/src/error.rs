//! Why a record cannot be read or written.

use std::fmt;

use keisei_games::{GameName, with_game};

use crate::notation::MoveTextError;
use crate::{Ending, Format};

/// What cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ReadError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The text that cannot be read, shortened to its first characters.
    pub text: String,
    /// What is wrong with it.
    pub problem: Problem,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)?;
        if self.text.is_empty() { Ok(()) } else { write!(f, ": {:?}", self.text) }
    }
}

/// What is wrong with a piece of text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The bytes are no text.
    #[error("in no encoding that records have (UTF-8, Shift_JIS, EUC-JP)")]
    Encoding,
    /// The text is in no known format.
    #[error("in no known record format")]
    Format,
    /// Something else should stand here.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A move breaks the rules.
    #[error("the move at ply {ply} is illegal, {rule}")]
    Illegal {
        /// The ply of the move, counted from 1.
        ply: usize,
        /// The rule that is broken.
        rule: String,
    },
    /// A move cannot be understood.
    #[error("no move at ply {ply}, {error}")]
    Move {
        /// The ply of the move, counted from 1.
        ply: usize,
        /// What is wrong with its text.
        error: MoveTextError,
    },
    /// A move is numbered out of order.
    #[error("numbered {found} where {expected} follows")]
    Number {
        /// The number that should stand here.
        expected: usize,
        /// The number that stands here.
        found: usize,
    },
    /// A variation starts where the line before it has no move.
    #[error("the line above has no move {0} to vary")]
    Variation(usize),
    /// A step after an ending.
    #[error("nothing follows {0}")]
    AfterEnd(Ending),
    /// A start position that is none.
    #[error("no start position, {0}")]
    Position(String),
    /// A word that is not known here.
    #[error("unknown {0}")]
    Unknown(&'static str),
    /// Two statements that cannot both be true.
    #[error("contradicts {0}")]
    Contradiction(&'static str),
    /// A limit against hostile files.
    #[error("more than {limit} {what}")]
    Limit {
        /// The most that is read.
        limit: usize,
        /// What there is too much of.
        what: &'static str,
    },
}

/// Why records cannot be written at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The format is of another game.
    #[error("{format} holds no {game} records; {} do", listed(*.game))]
    Game {
        /// The game of the record.
        game: GameName,
        /// The format asked for.
        format: Format,
    },
    /// The format holds one record a file.
    #[error("a {0} file holds one record")]
    OneRecord(Format),
}

/// The formats that hold records of `game`.
fn listed(game: GameName) -> String {
    let formats = with_game!(game, G => Format::holding::<G>());
    let names: Vec<_> = formats.iter().map(ToString::to_string).collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}
