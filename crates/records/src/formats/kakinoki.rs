//! What KIF and KI2 share: headers, diagrams, comments, variations and endings.

mod diagram;
mod endings;
mod opening;
mod write;

use keisei_shogi::{Color, Shogi};

use crate::builder::{Budget, Builder};
use crate::scan::Cursor;
use crate::{Problem, ReadError, Record};

use super::presets::player_key;
use opening::Opening;

pub(super) use endings::{ending_word, parse_ending_word, read_summary, write_summary};
pub(super) use write::{write_notes, write_opening};

/// A line of a file, by what it can be in KIF and KI2 alike. The cursor stands after what makes the
/// line what it is.
enum Statement<'a> {
    /// Nothing to read: empty, a program's comment, a ruler.
    Nothing,
    Comment(&'a str),
    Bookmark(&'a str),
    Header(&'a str, &'a str),
    Handicap(Cursor<'a>),
    Hand(Color, Cursor<'a>),
    Rank(Cursor<'a>),
    Turn(Color),
    /// 手数＝: the moves played before a diagram.
    MoveCount(Cursor<'a>),
    Variation(Cursor<'a>),
    /// まで: how the line above ended.
    Summary(Cursor<'a>),
    /// Something else: a move, or nothing known.
    Other(Cursor<'a>),
}

impl<'a> Statement<'a> {
    fn of(line: Cursor<'a>) -> Self {
        // A move line begins with a number, a mark or white space before one of them; it may
        // contain a colon, so it is recognised before headers are.
        let mut inner = line;
        let start = inner.skip_spaces().peek();
        match start {
            None | Some('#' | '+') => return Self::Nothing,
            Some('*') => return Self::Comment(&inner.rest()[1..]),
            Some('&') => return Self::Bookmark(inner.rest()[1..].trim()),
            Some('|') => return Self::Rank(inner),
            Some('0'..='9' | '▲' | '△' | '▼' | '▽' | '☗' | '☖') => {
                return Self::Other(inner);
            }
            _ => {}
        }
        if inner.eat("手数＝") || inner.eat("手数=") {
            return Self::MoveCount(inner);
        }
        if inner.rest().starts_with("手数--") || inner.rest().starts_with("９ ８ ７") {
            return Self::Nothing;
        }
        if inner.rest().trim() == "盤面回転" {
            return Self::Nothing;
        }
        if inner.eat("まで") {
            return Self::Summary(inner);
        }
        let text = inner.rest().trim();
        match text {
            "先手番" | "下手番" => return Self::Turn(Color::Black),
            "後手番" | "上手番" => return Self::Turn(Color::White),
            _ => {}
        }
        let mut value = inner;
        let key = value.take_while(|c| c != '：' && c != ':' && !c.is_whitespace());
        if key.is_empty() || value.take(|c| matches!(c, '：' | ':').then_some(())).is_none() {
            return Self::Other(inner);
        }
        match key {
            "手合割" => Self::Handicap(value),
            "先手の持駒" | "下手の持駒" => Self::Hand(Color::Black, value),
            "後手の持駒" | "上手の持駒" => Self::Hand(Color::White, value),
            "変化" => Self::Variation(value),
            title => Self::Header(player_key(title), value.rest().trim()),
        }
    }
}

/// How a format writes its moves.
pub(super) trait MoveLines {
    /// Reads a line of moves.
    fn read(&mut self, line: Cursor<'_>, builder: &mut Builder<'_, Shogi>)
    -> Result<(), ReadError>;

    /// How many moves stand before the one numbered `number`.
    fn moves_before(&self, number: usize) -> Option<usize>;
}

/// Reads a file whose moves are written as `moves` says.
pub(super) fn read(
    text: &str,
    budget: &Budget,
    moves: &mut impl MoveLines,
) -> Result<Record<Shogi>, ReadError> {
    let mut opening = Opening::default();
    let mut lines = Cursor::lines(text).peekable();
    while let Some(line) = lines.next_if(|&line| Opening::includes(&Statement::of(line))) {
        if matches!(Statement::of(line), Statement::Header(..)) {
            budget.spend().map_err(|problem| line.error(problem))?;
        }
        opening.read(Statement::of(line))?;
    }
    let mut builder = opening.begin(Cursor::new(text), budget)?;
    for line in lines {
        read_line(line, &mut builder, moves)?;
    }
    Ok(builder.finish())
}

/// Reads a line after the moves have begun.
fn read_line(
    line: Cursor<'_>,
    builder: &mut Builder<'_, Shogi>,
    moves: &mut impl MoveLines,
) -> Result<(), ReadError> {
    match Statement::of(line) {
        Statement::Nothing => {}
        Statement::Comment(text) => builder.remark(text),
        Statement::Bookmark(name) => builder.notes().bookmark = Some(name.to_owned()),
        Statement::Header(key, value) => {
            builder.header(key, value).map_err(|problem| line.error(problem))?;
        }
        Statement::Variation(number) => read_variation(number, builder, moves)?,
        Statement::Summary(summary) if builder.ended().is_none() => {
            let ending = read_summary(summary, builder.position().turn())?;
            builder.end(ending).map_err(|problem| summary.error(problem))?;
        }
        Statement::Summary(_) => {}
        Statement::Other(inner) => moves.read(inner, builder)?,
        Statement::Handicap(_)
        | Statement::Hand(..)
        | Statement::Rank(_)
        | Statement::Turn(_)
        | Statement::MoveCount(_) => {
            return Err(line.error(Problem::Expected("a move, for the moves have begun")));
        }
    }
    Ok(())
}

/// `変化：12手`: goes back to before the twelfth move of the line above.
fn read_variation(
    mut cursor: Cursor<'_>,
    builder: &mut Builder<'_, Shogi>,
    moves: &impl MoveLines,
) -> Result<(), ReadError> {
    let at = *cursor.skip_spaces();
    let Some(number) = cursor.number() else {
        return Err(at.error(Problem::Expected("the number of a move")));
    };
    let number = number as usize;
    match moves.moves_before(number) {
        Some(ply) if builder.go_back(ply) => Ok(()),
        _ => Err(at.error(Problem::Variation(number))),
    }
}
