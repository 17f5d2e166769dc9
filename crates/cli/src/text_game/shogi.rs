//! Shogi in a terminal.

use anyhow::Result;
use keisei_game::{Game, Side};
use keisei_shogi::{BoardStyle, Color, DeclarationRule, HandKind, Move, Position, Rules, Shogi};

use super::{Style, TextGame, columns};

impl TextGame for Shogi {
    const MOVE_HELP: &'static str = "  7g7f         the piece on 7g goes to 7f
  8h2b+        and promotes
  P*5e         a pawn is dropped on 5e";

    fn color(side: Side) -> &'static str {
        match side.into() {
            Color::Black => "black",
            Color::White => "white",
        }
    }

    fn handicap(name: &str) -> Result<Self> {
        Ok(Self::handicap(name.parse()?))
    }

    /// An entered king may be declared with 27 points.
    fn between_people(start: &Position, move_limit: Option<usize>) -> Self {
        let usual = Rules { declaration: DeclarationRule::Points27, ..Rules::default() };
        Self::with_rules(*start, Rules { move_limit: move_limit.or(usual.move_limit), ..usual })
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

    fn announced(&self, mv: Move, _: Style) -> String {
        mv.to_string()
    }

    fn book_move(&self, mv: Move) -> Result<String> {
        Ok(mv.to_string())
    }

    fn read_move(&self, text: &str) -> Result<Move> {
        Ok(text.parse()?)
    }

    fn claim(&mut self) -> Result<()> {
        self.declare()?;
        Ok(())
    }
}
