//! What is written about a move: comment, time, evaluation.

use std::fmt;
use std::time::Duration;

use keisei_game::Side;

/// Everything that a record says about one move, or about the start position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notes<M> {
    /// Free text, its lines separated by `\n`. Empty when there is none.
    pub comment: String,
    /// The name of a bookmark at this move.
    pub bookmark: Option<String>,
    /// The time spent on the move.
    pub time: Option<Duration>,
    /// The time left on the mover's clock after the move.
    pub clock: Option<Duration>,
    /// What players and analysts think of the position after the move.
    pub evaluations: Vec<Evaluation<M>>,
    /// Numeric annotation glyphs as PGN numbers them: 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
}

impl<M> Default for Notes<M> {
    fn default() -> Self {
        Self {
            comment: String::new(),
            bookmark: None,
            time: None,
            clock: None,
            evaluations: Vec::new(),
            nags: Vec::new(),
        }
    }
}

impl<M> Notes<M> {
    /// Adds a line to the comment.
    pub fn add_comment(&mut self, line: &str) {
        if !self.comment.is_empty() {
            self.comment.push('\n');
        }
        self.comment.push_str(line);
    }
}

/// What an engine thinks of the position after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation<M> {
    /// Who thought so.
    pub by: Evaluator,
    /// The score in hundredths of a pawn, from the first side's view.
    pub centipawns: Option<i32>,
    /// A forced mate.
    pub mate: Option<Mate>,
    /// The expected moves, the first one played from the position after the move.
    pub line: Vec<M>,
    /// The depth of the search.
    pub depth: Option<u32>,
    /// The positions searched.
    pub nodes: Option<u64>,
    /// The name of the engine.
    pub engine: Option<String>,
}

impl<M> Evaluation<M> {
    /// An evaluation that says nothing yet.
    pub const fn new(by: Evaluator) -> Self {
        Self {
            by,
            centipawns: None,
            mate: None,
            line: Vec::new(),
            depth: None,
            nodes: None,
            engine: None,
        }
    }
}

impl<M> fmt::Display for Evaluation<M> {
    /// The score or mate and the depth, for a person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.mate, self.centipawns) {
            (Some(Mate { winner, distance: Some(distance) }), _) => {
                write!(f, "mate in {distance} for the {winner} side")?;
            }
            (Some(Mate { winner, distance: None }), _) => write!(f, "mate for the {winner} side")?,
            (None, Some(score)) => write!(f, "{score:+}")?,
            (None, None) => f.write_str("no score")?,
        }
        match self.depth {
            Some(depth) => write!(f, " at depth {depth}"),
            None => Ok(()),
        }
    }
}

/// Who evaluated a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Evaluator {
    /// The player who made the move, during the game.
    Player,
    /// An analysis of the record.
    Analysis,
}

/// A forced mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mate {
    /// The side that mates.
    pub winner: Side,
    /// How far the mate is, as the game counts it: in plies in shogi, in moves in chess.
    pub distance: Option<u32>,
}
