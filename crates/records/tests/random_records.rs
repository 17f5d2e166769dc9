//! Random trees with random notes through every format: the list of losses is exact whatever a
//! record says.

#[path = "support/difference.rs"]
mod difference;

use std::time::Duration;

use difference::through;
use keisei_chess::Chess;
use keisei_game::{Position, Side, SplitMix64};
use keisei_records::{
    AnyRecord, Encoding, Ending, Evaluation, Evaluator, Format, Mate, NodeId, Record, Recorded,
    write,
};
use keisei_shogi::Shogi;

/// Texts that some format has a use for, and some that none has.
const TEXTS: [&str; 28] = [
    "plain",
    "日本語のコメント",
    "two\nlines",
    "\n",
    "blank\n\nbetween",
    " spaces around ",
    "　全角空白",
    "return\r\nand newline",
    "}",
    "{ ; ( ) $1",
    "[%eval 0.5]",
    "see [%clk 0:00:01] here",
    "[%csl Gd4]",
    "*評価値=5",
    "#読み筋=▲７六歩",
    "* 120 +7776FU",
    "* 7",
    "#",
    "変化：3手",
    "まで3手で先手の勝ち",
    "   1 ７六歩(77)",
    "'apostrophe",
    "$EVENT:x",
    "quote \" backslash \\",
    "☗ not in Shift_JIS 😀",
    "tab\tinside",
    "/",
    "%TORYO",
];

const KEYS: [&str; 20] = [
    "先手",
    "後手",
    "下手",
    "棋戦",
    "備考",
    "手合割",
    "持ち時間",
    "変化",
    "先手の持駒",
    "手数＝3",
    "key with space",
    "colon:inside",
    "",
    "*",
    "White",
    "Event",
    "Result",
    "FEN",
    "Termination",
    "2nd",
];

fn pick<T: Copy>(rng: &mut SplitMix64, items: &[T]) -> T {
    items[rng.below(items.len())]
}

fn one_in(rng: &mut SplitMix64, chances: usize) -> bool {
    rng.below(chances) == 0
}

fn random_record<G: Recorded>(rng: &mut SplitMix64, starts: &[&str]) -> Record<G> {
    let start = pick(rng, starts).parse().expect("starts are positions");
    let mut record = Record::<G>::from_position(start);
    for _ in 0..rng.below(4) {
        let value = if one_in(rng, 6) { "600+0+5" } else { pick(rng, &TEXTS) };
        record.headers.push(pick(rng, &KEYS), value);
    }
    annotate(&mut record, NodeId::ROOT, rng);
    let mut nodes = vec![NodeId::ROOT];
    for _ in 0..rng.below(25) {
        // Mostly go on with the last line, sometimes leave an earlier one.
        let at = if one_in(rng, 4) { pick(rng, &nodes) } else { nodes[nodes.len() - 1] };
        if record.node(at).ending().is_some() {
            continue;
        }
        // A line that ends in two ways at once is not worth a list of its losses.
        let ended = record.node(at).children().iter().any(|&id| record.node(id).ending().is_some());
        record.jump(at);
        let moves = record.position().legal_moves().as_ref().to_vec();
        let id = match rng.choose(&moves) {
            Some(mv) if ended || !one_in(rng, 8) => record.play(mv).expect("a legal move"),
            _ if ended => continue,
            _ => record.end(pick(rng, &Ending::ALL)).expect("no ending before"),
        };
        annotate(&mut record, id, rng);
        nodes.push(id);
    }
    record
}

fn annotate<G: Recorded>(record: &mut Record<G>, id: NodeId, rng: &mut SplitMix64) {
    let mut position = record.position_at(id);
    let mut evaluations = Vec::new();
    while one_in(rng, 5) {
        let by = pick(rng, &[Evaluator::Player, Evaluator::Analysis]);
        let mut evaluation = Evaluation::new(by);
        if one_in(rng, 2) {
            evaluation.centipawns = Some(rng.below(4000) as i32 - 2000);
        }
        if one_in(rng, 4) {
            let distance = one_in(rng, 2).then(|| rng.below(30) as u32);
            evaluation.mate = Some(Mate { winner: pick(rng, &Side::ALL), distance });
        }
        evaluation.depth = one_in(rng, 3).then(|| rng.below(40) as u32);
        evaluation.nodes = one_in(rng, 3).then(|| rng.next_u64());
        evaluation.engine = one_in(rng, 4).then(|| pick(rng, &TEXTS).to_owned());
        for _ in 0..rng.below(3) {
            let Some(mv) = rng.choose(position.legal_moves().as_ref()) else { break };
            evaluation.line.push(mv);
            position.play_unchecked(mv);
        }
        evaluations.push(evaluation);
    }
    let notes = record.notes_mut(id);
    notes.evaluations = evaluations;
    if one_in(rng, 3) {
        notes.comment = pick(rng, &TEXTS).to_owned();
    }
    if one_in(rng, 8) {
        notes.bookmark = Some(pick(rng, &TEXTS).to_owned());
    }
    if one_in(rng, 2) {
        let fraction = if one_in(rng, 3) { rng.below(1000) as u64 } else { 0 };
        notes.time = Some(Duration::from_millis(rng.below(9000) as u64 * 1000 + fraction));
    }
    if one_in(rng, 8) {
        notes.clock = Some(Duration::from_millis(rng.below(9_000_000) as u64));
    }
    if one_in(rng, 8) {
        notes.nags = (0..=rng.below(3)).map(|_| rng.below(256) as u8).collect();
    }
}

/// Sends the record through every format. What a format has taken as it was, it keeps.
fn check(record: &AnyRecord, encoding: Encoding, seed: u64) {
    for format in Format::ALL {
        let Some(back) = through(record, format, encoding, &format!("seed {seed}")) else {
            continue;
        };
        if back.same_as(record) {
            assert_eq!(write(&back, format).unwrap().lost, [], "seed {seed} as {format} twice");
        }
    }
}

#[test]
fn random_shogi_records_lose_exactly_what_is_listed() {
    let starts = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 78",
        "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1",
    ];
    for seed in 0..600 {
        let mut rng = SplitMix64::new(seed);
        let record = random_record::<Shogi>(&mut rng, &starts).into();
        check(&record, Encoding::Utf8, seed);
        check(&record, Encoding::ShiftJis, seed);
    }
}

#[test]
fn random_chess_records_lose_exactly_what_is_listed() {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 4 9",
        "8/P6k/8/8/8/8/7p/K7 b - - 3 60",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ];
    for seed in 0..600 {
        let mut rng = SplitMix64::new(seed);
        let record = random_record::<Chess>(&mut rng, &starts).into();
        check(&record, Encoding::Utf8, seed);
    }
}
