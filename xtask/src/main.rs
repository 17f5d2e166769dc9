//! The checks, benches and long tests of the repository: `cargo xtask --help` lists them.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool: its progress is its output"
)]

mod api;
mod bench;
mod check;
mod clients;
mod command;
mod fuzz;
mod interop;
mod levels;
mod miri;
mod mpi;
mod python;
mod soak;
mod torch;
mod trackers;
mod wasm;
mod web;

use std::process::ExitCode;

use clap::Parser;

/// The checks, benches and long tests of the repository
#[derive(Parser)]
enum Task {
    /// Everything that must hold before a change is taken: what CI runs
    Check(check::Options),
    /// Measures speed beside other libraries
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Compares with another library over many random games
    #[command(subcommand)]
    Soak(soak::Soak),
    /// Plays fast games that Python's clients of USI and UCI drive
    Clients(clients::ClientOptions),
    /// Feeds made-up input to the parsers, on the nightly toolchain with cargo-fuzz
    Fuzz(fuzz::Options),
    /// Measures the levels anew, after a network was replaced or before
    Levels(levels::Options),
    /// Builds the browser's package under web/pkg
    Wasm,
    /// Looks for undefined behaviour in the unsafe code, on the nightly toolchain with miri
    Miri,
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Check(options) => check::run(&options),
        Task::Bench(bench) => bench::run(&bench),
        Task::Soak(soak) => soak::run(&soak),
        Task::Clients(options) => clients::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Levels(options) => levels::run(&options),
        Task::Miri => miri::run(),
        Task::Wasm => wasm::run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
