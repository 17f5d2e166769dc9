//! A game of animal shogi: a position with its history.

use keisei_game::{Game, NothingToClaim, Outcome, Reason, Rules};

use crate::{IllegalMove, Move, MoveParseError, Position, PositionError};

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
    rules: Rules,
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
    /// A rule forbids the move.
    #[error("{mv} is illegal: {rule}")]
    Illegal {
        /// The move.
        mv: Move,
        /// The rule it breaks.
        rule: IllegalMove,
    },
    /// The text is no move.
    #[error(transparent)]
    Text(#[from] MoveParseError),
}

impl Animal {
    /// The outcome that the rules of the board give the current position.
    fn judge(&self) -> Option<Outcome> {
        let them = !self.position.turn();
        if let Some(reason) = self.position.board().lost() {
            return Some(Outcome::win(them, reason));
        }
        if self.position.legal_moves().is_empty() {
            return Some(Outcome::win(them, Reason::NoMoves));
        }
        if self.repetitions() >= Self::REPETITIONS {
            return Some(Outcome::draw(Reason::Repetition));
        }
        (self.rules.move_limit.is_some_and(|limit| self.moves.len() >= limit))
            .then_some(Outcome::draw(Reason::MoveLimit))
    }

    /// `mv` as the rules have it, or why it cannot be played.
    fn checked(&self, mv: Move) -> Result<Move, MoveError> {
        if let Some(outcome) = self.outcome {
            return Err(MoveError::GameOver(outcome));
        }
        let mv = self.position.completed(mv);
        match self.position.check_legal(mv) {
            Ok(()) => Ok(mv),
            Err(rule) => Err(MoveError::Illegal { mv, rule }),
        }
    }
}

impl Game for Animal {
    type Position = Position;
    type Move = Move;
    type PositionError = PositionError;
    type MoveError = MoveError;
    type ClaimError = NothingToClaim;

    const NAME: &'static str = "animal";

    const RULES: Rules = Rules::BARE;
    const REPETITIONS: usize = 2;

    fn start_position() -> Position {
        Position::start()
    }

    fn with_rules(start: Position, rules: Rules) -> Self {
        let mut game =
            Self { position: start, rules, past: Vec::new(), moves: Vec::new(), outcome: None };
        game.outcome = game.judge();
        game
    }

    fn rules(&self) -> Rules {
        self.rules
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

    fn adjudicate(&mut self, outcome: Outcome) {
        self.outcome.get_or_insert(outcome);
    }

    fn claimable(&self) -> Result<Outcome, NothingToClaim> {
        Err(NothingToClaim { game: Self::NAME })
    }

    fn repetitions(&self) -> usize {
        let board = self.position.board();
        self.past.iter().filter(|earlier| earlier.board() == board).count()
    }

    fn repetition_since(&self, since: usize) -> Option<Outcome> {
        let board = self.position.board();
        let mut earlier = self.past.iter().skip(since);
        earlier.any(|earlier| earlier.board() == board).then_some(Outcome::draw(Reason::Repetition))
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.checked(text.parse()?)
    }

    fn board_text(&self) -> String {
        self.position.board_text()
    }
}
