//! Exchanges random records with tsshogi, the library of ShogiHome. `crates/records/soak` drives it:
//! `write FOLDER COUNT` writes each record in several formats beside a list of what is in it, and
//! `check FOLDER` compares what tsshogi made of them with those lists.

#![allow(clippy::print_stdout, reason = "a report for the terminal")]

use std::path::Path;
use std::time::Duration;

use keisei_game::SplitMix64;
use keisei_records::notation::{Spelling, japanese};
use keisei_records::{AnyRecord, Ending, Format, NodeId, Record, Step, read, write};
use keisei_shogi::{Handicap, Position, Shogi};

/// The endings that every format but USI holds, with the names that tsshogi has for them.
const ENDINGS: [(Ending, &str); 10] = [
    (Ending::Resignation, "resign"),
    (Ending::Timeout, "timeout"),
    (Ending::Interruption, "interrupt"),
    (Ending::Repetition, "repetitionDraw"),
    (Ending::Impasse, "impass"),
    (Ending::Checkmate, "mate"),
    (Ending::NoMate, "noMate"),
    (Ending::IllegalMove, "foulLose"),
    (Ending::OpponentIllegalMove, "foulWin"),
    (Ending::Declaration, "enteringOfKing"),
];

const FORMATS: [Format; 5] = [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Usi];

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let texts: Vec<_> = arguments.iter().map(String::as_str).collect();
    match texts[..] {
        ["write", folder, count] => {
            write_records(Path::new(folder), count.parse().expect("a number of records"));
        }
        ["check", folder] => check(Path::new(folder)),
        _ => panic!("write FOLDER COUNT, or check FOLDER"),
    }
}

fn write_records(folder: &Path, count: u64) {
    for seed in 0..count {
        let record = random_record(&mut SplitMix64::new(seed));
        std::fs::write(folder.join(format!("{seed}.list")), list(&record)).expect("a folder");
        let record = AnyRecord::Shogi(record);
        for format in FORMATS {
            let written = write(&record, format).expect("shogi in a format for shogi");
            let path = folder.join(format!("{seed}.{}", format.extension()));
            std::fs::write(path, written.bytes).expect("a folder");
        }
    }
    println!("{count} records written");
}

fn random_record(rng: &mut SplitMix64) -> Record<Shogi> {
    let mut record = Record::<Shogi>::from_position(random_start(rng));
    record.headers.push("先手", "山田");
    record.headers.push("棋戦", "対局");
    let mut nodes = vec![NodeId::ROOT];
    for _ in 0..rng.below(120) {
        let at =
            if rng.below(12) == 0 { nodes[rng.below(nodes.len())] } else { nodes[nodes.len() - 1] };
        let ended = |&id: &NodeId| record.node(id).ending().is_some();
        if ended(&at) || record.node(at).children().iter().any(ended) {
            continue;
        }
        record.jump(at);
        let moves = record.position().legal_moves();
        let id = match rng.choose(&moves) {
            Some(mv) if rng.below(60) > 0 => record.play(mv).expect("a legal move"),
            _ => {
                let (ending, _) = ENDINGS[rng.below(ENDINGS.len())];
                record.end(ending).expect("a line without an ending")
            }
        };
        let notes = record.notes_mut(id);
        notes.time = Some(Duration::from_secs(rng.below(5000) as u64));
        if rng.below(10) == 0 {
            notes.comment = ["ひとこと", "二行の\nコメント"][rng.below(2)].to_owned();
        }
        nodes.push(id);
    }
    record
}

/// A usual start, or some position far from one.
fn random_start(rng: &mut SplitMix64) -> Position {
    let known = [Handicap::None, Handicap::Lance, Handicap::TwoPiece, Handicap::TenPiece];
    let mut position = known[rng.below(known.len())].position();
    if rng.below(3) == 0 {
        for _ in 0..rng.below(80) {
            let Some(mv) = rng.choose(&position.legal_moves()) else { break };
            position.play_unchecked(mv);
        }
        let mut setup = position.setup();
        setup.move_number = 1;
        position = Position::try_from(setup).expect("a position from play");
    }
    position
}

/// A line for each node in the order of KIF: ply, move or ending, seconds, notation, comment.
fn list(record: &Record<Shogi>) -> String {
    let mut text = format!("{}\n", record.start());
    for id in record.preorder() {
        let node = record.node(id);
        let parent = node.parent().expect("no node of the tree is its start");
        let previous = record.node(parent).mv().map(|mv| mv.to());
        let (step, shown) = match node.step() {
            Some(Step::Move(mv)) => {
                let position = record.position_at(parent);
                let shown = japanese(&position, mv, previous, Spelling::FOR_FILES);
                (mv.to_string(), shown.expect("a legal move"))
            }
            Some(Step::End(ending)) => {
                let known = ENDINGS.iter().find(|(known, _)| *known == ending);
                (known.expect("one of the endings").1.to_owned(), String::new())
            }
            None => continue,
        };
        let seconds = node.notes.time.unwrap_or_default().as_secs();
        let comment = node.notes.comment.replace('\n', "\\n");
        text.push_str(&format!("{}\t{step}\t{seconds}\t{shown}\t{comment}\n", node.ply()));
    }
    text
}

/// Reads what tsshogi wrote and compares it with the lists.
fn check(folder: &Path) {
    let (mut files, mut different) = (0, 0);
    for seed in 0.. {
        let Ok(expected) = std::fs::read_to_string(folder.join(format!("{seed}.list"))) else {
            break;
        };
        for format in FORMATS {
            let path = folder.join(format!("{seed}.ts.{}", format.extension()));
            let bytes = std::fs::read(&path).expect("a file from tsshogi");
            let found = match read(&bytes, Some(format)).as_deref() {
                Ok([AnyRecord::Shogi(record)]) => comparable(&list(record), format),
                other => format!("{other:?}"),
            };
            files += 1;
            if found != comparable(&expected, format) {
                different += 1;
                println!("{} differs", path.display());
            }
        }
    }
    println!("{files} files of tsshogi read, {different} different");
    std::process::exit(i32::from(different > 0));
}

/// The part of a list that a format holds.
fn comparable(list: &str, format: Format) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut last = 0;
    for (index, line) in list.lines().enumerate() {
        let fields: Vec<_> = line.split('\t').collect();
        let [ply, step, seconds, shown, comment] = fields[..] else {
            lines.push(line.to_owned());
            continue;
        };
        let ply: usize = ply.parse().expect("a ply");
        // CSA and USI hold the main line alone, which comes first.
        if matches!(format, Format::Csa | Format::Usi) && index > 1 && ply <= last {
            break;
        }
        last = ply;
        // tsshogi 2.2.0 exchanges the sides of the two fouls in CSA and JKF.
        let exchanged = matches!(format, Format::Csa | Format::Jkf) && step.starts_with("foul");
        let step = if exchanged { "foul" } else { step };
        let ending = shown.is_empty();
        match format {
            Format::Usi if ending => {}
            Format::Usi => lines.push(format!("{ply} {step}")),
            Format::Ki2 => lines.push(format!("{ply} {step} {comment}")),
            _ => lines.push(format!("{ply} {step} {seconds} {comment}")),
        }
    }
    lines.join("\n")
}
