//! How a game ends.

use std::fmt;

use crate::Side;

/// The result of a finished game and the rule that ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    winner: Option<Side>,
    reason: Reason,
}

/// The rule that ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move has no legal move and is not in check: lost in shogi, drawn in chess.
    NoMoves,
    /// The same position occurred too often.
    Repetition,
    /// The same position occurred too often and one side gave check all the while: it loses.
    PerpetualCheck,
    /// An entering king was declared with enough points.
    Declaration,
    /// A king was captured, where the rules let a player leave it in check: the lion of animal
    /// shogi.
    KingCaptured,
    /// A king reached its goal (the try rule): the square where the other king starts in shogi, the
    /// last rank in animal shogi.
    Try,
    /// A player gave up.
    Resignation,
    /// The configured number of moves was reached. The game was cut off rather than finished.
    MoveLimit,
    /// Fifty moves by each side without a capture or a pawn move, claimed.
    FiftyMoves,
    /// Seventy-five moves by each side without a capture or a pawn move.
    SeventyFiveMoves,
    /// Neither side has the pieces to give mate.
    InsufficientMaterial,
    /// A player ran out of time.
    Timeout,
    /// A player made an illegal move.
    IllegalMove,
    /// The players agreed on a draw.
    Agreement,
    /// A player failed to go on: a crash, a lost connection, an abandoned game.
    Abandoned,
}

impl Outcome {
    /// `winner` wins by `reason`.
    pub const fn win(winner: Side, reason: Reason) -> Self {
        Self { winner: Some(winner), reason }
    }

    /// Nobody wins, by `reason`.
    pub const fn draw(reason: Reason) -> Self {
        Self { winner: None, reason }
    }

    /// The winner, or `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        self.winner
    }

    /// The rule that ended the game.
    pub const fn reason(self) -> Reason {
        self.reason
    }

    /// Whether nobody won.
    pub const fn is_draw(self) -> bool {
        self.winner.is_none()
    }

    /// Whether the game was cut off by a limit instead of being ended by the rules. A learner may
    /// look beyond such an end, because the position itself decides nothing.
    pub const fn truncated(self) -> bool {
        matches!(self.reason, Reason::MoveLimit)
    }

    /// What `side` gets: 1 for a win, −1 for a loss, 0 for a draw.
    pub fn reward(self, side: Side) -> f32 {
        match self.winner {
            None => 0.0,
            Some(winner) if winner == side => 1.0,
            Some(_) => -1.0,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::NoMoves => "no legal moves",
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual check",
            Self::Declaration => "declaration",
            Self::KingCaptured => "capture of the king",
            Self::Try => "try rule",
            Self::Resignation => "resignation",
            Self::MoveLimit => "move limit",
            Self::FiftyMoves => "fifty-move rule",
            Self::SeventyFiveMoves => "seventy-five-move rule",
            Self::InsufficientMaterial => "insufficient material",
            Self::Timeout => "time",
            Self::IllegalMove => "illegal move",
            Self::Agreement => "agreement",
            Self::Abandoned => "abandoned",
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} wins by {}", self.reason),
            None => write!(f, "draw by {}", self.reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_sum_to_zero_and_favour_the_winner() {
        let win = Outcome::win(Side::Second, Reason::Checkmate);
        assert_eq!([win.reward(Side::First), win.reward(Side::Second)], [-1.0, 1.0]);
        let draw = Outcome::draw(Reason::Repetition);
        assert_eq!([draw.reward(Side::First), draw.reward(Side::Second)], [0.0, 0.0]);
    }

    #[test]
    fn only_the_move_limit_truncates() {
        assert!(Outcome::draw(Reason::MoveLimit).truncated());
        assert!(!Outcome::draw(Reason::Repetition).truncated());
    }
}
