//! Readers against files that nobody wrote in good faith: no panic, and no more memory or time than
//! the limits allow.

#[path = "support/samples.rs"]
mod samples;

use keisei_chess::Chess;
use keisei_game::SplitMix64;
use keisei_records::{AnyRecord, Format, Limits, Problem, Record, read, read_within, write};
use proptest::prelude::*;
use samples::samples;

/// Reads the bytes in every format; what can be read can also be written.
fn read_in_every_way(bytes: &[u8]) {
    for hint in Format::ALL.into_iter().map(Some).chain([None]) {
        for record in read(bytes, hint).unwrap_or_default() {
            Format::ALL.into_iter().for_each(|format| drop(write(&record, format)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_in_every_way(&bytes);
    }

    #[test]
    fn arbitrary_text_of_the_formats_own_words_never_panics(
        words in proptest::collection::vec(
            prop::sample::select(vec![
                "手合割：", "平手", "\n", " ", "   1 ", "７六歩(77)", "同　銀", "投了", "変化：", "1手",
                "*", "&", "まで", "3手で", "先手の勝ち", "▲", "△", "７六歩", "右上成", "|", "v香", " ・",
                "後手の持駒：", "歩十八", "手数＝", "99999999999", "V2.2", "PI", "P1", "P+", "00AL", "/",
                "+7776FU", "-3334FU", ",", "T1.5", "%TORYO", "'**", "* 5 ", "$EVENT:", "{", "}", "[",
                "]", "\"moves\":", "\"move\":", "\"forks\":", "\"from\":{\"x\":7,\"y\":7}", ":", "\"",
                "position ", "startpos ", "sfen ", "moves ", "7g7f ", "resign ", "e2e4 ", "1.", "e4",
                "(", ")", "$1", "!?", "1-0", ";", "%", "[Event \"", "[%eval ", "0.5]", "\u{feff}",
                "\"next\":0", "\"br_next\":0", "-1", "null", "\\u", "[FEN \"", "8/8", "O-O",
            ]),
            0..40,
        )
    ) {
        read_in_every_way(words.concat().as_bytes());
    }

    #[test]
    fn damaged_samples_never_panic(which in any::<prop::sample::Index>(), seed in any::<u64>()) {
        let mut samples = samples();
        let sample = samples.swap_remove(which.index(samples.len()));
        let mut bytes = sample.bytes;
        let mut rng = SplitMix64::new(seed);
        for _ in 0..=rng.below(6) {
            if bytes.is_empty() {
                break;
            }
            let at = rng.below(bytes.len());
            match rng.below(4) {
                0 => bytes[at] = rng.below(256) as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"0123456789()[]{}*+-/'\"\n"[rng.below(23)]),
                _ => {
                    let end = (at + 1 + rng.below(40)).min(bytes.len());
                    let part = bytes[at..end].to_vec();
                    let to = rng.below(bytes.len());
                    bytes.splice(to..to, part);
                }
            }
        }
        read_in_every_way(&bytes);
    }
}

fn limits(bytes: usize, nodes: usize, plies: usize) -> Limits {
    Limits { bytes, nodes, plies }
}

fn problem(bytes: &[u8], format: Format, limits: Limits) -> Problem {
    read_within(bytes, Some(format), limits).map(|records| records.len()).unwrap_err().problem
}

#[test]
fn a_file_beyond_the_limits_is_refused() {
    let plenty = Limits::default();
    let walk = "5i4i 5a4a 4i5i 4a5a ".repeat(10_000);
    let line = format!("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves {walk}");
    assert!(matches!(
        problem(line.as_bytes(), Format::Usi, plenty),
        Problem::Limit { limit: 10_000, .. }
    ));
    assert!(matches!(
        problem(line.as_bytes(), Format::Usi, limits(100, 10, 10)),
        Problem::Limit { limit: 100, what: "bytes" }
    ));
    let games = "position startpos moves 7g7f 3c3d\n".repeat(10);
    assert!(matches!(
        problem(games.as_bytes(), Format::Usi, limits(9999, 99, 10)),
        Problem::Limit { limit: 99, .. }
    ));
    assert!(read_within(games.as_bytes(), Some(Format::Usi), limits(9999, 100, 10)).is_ok());
    // Headers and empty games count as well.
    for (text, format) in [
        ("a：b\n".repeat(20), Format::Kif),
        ("$A:b\n".repeat(20), Format::Csa),
        ("V\n/\n".repeat(20), Format::Csa),
        ("[A \"b\"]\n".repeat(20), Format::Pgn),
        ("*\n".repeat(20), Format::Pgn),
        ("startpos\n".repeat(20), Format::Usi),
    ] {
        let found = problem(text.as_bytes(), format, limits(9999, 19, 10));
        assert!(matches!(found, Problem::Limit { limit: 19, .. }), "{format}: {found}");
    }
}

#[test]
fn nesting_without_an_end_is_refused_without_recursion() {
    assert!(read("(".repeat(100_000).as_bytes(), Some(Format::Pgn)).is_err());
    assert!(read("1. e4 (1. d4 ".repeat(10_000).as_bytes(), Some(Format::Pgn)).is_err());
    let open = "{\"moves\":[{\"forks\":[".to_owned() + &"[{\"forks\":[".repeat(100_000);
    assert!(read(open.as_bytes(), Some(Format::Jkf)).is_err());
    assert!(read("[".repeat(1_000_000).as_bytes(), Some(Format::Sfenx)).is_err());
}

#[test]
fn a_staircase_of_three_thousand_nested_variations_survives_pgn() {
    let mut record = Record::<Chess>::new();
    for ply in 0..3000 {
        let pawn = ["h2h3", "h7h6"][ply % 2];
        record.play(pawn.parse().unwrap()).unwrap();
        record.previous();
        let knight = ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4];
        record.play(knight.parse().unwrap()).unwrap();
    }
    let record = AnyRecord::Chess(record);
    let written = write(&record, Format::Pgn).unwrap();
    assert_eq!(written.lost, []);
    let [back]: [AnyRecord; 1] = read(&written.bytes, None).unwrap().try_into().unwrap();
    assert!(record.same_as(&back));
}

#[test]
fn a_staircase_of_three_thousand_nested_variations_survives_kif_and_jkf() {
    let mut kif = String::from("後手の持駒：なし\n|v玉 ・ ・ ・ ・ ・ ・ ・ ・|一\n");
    for rank in ["二", "三", "四", "五", "六", "七", "八"] {
        kif.push_str(&format!("|{}|{rank}\n", " ・".repeat(9)));
    }
    kif.push_str("| ・ ・ ・ ・ ・ ・ ・ ・ 玉|九\n先手の持駒：なし\n");
    // Each line leaves the one before it at its last move.
    let walk = ["２九玉(19)", "８一玉(91)", "１九玉(29)", "９一玉(81)"];
    let leave = ["１八玉(19)", "９二玉(91)", "２八玉(29)", "８二玉(81)"];
    for ply in 1..=3000 {
        if ply > 1 {
            kif.push_str(&format!("変化：{}手\n", ply - 1));
            kif.push_str(&format!("{:>4} {}\n", ply - 1, walk[(ply - 2) % 4]));
        }
        kif.push_str(&format!("{ply:>4} {}\n", leave[(ply - 1) % 4]));
    }
    let [record] = read(kif.as_bytes(), Some(Format::Kif)).unwrap().try_into().unwrap();
    for format in [Format::Kif, Format::Ki2, Format::Jkf, Format::Sfenx] {
        let written = write(&record, format).unwrap();
        assert_eq!(written.lost, []);
        let [back]: [AnyRecord; 1] =
            read(&written.bytes, Some(format)).unwrap().try_into().unwrap();
        assert!(record.same_as(&back), "{format}");
    }
}
