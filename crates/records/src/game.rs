//! How a game is written: its records, boards and moves.

mod animal;
mod chess;
mod shogi;

use std::error::Error;

use keisei_game::{BoardStyle, Game, PositionLine, PositionLineError, Rules, Side, Start};
use keisei_games::GameName;

use crate::notation::{MoveTextError, NotationError};
use crate::{AnyRecord, Format, Notes, Record, Text};

/// A game that people write down. What most games do alike has a default.
pub trait Recorded: Listed + Game {
    /// Which rule a move breaks.
    type Illegal: Error + Send + Sync + 'static;

    /// The headers that name the players, the first side first.
    const PLAYER_KEYS: [&'static str; 2];

    /// The format that people keep its records in.
    const FORMAT: Format;

    /// The format that programs keep their matches in.
    const MATCH_FORMAT: Format = Self::FORMAT;

    /// How moves are typed, for a help text.
    const MOVE_HELP: &'static str;

    /// How many legal moves stand in a line of a list.
    const MOVES_PER_LINE: usize = 10;

    /// The colour of a side in lower case: `black` or `white`.
    fn color(side: Side) -> &'static str;

    /// Whether `mv` may be played in `position`, by the rules of the board alone: a record may go
    /// on after a repetition.
    fn check(position: &Self::Position, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// The record as text, or `None` if the format is not for this game.
    fn write(record: &Record<Self>, format: Format) -> Option<Text>;

    /// Adds comment lines about `position` to `notes`: evaluations, times and what remains as the
    /// comment.
    fn read_remarks(_position: &Self::Position, lines: &str, notes: &mut Notes<Self::Move>) {
        notes.comment.push_str(lines);
    }

    /// `position` with the colours exchanged, for statistics that take both sides together: the
    /// first side is to move in it. `None` where the first side is to move already, or where the
    /// game is not the same for both sides.
    fn fold(_position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// The move that goes with [`Recorded::fold`]: the same move seen from the other side. It
    /// undoes itself.
    fn fold_move(mv: Self::Move) -> Self::Move {
        mv
    }

    /// The start of a named handicap.
    fn handicap_start(name: &str) -> Result<Self::Position, TextError> {
        Err(TextError::NoHandicaps { game: Self::NAME, name: name.to_owned() })
    }

    /// The board, or why it cannot be printed in this style.
    fn board(&self, style: BoardStyle) -> Result<String, TextError> {
        match style {
            BoardStyle::Ascii => Ok(self.board_text()),
            BoardStyle::Kanji => Err(TextError::NoKanji(Self::NAME)),
        }
    }

    /// The pieces that `side` holds in hand with their numbers.
    fn hand(&self, _side: Side) -> Vec<(char, u8)> {
        Vec::new()
    }

    /// The pieces with the numbers that programs know them by, a line each.
    fn piece_table() -> Result<String, TextError> {
        Err(TextError::NoPieceTable(Self::NAME))
    }

    /// The squares of the pieces that give check.
    fn checkers(&self) -> Vec<String> {
        Vec::new()
    }

    /// The legal moves, each as a list shows it.
    fn listed_moves(&self) -> Vec<String> {
        self.legal_moves().iter().map(ToString::to_string).collect()
    }

    /// A legal move as it is announced in a game.
    fn announced(&self, mv: Self::Move, _style: BoardStyle) -> String {
        mv.to_string()
    }

    /// A legal move as books print it: SAN, or Japanese notation.
    fn book_move(&self, mv: Self::Move) -> Result<String, TextError> {
        Ok(mv.to_string())
    }

    /// A legal move in Western notation: SAN, or P-7f.
    fn western_move(&self, mv: Self::Move) -> Result<String, TextError> {
        self.book_move(mv)
    }

    /// Reads a move that a person typed, in any notation that the game has.
    fn read_move(&self, text: &str) -> Result<Self::Move, TextError> {
        text.parse().map_err(|_| TextError::NoMove { text: text.to_owned(), error: None })
    }
}

/// The game of a position line by `rules`. The line may start with the name of a handicap.
pub fn read_line<G: Recorded>(text: &str, rules: Rules) -> Result<G, LineError> {
    let line = PositionLine::read::<G>(text);
    let start = match line.start {
        Start::Name(name) => G::handicap_start(name)?,
        _ => line.start_position::<G>()?,
    };
    Ok(line.play(G::with_rules(start, rules))?)
}

/// Why a position line gives no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Its start or one of its moves is refused.
    #[error(transparent)]
    Line(#[from] PositionLineError),
    /// It starts with a name that no handicap has.
    #[error(transparent)]
    Handicap(#[from] TextError),
}

/// A game of the list in `keisei-games`, which alone implements this.
pub trait Listed: Sized {
    /// The game's name in the list.
    const GAME: GameName;

    /// The record among records of all games.
    fn into_any(record: Record<Self>) -> AnyRecord
    where
        Self: Recorded;

    /// The record, if it is one of this game.
    fn of_any(record: &AnyRecord) -> Option<&Record<Self>>
    where
        Self: Recorded;
}

/// Why a move, a board or a start cannot be read or written as people do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// The game has no handicaps.
    #[error("{game} has no handicaps, so {name:?} is none")]
    NoHandicaps {
        /// The game.
        game: &'static str,
        /// The name that was given.
        name: String,
    },
    /// No handicap has this name.
    #[error(transparent)]
    Handicap(#[from] keisei_shogi::HandicapParseError),
    /// The game has no board in kanji.
    #[error("{0} has no kanji board")]
    NoKanji(&'static str),
    /// The game's pieces have no numbers.
    #[error("the pieces of {0} have no numbers")]
    NoPieceTable(&'static str),
    /// The move has no name in this position.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A move of chess cannot be written or read.
    #[error(transparent)]
    San(#[from] keisei_chess::SanError),
    /// A move of chess that breaks a rule has no name.
    #[error(transparent)]
    Illegal(#[from] keisei_chess::IllegalMove),
    /// The text is no move here.
    #[error("{text:?} is no move here{}", because(.error))]
    NoMove {
        /// The text.
        text: String,
        /// Why, as far as it was understood.
        error: Option<MoveTextError>,
    },
}

fn because(error: &Option<MoveTextError>) -> String {
    error.as_ref().map_or(String::new(), |error| format!(": {error}"))
}
