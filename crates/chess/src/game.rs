//! A game of chess: a position with its history.

use keisei_game::{Game, Outcome, Reason, Rules};

use crate::{Color, IllegalMove, Move, MoveParseError, Piece, Position, PositionError};

/// A game of chess from some start position.
///
/// ```
/// use keisei_chess::{Chess, Game, Reason};
///
/// let mut game = Chess::new();
/// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// assert_eq!(game.outcome().map(|outcome| outcome.reason()), Some(Reason::Checkmate));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chess {
    rules: Rules,
    position: Position,
    /// The position before each move.
    past: Vec<Position>,
    moves: Vec<Move>,
    outcome: Option<Outcome>,
}

/// Why a move cannot be played in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The game has ended.
    #[error("the game is over: {}", in_colors(*.0))]
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

/// Why a draw cannot be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// The game has ended.
    #[error("the game is over: {}", in_colors(*.0))]
    GameOver(Outcome),
    /// Neither the repetition nor the fifty-move rule applies.
    #[error(
        "no draw to claim: the position occurred {occurrences} of 3 times, and {halfmoves} of 100 \
         moves by either player passed without a capture or a pawn move"
    )]
    NothingToClaim {
        /// How often the current position has occurred, this time included.
        occurrences: usize,
        /// The moves of either player since the last capture or pawn move.
        halfmoves: u16,
    },
}

fn in_colors(outcome: Outcome) -> String {
    match outcome.winner() {
        Some(side) => format!("{} wins by {}", Color::from(side), outcome.reason()),
        None => outcome.to_string(),
    }
}

impl Chess {
    /// The winner of a finished game, or `None` for a draw or a game that goes on.
    pub fn winner(&self) -> Option<Color> {
        self.outcome.and_then(Outcome::winner).map(Color::from)
    }

    /// The last move and what it captured.
    pub fn last_move(&self) -> Option<(Move, Option<Piece>)> {
        let (&mv, before) = self.moves.last().zip(self.past.last())?;
        Some((mv, before.captured_by(mv)))
    }

    /// The draw that the player to move may claim: the position has occurred three times, or
    /// each player has made fifty moves without a capture or a pawn move.
    fn claimable_draw(&self) -> Option<Reason> {
        if self.repetitions() >= Self::REPETITIONS {
            Some(Reason::Repetition)
        } else if self.position.halfmove_clock() >= 100 {
            Some(Reason::FiftyMoves)
        } else {
            None
        }
    }

    /// The earlier positions that may be the current one, last first, with their plies. A capture
    /// or pawn move is never undone, and only every second position has the same player to move.
    fn earlier(&self) -> impl Iterator<Item = (usize, &Position)> {
        let reversible = usize::from(self.position.halfmove_clock());
        self.past.iter().enumerate().rev().take(reversible).skip(1).step_by(2)
    }

    /// The outcome that the rules of the board give the current position.
    fn judge(&self) -> Option<Outcome> {
        if let Some(outcome) = self.position.outcome() {
            return Some(outcome);
        }
        let reason = if self.repetitions() >= 4 {
            Reason::Repetition
        } else if self.position.halfmove_clock() >= 150 {
            Reason::SeventyFiveMoves
        } else if self.rules.auto_claim
            && let Some(reason) = self.claimable_draw()
        {
            reason
        } else if self.rules.move_limit.is_some_and(|limit| self.moves.len() >= limit) {
            Reason::MoveLimit
        } else {
            return None;
        };
        Some(Outcome::draw(reason))
    }

    fn illegal(mv: Move) -> impl FnOnce(IllegalMove) -> MoveError {
        move |rule| MoveError::Illegal { mv, rule }
    }
}

impl Game for Chess {
    type Position = Position;
    type Move = Move;
    type PositionError = PositionError;
    type MoveError = MoveError;
    type ClaimError = ClaimError;

    const NAME: &'static str = "chess";
    const NOTATION: &'static str = "fen";

    /// No limit, and draws are for the players to claim.
    const RULES: Rules = Rules::BARE;

    /// For a claim; the fifth occurrence ends the game unasked.
    const REPETITIONS: usize = 2;

    fn start_position() -> Position {
        Position::start()
    }

    fn with_rules(start: Position, rules: Rules) -> Self {
        let mut game =
            Self { rules, position: start, past: Vec::new(), moves: Vec::new(), outcome: None };
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

    fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        if let Some(outcome) = self.outcome {
            return Err(MoveError::GameOver(outcome));
        }
        self.position.check_legal(mv).map_err(Self::illegal(mv))?;
        self.play_unchecked(mv);
        Ok(())
    }

    fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(!self.is_over());
        self.past.push(self.position.clone());
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
        self.position = self.start().clone();
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

    /// The draw by repetition or by the fifty-move rule that the player to move may claim.
    fn claimable(&self) -> Result<Outcome, ClaimError> {
        if let Some(outcome) = self.outcome {
            return Err(ClaimError::GameOver(outcome));
        }
        self.claimable_draw().map(Outcome::draw).ok_or_else(|| ClaimError::NothingToClaim {
            occurrences: self.repetitions() + 1,
            halfmoves: self.position.halfmove_clock(),
        })
    }

    fn repetitions(&self) -> usize {
        let key = self.position.key();
        self.earlier().filter(|(_, earlier)| earlier.key() == key).count()
    }

    fn repetition_since(&self, since: usize) -> Option<Outcome> {
        let key = self.position.key();
        let mut earlier = self.earlier().take_while(|&(ply, _)| ply >= since);
        earlier
            .any(|(_, earlier)| earlier.key() == key)
            .then_some(Outcome::draw(Reason::Repetition))
    }

    /// Reads a move as UCI writes it. Castling may also be given as the king taking its rook.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        if let Some(outcome) = self.outcome {
            return Err(MoveError::GameOver(outcome));
        }
        let mv = self.position.canonical(text.parse()?);
        self.position.check_legal(mv).map_err(Self::illegal(mv))?;
        Ok(mv)
    }

    fn board_text(&self) -> String {
        self.position.board_text()
    }
}
