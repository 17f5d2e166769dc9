//! The encodings as text files that can be checked by eye, and one hash over many positions.
//!
//! `KEISEI_WRITE_GOLDEN=1 cargo test -p keisei-encode golden` writes the files anew. A change of
//! what they show is a change of the encoding: then `VERSION` goes up.

use std::fmt::Write;
use std::path::PathBuf;

use keisei_animal::Animal;
use keisei_chess::Chess;
use keisei_encode::{Actions, VERSION, animal, chess, legal_actions, shogi};
use keisei_game::Game;
use keisei_shogi::Shogi;

use crate::sample::{Sample, View, game, walk};

/// A plane: shown as a board, or as the number that fills it.
enum Shown {
    Board(String),
    Constant(String),
}

/// The names of a game's planes in order.
trait Named: Sample {
    fn names() -> Vec<Shown>;
    /// The numbers of the legal moves in each numbering.
    fn numbers(&self) -> Vec<String>;
}

impl Named for Shogi {
    fn names() -> Vec<Shown> {
        let kinds = "P L N S G B R +P +L +N +S +B +R K";
        let boards = ["own", "other"].into_iter().flat_map(|whose| {
            kinds.split(' ').map(move |kind| Shown::Board(format!("{whose} {kind}")))
        });
        let hands = ["own", "other"].into_iter().flat_map(|whose| {
            let kinds = "PLNSGBR".chars();
            kinds.map(move |kind| Shown::Constant(format!("{whose} hand {kind}")))
        });
        let rest = ["Black to move", "once before", "twice before", "three times before"];
        boards.chain(hands).chain(rest.map(|name| Shown::Constant(name.to_owned()))).collect()
    }

    fn numbers(&self) -> Vec<String> {
        listed(self, &[number::<shogi::Compact>, number::<shogi::Full>])
    }
}

impl Named for Chess {
    fn names() -> Vec<Shown> {
        let boards = ["own", "other"].into_iter().flat_map(|whose| {
            "PNBRQK".chars().map(move |kind| Shown::Board(format!("{whose} {kind}")))
        });
        let rights = ["own short", "own long", "other short", "other long"];
        let rights = rights.map(|name| Shown::Constant(format!("castling {name}")));
        let rest = ["once before", "twice or more before", "clock", "White to move"];
        let rest = rest.map(|name| Shown::Constant(name.to_owned()));
        boards.chain(rights).chain([Shown::Board("en passant".to_owned())]).chain(rest).collect()
    }

    fn numbers(&self) -> Vec<String> {
        listed(self, &[number::<chess::AlphaZero>])
    }
}

impl Named for Animal {
    fn names() -> Vec<Shown> {
        let boards = ["own", "other"].into_iter().flat_map(|whose| {
            "C E G L +C".split(' ').map(move |kind| Shown::Board(format!("{whose} {kind}")))
        });
        let hands = ["own", "other"].into_iter().flat_map(|whose| {
            "CEG".chars().map(move |kind| Shown::Constant(format!("{whose} hand {kind}")))
        });
        let rest = ["before", "first to move"].map(|name| Shown::Constant(name.to_owned()));
        boards.chain(hands).chain(rest).collect()
    }

    fn numbers(&self) -> Vec<String> {
        listed(self, &[number::<animal::Arrivals>])
    }
}

fn number<A: Actions>(game: &A::Game, mv: <A::Game as Game>::Move) -> usize {
    A::index(game.turn(), mv)
}

/// Every legal move with its numbers, sorted by its text.
fn listed<G: Game>(game: &G, numberings: &[fn(&G, G::Move) -> usize]) -> Vec<String> {
    let mut moves: Vec<_> = game.legal_moves().into_iter().map(|mv| (mv.to_string(), mv)).collect();
    moves.sort_by(|one, two| one.0.cmp(&two.0));
    let line = |(text, mv): &(String, G::Move)| {
        let numbers = numberings.iter().map(|number| format!("{:>6}", number(game, *mv)));
        format!("{text:<5}{}", numbers.collect::<String>())
    };
    moves.iter().map(line).collect()
}

/// Everything that the encoding says about a position.
fn text<G: Named>(position: &str, moves: &str) -> String {
    let game: G = game(position, moves);
    let view = View::of(&game);
    let mut text = format!("{position}\n{}\n", format!("moves {moves}").trim_end());
    writeln!(text, "{}\n\n{}", game.notation(), game.board_text().trim_end()).unwrap();
    let (mut boards, mut constants) = (Vec::new(), String::new());
    for (plane, shown) in G::names().into_iter().enumerate() {
        match shown {
            Shown::Board(name) => boards.push(diagram(&view, plane, &name)),
            Shown::Constant(name) => {
                writeln!(constants, "{plane:>3} {name:<22}{:.4}", view.constant(plane)).unwrap();
            }
        }
    }
    text.push('\n');
    for row in boards.chunks(4) {
        text.push_str(&side_by_side(row));
    }
    text.push_str(&constants);
    text.push_str("\npacked\n");
    let packed = game.pack();
    let (board, rest) = packed.as_ref().split_at(G::SQUARES);
    for row in board.chunks(G::COLUMNS).chain([rest]) {
        let bytes: Vec<_> = row.iter().map(|byte| format!("{byte:>2}")).collect();
        writeln!(text, "{}", bytes.join(" ")).unwrap();
    }
    text.push_str("\nlegal moves and their numbers\n");
    for row in game.numbers().chunks(4) {
        writeln!(text, "{}", row.join("   ")).unwrap();
    }
    text
}

/// A plane as lines of text.
fn diagram<G: Sample>(view: &View<G>, plane: usize, name: &str) -> Vec<String> {
    let ones = view.ones(plane);
    let row = |row| {
        let marks =
            (0..G::COLUMNS).map(|column| if ones.contains(&(row, column)) { "1" } else { "." });
        marks.collect::<Vec<_>>().join(" ")
    };
    let rows = (0..G::SQUARES / G::COLUMNS).map(row);
    [format!("{plane} {name}")].into_iter().chain(rows).collect()
}

fn side_by_side(diagrams: &[Vec<String>]) -> String {
    let mut text = String::new();
    for line in 0..diagrams[0].len() {
        let parts: Vec<_> = diagrams.iter().map(|lines| format!("{:<17}", lines[line])).collect();
        writeln!(text, "{}", parts.join("   ").trim_end()).unwrap();
    }
    text.push('\n');
    text
}

fn assert_golden(name: &str, text: &str) {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name].iter().collect();
    if std::env::var_os("KEISEI_WRITE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    for (number, (kept, now)) in kept.lines().zip(text.lines()).enumerate() {
        assert_eq!(kept, now, "line {} of {name}", number + 1);
    }
    assert_eq!(kept, text, "{name}");
}

const SHOGI_START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const CHESS_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn shogi_positions_are_encoded_as_the_golden_files_show() {
    let end = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    let promoted = "8k/+P+L+N+S+B+R3/9/9/9/9/9/3+r+b+s+n+l+p/K8 b 2G2P2g3p 1";
    let there_and_back = "2h3h 8b7b 3h2h 7b8b";
    let files = [
        ("shogi_start.txt", SHOGI_START, ""),
        ("shogi_white_to_move.txt", SHOGI_START, "7g7f 3c3d 8h2b+"),
        ("shogi_hands.txt", end, ""),
        ("shogi_promoted_pieces.txt", promoted, ""),
        ("shogi_once_before.txt", SHOGI_START, there_and_back),
        (
            "shogi_twice_before.txt",
            SHOGI_START,
            &format!("7g7f {}", "3a4b 2h3h 4b3a 3h2h ".repeat(2).trim_end()),
        ),
        ("shogi_three_times_before.txt", SHOGI_START, &[there_and_back; 3].join(" ")),
    ];
    for (name, position, moves) in files {
        assert_golden(name, &text::<Shogi>(position, moves));
    }
}

#[test]
fn chess_positions_are_encoded_as_the_golden_files_show() {
    let files = [
        ("chess_start.txt", CHESS_START, ""),
        ("chess_black_en_passant.txt", CHESS_START, "a2a3 d7d5 a3a4 d5d4 e2e4"),
        ("chess_promotions.txt", "n1n1k2r/1P6/8/8/8/8/8/R3K3 w Qk - 12 40", ""),
        ("chess_twice_before.txt", CHESS_START, &["g1f3 g8f6 f3g1 f6g8"; 2].join(" ")),
    ];
    for (name, position, moves) in files {
        assert_golden(name, &text::<Chess>(position, moves));
    }
}

#[test]
fn animal_positions_are_encoded_as_the_golden_files_show() {
    let start = "gle/1c1/1C1/ELG b - 1";
    let files = [
        ("animal_start.txt", start, ""),
        ("animal_white_to_move.txt", start, "2c2b 2a2b C*2c"),
        ("animal_before.txt", start, "1d1c 3a3b 1c1d 3b3a"),
        ("animal_hens.txt", "l1g/+C2/1E1/L1+c w Ge 31", ""),
    ];
    for (name, position, moves) in files {
        assert_golden(name, &text::<Animal>(position, moves));
    }
}

/// FNV-1a over everything the encoding says about many positions.
fn hash<G: Sample>(numbers: impl Fn(&G) -> Vec<usize>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    walk::<G>(8, 48, 120, |game, _| {
        add(game.pack().as_ref());
        game.planes().iter().for_each(|number| add(&number.to_bits().to_le_bytes()));
        let mut numbers = numbers(game);
        numbers.sort_unstable();
        numbers.iter().for_each(|&number| add(&(number as u32).to_le_bytes()));
    });
    hash
}

fn numbers<A: Actions>(game: &A::Game) -> Vec<usize> {
    legal_actions::<A>(game.position()).into_iter().map(|(number, _)| number).collect()
}

#[test]
fn encodings_do_not_change_without_a_new_version() {
    let shogi = hash::<Shogi>(|game| {
        [numbers::<shogi::Compact>(game), numbers::<shogi::Full>(game)].concat()
    });
    let chess = hash::<Chess>(numbers::<chess::AlphaZero>);
    let animal = hash::<Animal>(numbers::<animal::Arrivals>);
    assert_eq!(
        (VERSION, shogi, chess, animal),
        (1, 14_934_011_270_079_501_464, 4_547_109_190_561_910_865, 12_784_854_217_158_265_709),
        "an encoding has changed: raise VERSION and put the new hashes here"
    );
}
