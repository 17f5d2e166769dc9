//! Measures the rules of shogi against other generators, and tests that they agree.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool: its report is its output"
)]

mod clock;
mod engine;
mod env;
mod movegen;
mod positions;
mod report;
mod soak;
mod table;

use std::process::ExitCode;

use clap::Parser;

#[derive(Parser)]
#[command(version, about)]
enum Command {
    /// Measures move generation, making moves and random games.
    Movegen(movegen::Options),
    /// Measures many games at once, as a learner plays them
    Env(env::Options),
    /// Writes random positions with their packed forms, planes and labels, for python/agreement.py
    Positions(positions::Options),
    /// Compares the rules with rsshogi's over many random games
    Soak(soak::Options),
}

fn main() -> ExitCode {
    let done = match Command::parse() {
        Command::Movegen(options) => movegen::run(&options),
        Command::Env(options) => env::run(&options),
        Command::Positions(options) => positions::run(&options),
        Command::Soak(options) => soak::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            error.chain().skip(1).for_each(|cause| eprintln!("  {cause}"));
            ExitCode::FAILURE
        }
    }
}
