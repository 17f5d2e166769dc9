//! What players need to know of a game beyond its rules and its encoding.

mod chess;
mod shogi;

use keisei_encode::{Actions, Encode};
use keisei_game::{Outcome, Position, Side};

/// A game that the players of this crate can play.
///
/// The worth of pieces serves the classical players, which are yardsticks. Networks and their
/// search never look at it.
pub trait Arena: Encode<Position: Send + Sync> + 'static {
    /// The numbering of moves that networks use unless told otherwise.
    type Actions: Actions<Game = Self>;

    /// The weights of the network that comes with the program, if one does.
    const SHIPPED: Option<&'static [u8]>;

    /// The protocol in which programs play this game.
    const PROTOCOL: Protocol;

    /// Whether a side that repeats a position by checking all the while loses, not draws.
    const PERPETUAL_CHECK_LOSES: bool;

    /// How often a position must have occurred before so that reaching it again ends the game, or
    /// lets a player end it.
    const REPETITIONS: usize;

    /// How many hundredths of a pawn multiply the odds of winning by e, when a chance to win is
    /// told as a score.
    const SCORE_SCALE: f32;

    /// A game for a match: from a position in the game's notation, by the rules that apply between
    /// programs, drawn after `move_limit` moves.
    fn contest(start: &str, move_limit: Option<usize>) -> Result<Self, Self::PositionError>;

    /// The side to move declares a win, if the rules let it, and so ends the game.
    fn declare_win(&mut self) -> Option<Outcome>;

    /// Ends a game that is not over for a reason outside the board, such as time.
    fn adjudicate(&mut self, outcome: Outcome);

    /// The legal moves that give check.
    fn checks(position: &Self::Position) -> Vec<Self::Move>;

    /// A key of the position without what is held in hand, and what `side` holds, a byte a kind.
    /// Whoever holds more, while the other side holds less, stands no worse.
    fn held(position: &Self::Position, _side: Side) -> (u64, u64) {
        (position.key(), 0)
    }

    /// The worth of everything that the side to move has, less that of the other side, in
    /// hundredths of a pawn.
    fn material(position: &Self::Position) -> i32;

    /// What the side to move gains in material by `mv`: what is taken and promoted.
    fn gain(position: &Self::Position, mv: Self::Move) -> i32;

    /// Whether the side to move could declare a win now.
    fn can_declare(&self) -> bool {
        let outcome = self.clone().declare_win();
        outcome.is_some_and(|outcome| outcome.winner() == Some(self.turn()))
    }
}

/// A protocol between programs that play and programs that show games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Shogi Interface.
    Usi,
    /// The Universal Chess Interface.
    Uci,
}

/// Whether `mv` mates. It must be legal.
pub fn mates<P: Position>(position: &P, mv: P::Move) -> bool {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next.in_check() && next.count_legal_moves() == 0
}
