//! The board as text, for people.

use std::fmt::Write;

use keisei_game::Side;

use crate::{HandKind, Piece, Position, Square};

impl Position {
    /// The board in letters as in SFEN: capitals for Black, `+C` for a hen.
    ///
    /// ```
    /// print!("{}", keisei_animal::Position::start().board_text());
    /// ```
    pub fn board_text(&self) -> String {
        self.drawn(2, |piece| format!("{piece:>2}"), HandKind::letter)
    }

    /// The board in the characters of the Japanese pieces, `v` before those of White.
    pub fn kana_text(&self) -> String {
        let cell = |piece: Piece| {
            let side = if piece.side == Side::Second { 'v' } else { ' ' };
            format!("{side}{}", piece.kind.kana())
        };
        // A kana is two columns wide.
        self.drawn(3, cell, |kind| kind.kind().kana())
    }

    /// The board with cells `width` columns wide.
    fn drawn(
        &self,
        width: usize,
        cell: impl Fn(Piece) -> String,
        letter: impl Fn(HandKind) -> char,
    ) -> String {
        let hand = |side| {
            let count = |kind| {
                let count = self.in_hand(side, kind);
                (count > 0).then(|| format!(" {}x{count}", letter(kind)))
            };
            let held: String = HandKind::ALL.into_iter().rev().filter_map(count).collect();
            if held.is_empty() { " none".to_owned() } else { held }
        };
        let rule = format!("  {}+\n", format!("+{}", "-".repeat(width + 2)).repeat(3));
        let files = ["3", "2", "1"].map(|file| format!("  {file:>width$} "));
        let mut text =
            format!("White in hand:{}\n {}\n", hand(Side::Second), files.concat().trim_end());
        for square in Square::all() {
            if square.column() == 0 {
                let _ = write!(text, "{rule}{} |", char::from(b'a' + square.row() as u8));
            }
            let piece = self.piece_at(square).map_or_else(|| " ".repeat(width), &cell);
            let _ = write!(text, " {piece} |");
            if square.column() == Square::FILES - 1 {
                text.push('\n');
            }
        }
        let turn = if self.turn() == Side::First { "Black" } else { "White" };
        text + &rule + &format!("Black in hand:{}\n{turn} to move\n", hand(Side::First))
    }
}
