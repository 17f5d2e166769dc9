//! What a terminal needs of a game beyond its rules.

use anyhow::{Context, Result};
use clap::ValueEnum;
use keisei_game::{BoardStyle, Outcome};
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
    let mut words = text.split_whitespace().peekable();
    words.next_if_eq(&"position");
    words.next_if_eq(&G::NOTATION);
    let mut start = Vec::new();
    while let Some(word) = words.next_if(|&word| word != "moves") {
        start.push(word);
    }
    let start = start.join(" ");
    let mut game = if start == "startpos" {
        G::new()
    } else if start.contains('/') {
        let no_position = || format!("{start:?} is no {} position", G::NAME);
        G::from_notation(&start).with_context(no_position)?
    } else {
        let nothing = || format!("{start:?} is neither a position nor `startpos`");
        G::with_rules(G::handicap_start(&start).with_context(nothing)?, G::RULES)
    };
    for (number, word) in (1..).zip(words.skip(1)) {
        let mv = game.parse_move(word).with_context(|| format!("move {number}"))?;
        game.play(mv).with_context(|| format!("move {number}, {word}"))?;
    }
    Ok(game)
}

/// Who won and by what rule, in words.
pub(crate) fn result<G: TextGame>(outcome: Outcome) -> String {
    match outcome.winner() {
        Some(side) => format!("{} wins by {}", G::color(side), outcome.reason()),
        None => format!("draw by {}", outcome.reason()),
    }
}
