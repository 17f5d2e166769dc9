//! What a terminal needs of a game beyond its rules.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use keisei_game::{BoardStyle, Outcome, PositionLine, Start};
use keisei_ladder::contest::Contested;
use keisei_records::TextError;
use keisei_records::notation::{DragonForm, KingForm, Spelling};

/// How boards and moves are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Letters
    #[default]
    Ascii,
    /// Japanese characters (shogi)
    Kanji,
}

impl From<Style> for BoardStyle {
    fn from(style: Style) -> Self {
        match style {
            Style::Ascii => Self::Ascii,
            Style::Kanji => Self::Kanji,
        }
    }
}

/// How Japanese text spells the pieces that have two characters. Both are always read.
#[derive(Args, Clone, Copy)]
pub(crate) struct SpellingArgs {
    /// The promoted rook in Japanese text
    #[arg(long, value_enum, value_name = "KANJI", default_value_t)]
    dragon: Dragon,
    /// The king in Japanese text
    #[arg(long, value_enum, value_name = "KANJI", default_value_t)]
    king: King,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Dragon {
    #[default]
    #[value(name = "龍", alias = "traditional")]
    Traditional,
    #[value(name = "竜", alias = "simplified")]
    Simplified,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum King {
    #[default]
    #[value(name = "玉", alias = "jewel")]
    Jewel,
    #[value(name = "王", alias = "king")]
    King,
}

impl SpellingArgs {
    /// A board or a move in this spelling.
    pub(crate) fn spell(self, text: &str) -> String {
        let dragon = match self.dragon {
            Dragon::Traditional => DragonForm::Traditional,
            Dragon::Simplified => DragonForm::Simplified,
        };
        let king = match self.king {
            King::Jewel => KingForm::Jewel,
            King::King => KingForm::King,
        };
        Spelling { dragon, king, ..Spelling::default() }.respell(text)
    }
}

/// A game that the command line can play, show and write.
pub(crate) trait TextGame: Contested {}

impl<G: Contested> TextGame for G {}

/// A game from what a person typed: `startpos`, a position in notation, or a handicap's name, with
/// `moves` and their list after it, and `position`, `sfen` or `fen` before it as engines have it.
pub(crate) fn from_text<G: TextGame>(text: &str) -> Result<G> {
    let line = PositionLine::read::<G>(text);
    match line.start {
        Start::Name(name) => match G::handicap_start(name) {
            Ok(start) => Ok(line.play(G::with_rules(start, G::RULES))?),
            Err(TextError::NoHandicaps { .. }) => Ok(line.game(G::RULES)?),
            Err(error) => bail!("expected startpos, a position or a handicap; {error}"),
        },
        _ => Ok(line.game(G::RULES)?),
    }
}

/// Who won and by what rule, in words.
pub(crate) fn result<G: TextGame>(outcome: Outcome) -> String {
    match outcome.winner() {
        Some(side) => format!("{} wins by {}", G::color(side), outcome.reason()),
        None => format!("draw by {}", outcome.reason()),
    }
}
