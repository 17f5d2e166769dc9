//! Shogi in a terminal.

use anyhow::{Context, Result};
use keisei_game::{Game, Side};
use keisei_records::notation::{Spelling, japanese, parse_any, western};
use keisei_records::{Library, Source, Statistics};
use keisei_shogi::{BoardStyle, Color, HandKind, Move, Shogi, Square};

use super::{Style, TextGame};
use crate::words::columns;

impl TextGame for Shogi {
    const MOVE_HELP: &'static str = "  7g7f         the piece on 7g goes to 7f
  8h2b+        and promotes
  P*5e         a pawn is dropped on 5e
  ７六歩, 同銀, ５五角打, P-7f, Bx2b+
               the same in Japanese or Western notation";

    fn color(side: Side) -> &'static str {
        match side.into() {
            Color::Black => "black",
            Color::White => "white",
        }
    }

    fn handicap(name: &str) -> Result<Self> {
        Ok(Self::handicap(name.parse()?))
    }

    fn board(&self, style: Style) -> Result<String> {
        Ok(self.text(match style {
            Style::Ascii => BoardStyle::Ascii,
            Style::Kanji => BoardStyle::Kanji,
        }))
    }

    fn hand(&self, side: Side) -> Vec<(char, u8)> {
        let hand = self.position().hand(side.into());
        let held = HandKind::ALL.into_iter().filter(|&kind| hand.has(kind));
        held.map(|kind| (kind.kind().letter(), hand.count(kind))).collect()
    }

    fn checkers(&self) -> Vec<String> {
        self.position().checkers().into_iter().map(|square| square.to_string()).collect()
    }

    fn move_list(&self) -> String {
        let moves: Vec<_> = self.legal_moves().iter().map(Move::to_string).collect();
        columns(&moves, 10)
    }

    fn announced(&self, mv: Move, style: Style) -> String {
        match (style, self.book_move(mv)) {
            (Style::Kanji, Ok(name)) => format!("{name} ({mv})"),
            _ => mv.to_string(),
        }
    }

    fn book_move(&self, mv: Move) -> Result<String> {
        Ok(japanese(self.position(), mv, previous(self), Spelling::default())?)
    }

    fn western_move(&self, mv: Move) -> Result<String> {
        Ok(western(self.position(), mv)?)
    }

    fn read_move(&self, text: &str) -> Result<Move> {
        match text.parse::<Move>() {
            Ok(mv) => Ok(mv),
            Err(_) => parse_any(self.position(), text, previous(self))
                .with_context(|| format!("{text:?} is no move here")),
        }
    }

    fn of_library(library: &Library) -> (&Statistics<Self>, &[Source]) {
        (&library.shogi, &library.shogi_sources)
    }
}

/// Where the move before went.
fn previous(game: &Shogi) -> Option<Square> {
    game.moves().last().map(|mv| mv.to())
}
