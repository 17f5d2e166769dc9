//! The table of formats and constructs in the crate's documentation, kept true by trying.

use std::time::Duration;

use keisei_chess::Chess;
use keisei_game::Side;
use keisei_records::{
    AnyRecord, Ending, Evaluation, Evaluator, Format, Mate, Record, Recorded, write,
};
use keisei_shogi::Shogi;

/// The rows of the table.
const ROWS: [&str; 20] = [
    "header",
    "header given twice",
    "number of the first move",
    "variation",
    "comment",
    "bookmark",
    "time in seconds",
    "fraction of a second",
    "time left on the clock",
    "score and depth",
    "mate in so many",
    "expected moves, nodes, engine",
    "annotation glyph",
    "resignation, timeout",
    "declared win",
    "repetition, interruption",
    "mate, fouls",
    "agreed draw",
    "move limit",
    "ending of a variation",
];

/// What a game needs for the examples.
struct Words {
    /// Two moves from the start, another second move, and a third.
    moves: [&'static str; 4],
    /// A start whose first move is not number 1.
    late_start: &'static str,
}

const SHOGI: Words = Words {
    moves: ["7g7f", "3c3d", "8c8d", "2g2f"],
    late_start: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7",
};

const CHESS: Words = Words {
    moves: ["e2e4", "e7e5", "c7c5", "g1f3"],
    late_start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 7",
};

/// Records that have what the row names.
fn examples<G: Recorded>(row: &str, words: &Words) -> Vec<AnyRecord> {
    let [one, two, other, three] =
        words.moves.map(|text| text.parse::<G::Move>().ok().expect("a move"));
    let mut record = Record::<G>::new();
    record.play(one).unwrap();
    let end = record.play(two).unwrap();
    let mut evaluation = Evaluation::new(Evaluator::Analysis);
    let mut endings: &[Ending] = &[];
    match row {
        "header" => record.headers.push("Event", "x"),
        "header given twice" => {
            record.headers.push("Note", "x");
            record.headers.push("Note", "y");
        }
        "number of the first move" => {
            record = Record::from_position(words.late_start.parse().expect("a position"));
        }
        "variation" | "ending of a variation" => {
            record.previous();
            record.play(other).unwrap();
            if row != "variation" {
                record.end(Ending::Resignation).unwrap();
            }
        }
        "comment" => record.notes_mut(end).add_comment("x"),
        "bookmark" => record.notes_mut(end).bookmark = Some("x".to_owned()),
        "time in seconds" => record.notes_mut(end).time = Some(Duration::from_secs(3)),
        "fraction of a second" => record.notes_mut(end).time = Some(Duration::from_millis(3500)),
        "time left on the clock" => record.notes_mut(end).clock = Some(Duration::from_secs(3)),
        "annotation glyph" => record.notes_mut(end).nags.push(1),
        "score and depth" => (evaluation.centipawns, evaluation.depth) = (Some(30), Some(9)),
        "mate in so many" => {
            evaluation.mate = Some(Mate { winner: Side::First, distance: Some(3) });
        }
        "expected moves, nodes, engine" => {
            evaluation.line.push(three);
            (evaluation.nodes, evaluation.engine) = (Some(5), Some("x".to_owned()));
        }
        "resignation, timeout" => endings = &[Ending::Resignation, Ending::Timeout],
        "declared win" => endings = &[Ending::Declaration],
        "repetition, interruption" => endings = &[Ending::Repetition, Ending::Interruption],
        "mate, fouls" => {
            endings = &[Ending::Checkmate, Ending::IllegalMove, Ending::OpponentIllegalMove];
        }
        "agreed draw" => endings = &[Ending::Draw],
        "move limit" => endings = &[Ending::MaxMoves],
        _ => panic!("{row} has no example"),
    }
    if evaluation != Evaluation::new(Evaluator::Analysis) {
        record.notes_mut(end).evaluations.push(evaluation);
    }
    if endings.is_empty() {
        return vec![record.into()];
    }
    let ended = endings.iter().map(|&ending| {
        let mut ended = record.clone();
        ended.end(ending).unwrap();
        ended.into()
    });
    ended.collect()
}

fn cell(row: &str, format: Format) -> &'static str {
    let records = match format {
        Format::Pgn => examples::<Chess>(row, &CHESS),
        _ => examples::<Shogi>(row, &SHOGI),
    };
    let kept = |record: &AnyRecord| write(record, format).unwrap().lost.is_empty();
    if records.iter().all(kept) {
        "kept"
    } else {
        assert!(!records.iter().any(kept), "{row} in {format} belongs into two rows");
        "lost"
    }
}

#[test]
fn the_table_in_the_documentation_says_what_the_writers_do() {
    let line = |row: &str, cells: Vec<String>| format!(" {row} | {} |", cells.join(" | "));
    let mut tried = vec![line("", Format::ALL.map(|format| format.to_string()).to_vec())];
    tried[0].remove(0);
    tried.push("---|---|---|---|---|---|---|---|".to_owned());
    for row in ROWS {
        tried.push(line(row, Format::ALL.map(|format| cell(row, format).to_owned()).to_vec()));
    }
    let documented = include_str!("../README.md").lines();
    let documented: Vec<_> = documented.filter_map(|line| line.strip_prefix('|')).collect();
    assert_eq!(documented, tried, "\n|{}\n", tried.join("\n|"));
}
