//! The rules that players agree on before a game.

use clap::{Args, ValueEnum};
use keisei_game::{DeclarationRule, Game, NoEnteringKing, Rules};

/// What is a matter of agreement.
#[derive(Args)]
pub(super) struct AgreedRules {
    /// After this many moves the game is a draw [default: 500 in shogi, no limit in chess]
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
    /// How an entered king is declared (shogi) [default: 27]
    #[arg(long, value_enum, value_name = "RULE")]
    declaration: Option<DeclarationName>,
    /// A king that reaches the other king's starting square wins (shogi)
    #[arg(long)]
    try_rule: bool,
}

impl AgreedRules {
    /// The rules between people, with what was agreed on in their place.
    pub(super) fn of<G: Game>(&self) -> Result<Rules, NoEnteringKing> {
        let mut rules = Rules::between_people::<G>();
        rules.move_limit = self.max_moves.or(rules.move_limit);
        if self.declaration.is_none() && !self.try_rule {
            return Ok(rules);
        }
        let declaration = match self.declaration {
            None => rules.declaration,
            Some(DeclarationName::Points27) => DeclarationRule::Points27,
            Some(DeclarationName::Points24) => DeclarationRule::Points24,
            Some(DeclarationName::Off) => DeclarationRule::Off,
        };
        rules.with_entering_king::<G>(declaration, self.try_rule)
    }
}

/// A declaration rule by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DeclarationName {
    /// 28 points win for Black, 27 for White
    #[value(name = "27")]
    Points27,
    /// 31 points win, 24 draw
    #[value(name = "24")]
    Points24,
    /// No declarations
    Off,
}
