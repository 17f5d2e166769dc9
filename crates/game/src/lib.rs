//! The contract between a board game's rules and everything that plays it.
//!
//! A [`Position`] is what lies on the board: whose turn it is and which moves are legal. It is
//! small, cheap to copy and knows nothing of the past. A [`Game`] is a position with its past: it
//! knows repetition, the limits of play and the [`Outcome`]. Trainer, search, ladder and protocols
//! are written once against these two traits.

pub mod conformance;
mod outcome;
mod perft;
mod random;
mod side;

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;

pub use outcome::{Outcome, Reason};
pub use perft::{Leaves, divide, perft};
pub use random::{SplitMix64, random_game};
pub use side::{BySide, Side};

/// A position of a two-player game, without its past.
pub trait Position: Clone {
    /// A move, meaningful in a position where it is legal. Displayed as the game's engine protocol
    /// writes it (USI or UCI).
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;

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
}

/// A game: a position with its past, and the rules that need the past.
pub trait Game: Clone + Send + Sync {
    /// The position type under the game.
    type Position: Position<Move = Self::Move>;

    /// A move of the game.
    type Move: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;

    /// Why a text is no position of this game.
    type PositionError: Error + Send + Sync + 'static;

    /// Why a move, or the text of a move, cannot be played.
    type MoveError: Error + Send + Sync + 'static;

    /// The game's name in lower case, as the command line spells it.
    const NAME: &'static str;

    /// A new game from the standard start.
    fn new() -> Self;

    /// A new game from a position in the game's usual notation (SFEN, FEN).
    fn from_notation(text: &str) -> Result<Self, Self::PositionError>;

    /// The current position in the game's usual notation.
    fn notation(&self) -> String;

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

    /// Ends the game: `side` resigns. Does nothing in a game that is over.
    fn resign(&mut self, side: Side);

    /// How often the current position occurred before in this game.
    fn repetitions(&self) -> usize;

    /// Reads a move of the current position as the engine protocol writes it.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Self::MoveError>;

    /// The board as text, for a terminal or a log.
    fn board_text(&self) -> String;

    /// The side to move.
    fn turn(&self) -> Side {
        self.position().turn()
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

    /// The reward of the player who moved last: 1 for a win, −1 for a loss, otherwise 0.
    fn reward(&self) -> f32 {
        self.outcome().map_or(0.0, |outcome| outcome.reward(!self.turn()))
    }
}
