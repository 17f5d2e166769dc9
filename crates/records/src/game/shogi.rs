//! Shogi as it is written.

use keisei_game::{BoardStyle, Game, Side};
use keisei_shogi::{
    ByColor, Color, HandKind, Handicap, IllegalMove, Move, Piece, PieceKind, Position, Shogi,
    Square,
};

use super::{Recorded, TextError};
use crate::formats::{csa, jkf, ki2, kif, remarks, sfenx, usi};
use crate::notation::{Spelling, japanese, parse_any, western};
use crate::{Format, Notes, Record, Text};

impl Recorded for Shogi {
    type Illegal = IllegalMove;

    const PLAYER_KEYS: [&'static str; 2] = ["先手", "後手"];
    const FORMAT: Format = Format::Kif;
    const MATCH_FORMAT: Format = Format::Csa;

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

    fn check(position: &Position, mv: Move) -> Result<(), IllegalMove> {
        position.check_legal(mv)
    }

    fn write(record: &Record<Self>, format: Format) -> Option<Text> {
        Some(match format {
            Format::Kif => kif::write(record),
            Format::Ki2 => ki2::write(record),
            Format::Csa => csa::write(record),
            Format::Jkf => jkf::write(record),
            Format::Sfenx => sfenx::write(record),
            Format::Usi => usi::write(record),
            Format::Pgn => return None,
        })
    }

    fn read_remarks(position: &Position, lines: &str, notes: &mut Notes<Move>) {
        remarks::read(position, lines, notes);
    }

    fn fold(position: &Position) -> Option<Position> {
        if position.turn() == Color::Black {
            return None;
        }
        let mut setup = position.setup();
        setup.board.reverse();
        let flip = |piece: Piece| Piece::new(!piece.color, piece.kind);
        setup.board.iter_mut().for_each(|square| *square = square.map(flip));
        setup.hands = ByColor([setup.hands[Color::White], setup.hands[Color::Black]]);
        setup.turn = Color::Black;
        Position::try_from(setup).ok()
    }

    fn fold_move(mv: Move) -> Move {
        mv.rotated()
    }

    fn handicap_start(name: &str) -> Result<Position, TextError> {
        Ok(name.parse::<Handicap>()?.position())
    }

    fn board(&self, style: BoardStyle) -> Result<String, TextError> {
        Ok(self.text(style))
    }

    fn hand(&self, side: Side) -> Vec<(char, u8)> {
        let hand = self.position().hand(side.into());
        let held = HandKind::ALL.into_iter().filter(|&kind| hand.has(kind));
        held.map(|kind| (kind.kind().letter(), hand.count(kind))).collect()
    }

    fn piece_table() -> Result<String, TextError> {
        let line = |kind: PieceKind| format!("{kind} {} : {}\n", kind.kanji(), kind as u8);
        Ok(PieceKind::ALL.map(line).concat())
    }

    fn checkers(&self) -> Vec<String> {
        self.position().checkers().into_iter().map(|square| square.to_string()).collect()
    }

    fn announced(&self, mv: Move, style: BoardStyle) -> String {
        match (style, self.book_move(mv)) {
            (BoardStyle::Kanji, Ok(name)) => format!("{name} ({mv})"),
            _ => mv.to_string(),
        }
    }

    fn book_move(&self, mv: Move) -> Result<String, TextError> {
        Ok(japanese(self.position(), mv, previous(self), Spelling::default())?)
    }

    fn western_move(&self, mv: Move) -> Result<String, TextError> {
        Ok(western(self.position(), mv)?)
    }

    fn read_move(&self, text: &str) -> Result<Move, TextError> {
        match text.parse::<Move>() {
            Ok(mv) => Ok(mv),
            Err(_) => parse_any(self.position(), text, previous(self))
                .map_err(|error| TextError::NoMove { text: text.to_owned(), error: Some(error) }),
        }
    }
}

/// Where the move before went.
fn previous(game: &Shogi) -> Option<Square> {
    game.moves().last().map(|mv| mv.to())
}
