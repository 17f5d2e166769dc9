//! What a terminal needs of a game beyond its rules.

use anyhow::{Context, Result};
use clap::ValueEnum;
use keisei_game::{BoardStyle, Outcome, PositionLine, Start};
use keisei_ladder::contest::Contested;

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

/// A game that the command line can play, show and write.
pub(crate) trait TextGame: Contested {}

impl<G: Contested> TextGame for G {}

/// A game from what a person typed: `startpos`, a position in notation, or a handicap's name, with
/// `moves` and their list after it, and `position`, `sfen` or `fen` before it as engines have it.
pub(crate) fn from_text<G: TextGame>(text: &str) -> Result<G> {
    let line = PositionLine::read::<G>(text);
    match line.start {
        Start::Name(name) => {
            let nothing =
                || format!("{name:?} is neither startpos, nor a position, nor a handicap");
            let start = G::handicap_start(name).with_context(nothing)?;
            Ok(line.play(G::with_rules(start, G::RULES))?)
        }
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
