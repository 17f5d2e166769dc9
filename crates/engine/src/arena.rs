//! What players need to know of a game beyond its rules and its encoding.

mod animal;
mod chess;
mod shogi;

use keisei_encode::Encode;
use keisei_game::{Position, Side};

/// A game that the players of this crate can play.
///
/// The worth of pieces serves the classical players, which are yardsticks. Networks and their
/// search never look at it.
pub trait Arena: Encode {
    /// The protocol in which programs play this game.
    const PROTOCOL: Protocol;

    /// How many hundredths of a pawn multiply the odds of winning by e, when a chance to win is
    /// told as a score.
    const SCORE_SCALE: f32;

    /// The legal moves that give check.
    fn checks(position: &Self::Position) -> Vec<Self::Move>;

    /// A key of the position without what is held in hand, and what `side` holds, a byte a kind.
    /// Whoever holds more, while the other side holds less, stands no worse.
    fn held(position: &Self::Position, _side: Side) -> (u64, u64) {
        (position.key(), 0)
    }

    /// The position as mate problems are set: its men, and nothing of the game that led to them.
    fn as_problem(position: &Self::Position) -> Self::Position {
        position.clone()
    }

    /// The position as a problem with one man less, for each man that it could do without; the
    /// simplest changes first. The side to move attacks.
    fn with_one_man_less(_position: &Self::Position) -> Vec<Self::Position> {
        Vec::new()
    }

    /// The worth of everything that the side to move has, less that of the other side, in
    /// hundredths of a pawn.
    fn material(position: &Self::Position) -> i32;

    /// What the side to move gains in material by `mv`: what is taken and promoted.
    fn gain(position: &Self::Position, mv: Self::Move) -> i32;
}

/// A protocol between programs that play and programs that show games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Shogi Interface.
    Usi,
    /// The Universal Chess Interface.
    Uci,
}
