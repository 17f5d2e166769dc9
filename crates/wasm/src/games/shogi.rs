//! Shogi as it is shown.

use keisei_records::notation::{Spelling, japanese, kif, western};
use keisei_shogi::{HandKind, Move, PieceKind, Position, Shogi};

use super::{Handicap, NotationStyle, Shown};
use crate::rules::Declaration;

impl Shown for Shogi {
    const ROWS: usize = 9;
    const KINDS: &'static [&'static str] =
        &["K", "+R", "+B", "R", "B", "G", "+S", "+N", "+L", "+P", "S", "N", "L", "P"];
    const KING: &'static str = "K";
    const HAS_HANDS: bool = true;
    const NOTATIONS: &'static [NotationStyle] =
        &[NotationStyle::Japanese, NotationStyle::Western, NotationStyle::Kif, NotationStyle::Usi];

    fn files() -> Vec<String> {
        (1..=9).rev().map(|file| file.to_string()).collect()
    }

    fn ranks() -> Vec<String> {
        ('a'..='i').map(String::from).collect()
    }

    fn kind_name(kind: &str) -> &'static str {
        match kind {
            "K" => "king",
            "R" => "rook",
            "B" => "bishop",
            "G" => "gold",
            "S" => "silver",
            "N" => "knight",
            "L" => "lance",
            "P" => "pawn",
            "+R" => "dragon",
            "+B" => "horse",
            "+S" => "promoted silver",
            "+N" => "promoted knight",
            "+L" => "promoted lance",
            _ => "tokin",
        }
    }

    fn total(kind: &str) -> u32 {
        let kind = kind.chars().next().and_then(PieceKind::from_letter);
        match kind.map(|kind| (kind, kind.in_hand())) {
            Some((PieceKind::King, _)) => 2,
            Some((_, Some(held))) => HandKind::total(held).into(),
            _ => 0,
        }
    }

    fn captured_by(position: &Position, mv: Move) -> Option<String> {
        position.piece_at(mv.to()).map(|piece| piece.symbol().to_ascii_uppercase())
    }

    fn checkers_of(position: &Position) -> Vec<String> {
        position.checkers().into_iter().map(|square| square.to_string()).collect()
    }

    fn spell(
        position: &Position,
        mv: Move,
        previous: Option<Move>,
        style: NotationStyle,
    ) -> String {
        let before = previous.map(Move::to);
        let text = match style {
            NotationStyle::Japanese => japanese(position, mv, before, Spelling::default()),
            NotationStyle::Western => western(position, mv),
            NotationStyle::Kif => kif(position, mv, before),
            NotationStyle::Usi | NotationStyle::San => return mv.to_string(),
        };
        text.unwrap_or_else(|_| mv.to_string())
    }

    fn declaration_of(&self) -> Option<Declaration> {
        self.declaration().map(|counted| Declaration::new(&counted, self))
    }

    fn handicaps() -> Vec<Handicap> {
        let all = keisei_shogi::Handicap::ALL.into_iter();
        all.map(|handicap| Handicap {
            name: handicap.name().to_owned(),
            japanese: handicap.japanese().to_owned(),
            position: handicap.sfen().to_owned(),
        })
        .collect()
    }
}
