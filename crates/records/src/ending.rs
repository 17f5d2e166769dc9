//! How a line of a record ends: the words 投了, %SENNICHITE or `1-0`.

use std::fmt;

use keisei_game::{Outcome, Reason, Side};

/// The mark that ends a line of a record. "The mover" is the side whose turn it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The mover resigned (投了).
    Resignation,
    /// The mover ran out of time (切れ負け).
    Timeout,
    /// The game was stopped and may be resumed (中断).
    Interruption,
    /// The position repeated: sennichite, or threefold repetition in chess.
    Repetition,
    /// Both kings entered and neither can be mated (持将棋).
    Impasse,
    /// A draw for a reason not written.
    Draw,
    /// The agreed number of moves was reached.
    MaxMoves,
    /// The mover is mated (詰み).
    Checkmate,
    /// A mate was looked for and there is none (不詰).
    NoMate,
    /// The mover made an illegal move and lost (反則負け).
    IllegalMove,
    /// The mover wins because the last move was illegal (反則勝ち).
    OpponentIllegalMove,
    /// The mover declared a win with an entered king (入玉勝ち).
    Declaration,
    /// The mover's king reached the square where the other king starts (トライ).
    Try,
    /// The mover wins because the opponent did not play (不戦勝).
    WinByDefault,
    /// The mover loses without play (不戦敗).
    LossByDefault,
    /// The mover has no legal move and is not in check, in chess a draw.
    Stalemate,
    /// The move before was taken back (待った), a mark of old CSA files.
    TakenBack,
    /// The program that kept the record failed.
    Error,
    /// A side won for a reason not written.
    Won(Side),
}

impl Ending {
    /// All endings.
    pub const ALL: [Self; 20] = [
        Self::Resignation,
        Self::Timeout,
        Self::Interruption,
        Self::Repetition,
        Self::Impasse,
        Self::Draw,
        Self::MaxMoves,
        Self::Checkmate,
        Self::NoMate,
        Self::IllegalMove,
        Self::OpponentIllegalMove,
        Self::Declaration,
        Self::Try,
        Self::WinByDefault,
        Self::LossByDefault,
        Self::Stalemate,
        Self::TakenBack,
        Self::Error,
        Self::Won(Side::First),
        Self::Won(Side::Second),
    ];

    /// The mark for `outcome` when `mover` is to move.
    pub fn of(outcome: Outcome, mover: Side) -> Self {
        let same = |ending: &Self| ending.outcome(mover) == Some(outcome);
        match (outcome.reason(), outcome.winner()) {
            // Perpetual check is a breach of the rules by the checker.
            (Reason::PerpetualCheck, Some(winner)) if winner == mover => Self::OpponentIllegalMove,
            (Reason::PerpetualCheck, _) => Self::IllegalMove,
            (_, winner) => Self::ALL.into_iter().find(same).unwrap_or(match winner {
                Some(winner) => Self::Won(winner),
                None => Self::Draw,
            }),
        }
    }

    /// What the ending means for the game when `mover` is to move, or `None` if it decides nothing.
    pub const fn outcome(self, mover: Side) -> Option<Outcome> {
        let other = match mover {
            Side::First => Side::Second,
            Side::Second => Side::First,
        };
        Some(match self {
            Self::Resignation => Outcome::win(other, Reason::Resignation),
            Self::Timeout => Outcome::win(other, Reason::Timeout),
            Self::Checkmate => Outcome::win(other, Reason::Checkmate),
            Self::IllegalMove => Outcome::win(other, Reason::IllegalMove),
            Self::LossByDefault => Outcome::win(other, Reason::Abandoned),
            Self::OpponentIllegalMove => Outcome::win(mover, Reason::IllegalMove),
            Self::Declaration => Outcome::win(mover, Reason::Declaration),
            Self::Try => Outcome::win(mover, Reason::Try),
            Self::WinByDefault => Outcome::win(mover, Reason::Abandoned),
            Self::Won(side) => Outcome::win(side, Reason::Agreement),
            Self::Repetition => Outcome::draw(Reason::Repetition),
            Self::Impasse | Self::Draw => Outcome::draw(Reason::Agreement),
            Self::MaxMoves => Outcome::draw(Reason::MoveLimit),
            Self::Stalemate => Outcome::draw(Reason::NoMoves),
            Self::Interruption | Self::NoMate | Self::TakenBack | Self::Error => return None,
        })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resignation => "resignation",
            Self::Timeout => "time forfeit",
            Self::Interruption => "interruption",
            Self::Repetition => "repetition",
            Self::Impasse => "impasse",
            Self::Draw => "draw",
            Self::MaxMoves => "move limit",
            Self::Checkmate => "checkmate",
            Self::NoMate => "no mate",
            Self::IllegalMove => "illegal move",
            Self::OpponentIllegalMove => "opponent's illegal move",
            Self::Declaration => "declaration",
            Self::Try => "try rule",
            Self::WinByDefault => "win by default",
            Self::LossByDefault => "loss by default",
            Self::Stalemate => "stalemate",
            Self::TakenBack => "taken back",
            Self::Error => "error",
            Self::Won(Side::First) => "won by the first side",
            Self::Won(Side::Second) => "won by the second side",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_marked_as_records_know_them() {
        let mark = |outcome| Ending::of(outcome, Side::First);
        let lost = |reason| mark(Outcome::win(Side::Second, reason));
        let won = |reason| mark(Outcome::win(Side::First, reason));
        assert_eq!(lost(Reason::Checkmate), Ending::Checkmate);
        assert_eq!(lost(Reason::Resignation), Ending::Resignation);
        assert_eq!(won(Reason::Declaration), Ending::Declaration);
        assert_eq!(won(Reason::PerpetualCheck), Ending::OpponentIllegalMove);
        assert_eq!(lost(Reason::PerpetualCheck), Ending::IllegalMove);
        assert_eq!(lost(Reason::Try), Ending::Won(Side::Second));
        assert_eq!(mark(Outcome::draw(Reason::Repetition)), Ending::Repetition);
        assert_eq!(mark(Outcome::draw(Reason::MoveLimit)), Ending::MaxMoves);
        assert_eq!(mark(Outcome::draw(Reason::NoMoves)), Ending::Stalemate);
        assert_eq!(mark(Outcome::draw(Reason::InsufficientMaterial)), Ending::Draw);
    }
}
