//! Animal shogi as it is written.

use keisei_animal::{Animal, HandKind, IllegalMove, Move, Position};
use keisei_game::{BoardStyle, Game, Side};

use super::{Recorded, TextError};
use crate::formats::usi;
use crate::{Format, Record, Text};

impl Recorded for Animal {
    type Illegal = IllegalMove;

    const PLAYER_KEYS: [&'static str; 2] = ["先手", "後手"];
    const FORMAT: Format = Format::Usi;

    const MOVE_HELP: &'static str = "  2c2b         the piece on 2c goes to 2b
  2b2a+        and the chick becomes a hen
  C*2b         a chick is dropped on 2b; E and G are the elephant and the giraffe";

    fn color(side: Side) -> &'static str {
        match side {
            Side::First => "black",
            Side::Second => "white",
        }
    }

    fn check(position: &Position, mv: Move) -> Result<(), IllegalMove> {
        position.check_legal(mv)
    }

    fn write(record: &Record<Self>, format: Format) -> Option<Text> {
        (format == Format::Usi).then(|| usi::write(record))
    }

    fn fold(position: &Position) -> Option<Position> {
        let second = position.turn() == Side::Second;
        second.then(|| Position::of_board(position.board().rotated()))
    }

    fn fold_move(mv: Move) -> Move {
        mv.rotated()
    }

    fn board(&self, style: BoardStyle) -> Result<String, TextError> {
        Ok(match style {
            BoardStyle::Ascii => self.board_text(),
            BoardStyle::Kanji => self.position().kana_text(),
        })
    }

    fn hand(&self, side: Side) -> Vec<(char, u8)> {
        let count = |kind: HandKind| (kind.letter(), self.position().in_hand(side, kind));
        HandKind::ALL.map(count).into_iter().filter(|&(_, count)| count > 0).collect()
    }

    fn checkers(&self) -> Vec<String> {
        self.position().checkers().map(|square| square.to_string()).collect()
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        let mv = text.parse().map_err(|_| TextError::NoMove { text: text.to_owned(), error: None });
        Ok(self.position().completed(mv?))
    }
}
