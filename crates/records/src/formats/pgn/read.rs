//! Reading PGN.

use keisei_chess::{Chess, Position};

use super::remarks::join_lines;
use super::{SUFFIXES, endings, is_unknown};
use crate::builder::{Budget, Builder, Saved};
use crate::notation::MoveTextError;
use crate::scan::Cursor;
use crate::{Headers, Limits, Problem, ReadError, Record};

/// Reads a PGN file with one game or several.
pub fn read(text: &str) -> Result<Vec<Record<Chess>>, ReadError> {
    read_within(text, Limits::default())
}

/// Reads as [`read`] does, with limits of your own.
pub fn read_within(text: &str, limits: Limits) -> Result<Vec<Record<Chess>>, ReadError> {
    let budget = Budget::new(limits);
    let mut cursor = Cursor::new(text);
    let mut records = Vec::new();
    while !skip_between_games(&mut cursor) {
        budget.spend_record().map_err(|problem| cursor.error(problem))?;
        records.push(read_game(&mut cursor, &budget)?);
    }
    Ok(records)
}

/// Takes white space and escaped lines; true at the end of the file.
fn skip_between_games(cursor: &mut Cursor<'_>) -> bool {
    while cursor.skip_spaces().peek() == Some('%') {
        cursor.take_while(|c| c != '\n');
    }
    cursor.is_done()
}

fn read_game(cursor: &mut Cursor<'_>, budget: &Budget) -> Result<Record<Chess>, ReadError> {
    let mut headers = Headers::default();
    let mut fen = *cursor;
    while cursor.skip_spaces().peek() == Some('[') {
        let at = *cursor;
        budget.spend().map_err(|problem| cursor.error(problem))?;
        let (key, value) = read_tag(cursor)?;
        if key == "FEN" {
            fen = at;
        }
        if !is_unknown(key, &value) {
            headers.push(key, value);
        }
        skip_between_games(cursor);
    }
    headers.remove("SetUp");
    let start = match headers.remove("FEN") {
        None => Position::start(),
        Some(text) => text.parse().map_err(|error: keisei_chess::PositionError| {
            fen.error(Problem::Position(error.to_string()))
        })?,
    };
    let mut movetext = Movetext {
        builder: Builder::new(start, budget),
        open: Vec::new(),
        waiting: Vec::new(),
        moves: 0,
    };
    let token = movetext.read(cursor)?;
    let result = settle_result(token, headers.remove("Result").as_deref(), *cursor)?;
    let mut builder = movetext.builder;
    let last = builder.position();
    let (ending, used) = endings::read(&result, headers.get("Termination"), last);
    if used {
        headers.remove("Termination");
    }
    if let Some(ending) = ending {
        builder.end(ending).map_err(|problem| cursor.error(problem))?;
    }
    *builder.headers() = headers;
    Ok(builder.finish())
}

/// The result of the movetext and that of the tag must agree unless one of them is open.
fn settle_result(
    token: Option<&str>,
    tag: Option<&str>,
    at: Cursor<'_>,
) -> Result<String, ReadError> {
    let known = |text: &&str| is_result(text);
    let (token, tag) = (token.unwrap_or("*"), tag.filter(known).unwrap_or("*"));
    match (token, tag) {
        ("*", result) | (result, "*") => Ok(result.to_owned()),
        (token, tag) if token == tag => Ok(token.to_owned()),
        (token, _) => {
            Err(at.error_behind(token, Problem::Contradiction("the Result tag of the game")))
        }
    }
}

fn is_result(text: &str) -> bool {
    matches!(text, "1-0" | "0-1" | "1/2-1/2" | "*")
}

/// Takes `[Key "value"]`.
fn read_tag<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a str, String), ReadError> {
    let at = *cursor;
    cursor.eat("[");
    let key = cursor.skip_spaces().take_while(|c| c.is_ascii_alphanumeric() || c == '_');
    if key.is_empty() || !cursor.skip_spaces().eat("\"") {
        return Err(at.error(Problem::Expected("a tag such as [Event \"name\"]")));
    }
    let mut value = String::new();
    loop {
        value.push_str(cursor.take_while(|c| !matches!(c, '"' | '\\' | '\n')));
        match cursor.bump() {
            Some('"') => break,
            Some('\\') => value.extend(cursor.bump()),
            _ => return Err(at.error(Problem::Expected("a closing quote"))),
        }
    }
    if cursor.skip_spaces().eat("]") {
        Ok((key, value))
    } else {
        Err(cursor.error(Problem::Expected("]")))
    }
}

/// The moves of a game while they are read.
struct Movetext<'a> {
    builder: Builder<'a, Chess>,
    /// For each open variation: the line to come back to, and how many moves were read in it.
    open: Vec<(Saved<Chess>, usize)>,
    /// Comments before the first move of a variation.
    waiting: Vec<String>,
    /// How many moves were read in the innermost variation.
    moves: usize,
}

impl Movetext<'_> {
    /// Reads up to the end of the game and gives back its result, if one is written.
    fn read<'a>(&mut self, cursor: &mut Cursor<'a>) -> Result<Option<&'a str>, ReadError> {
        loop {
            let at = *cursor.skip_spaces();
            match at.peek() {
                None | Some('[') if !self.open.is_empty() => {
                    return Err(at.error(Problem::Expected(") to close a variation")));
                }
                None | Some('[') => return Ok(None),
                Some('{') => {
                    cursor.bump();
                    let comment = cursor.take_until('}');
                    self.comment(comment.ok_or_else(|| at.error(Problem::Expected("}")))?);
                }
                // No move begins so: it is an escaped line.
                Some('%') => {
                    cursor.take_while(|c| c != '\n');
                }
                Some(';') => {
                    cursor.bump();
                    self.comment(cursor.take_while(|c| c != '\n'));
                }
                Some('(') => {
                    cursor.bump();
                    self.open(at)?;
                }
                Some(')') => {
                    cursor.bump();
                    self.close(at)?;
                }
                Some('$') => {
                    cursor.bump();
                    let glyph = cursor.number().and_then(|number| u8::try_from(number).ok());
                    let problem = Problem::Expected("an annotation glyph $0 to $255");
                    self.builder.notes().nags.push(glyph.ok_or_else(|| at.error(problem))?);
                }
                Some(_) => {
                    let word = cursor.take_while(|c| !c.is_whitespace() && !"(){};$".contains(c));
                    if word.is_empty() {
                        return Err(at.error(Problem::Expected("a move or a result")));
                    }
                    if is_result(word) && self.open.is_empty() {
                        return Ok(Some(word));
                    }
                    self.word(word, at)?;
                }
            }
        }
    }

    fn comment(&mut self, text: &str) {
        let line = join_lines(text);
        if self.moves == 0 && !self.open.is_empty() {
            self.waiting.push(line);
        } else {
            self.builder.remark(&line);
        }
    }

    /// Opens a variation: another move in place of the last one.
    fn open(&mut self, at: Cursor<'_>) -> Result<(), ReadError> {
        let saved = if self.moves > 0 { self.builder.step_back() } else { None };
        let saved =
            saved.ok_or_else(|| at.error(Problem::Expected("a move before a variation")))?;
        self.open.push((saved, self.moves));
        self.moves = 0;
        Ok(())
    }

    fn close(&mut self, at: Cursor<'_>) -> Result<(), ReadError> {
        if self.moves == 0 {
            return Err(at.error(Problem::Expected("a move in the variation")));
        }
        let open = self.open.pop();
        let (saved, moves) = open.ok_or_else(|| at.error(Problem::Expected("no )")))?;
        self.builder.come_back(saved);
        self.moves = moves;
        Ok(())
    }

    /// A word of the movetext: `12.`, `e4!`, `12...Nf6`, or an open result in a variation.
    fn word(&mut self, word: &str, at: Cursor<'_>) -> Result<(), ReadError> {
        if word == "*" {
            return Ok(());
        }
        // Numbers are forgiven; a castling written with zeros is no number.
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = digits.is_empty() || digits.starts_with('.');
        let text = if numbered { digits.trim_start_matches(['.', '…']) } else { word };
        let san = text.trim_end_matches(['!', '?']);
        let suffix = &text[san.len()..];
        if !san.is_empty() && san != "e.p." {
            let ply = self.builder.ply() + 1;
            let position = self.builder.position();
            let mv = position.parse_san(san).map_err(|error| {
                let error = match error {
                    keisei_chess::SanError::Syntax(_) => {
                        return at.error(Problem::Move { ply, error: MoveTextError::NotAMove });
                    }
                    other => other.to_string(),
                };
                at.error(Problem::Illegal { ply, rule: error })
            })?;
            self.builder.play(mv).map_err(|problem| at.error(problem))?;
            self.moves += 1;
            self.waiting.drain(..).for_each(|comment| self.builder.remark(&comment));
        }
        if suffix.is_empty() {
            return Ok(());
        }
        let glyph = SUFFIXES.iter().position(|&known| known == suffix);
        let glyph = glyph.ok_or_else(|| at.error(Problem::Unknown("suffix of a move")))?;
        self.builder.notes().nags.push(glyph as u8 + 1);
        Ok(())
    }
}
