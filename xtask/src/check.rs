//! Everything that must hold before a change is taken.

use std::time::Instant;

use anyhow::{Context, Result};

use crate::command::Command;
use crate::fuzz;

/// The libraries that must compile for a browser.
const WASM_CRATES: [&str; 4] = ["keisei-game", "keisei-shogi", "keisei-chess", "keisei-records"];

/// Runs every step in order and stops at the first that fails.
pub(crate) fn run() -> Result<()> {
    let start = Instant::now();
    for (name, command) in
        steps().into_iter().chain(crate::trackers::steps()).chain(crate::clients::steps())
    {
        step(name, &command)?;
    }
    match fuzz::missing_tool() {
        None => step("fuzz targets build", &fuzz::build())?,
        Some(reason) => println!("==> fuzz targets build: left out, because {reason}"),
    }
    println!("==> all checks passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn steps() -> Vec<(&'static str, Command)> {
    let perft = |game: &str, file: &str| {
        Command::cargo("run --quiet --release --package keisei -- perft")
            .args(&["--game", game, "--check", file].map(str::to_owned))
    };
    let wasm = WASM_CRATES
        .iter()
        .fold(Command::cargo("check --target wasm32-unknown-unknown"), |command, package| {
            command.arg("--package").arg(package)
        });
    vec![
        ("format", Command::cargo("fmt --all -- --check")),
        ("clippy", Command::cargo("clippy --workspace --all-targets -- -D warnings")),
        ("tests", Command::cargo("nextest run --workspace")),
        ("doctests", Command::cargo("test --workspace --doc --quiet")),
        ("docs", Command::cargo("doc --workspace --no-deps").env("RUSTDOCFLAGS", "-D warnings")),
        ("perft of shogi", perft("shogi", "crates/shogi/tests/data/perft-shogi.txt")),
        ("perft of chess", perft("chess", "crates/chess/tests/data/perft-chess.txt")),
        ("rules soak", crate::soak::rules(&crate::soak::RulesOptions::short())),
        ("learning", learning()),
        ("wasm", wasm),
    ]
}

/// The real network learns within a fixed number of moves.
fn learning() -> Command {
    let command = Command::cargo("nextest run --release --package keisei-train");
    command.args(&["--features", "learning", "--test", "learns"].map(str::to_owned))
}

fn step(name: &str, command: &Command) -> Result<()> {
    println!("==> {name}: {command}");
    let start = Instant::now();
    command.run().with_context(|| format!("the step {name:?} failed"))?;
    println!("==> {name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
