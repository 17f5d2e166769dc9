//! Animal shogi as it is shown.

use keisei_animal::{Animal, Move, PieceKind, Position};

use super::{NotationStyle, Shown};

impl Shown for Animal {
    const ROWS: usize = 4;
    const KINDS: &'static [&'static str] = &["L", "+C", "G", "E", "C"];
    const KING: &'static str = "L";
    const HAS_HANDS: bool = true;
    const NOTATIONS: &'static [NotationStyle] = &[NotationStyle::Usi];

    fn files() -> Vec<String> {
        (1..=3).rev().map(|file| file.to_string()).collect()
    }

    fn ranks() -> Vec<String> {
        ('a'..='d').map(String::from).collect()
    }

    fn kind_name(kind: &str) -> &'static str {
        let found = PieceKind::ALL.into_iter().find(|one| one.letters() == kind);
        found.map_or("", PieceKind::name)
    }

    fn total(kind: &str) -> u32 {
        if kind.starts_with('+') { 0 } else { 2 }
    }

    fn captured_by(position: &Position, mv: Move) -> Option<String> {
        position.piece_at(mv.to()).map(|piece| piece.kind.letters().to_owned())
    }

    fn checkers_of(position: &Position) -> Vec<String> {
        position.checkers().map(|square| square.to_string()).collect()
    }

    fn spell(_: &Position, mv: Move, _: Option<Move>, _: NotationStyle) -> String {
        mv.to_string()
    }
}
