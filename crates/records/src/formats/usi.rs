//! Engine `position` lines, one game a line: UCI for chess, USI for the others.
//!
//! ```text
//! position startpos moves 7g7f 3c3d
//! position sfen 4k4/9/9/9/9/9/9/9/4K4 b R 1 moves R*5b
//! ```
//!
//! `position` and `sfen` may be left out, and so may the start and `moves` before a bare list of
//! moves. The words `resign`, `win`, `timeout`, `break`, `rep_draw` and `draw` may stand where a move
//! could.

use keisei_game::{Game, PositionLine, Start};
use keisei_games::{GameName, with_game};

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
        || GameName::ALL
            .iter()
            .any(|&game| with_game!(game, G => is_board_of::<G>(first) || is_move_of::<G>(first)))
}

/// Reads position lines of `G`; empty lines are skipped.
pub fn read<G: Recorded>(text: &str) -> Result<Vec<Record<G>>, ReadError> {
    lines(text, Limits::default(), read_line)
}

/// Reads position lines of any game, each by what it shows.
pub fn read_any(text: &str, limits: Limits) -> Result<Vec<AnyRecord>, ReadError> {
    lines(text, limits, |line, budget| {
        Ok(with_game!(game_of(line.rest()), G => read_line::<G>(line, budget)?.into()))
    })
}

fn lines<T>(
    text: &str,
    limits: Limits,
    read: impl Fn(Cursor<'_>, &Budget) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    let budget = Budget::new(limits);
    let lines = Cursor::lines(text).filter(|line| !line.rest().trim().is_empty());
    let record = |line: Cursor<'_>| {
        budget.spend_record().map_err(|problem| line.error(problem))?;
        read(line, &budget)
    };
    lines.map(record).collect()
}

/// The game that a line is about: the first whose board stands in it, or else the first that has
/// its words or moves.
fn game_of(line: &str) -> GameName {
    let words = || line.split_whitespace();
    let told = |is_told: fn(GameName, &str) -> bool| {
        words().find_map(|word| GameName::ALL.iter().copied().find(|&game| is_told(game, word)))
    };
    let by_board = told(|game, word| with_game!(game, G => is_board_of::<G>(word)));
    let by_word =
        || told(|game, word| with_game!(game, G => word == G::NOTATION || is_move_of::<G>(word)));
    by_board.or_else(by_word).unwrap_or_default()
}

/// Whether a word has as many ranks as the game's board.
fn is_board_of<G: Game>(word: &str) -> bool {
    let ranks = |board: &str| board.matches('/').count();
    ranks(word) > 0 && ranks(word) == ranks(&G::start_position().to_string())
}

fn is_move_of<G: Game>(word: &str) -> bool {
    word.parse::<G::Move>().is_ok()
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
    // Without its start, nothing but the moves tells the game, and those of some games look alike.
    let moves = record.main_moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ");
    if *record.start() == G::start_position() && game_of(&moves).name() == G::NAME {
        text.push_str("startpos");
    } else {
        text.push_str(&format!("{} {}", G::NOTATION, record.start()));
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
