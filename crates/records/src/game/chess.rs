//! Chess as it is written.

use keisei_chess::{Chess, Color, IllegalMove, Move, Piece, Position};
use keisei_game::{BoardStyle, Game, Side};

use super::{Recorded, TextError};
use crate::formats::{pgn, usi};
use crate::{Format, Notes, Record, Text};

impl Recorded for Chess {
    type Illegal = IllegalMove;

    const PLAYER_KEYS: [&'static str; 2] = ["White", "Black"];
    const FORMAT: Format = Format::Pgn;

    const MOVE_HELP: &'static str =
        "  e2e4         the piece on e2 goes to e4; e1g1 castles, e7e8q promotes
  Nf3          the same in algebraic notation: exd5, O-O, e8=Q";

    const MOVES_PER_LINE: usize = 1;

    fn color(side: Side) -> &'static str {
        match side.into() {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    fn check(position: &Position, mv: Move) -> Result<(), IllegalMove> {
        position.check_legal(mv)
    }

    fn write(record: &Record<Self>, format: Format) -> Option<Text> {
        match format {
            Format::Usi => Some(usi::write(record)),
            Format::Pgn => Some(pgn::write(record)),
            _ => None,
        }
    }

    fn read_remarks(_: &Position, lines: &str, notes: &mut Notes<Move>) {
        pgn::read_remarks(lines, notes);
    }

    fn piece_table() -> Result<String, TextError> {
        Ok(Piece::table())
    }

    fn checkers(&self) -> Vec<String> {
        self.position().checkers().into_iter().map(|square| square.to_string()).collect()
    }

    fn listed_moves(&self) -> Vec<String> {
        if self.is_over() { Vec::new() } else { self.position().listed_moves() }
    }

    fn announced(&self, mv: Move, _: BoardStyle) -> String {
        let promotion = mv.promotion().map_or(String::new(), |kind| format!("={}", kind.letter()));
        format!("{} -> {}{promotion}", mv.from(), mv.to())
    }

    fn book_move(&self, mv: Move) -> Result<String, TextError> {
        Ok(self.position().san(mv)?)
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        match text.parse::<Move>() {
            Ok(mv) => Ok(self.position().canonical(mv)),
            Err(_) => Ok(self.position().parse_san(text)?),
        }
    }
}
