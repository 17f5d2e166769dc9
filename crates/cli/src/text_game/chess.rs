//! Chess in a terminal.

use anyhow::{Result, bail};
use keisei_chess::{Chess, Color, Move};
use keisei_game::{Game, Side};
use keisei_records::{Library, Source, Statistics};

use super::{Style, TextGame};

impl TextGame for Chess {
    const MOVE_HELP: &'static str =
        "  e2e4         the piece on e2 goes to e4; e1g1 castles, e7e8q promotes
  Nf3          the same in algebraic notation: exd5, O-O, e8=Q";

    fn color(side: Side) -> &'static str {
        match side.into() {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    fn handicap(name: &str) -> Result<Self> {
        bail!("chess has no handicaps, so {name:?} is none");
    }

    fn board(&self, style: Style) -> Result<String> {
        match style {
            Style::Ascii => Ok(self.board_text()),
            Style::Kanji => bail!("chess has no kanji board"),
        }
    }

    fn hand(&self, _: Side) -> Vec<(char, u8)> {
        Vec::new()
    }

    fn checkers(&self) -> Vec<String> {
        self.position().checkers().into_iter().map(|square| square.to_string()).collect()
    }

    fn move_list(&self) -> String {
        let moves = if self.is_over() { Vec::new() } else { self.position().listed_moves() };
        moves.into_iter().map(|mv| mv + "\n").collect()
    }

    fn announced(&self, mv: Move, _: Style) -> String {
        let promotion = mv.promotion().map_or(String::new(), |kind| format!("={}", kind.letter()));
        format!("{} -> {}{promotion}", mv.from(), mv.to())
    }

    fn book_move(&self, mv: Move) -> Result<String> {
        Ok(self.position().san(mv)?)
    }

    fn read_move(&self, text: &str) -> Result<Move> {
        match text.parse::<Move>() {
            Ok(mv) => Ok(self.position().canonical(mv)),
            Err(_) => Ok(self.position().parse_san(text)?),
        }
    }

    fn of_library(library: &Library) -> (&Statistics<Self>, &[Source]) {
        (&library.chess, &library.chess_sources)
    }
}
