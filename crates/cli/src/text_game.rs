//! What a terminal needs of a game beyond its rules.

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use keisei_game::{BoardStyle, Outcome};
use keisei_ladder::contest::Contested;
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
