//! A game of shogi: a position with its history.

mod usi;

use keisei_game::{BoardStyle, Game, Outcome, Reason, Rules, Side};

use crate::declaration::{self, Declaration, DeclarationError};
use crate::{
    Color, Handicap, IllegalMove, Move, MoveParseError, PieceKind, Position, PositionError, Square,
    Undo,
};

/// A game of shogi from some start position.
///
/// ```
/// use keisei_shogi::{Game, Shogi};
///
/// let mut game = Shogi::new();
/// for text in ["7g7f", "3c3d", "8h2b+"] {
///     game.play(game.parse_move(text)?)?;
/// }
/// assert_eq!(game.ply(), 3);
/// assert!(game.outcome().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shogi {
    start: Position,
    position: Position,
    rules: Rules,
    moves: Vec<Move>,
    /// What each move captured.
    captures: Vec<Option<PieceKind>>,
    /// The key of every position of the game, the start and the current one included.
    keys: Vec<u64>,
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

impl Shogi {
    /// A handicap game by the usual rules.
    pub fn handicap(handicap: Handicap) -> Self {
        Self::with_rules(handicap.position(), Self::RULES)
    }

    /// The keys of all positions so far, from the start to the current one.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The winner of a finished game, or `None` for a draw or a game that goes on.
    pub fn winner(&self) -> Option<Color> {
        self.outcome.and_then(Outcome::winner).map(Color::from)
    }

    /// What counts if the side to move declares an entered king; `None` where the rules have no
    /// declarations.
    pub fn declaration(&self) -> Option<Declaration> {
        let gave = self.position.turn() == Color::White && self.rules.handicap_points;
        let extra = if gave { declaration::missing_points(&self.start) } else { 0 };
        Declaration::new(&self.position, self.rules.declaration, extra)
    }

    /// The board as text in the given style.
    pub fn text(&self, style: BoardStyle) -> String {
        crate::text::game(&self.position, self.moves.len(), style)
    }

    /// The outcome that the rules of the board give the current position.
    fn judge(&self) -> Option<Outcome> {
        let them = Side::from(!self.position.turn());
        if !self.position.has_legal_moves() {
            let reason = if self.position.in_check() { Reason::Checkmate } else { Reason::NoMoves };
            return Some(Outcome::win(them, reason));
        }
        if self.rules.try_rule && self.reached_by_try() {
            return Some(Outcome::win(them, Reason::Try));
        }
        if self.repetitions() >= Self::REPETITIONS {
            return self.repetition_since(0);
        }
        (self.rules.move_limit.is_some_and(|limit| self.moves.len() >= limit))
            .then_some(Outcome::draw(Reason::MoveLimit))
    }

    /// `mv` as the rules have it: promoting, if the piece could never move again otherwise.
    fn completed(&self, mv: Move) -> Result<Move, MoveError> {
        match self.position.check_legal(mv) {
            Ok(()) => Ok(mv),
            Err(rule @ IllegalMove::MustPromote { .. }) => {
                let promoting = mv.promoting().filter(|&mv| self.position.is_legal(mv));
                promoting.ok_or(MoveError::Illegal { mv, rule })
            }
            Err(rule) => Err(MoveError::Illegal { mv, rule }),
        }
    }

    /// Whether the last move brought a king to the other king's starting square.
    fn reached_by_try(&self) -> bool {
        let mover = !self.position.turn();
        let goal = match mover {
            Color::Black => Square::at(0, 4),
            Color::White => Square::at(8, 4),
        };
        let arrived = self.moves.last().map(|mv| mv.to());
        goal.is_some() && arrived == goal && self.position.king(mover) == goal
    }

    /// The side that alone gave check with every move since ply `first`. If both did nothing but
    /// give check, neither is to blame.
    fn perpetual_checker(&self, first: usize) -> Option<Color> {
        let mut position = self.position;
        let mut always_checked = [true; 2];
        let played = self.moves.iter().zip(&self.captures).skip(first);
        for (&mv, &captured) in played.rev() {
            let mover = !position.turn();
            always_checked[mover as usize] &= position.in_check();
            position.unmake(Undo::new(mv, captured));
        }
        match always_checked {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        }
    }
}

impl Game for Shogi {
    type Position = Position;
    type Move = Move;
    type PositionError = PositionError;
    type MoveError = MoveError;
    type ClaimError = DeclarationError;

    const NAME: &'static str = "shogi";

    /// A limit of 500 moves, and no way to win by an entered king.
    const RULES: Rules = Rules { move_limit: Some(500), ..Rules::BARE };

    const ENTERING_KING: bool = true;
    const REPETITIONS: usize = 3;

    fn start_position() -> Position {
        Position::start()
    }

    fn with_rules(start: Position, rules: Rules) -> Self {
        let mut game = Self {
            start,
            position: start,
            rules,
            moves: Vec::new(),
            captures: Vec::new(),
            keys: vec![start.key()],
            outcome: None,
        };
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
        &self.start
    }

    fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays `mv`. A pawn, lance or knight that goes where it could never move again promotes even
    /// if the move does not say so.
    fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        if let Some(outcome) = self.outcome {
            return Err(MoveError::GameOver(outcome));
        }
        let mv = self.completed(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(!self.is_over());
        let undo = self.position.make(mv);
        self.moves.push(mv);
        self.captures.push(undo.captured());
        self.keys.push(self.position.key());
        self.outcome = self.judge();
    }

    fn undo(&mut self) -> Option<Move> {
        let (Some(mv), Some(captured)) = (self.moves.pop(), self.captures.pop()) else {
            // There is no move, but a resignation or the like may be taken back.
            self.outcome = self.judge();
            return None;
        };
        self.keys.pop();
        self.position.unmake(Undo::new(mv, captured));
        // A move was played here, so the game was not over.
        self.outcome = None;
        Some(mv)
    }

    fn reset(&mut self) {
        self.position = self.start;
        self.moves.clear();
        self.captures.clear();
        self.keys.truncate(1);
        self.outcome = self.judge();
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn adjudicate(&mut self, outcome: Outcome) {
        self.outcome.get_or_insert(outcome);
    }

    /// What a declaration by the side to move would be worth now.
    fn claimable(&self) -> Result<Outcome, DeclarationError> {
        if self.is_over() {
            return Err(DeclarationError::GameOver);
        }
        self.declaration().ok_or(DeclarationError::Off)?.outcome()
    }

    fn repetitions(&self) -> usize {
        let key = self.position.key();
        self.keys.iter().filter(|&&earlier| earlier == key).count() - 1
    }

    fn repetition_since(&self, since: usize) -> Option<Outcome> {
        let (key, earlier) = self.keys.split_last()?;
        let first = since + earlier.get(since..)?.iter().position(|earlier| earlier == key)?;
        Some(match self.perpetual_checker(first) {
            Some(checker) => Outcome::win(!Side::from(checker), Reason::PerpetualCheck),
            None => Outcome::draw(Reason::Repetition),
        })
    }

    /// Reads a move as USI writes it. One that must promote does so even if the text does not say
    /// so, as in [`play`](Self::play).
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.completed(text.parse()?)
    }

    fn board_text(&self) -> String {
        self.text(BoardStyle::Ascii)
    }
}
