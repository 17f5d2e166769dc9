//! What a game must offer for its records to be kept.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use keisei_chess::Chess;
use keisei_game::{Game, Outcome, Reason, Side};
use keisei_shogi::Shogi;

use crate::Notes;
use crate::formats::{pgn, remarks};

/// A game whose records can be kept. Its positions and moves have the text of the game's engine
/// protocol.
pub trait Recorded:
    Game<Position: Debug + PartialEq + Display + FromStr<Err = Self::PositionError>, Move: FromStr>
{
    /// Which rule a move breaks.
    type Illegal: Error + Send + Sync + 'static;

    /// The headers that name the players, the first side first.
    const PLAYER_KEYS: [&'static str; 2];

    /// Whether `mv` may be played in `position`, by the rules of the board alone: a record may go
    /// on after a repetition.
    fn check(position: &Self::Position, mv: Self::Move) -> Result<(), Self::Illegal>;

    /// The outcome that `position` has by itself: mate or no moves.
    fn natural_outcome(position: &Self::Position) -> Option<Outcome>;

    /// `position` with the colours exchanged, for statistics that take both sides together: the
    /// first side is to move in it. `None` where the first side is to move already, or where the
    /// game is not the same for both sides.
    fn fold(position: &Self::Position) -> Option<Self::Position>;

    /// The move that goes with [`Recorded::fold`]: the same move seen from the other side. It
    /// undoes itself.
    fn fold_move(mv: Self::Move) -> Self::Move;

    /// Adds comment lines about `position` to `notes`: evaluations, times and what remains as the
    /// comment.
    fn read_remarks(position: &Self::Position, lines: &str, notes: &mut Notes<Self::Move>);
}

impl Recorded for Shogi {
    type Illegal = keisei_shogi::IllegalMove;

    const PLAYER_KEYS: [&'static str; 2] = ["先手", "後手"];

    fn check(position: &Self::Position, mv: Self::Move) -> Result<(), Self::Illegal> {
        position.check_legal(mv)
    }

    fn natural_outcome(position: &Self::Position) -> Option<Outcome> {
        let reason = if position.in_check() { Reason::Checkmate } else { Reason::NoMoves };
        let winner: Side = (!position.turn()).into();
        (!position.has_legal_moves()).then_some(Outcome::win(winner, reason))
    }

    fn fold(position: &Self::Position) -> Option<Self::Position> {
        use keisei_shogi::{ByColor, Color, Piece, Position};
        if position.turn() == Color::Black {
            return None;
        }
        let mut setup = position.setup();
        setup.board.reverse();
        let flip = |piece: Piece| Piece::new(!piece.color, piece.kind);
        setup.board.iter_mut().for_each(|square| *square = square.map(flip));
        setup.hands = ByColor([setup.hands[Color::White], setup.hands[Color::Black]]);
        setup.turn = Color::Black;
        Position::try_from(setup).ok()
    }

    fn fold_move(mv: Self::Move) -> Self::Move {
        mv.rotated()
    }

    fn read_remarks(position: &Self::Position, lines: &str, notes: &mut Notes<Self::Move>) {
        remarks::read(position, lines, notes);
    }
}

impl Recorded for Chess {
    type Illegal = keisei_chess::IllegalMove;

    const PLAYER_KEYS: [&'static str; 2] = ["White", "Black"];

    fn check(position: &Self::Position, mv: Self::Move) -> Result<(), Self::Illegal> {
        position.check_legal(mv)
    }

    fn natural_outcome(position: &Self::Position) -> Option<Outcome> {
        let winner: Side = (!position.turn()).into();
        match (position.has_legal_moves(), position.in_check()) {
            (true, _) => None,
            (false, true) => Some(Outcome::win(winner, Reason::Checkmate)),
            (false, false) => Some(Outcome::draw(Reason::NoMoves)),
        }
    }

    fn fold(_: &Self::Position) -> Option<Self::Position> {
        None
    }

    fn fold_move(mv: Self::Move) -> Self::Move {
        mv
    }

    fn read_remarks(_: &Self::Position, lines: &str, notes: &mut Notes<Self::Move>) {
        pgn::read_remarks(lines, notes);
    }
}
