//! The record format of the Computer Shogi Association, versions 1 to 3.
//!
//! ```text
//! V2.2
//! N+Black's name
//! PI
//! +
//! +7776FU,T3
//! '*a comment
//! %TORYO
//! ```
//!
//! A file may hold several games, with a line `/` between them. The format has no variations.

mod moves;
mod start;
mod write;

use keisei_shogi::{Color, Shogi};

use super::times;
use crate::builder::{Budget, Builder, CommentLines};
use crate::scan::Cursor;
use crate::{Ending, Headers, Limits, Problem, ReadError, Record};

use start::Placement;

pub use super::remarks::{read_floodgate, write_floodgate};
pub(crate) use moves::parse_move;
pub use moves::{MoveError, read_move, write_move};
pub use write::write;
pub(crate) use write::write_several;

/// Whether `line` can only stand in a CSA file.
pub(crate) fn is_telling(line: &str) -> bool {
    let version = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    };
    let start = |rest: &str| rest.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
    let starts = ["'CSA", "N+", "N-", "P1-", "P1+", "P1 ", "P+", "P-", "$EVENT:", "$START_TIME:"];
    line.strip_prefix('V').is_some_and(version)
        || line.strip_prefix("PI").is_some_and(start)
        || starts.iter().any(|start| line.starts_with(start))
        || moves::is_move(line)
}

/// Reads a CSA file with one game or several.
pub fn read(text: &str) -> Result<Vec<Record<Shogi>>, ReadError> {
    read_within(text, Limits::default())
}

/// Reads as [`read`] does, with limits of your own.
pub fn read_within(text: &str, limits: Limits) -> Result<Vec<Record<Shogi>>, ReadError> {
    let budget = Budget::new(limits);
    let mut records = Vec::new();
    let mut game = Game::new(&budget);
    for line in Cursor::lines(text) {
        if line.rest().trim_end() == "/" {
            let finished = std::mem::replace(&mut game, Game::new(&budget));
            if finished.has_content {
                budget.spend_record().map_err(|problem| line.error(problem))?;
                records.push(finished.finish(line)?);
            }
        } else {
            game.read_line(line)?;
        }
    }
    // Nothing but line ends beside a separator is no game.
    if records.is_empty() || game.has_content {
        records.push(game.finish(Cursor::new(text))?);
    }
    Ok(records)
}

/// One game of a file while it is read.
struct Game<'a> {
    budget: &'a Budget,
    headers: Headers,
    start: Placement,
    /// Comment lines before the side to move is given, where the moves begin.
    remarks: CommentLines,
    moves: Option<Builder<'a, Shogi>>,
    has_content: bool,
}

impl<'a> Game<'a> {
    fn new(budget: &'a Budget) -> Self {
        Self {
            budget,
            headers: Headers::default(),
            start: Placement::default(),
            remarks: CommentLines::default(),
            moves: None,
            has_content: false,
        }
    }

    fn read_line(&mut self, mut line: Cursor<'_>) -> Result<(), ReadError> {
        let at = line;
        match line.bump() {
            None => return Ok(()),
            Some('\'') => self.read_comment(line.rest()),
            Some('$') => {
                let Some(key) = line.take_until(':') else {
                    return Err(at.error(Problem::Expected("$KEY:value")));
                };
                self.header(header_key(key), line)?;
            }
            Some('N') => {
                let key = match line.bump() {
                    Some('+') => "先手",
                    Some('-') => "後手",
                    _ => return Err(at.error(Problem::Expected("N+ or N-"))),
                };
                self.header(key, line)?;
            }
            Some('V') => {}
            Some(_) => {
                // A comment may end a line of statements; commas in it are its own.
                let (statements, comment) = at.split_at(",'");
                for statement in statements.split(",") {
                    self.read_statement(statement)?;
                }
                if let Some(comment) = comment {
                    self.read_comment(comment.rest());
                }
            }
        }
        self.has_content = true;
        Ok(())
    }

    fn header(&mut self, key: &str, value: Cursor<'_>) -> Result<(), ReadError> {
        self.budget.spend().map_err(|problem| value.error(problem))?;
        self.headers.push(key, value.rest().trim());
        Ok(())
    }

    fn read_comment(&mut self, text: &str) {
        if text.starts_with("CSA encoding=") {
            return;
        }
        // A star marks what programs may read; people write comments without it as well.
        let text = text.strip_prefix('*').unwrap_or(text);
        match &mut self.moves {
            Some(builder) => builder.remark(text),
            None => self.remarks.add(text),
        }
    }

    fn read_statement(&mut self, statement: Cursor<'_>) -> Result<(), ReadError> {
        let text = statement.rest().trim_end();
        match (text.as_bytes(), &mut self.moves) {
            ([], _) => Ok(()),
            ([b'P', ..], None) => self.start.read(statement),
            ([b'+'], None) => self.begin(Color::Black, statement),
            ([b'-'], None) => self.begin(Color::White, statement),
            ([b'+' | b'-', ..], Some(builder)) => {
                let ply = builder.ply() + 1;
                let mv = parse_move(builder.position(), text);
                let mv = mv.map_err(|error| statement.error(error.at(ply)))?;
                builder.play(mv).map_err(|problem| statement.error(problem))
            }
            ([b'%', ..], Some(builder)) => {
                let ending = parse_ending(&text[1..], builder.position().turn());
                let ending = ending.ok_or_else(|| statement.error(Problem::Unknown("ending")))?;
                builder.end(ending).map_err(|problem| statement.error(problem))
            }
            ([b'T', ..], Some(builder)) => {
                let time = times::parse_seconds(&text[1..]);
                let problem = Problem::Expected("seconds such as T12 or T12.5");
                builder.notes().time = Some(time.ok_or_else(|| statement.error(problem))?);
                Ok(())
            }
            (_, None) => Err(statement.error(Problem::Expected("a start position or its side"))),
            (_, Some(_)) => Err(statement.error(Problem::Expected("a move, a time or an ending"))),
        }
    }

    /// The side to move was read: the moves begin.
    fn begin(&mut self, turn: Color, at: Cursor<'_>) -> Result<(), ReadError> {
        let start = self.start.position(turn).map_err(|problem| at.error(problem))?;
        let mut builder = Builder::new(start, self.budget);
        if let Some(remarks) = self.remarks.take() {
            builder.remark(&remarks);
        }
        self.moves = Some(builder);
        Ok(())
    }

    fn finish(mut self, at: Cursor<'_>) -> Result<Record<Shogi>, ReadError> {
        if self.moves.is_none() {
            self.begin(Color::Black, at)?;
        }
        let mut record = self.moves.expect("the moves have begun").finish();
        record.headers = self.headers;
        Ok(record)
    }
}

/// The names that CSA has for headers of its own: those of KIF and those of CSA.
const HEADERS: [(&str, &str); 10] = [
    ("棋戦", "EVENT"),
    ("場所", "SITE"),
    ("開始日時", "START_TIME"),
    ("終了日時", "END_TIME"),
    ("戦型", "OPENING"),
    ("最大手数", "MAX_MOVES"),
    ("持将棋", "JISHOGI"),
    ("備考", "NOTE"),
    ("先手持ち時間", "TIME+"),
    ("後手持ち時間", "TIME-"),
];

fn header_key(csa: &str) -> &str {
    match csa {
        "TIME_LIMIT" | "TIME" => "持ち時間",
        csa => HEADERS.iter().find(|(_, name)| *name == csa).map_or(csa, |(kif, _)| kif),
    }
}

/// The name of an ending, and whether it says all of it.
pub(crate) fn ending_name(ending: Ending, mover: Color) -> Option<(&'static str, bool)> {
    Some(match ending {
        Ending::Resignation => ("TORYO", true),
        Ending::Timeout => ("TIME_UP", true),
        Ending::Interruption => ("CHUDAN", true),
        Ending::Repetition => ("SENNICHITE", true),
        Ending::Impasse => ("JISHOGI", true),
        Ending::Draw => ("HIKIWAKE", true),
        Ending::MaxMoves => ("MAX_MOVES", true),
        Ending::Checkmate => ("TSUMI", true),
        Ending::NoMate => ("FUZUMI", true),
        Ending::IllegalMove => ("ILLEGAL_MOVE", true),
        Ending::OpponentIllegalMove if mover == Color::Black => ("-ILLEGAL_ACTION", true),
        Ending::OpponentIllegalMove => ("+ILLEGAL_ACTION", true),
        Ending::Declaration => ("KACHI", true),
        Ending::Try => ("KACHI", false),
        Ending::TakenBack => ("MATTA", true),
        Ending::Error => ("ERROR", true),
        Ending::Stalemate => ("HIKIWAKE", false),
        Ending::WinByDefault | Ending::LossByDefault | Ending::Won(_) => return None,
    })
}

/// The ending that `name` means when `mover` is to move.
pub(crate) fn parse_ending(name: &str, mover: Color) -> Option<Ending> {
    let own = if mover == Color::Black { "+ILLEGAL_ACTION" } else { "-ILLEGAL_ACTION" };
    if name == own {
        return Some(Ending::IllegalMove);
    }
    let exact = |&ending: &Ending| ending_name(ending, mover) == Some((name, true));
    Ending::ALL.into_iter().find(exact)
}
