//! Engine `position` lines, one game a line: USI for shogi, UCI for chess.
//!
//! ```text
//! position startpos moves 7g7f 3c3d
//! position sfen 4k4/9/9/9/9/9/9/9/4K4 b R 1 moves R*5b
//! ```
//!
//! `position` and `sfen` may be left out, and so may the start and `moves` before a bare list of
//! moves. The words `resign`, `win`, `timeout`, `break`, `rep_draw` and `draw` may stand where a move
//! could.

use keisei_chess::Chess;
use keisei_game::{Game, PositionLine, Start};
use keisei_shogi::Shogi;

use crate::builder::{Budget, Builder};
use crate::loss::Losses;
use crate::scan::Cursor;
use crate::{
    AnyRecord, Construct, Ending, Limits, NodeId, Problem, ReadError, Record, Recorded, Step, Text,
};

/// Whether `line` can only be a position line.
pub(crate) fn is_telling(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    matches!(first, "position" | "startpos" | "sfen" | "fen" | "moves")
        || matches!(first.matches('/').count(), 7 | 8)
        || first.parse::<keisei_shogi::Move>().is_ok()
        || first.parse::<keisei_chess::Move>().is_ok()
}

/// Reads position lines of either game; empty lines are skipped.
pub fn read(text: &str, limits: Limits) -> Result<Vec<AnyRecord>, ReadError> {
    let budget = Budget::new(limits);
    let mut records = Vec::new();
    for line in Cursor::lines(text).filter(|line| !line.rest().trim().is_empty()) {
        budget.spend_record().map_err(|problem| line.error(problem))?;
        records.push(if is_chess(line.rest()) {
            AnyRecord::Chess(read_line::<Chess>(line, &budget)?)
        } else {
            AnyRecord::Shogi(read_line::<Shogi>(line, &budget)?)
        });
    }
    Ok(records)
}

/// Whether a line is about chess: it has a FEN board or moves like e2e4.
fn is_chess(line: &str) -> bool {
    let telling = |word: &str| match word {
        "fen" => Some(true),
        "sfen" => Some(false),
        _ if word.matches('/').count() == 7 => Some(true),
        _ if word.contains('/') || word.parse::<keisei_shogi::Move>().is_ok() => Some(false),
        _ => word.parse::<keisei_chess::Move>().is_ok().then_some(true),
    };
    line.split_whitespace().find_map(telling).unwrap_or(false)
}

fn read_line<G: Recorded>(line: Cursor<'_>, budget: &Budget) -> Result<Record<G>, ReadError> {
    let PositionLine { start, moves, .. } = PositionLine::read::<G>(line.rest());
    let start = match &start {
        Start::Standard => G::start_position(),
        Start::Notation(fields) => {
            let at = fields.first().map_or(line, |first| line.at(first));
            let refused = |error: G::PositionError| Problem::Position(error.to_string());
            fields.join(" ").parse().map_err(|error| at.error(refused(error)))?
        }
        Start::Name(name) => {
            return Err(line.at(name).error_about(name, Problem::Expected("a move")));
        }
    };
    let mut builder = Builder::<G>::new(start, budget);
    for word in moves {
        let about = |problem| line.at(word).error_about(word, problem);
        match ENDINGS.iter().find(|(known, _)| *known == word) {
            Some(&(_, ending)) => builder.end(ending),
            None => {
                let mv = word.parse().map_err(|_| about(Problem::Expected("a move")))?;
                builder.play(mv)
            }
        }
        .map_err(about)?;
    }
    Ok(builder.finish())
}

/// The words that stand for endings.
const ENDINGS: [(&str, Ending); 6] = [
    ("resign", Ending::Resignation),
    ("win", Ending::Declaration),
    ("timeout", Ending::Timeout),
    ("break", Ending::Interruption),
    ("rep_draw", Ending::Repetition),
    ("draw", Ending::Draw),
];

/// Writes the main line of a record as one line.
pub fn write<G: Recorded>(record: &Record<G>) -> Text {
    let mut losses = Losses::new(record);
    for (key, value) in record.headers.iter() {
        losses.add(Construct::Header, NodeId::ROOT, format!("{key}: {value}"));
    }
    let mut text = "position ".to_owned();
    let chess = G::NAME == <Chess as Game>::NAME;
    // Without moves nothing would tell the start of chess from that of shogi.
    let telling = !chess || record.main_moves().next().is_some();
    if record.start() == G::new().start() && telling {
        text.push_str("startpos");
    } else {
        let word = if chess { "fen" } else { "sfen" };
        text.push_str(&format!("{word} {}", record.start()));
    }
    losses.add_notes(NodeId::ROOT);
    for (index, id) in record.main_line().enumerate() {
        losses.add_siblings(id);
        let word = match record.node(id).step() {
            Some(Step::Move(mv)) => Some(mv.to_string()),
            Some(Step::End(mark)) => {
                let known = ENDINGS.iter().find(|(_, ending)| *ending == mark);
                known.map(|(word, _)| (*word).to_owned())
            }
            None => None,
        };
        if let Some(word) = word {
            text.push_str(if index == 0 { " moves " } else { " " });
            text.push_str(&word);
            losses.add_notes(id);
        } else if let Some(mark) = record.node(id).ending() {
            losses.add(Construct::Ending, id, mark);
        }
    }
    text.push('\n');
    Text { text, lost: losses.into_list() }
}
