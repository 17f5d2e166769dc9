//! The rules that players agree on before a game.

use clap::{Args, ValueEnum};

/// What is a matter of agreement.
#[derive(Args)]
pub(crate) struct AgreedRules {
    /// After this many moves the game is a draw [default: 500 in shogi, no limit in chess]
    #[arg(long, value_name = "N")]
    pub(crate) max_moves: Option<usize>,
    /// How an entered king is declared (shogi) [default: 27]
    #[arg(long, value_enum, value_name = "RULE")]
    pub(crate) declaration: Option<DeclarationName>,
    /// A king that reaches the other king's starting square wins (shogi)
    #[arg(long)]
    pub(crate) try_rule: bool,
}

/// A declaration rule by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeclarationName {
    /// 28 points win for Black, 27 for White
    #[value(name = "27")]
    Points27,
    /// 31 points win, 24 draw
    #[value(name = "24")]
    Points24,
    /// No declarations
    Off,
}
