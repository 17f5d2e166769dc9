//! The rules that are a matter of agreement.

use std::error::Error;
use std::fmt;

use crate::Game;

/// What players agree on before a game. A rule that a game does not have changes nothing in it;
/// where a person asks for one, [`Rules::with_entering_king`] refuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// After this many moves of either player the game is a draw, unless its last move ended it
    /// otherwise.
    pub move_limit: Option<usize>,
    /// Whether a draw that a player could claim (chess: the third occurrence of a position, fifty
    /// moves without progress) ends the game at once.
    pub auto_claim: bool,
    /// Whether and with how many points an entered king may be declared (shogi).
    pub declaration: DeclarationRule,
    /// Whether a declaring giver of a handicap counts the pieces that it gave.
    pub handicap_points: bool,
    /// Whether a king that reaches the other king's starting square wins (shogi).
    pub try_rule: bool,
}

/// With how many points an entered king may be declared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DeclarationRule {
    /// No declarations.
    #[default]
    Off,
    /// 28 points win for the first side, 27 for the second.
    Points27,
    /// 31 points win; 24 to 30 draw.
    Points24,
}

/// A rule that a game does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoEnteringKing {
    /// The game.
    pub game: &'static str,
}

/// The refusal of a claim in a game where nothing can be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NothingToClaim {
    /// The game.
    pub game: &'static str,
}

impl Rules {
    /// The board alone: no limit, no declarations, and whoever wants a draw must claim it.
    pub const BARE: Self = Self {
        move_limit: None,
        auto_claim: false,
        declaration: DeclarationRule::Off,
        handicap_points: true,
        try_rule: false,
    };

    /// The rules of learning: nobody is there to claim a draw, and the learner cuts games off
    /// itself.
    pub const LEARNING: Self = Self { auto_claim: true, ..Self::BARE };

    /// The rules between programs, which claim draws at once and may declare by 27 points.
    pub const fn between_programs(move_limit: Option<usize>) -> Self {
        Self { move_limit, declaration: DeclarationRule::Points27, ..Self::LEARNING }
    }

    /// The rules between people: the usual ones of the game, and declarations by 27 points.
    pub const fn between_people<G: Game>() -> Self {
        Self { declaration: DeclarationRule::Points27, ..G::RULES }
    }

    /// These rules with another answer to entering kings, if `G` has such a rule at all.
    pub fn with_entering_king<G: Game>(
        self,
        declaration: DeclarationRule,
        try_rule: bool,
    ) -> Result<Self, NoEnteringKing> {
        if !G::ENTERING_KING {
            return Err(NoEnteringKing { game: G::NAME });
        }
        Ok(Self { declaration, try_rule, ..self })
    }
}

impl fmt::Display for NoEnteringKing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has neither declarations nor a try rule", self.game)
    }
}

impl Error for NoEnteringKing {}

impl fmt::Display for NothingToClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is nothing to claim or to declare in {}", self.game)
    }
}

impl Error for NothingToClaim {}
