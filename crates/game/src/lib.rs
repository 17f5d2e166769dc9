#![doc = include_str!("../README.md")]

mod board_text;
pub mod conformance;
mod outcome;
mod perft;
mod position_line;
mod random;
mod rules;
mod side;

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

pub use board_text::board_squares;
pub use outcome::{Outcome, Reason};
pub use perft::{Leaves, divide, perft};
pub use position_line::{PositionLine, PositionLineError, Start};
pub use random::{SplitMix64, likeliest, random_game};
pub use rules::{DeclarationRule, NoEnteringKing, NothingToClaim, Rules};
pub use side::{BySide, Side};

/// A position of a two-player game, without its past.
pub trait Position: Clone {
    /// A move, meaningful in a position where it is legal. Displayed and read as the game's engine
    /// protocol writes it (USI or UCI).
    type Move: Copy + Eq + Hash + Debug + Display + FromStr + Send + Sync + 'static;

    /// A list of legal moves, ideally without an allocation.
    type Moves: AsRef<[Self::Move]>;

    /// The side to move.
    fn turn(&self) -> Side;

    /// All legal moves, each once, in an order that depends on the position alone.
    fn legal_moves(&self) -> Self::Moves;

    /// How many legal moves there are.
    fn count_legal_moves(&self) -> usize {
        self.legal_moves().as_ref().len()
    }

    /// Whether there is a legal move.
    fn has_legal_moves(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Whether `mv` is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.legal_moves().as_ref().contains(&mv)
    }

    /// Plays `mv`, which must be legal here.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// Whether the king of the side to move is attacked.
    fn in_check(&self) -> bool;

    /// A hash of everything that makes two positions the same for the repetition rule.
    fn key(&self) -> u64;

    /// Whether the legal move `mv` mates: it attacks a king that has no way out.
    fn mates(&self, mv: Self::Move) -> bool {
        let mut next = self.clone();
        next.play_unchecked(mv);
        next.in_check() && !next.has_legal_moves()
    }

    /// The legal moves that mate, in the order of the legal moves.
    fn mating_moves(&self) -> Vec<Self::Move> {
        let moves = self.legal_moves();
        moves.as_ref().iter().copied().filter(|&mv| self.mates(mv)).collect()
    }
}

/// How a board is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardStyle {
    /// Letters.
    #[default]
    Ascii,
    /// Kanji as in Japanese records (shogi).
    Kanji,
}

/// A game: a position with its past, and the rules that need the past.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The position type under the game, displayed and read in the game's usual notation (SFEN,
    /// FEN).
    type Position: Position<Move = Self::Move>
        + PartialEq
        + Debug
        + Display
        + FromStr<Err = Self::PositionError>
        + Send
        + Sync
        + 'static;

    /// A move of the game.
    type Move: Copy + Eq + Hash + Debug + Display + FromStr + Send + Sync + 'static;

    /// Why a text is no position of this game.
    type PositionError: Error + Send + Sync + 'static;

    /// Why a move, or the text of a move, cannot be played.
    type MoveError: Error + Send + Sync + 'static;

    /// Why nothing can be claimed or declared.
    type ClaimError: Error + Send + Sync + 'static;

    /// The game's name in lower case, as the command line spells it.
    const NAME: &'static str;

    /// The word that engine protocols put before a position.
    const NOTATION: &'static str = "sfen";

    /// The rules of a game that was made without naming any.
    const RULES: Rules;

    /// Whether [`Rules::declaration`] and [`Rules::try_rule`] mean anything in this game.
    const ENTERING_KING: bool = false;

    /// How often a position must have occurred before so that reaching it again ends the game, or
    /// lets a player end it.
    const REPETITIONS: usize;

    /// The standard start.
    fn start_position() -> Self::Position;

    /// A new game from `start` by `rules`.
    fn with_rules(start: Self::Position, rules: Rules) -> Self;

    /// The rules of this game.
    fn rules(&self) -> Rules;

    /// The current position.
    fn position(&self) -> &Self::Position;

    /// The position that the game began from.
    fn start(&self) -> &Self::Position;

    /// The moves played so far, first to last.
    fn moves(&self) -> &[Self::Move];

    /// Plays `mv`, or says why it cannot be played and changes nothing.
    fn play(&mut self, mv: Self::Move) -> Result<(), Self::MoveError>;

    /// Plays `mv`, which must be legal, in a game that is not over.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// Takes back the last move (and a resignation, if one ended the game).
    fn undo(&mut self) -> Option<Self::Move>;

    /// Goes back to the start of this game: the position it was created with, no moves.
    fn reset(&mut self);

    /// How the game ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Ends the game for a reason outside the rules of the board, such as time. Does nothing in a
    /// game that is over.
    fn adjudicate(&mut self, outcome: Outcome);

    /// What the side to move would get by claiming a draw or declaring an entered king now, or why
    /// it can do neither.
    fn claimable(&self) -> Result<Outcome, Self::ClaimError>;

    /// How often the current position occurred before in this game.
    fn repetitions(&self) -> usize;

    /// How the game would end if the play since an earlier occurrence of the current position, not
    /// before ply `since`, were repeated until the rules end it. `None` if the position did not
    /// occur since.
    fn repetition_since(&self, since: usize) -> Option<Outcome>;

    /// Reads a move of the current position as the engine protocol writes it.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Self::MoveError>;

    /// The board as text, for a terminal or a log.
    fn board_text(&self) -> String;

    /// A new game from the standard start by the usual rules.
    fn new() -> Self {
        Self::new_with(Self::RULES)
    }

    /// A new game from the standard start by `rules`.
    fn new_with(rules: Rules) -> Self {
        Self::with_rules(Self::start_position(), rules)
    }

    /// A new game by the usual rules from a position in the game's notation.
    fn from_notation(text: &str) -> Result<Self, Self::PositionError> {
        Ok(Self::with_rules(text.parse()?, Self::RULES))
    }

    /// The current position in the game's notation.
    fn notation(&self) -> String {
        self.position().to_string()
    }

    /// The side to move.
    fn turn(&self) -> Side {
        self.position().turn()
    }

    /// Whether the game is over.
    fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// The legal moves: none once the game is over.
    fn legal_moves(&self) -> Vec<Self::Move> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => self.position().legal_moves().as_ref().to_vec(),
        }
    }

    /// How many moves were played.
    fn ply(&self) -> usize {
        self.moves().len()
    }

    /// Ends the game: `side` resigns. Does nothing in a game that is over.
    fn resign(&mut self, side: Side) {
        self.adjudicate(Outcome::win(!side, Reason::Resignation));
    }

    /// The side to move claims a draw or declares an entered king and so ends the game, or learns
    /// why it cannot.
    fn claim(&mut self) -> Result<Outcome, Self::ClaimError> {
        let outcome = self.claimable()?;
        self.adjudicate(outcome);
        Ok(outcome)
    }

    /// Whether the side to move could declare a win now.
    fn can_declare_win(&self) -> bool {
        self.claimable().is_ok_and(|outcome| outcome.winner() == Some(self.turn()))
    }

    /// The reward of the player who moved last: 1 for a win, −1 for a loss, otherwise 0.
    fn reward(&self) -> f32 {
        self.outcome().map_or(0.0, |outcome| outcome.reward(!self.turn()))
    }
}
