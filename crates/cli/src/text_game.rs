//! What a terminal needs of a game beyond its rules.

mod chess;
mod shogi;

use anyhow::{Context, Result};
use clap::ValueEnum;
use keisei_game::{Outcome, PositionLine, Side, Start};
use keisei_ladder::contest::Contested;
use keisei_records::{Library, Source, Statistics};

/// How boards and moves are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Letters
    #[default]
    Ascii,
    /// Japanese characters (shogi)
    Kanji,
}

/// A game that can be shown, typed and read in a terminal.
pub(crate) trait TextGame: Contested {
    /// How moves are typed, for a help text.
    const MOVE_HELP: &'static str;

    /// The colour of a side in lower case: `black` or `white`.
    fn color(side: Side) -> &'static str;

    /// A game from a named handicap.
    fn handicap(name: &str) -> Result<Self>;

    /// The board, or why it cannot be printed in this style.
    fn board(&self, style: Style) -> Result<String>;

    /// The pieces that `side` holds in hand with their numbers. Always empty in a game without
    /// hands.
    fn hand(&self, side: Side) -> Vec<(char, u8)>;

    /// The squares of the pieces that give check.
    fn checkers(&self) -> Vec<String>;

    /// The legal moves as a list to read.
    fn move_list(&self) -> String;

    /// A legal move as it is announced in a game.
    fn announced(&self, mv: Self::Move, style: Style) -> String;

    /// A legal move as books print it: SAN, or Japanese notation.
    fn book_move(&self, mv: Self::Move) -> Result<String>;

    /// A legal move in Western notation: SAN, or P-7f.
    fn western_move(&self, mv: Self::Move) -> Result<String> {
        self.book_move(mv)
    }

    /// Reads a move that a person typed, in any notation that the game has.
    fn read_move(&self, text: &str) -> Result<Self::Move>;

    /// The games of this kind in a collection, and where each comes from.
    fn of_library(library: &Library) -> (&Statistics<Self>, &[Source]);
}

/// A game from what a person typed: `startpos`, a position in notation, or a handicap's name, with
/// `moves` and their list after it, and `position`, `sfen` or `fen` before it as engines have it.
pub(crate) fn from_text<G: TextGame>(text: &str) -> Result<G> {
    let line = PositionLine::read::<G>(text);
    match line.start {
        Start::Name(name) => {
            let nothing =
                || format!("{name:?} is neither startpos, nor a position, nor a handicap");
            Ok(line.play(G::handicap(name).with_context(nothing)?)?)
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
