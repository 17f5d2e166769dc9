//! The `position` line of USI and UCI, and what people type in its place.

use std::fmt;

use crate::{Game, Rules};

/// A `position` line taken apart: `position startpos|sfen <SFEN>|fen <FEN> [moves <move>…]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionLine<'a> {
    /// What the moves are played from.
    pub start: Start<'a>,
    /// The moves, first to last.
    pub moves: Vec<&'a str>,
    /// The first word after `position`.
    first: &'a str,
    /// Whether the moves follow the word `moves`.
    announced: bool,
}

/// What the moves of a line are played from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start<'a> {
    /// The standard start of the game.
    Standard,
    /// A position in the game's notation, word by word.
    Notation(Vec<&'a str>),
    /// Something else, which may be the name of a handicap.
    Name(&'a str),
}

/// Why a line gives no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionLineError {
    /// The line begins with something that is no start.
    Start {
        /// The words that may stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The position is refused.
    Position {
        /// The game.
        game: &'static str,
        /// The position as written.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Something other than `moves` follows the position.
    NoMoves {
        /// What follows.
        found: String,
    },
    /// A move is refused.
    Move {
        /// Which one, from 1.
        number: usize,
        /// The move as written.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl<'a> PositionLine<'a> {
    /// Takes a line of `G` apart as people write it: `position`, `sfen`, `fen` and `moves` may be
    /// missing, and so may the start before moves.
    pub fn read<G: Game>(text: &'a str) -> Self {
        let is_move = |word: &str| word.parse::<G::Move>().is_ok();
        let mut words = text.split_whitespace().peekable();
        words.next_if_eq(&"position");
        let first = words.peek().copied().unwrap_or_default();
        let start = match first {
            "startpos" => {
                words.next();
                Start::Standard
            }
            "" | "moves" => Start::Standard,
            _ if is_move(first) => Start::Standard,
            _ if ["sfen", "fen"].contains(&first) || first.contains('/') => {
                words.next_if(|word| !word.contains('/'));
                let mut fields = Vec::new();
                // No field of a position after its board, its turn and what follows is a move.
                let more =
                    |fields: usize, word: &str| word != "moves" && (fields < 3 || !is_move(word));
                while let Some(word) = words.next_if(|word| more(fields.len(), word)) {
                    fields.push(word);
                }
                Start::Notation(fields)
            }
            name => {
                words.next();
                Start::Name(name)
            }
        };
        let announced = words.next_if_eq(&"moves").is_some();
        Self { start, moves: words.collect(), first, announced }
    }

    /// Takes a line of `G` apart as its protocol has it, word for word but for the first.
    pub fn read_strictly<G: Game>(text: &'a str) -> Result<Self, PositionLineError> {
        let line = Self::read::<G>(text);
        if line.first != "startpos" && line.first != G::NOTATION {
            return Err(line.no_start(&format!("startpos or {}", G::NOTATION)));
        }
        match line.moves.first() {
            Some(&found) if !line.announced => {
                Err(PositionLineError::NoMoves { found: found.to_owned() })
            }
            _ => Ok(line),
        }
    }

    /// The position that the line starts from.
    pub fn start_position<G: Game>(&self) -> Result<G::Position, PositionLineError> {
        match &self.start {
            Start::Standard => Ok(G::start_position()),
            Start::Notation(fields) => {
                let text = fields.join(" ");
                text.parse().map_err(|error: G::PositionError| PositionLineError::Position {
                    game: G::NAME,
                    text,
                    problem: error.to_string(),
                })
            }
            Start::Name(_) => Err(self.no_start("startpos or a position")),
        }
    }

    /// The game of the line by `rules`.
    pub fn game<G: Game>(&self, rules: Rules) -> Result<G, PositionLineError> {
        self.play(G::with_rules(self.start_position::<G>()?, rules))
    }

    /// `game`, which stands at the start of the line, after all moves.
    pub fn play<G: Game>(&self, mut game: G) -> Result<G, PositionLineError> {
        self.each_move(|text| {
            let mv = game.parse_move(text)?;
            game.play(mv)
        })?;
        Ok(game)
    }

    /// Hands every move to `play`, until it refuses one.
    pub fn each_move<E: fmt::Display>(
        &self,
        mut play: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), PositionLineError> {
        for (number, &text) in (1..).zip(&self.moves) {
            play(text).map_err(|error| {
                let (text, problem) = (text.to_owned(), error.to_string());
                PositionLineError::Move { number, text, problem }
            })?;
        }
        Ok(())
    }

    /// The line of `game` without the word `position`: its start and its moves.
    pub fn write<G: Game>(game: &G) -> String {
        let start = match *game.start() == G::start_position() {
            true => "startpos".to_owned(),
            false => format!("{} {}", G::NOTATION, game.start()),
        };
        if game.moves().is_empty() {
            return start;
        }
        let moves: Vec<_> = game.moves().iter().map(ToString::to_string).collect();
        format!("{start} moves {}", moves.join(" "))
    }

    fn no_start(&self, expected: &str) -> PositionLineError {
        PositionLineError::Start { expected: expected.to_owned(), found: self.first.to_owned() }
    }
}

impl fmt::Display for PositionLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start { expected, found } => write!(f, "expected {expected}, found {found:?}"),
            Self::Position { game, text, problem } => {
                write!(f, "{text:?} is no {game} position: {problem}")
            }
            Self::NoMoves { found } => write!(f, "expected moves, found {found:?}"),
            // The problem names the move.
            Self::Move { number, problem, .. } => write!(f, "move {number}: {problem}"),
        }
    }
}

impl std::error::Error for PositionLineError {}
