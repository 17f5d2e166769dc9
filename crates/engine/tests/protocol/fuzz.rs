//! Whatever a GUI sends, only the protocol comes back, and every `go` has one answer.

use std::io::Cursor;

use keisei_chess::Chess;
use keisei_engine::protocol::{EngineOptions, serve};
use keisei_engine::{Arena, Protocol};
use keisei_shogi::Shogi;
use proptest::prelude::*;

use crate::tester::Tester;

/// What the engine answers to `lines`, sent without waiting.
fn answers<G: Arena>(lines: &[Vec<u8>]) -> Vec<String> {
    let mut out = Vec::new();
    let input = Cursor::new(lines.join(&b'\n'));
    let options = EngineOptions { hash: 1, ..EngineOptions::default() };
    serve::<G>(Box::new(Tester::default()), options, input, &mut out).unwrap();
    let text = String::from_utf8(out).expect("the engine writes text");
    assert!(text.is_empty() || text.ends_with('\n'), "{text:?}");
    text.lines().map(str::to_owned).collect()
}

/// The first word of a line as the engine reads it.
fn first_word(line: &[u8]) -> String {
    String::from_utf8_lossy(line).split_whitespace().next().unwrap_or_default().to_owned()
}

fn check<G: Arena>(lines: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let said = answers::<G>(lines);
    for line in &said {
        prop_assert!(is_protocol(G::PROTOCOL, line), "{line:?}");
    }
    let heard = lines.iter().map(|line| first_word(line)).take_while(|word| word != "quit");
    let asked = heard.filter(|word| word == "go").count();
    let is_answer = |line: &&String| line.starts_with("bestmove") || line.starts_with("checkmate");
    prop_assert_eq!(said.iter().filter(is_answer).count(), asked, "{:?}", said);
    Ok(())
}

fn is_protocol(protocol: Protocol, line: &str) -> bool {
    let words: Vec<_> = line.split(' ').collect();
    let is_move = |word: &str| (4..=5).contains(&word.len()) && word.is_ascii();
    match words.as_slice() {
        ["id", "name" | "author", _, ..] | ["option", "name", _, ..] => true,
        ["info", "string", ..] | ["info", "depth", ..] => true,
        ["usiok"] => protocol == Protocol::Usi,
        ["uciok"] => protocol == Protocol::Uci,
        ["readyok"] => true,
        ["bestmove", "resign" | "win"] | ["checkmate", ..] => protocol == Protocol::Usi,
        ["bestmove", "(none)"] => protocol == Protocol::Uci,
        ["bestmove", mv] => is_move(mv),
        ["bestmove", mv, "ponder", reply] => is_move(mv) && is_move(reply),
        _ => false,
    }
}

/// Words that mean something somewhere.
const WORDS: [&str; 55] = [
    "usi",
    "uci",
    "isready",
    "setoption",
    "name",
    "value",
    "USI_Hash",
    "Hash",
    "MultiPV",
    "EvalFile",
    "usinewgame",
    "ucinewgame",
    "position",
    "startpos",
    "sfen",
    "fen",
    "moves",
    "7g7f",
    "3c3d",
    "e2e4",
    "e1g1",
    "e7e8q",
    "P*5e",
    "0000",
    "4k4/9/9/9/9/9/9/9/4K4",
    "4k3/8/8/8/8/8/8/4K2R",
    "b",
    "w",
    "-",
    "KQkq",
    "0",
    "1",
    "-5",
    "1000",
    "99999999999999999999",
    "go",
    "btime",
    "wtime",
    "byoyomi",
    "binc",
    "winc",
    "movestogo",
    "movetime",
    "nodes",
    "depth",
    "infinite",
    "ponder",
    "mate",
    "searchmoves",
    "stop",
    "ponderhit",
    "gameover",
    "debug",
    "on",
    "quit",
];

fn command_line() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::collection::vec(prop::sample::select(&WORDS[..]), 0..9);
    let after = |start: &'static str| {
        let words = prop::collection::vec(prop::sample::select(&WORDS[..]), 0..7);
        words.prop_map(move |words| format!("{start} {}", words.join(" ")).into_bytes())
    };
    prop_oneof![
        words.prop_map(|words| words.join(" ").into_bytes()),
        after("go"),
        after("position startpos moves"),
        after("position"),
        after("ponderhit"),
        after("setoption name"),
        prop::collection::vec(any::<u8>(), 0..40),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_of_usi_are_answered_in_usi(
        lines in prop::collection::vec(command_line(), 0..25),
    ) {
        check::<Shogi>(&split(lines))?;
    }

    #[test]
    fn any_lines_of_uci_are_answered_in_uci(
        lines in prop::collection::vec(command_line(), 0..25),
    ) {
        check::<Chess>(&split(lines))?;
    }
}

/// The lines that the engine sees: bytes may have line breaks among them.
fn split(lines: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    lines.iter().flat_map(|line| line.split(|&byte| byte == b'\n').map(<[u8]>::to_vec)).collect()
}
