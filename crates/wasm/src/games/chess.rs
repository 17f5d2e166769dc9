//! Chess as it is shown.

use keisei_chess::{Chess, Move, Position};

use super::{NotationStyle, Shown};

impl Shown for Chess {
    const ROWS: usize = 8;
    const KINDS: &'static [&'static str] = &["K", "Q", "R", "B", "N", "P"];
    const KING: &'static str = "K";
    const HAS_HANDS: bool = false;
    const NOTATIONS: &'static [NotationStyle] = &[NotationStyle::San, NotationStyle::Usi];

    fn files() -> Vec<String> {
        ('a'..='h').map(String::from).collect()
    }

    fn ranks() -> Vec<String> {
        (1..=8).rev().map(|rank| rank.to_string()).collect()
    }

    fn kind_name(kind: &str) -> &'static str {
        match kind {
            "K" => "king",
            "Q" => "queen",
            "R" => "rook",
            "B" => "bishop",
            "N" => "knight",
            _ => "pawn",
        }
    }

    fn total(kind: &str) -> u32 {
        match kind {
            "K" | "Q" => 2,
            "P" => 16,
            _ => 4,
        }
    }

    fn captured_by(position: &Position, mv: Move) -> Option<String> {
        position.captured_by(mv).map(|piece| piece.kind.letter().to_ascii_uppercase().to_string())
    }

    fn checkers_of(position: &Position) -> Vec<String> {
        position.checkers().into_iter().map(|square| square.to_string()).collect()
    }

    fn spell(position: &Position, mv: Move, _: Option<Move>, style: NotationStyle) -> String {
        match style {
            NotationStyle::Usi => mv.to_string(),
            _ => position.san(mv).unwrap_or_else(|_| mv.to_string()),
        }
    }
}
