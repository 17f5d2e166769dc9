//! Everything that must hold before a change is taken.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Args;

use crate::command::Command;
use crate::{api, clients, fuzz, interop, miri, mpi, python, soak, torch, trackers, web};

/// The libraries that must compile for a browser.
const WASM_CRATES: [&str; 6] = [
    "keisei-game",
    "keisei-shogi",
    "keisei-chess",
    "keisei-animal",
    "keisei-records",
    "keisei-engine",
];

/// Every step that builds for development selects the same packages with the same features, so that
/// nothing is built twice. The features only add tests that their own steps run.
pub(crate) const DEVELOPMENT: &str =
    "--workspace --features keisei-train/learning,keisei-train/python-clients";

/// The same for every step that builds for release.
const RELEASE: &str = "--release --package keisei --package keisei-bench --package keisei-train \
                       --features keisei-train/learning";

/// A name and what is run.
pub(crate) type Step = (&'static str, Command);

/// What is checked.
#[derive(Args)]
pub(crate) struct Options {
    /// Also compare the learner for GPUs with the CPU's, in libtorch's arithmetic for CPUs
    #[arg(long)]
    torch: bool,
    /// Only list the steps and their commands
    #[arg(long)]
    list: bool,
}

/// Runs every step in order and stops at the first that fails.
pub(crate) fn run(options: &Options) -> Result<()> {
    let steps = steps(options);
    if options.list {
        steps.iter().for_each(|(name, command)| println!("{name}: {command}"));
    } else {
        web::require_tools()?;
        run_all(&steps)?;
    }
    if let Some(reason) = fuzz::missing_tool() {
        println!("==> fuzz targets build: left out, because {reason}");
    }
    if let Some(reason) = miri::missing_tool() {
        println!("==> miri: left out, because {reason}");
    }
    Ok(())
}

fn run_all(steps: &[Step]) -> Result<()> {
    let mut times = Vec::new();
    for (name, command) in steps {
        println!("==> {name}: {command}");
        let start = Instant::now();
        command.run().with_context(|| format!("the step {name:?} failed"))?;
        times.push(start.elapsed());
        println!("==> {name}: {:.1} s", start.elapsed().as_secs_f64());
    }
    println!("==> all checks passed");
    for ((name, _), time) in steps.iter().zip(&times) {
        println!("{:>7.1} s  {name}", time.as_secs_f64());
    }
    println!("{:>7.1} s  in all", times.iter().sum::<Duration>().as_secs_f64());
    Ok(())
}

fn steps(options: &Options) -> Vec<Step> {
    let mut steps = development();
    steps.extend(trackers::steps());
    steps.extend(release());
    steps.extend(clients::steps());
    steps.extend(mpi::steps());
    steps.extend(interop::steps());
    steps.extend(api::steps());
    steps.extend(web::steps());
    steps.extend(python::steps());
    if options.torch {
        steps.extend(torch::steps());
        steps.extend(python::torch_steps());
    }
    if fuzz::missing_tool().is_none() {
        steps.push(("fuzz targets build", fuzz::build()));
    }
    if miri::missing_tool().is_none() {
        steps.extend(miri::steps());
    }
    steps
}

fn development() -> Vec<Step> {
    let wasm = WASM_CRATES
        .iter()
        .fold(Command::cargo("check --target wasm32-unknown-unknown"), |command, package| {
            command.arg("--package").arg(package)
        });
    vec![
        ("format", Command::cargo("fmt --all -- --check")),
        ("clippy", Command::cargo(&format!("clippy {DEVELOPMENT} --all-targets -- -D warnings"))),
        (
            "tests",
            Command::cargo(&format!("nextest run {DEVELOPMENT} --filterset"))
                .arg("not (binary_id(keisei-train::learns) or binary_id(keisei-train::clients))"),
        ),
        ("doctests", Command::cargo(&format!("test {DEVELOPMENT} --doc --quiet"))),
        (
            "docs",
            Command::cargo(&format!("doc {DEVELOPMENT} --no-deps"))
                .env("RUSTDOCFLAGS", "-D warnings"),
        ),
        ("wasm", wasm),
    ]
}

fn release() -> Vec<Step> {
    let perft = |game: &str, file: &str| {
        Command::new("target/release/keisei", "perft")
            .args(&["--game", game, "--check", file].map(str::to_owned))
    };
    vec![
        ("release build", Command::cargo(&format!("build {RELEASE}"))),
        ("perft of shogi", perft("shogi", "crates/shogi/tests/data/perft-shogi.txt")),
        ("perft of chess", perft("chess", "crates/chess/tests/data/perft-chess.txt")),
        ("perft of animal shogi", perft("animal", "crates/animal/tests/data/perft-animal.txt")),
        (
            "rules soak",
            soak::RulesOptions::short().command(Command::new("target/release/keisei-bench", "")),
        ),
        // The network learns within a fixed number of moves.
        ("learning", Command::cargo(&format!("nextest run {RELEASE} --test learns"))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_a_name_of_its_own() {
        let steps = steps(&Options { torch: true, list: true });
        let mut names: Vec<_> = steps.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), steps.len());
    }
}
