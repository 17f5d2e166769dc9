//! Compares the mate solver with trying everything on many random positions, and follows every
//! answer to the mates that are too long for that.
//!
//! ```sh
//! cargo run --release -p keisei-engine --example mate_soak -- 100000
//! ```
//!
//! Takes the number of positions and, if given, a seed.

#![allow(clippy::print_stdout)]

#[path = "../tests/mate/check.rs"]
mod check;
#[path = "../tests/mate/naive.rs"]
mod naive;
#[path = "../tests/mate/proof.rs"]
mod proof;
#[path = "../tests/mate/random.rs"]
mod random;

use std::collections::BTreeMap;
use std::process::ExitCode;

use check::{Agreement, compare};
use keisei_engine::mate::Solver;
use keisei_game::SplitMix64;
use keisei_shogi::Shogi;

/// The solver's limit for a position.
const NODES: u64 = 30_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (Some(Ok(positions)), seed) = (arguments.next(), arguments.next()) else {
        println!("usage: mate_soak POSITIONS [SEED]");
        return ExitCode::FAILURE;
    };
    let Ok(seed) = seed.unwrap_or(Ok(1)) else {
        println!("the seed is a whole number");
        return ExitCode::FAILURE;
    };
    let mut rng = SplitMix64::new(seed);
    let mut solver = Solver::new(1 << 20);
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut wrong = 0;
    for _ in 0..positions {
        let position = random::random_problem(&mut rng);
        let kind = match compare::<Shogi>(&mut solver, &position, NODES, 7, 12_000) {
            Ok(Agreement::Mate(plies)) => format!("mate in {plies}, both agree"),
            Ok(Agreement::LongMate) => "longer mate, every answer followed".to_owned(),
            Ok(Agreement::NoMate) => "no mate, none found by trying".to_owned(),
            Ok(Agreement::Unknown) => format!("undecided within {NODES} nodes"),
            Err(problem) => {
                println!("WRONG {position}: {problem}");
                wrong += 1;
                continue;
            }
        };
        *counts.entry(kind).or_default() += 1;
    }
    for (kind, count) in counts {
        println!("{count:8} {kind}");
    }
    println!("{wrong:8} wrong of {positions}");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
