//! A game of animal shogi: a position with its history.

use keisei_game::{Game, Outcome, Reason, Side};

use crate::{Move, MoveParseError, Position, PositionError};

/// How often a position must have occurred before so that it draws the game.
const REPETITIONS: usize = 2;

/// A game of animal shogi from some start position.
///
/// ```
/// use keisei_animal::Animal;
/// use keisei_game::{Game, Outcome, Reason, Side};
///
/// let mut game = Animal::new();
/// for text in ["2c2b", "3a3b", "2b2a"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// // The giraffe moved, although the chick attacked the lion.
/// assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::KingCaptured)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Animal {
    position: Position,
    move_limit: Option<usize>,
    /// The position before each move.
    past: Vec<Position>,
    moves: Vec<Move>,
    outcome: Option<Outcome>,
}

/// Why a move cannot be played in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The game has ended.
    #[error("the game is over: {0}")]
    GameOver(Outcome),
    /// The rules forbid the move.
    #[error("{mv} is illegal in {position}")]
    Illegal {
        /// The move.
        mv: Move,
        /// The position.
        position: Position,
    },
    /// The text is no move.
    #[error(transparent)]
    Text(#[from] MoveParseError),
}

impl Animal {
    /// A game from `start`, drawn after `move_limit` moves unless the last of them ended it.
    pub fn with_limit(start: Position, move_limit: Option<usize>) -> Self {
        let mut game = Self {
            position: start,
            move_limit,
            past: Vec::new(),
            moves: Vec::new(),
            outcome: None,
        };
        game.outcome = game.judge();
        game
    }

    /// Ends the game for a reason outside the rules of the board, such as time. Does nothing in a
    /// game that is over.
    pub fn adjudicate(&mut self, outcome: Outcome) {
        self.outcome.get_or_insert(outcome);
    }

    /// The outcome that the rules of the board give the current position.
    fn judge(&self) -> Option<Outcome> {
        let them = !self.position.turn();
        if let Some(reason) = self.position.board().lost() {
            return Some(Outcome::win(them, reason));
        }
        if self.position.legal_moves().is_empty() {
            return Some(Outcome::win(them, Reason::NoMoves));
        }
        if self.repetitions() >= REPETITIONS {
            return Some(Outcome::draw(Reason::Repetition));
        }
        (self.move_limit.is_some_and(|limit| self.moves.len() >= limit))
            .then_some(Outcome::draw(Reason::MoveLimit))
    }

    /// `mv` as the rules have it, or why it cannot be played.
    fn checked(&self, mv: Move) -> Result<Move, MoveError> {
        if let Some(outcome) = self.outcome {
            return Err(MoveError::GameOver(outcome));
        }
        let mv = self.position.completed(mv);
        if self.position.is_legal(mv) {
            Ok(mv)
        } else {
            Err(MoveError::Illegal { mv, position: self.position })
        }
    }
}

impl Game for Animal {
    type Position = Position;
    type Move = Move;
    type PositionError = PositionError;
    type MoveError = MoveError;

    const NAME: &'static str = "animal";

    fn new() -> Self {
        Self::with_limit(Position::start(), None)
    }

    fn from_notation(text: &str) -> Result<Self, PositionError> {
        Ok(Self::with_limit(text.parse()?, None))
    }

    fn notation(&self) -> String {
        self.position.to_string()
    }

    fn position(&self) -> &Position {
        &self.position
    }

    fn start(&self) -> &Position {
        self.past.first().unwrap_or(&self.position)
    }

    fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays `mv`. A chick that reaches the last rank promotes even if the move does not say so.
    fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        let mv = self.checked(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(self.outcome.is_none());
        self.past.push(self.position);
        self.moves.push(mv);
        self.position.play_unchecked(mv);
        self.outcome = self.judge();
    }

    fn undo(&mut self) -> Option<Move> {
        let Some((mv, before)) = self.moves.pop().zip(self.past.pop()) else {
            self.outcome = self.judge();
            return None;
        };
        self.position = before;
        // A move was played here, so the game was not over.
        self.outcome = None;
        Some(mv)
    }

    fn reset(&mut self) {
        self.position = *self.start();
        self.past.clear();
        self.moves.clear();
        self.outcome = self.judge();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn resign(&mut self, side: Side) {
        self.adjudicate(Outcome::win(!side, Reason::Resignation));
    }

    fn repetitions(&self) -> usize {
        let board = self.position.board();
        self.past.iter().filter(|earlier| earlier.board() == board).count()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.checked(text.parse()?)
    }

    fn board_text(&self) -> String {
        self.position.board_text()
    }
}
