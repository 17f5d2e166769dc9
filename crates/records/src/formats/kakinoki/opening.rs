//! What stands before the first move: headers and the start position.

use keisei_shogi::{ByColor, Color, Hand, Piece, Position, Setup, Shogi, Square};

use super::super::presets::Preset;
use super::{Statement, diagram};
use crate::builder::{Budget, Builder, CommentLines};
use crate::scan::Cursor;
use crate::{Headers, Problem, ReadError};

/// The opening lines of a file.
#[derive(Default)]
pub(super) struct Opening<'a> {
    /// The last line about the start position, for errors.
    place: Option<Cursor<'a>>,
    headers: Headers,
    preset: Option<&'static Preset>,
    ranks: Vec<[Option<Piece>; 9]>,
    hands: ByColor<Hand>,
    turn: Option<Color>,
    moves_before: Option<u16>,
    remarks: CommentLines,
    bookmark: Option<String>,
}

impl<'a> Opening<'a> {
    /// Whether such a line can stand before the first move.
    pub(super) fn includes(line: &Statement<'_>) -> bool {
        !matches!(line, Statement::Variation(_) | Statement::Summary(_) | Statement::Other(_))
    }

    pub(super) fn read(&mut self, line: Statement<'a>) -> Result<(), ReadError> {
        if let Statement::Handicap(at) | Statement::Hand(_, at) | Statement::Rank(at) = line {
            self.place = Some(at);
        }
        match line {
            Statement::Nothing
            | Statement::Variation(_)
            | Statement::Summary(_)
            | Statement::Other(_) => {}
            Statement::Comment(text) => self.remarks.add(text),
            Statement::Bookmark(name) => self.bookmark = Some(name.to_owned()),
            Statement::Header(key, value) => self.headers.push(key, value),
            Statement::Handicap(value) => self.read_handicap(value)?,
            Statement::Hand(color, pieces) => self.hands[color] = diagram::read_hand(pieces)?,
            Statement::Rank(squares) if self.ranks.len() == 9 => {
                return Err(squares.error(Problem::Expected("nine ranks and no more")));
            }
            Statement::Rank(squares) => self.ranks.push(diagram::read_rank(squares)?),
            Statement::Turn(color) => self.turn = Some(color),
            Statement::MoveCount(mut count) => {
                let number = count.skip_spaces().number().and_then(|n| u16::try_from(n).ok());
                let problem = Problem::Expected("the number of moves before the diagram");
                self.moves_before = Some(number.ok_or_else(|| count.error(problem))?);
            }
        }
        Ok(())
    }

    fn read_handicap(&mut self, value: Cursor<'_>) -> Result<(), ReadError> {
        let name = value.rest().trim();
        match Preset::find(|preset| preset.kif == name) {
            Some(preset) => self.preset = Some(preset),
            // A diagram follows. Some programs name its purpose here, such as 詰将棋.
            None if name == "その他" => {}
            None => self.headers.push("手合割", name),
        }
        Ok(())
    }

    /// The start of the record; `text` is the whole file, for errors.
    pub(super) fn begin<'b>(
        mut self,
        text: Cursor<'a>,
        budget: &'b Budget,
    ) -> Result<Builder<'b, Shogi>, ReadError> {
        let place = self.place.unwrap_or(text);
        let start = self.start().map_err(|problem| place.error(problem))?;
        let mut builder = Builder::new(start, budget);
        *builder.headers() = self.headers;
        builder.notes().bookmark = self.bookmark;
        if let Some(remarks) = self.remarks.take() {
            builder.remark(&remarks);
        }
        Ok(builder)
    }

    fn start(&self) -> Result<Position, Problem> {
        let wrong = |reason: String| Problem::Position(reason);
        if self.ranks.is_empty() {
            if self.hands != ByColor::default() {
                return Err(wrong("pieces in hand without a diagram".to_owned()));
            }
            if let (None, Some(name)) = (self.preset, self.headers.get("手合割")) {
                return Err(wrong(format!("the handicap {name} is not known")));
            }
            let mut setup = self.preset.map_or_else(Position::start, Preset::position).setup();
            setup.turn = self.turn.unwrap_or(setup.turn);
            setup.move_number = self.move_number();
            return Position::try_from(setup).map_err(|error| wrong(error.to_string()));
        }
        if self.ranks.len() < 9 {
            return Err(wrong(format!("the diagram has {} ranks", self.ranks.len())));
        }
        let mut setup = Setup { hands: self.hands, ..Setup::EMPTY };
        setup.turn = self.turn.unwrap_or(Color::Black);
        setup.move_number = self.move_number();
        for (row, rank) in (0..).zip(&self.ranks) {
            for (column, &piece) in (0..).zip(rank) {
                if let Some(square) = Square::at(row, column) {
                    setup.board[square.index()] = piece;
                }
            }
        }
        Position::try_from(setup).map_err(|error| wrong(error.to_string()))
    }

    fn move_number(&self) -> u16 {
        self.moves_before.unwrap_or(0).saturating_add(1)
    }
}
