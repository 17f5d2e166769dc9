//! The `keisei` command: shogi and chess in a terminal, and the tools around them.

// Standard error belongs to the command line; the libraries below it stay silent.
#![allow(clippy::print_stderr)]

mod analyze;
mod cluster;
mod config;
mod convert;
mod csa;
mod export;
mod interrupt;
mod ladder;
mod match_command;
mod mate;
mod models;
mod perft;
mod pick;
mod play;
mod players;
mod problems;
mod profile;
mod record_file;
mod report;
mod runs;
mod serve;
mod show;
mod start;
mod stats;
mod text_game;
mod train;
mod truth;
mod uci;
mod usi;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Learns shogi and chess from nothing, plays them, and works with their records.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  keisei train --minutes 10      teach this machine shogi from nothing
  keisei report NAME             plot the curves of a run
  keisei serve                   play, study and watch runs in a browser
  keisei play --level 3          play shogi against the built-in network, as it was when young
  keisei match ab:2 greedy       find out which of two players is stronger
  keisei show startpos           the board and its legal moves
  keisei perft                   count the move tree five plies deep
  keisei analyze game.kif        find the bad moves of a game
  keisei convert game.kif game.csa
  keisei help perft              explain a command";

#[derive(Subcommand)]
enum Command {
    Analyze(analyze::Analyze),
    Config(config::ConfigCommand),
    Convert(convert::Convert),
    Csa(csa::Csa),
    Export(export::Export),
    Import(export::Import),
    Ladder(ladder::Ladder),
    Match(match_command::MatchCommand),
    Mate(mate::Mate),
    Models(models::ModelsCommand),
    Perft(perft::Perft),
    Play(play::Play),
    Problems(problems::Problems),
    Profile(profile::Profile),
    Report(report::Report),
    Runs(runs::Runs),
    Serve(serve::Serve),
    Show(show::Show),
    Stats(stats::Stats),
    Train(train::Train),
    Truth(truth::Truth),
    Uci(uci::Uci),
    Usi(usi::Usi),
}

fn main() -> ExitCode {
    let mut out = io::stdout().lock();
    let result = run(&Cli::parse().command, &mut out).and_then(|()| Ok(out.flush()?));
    let Err(error) = result else { return ExitCode::SUCCESS };
    if is_closed_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    match error.downcast::<clap::Error>() {
        Ok(usage) => usage.exit(),
        Err(failure) => {
            eprintln!("error: {}", message(&failure));
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command, out: &mut dyn Write) -> Result<()> {
    match command {
        Command::Analyze(analyze) => analyze.run(out),
        Command::Config(config) => config.run(out),
        Command::Convert(convert) => convert.run(out),
        Command::Csa(csa) => csa.run(out),
        Command::Export(export) => export.run(out),
        Command::Import(import) => import.run(out),
        Command::Ladder(ladder) => pick::run(ladder, out),
        Command::Match(contest) => pick::run(contest, out),
        Command::Mate(mate) => pick::run(mate, out),
        Command::Models(models) => models.run(out),
        Command::Perft(perft) => pick::run(perft, out),
        Command::Play(play) => pick::run(play, out),
        Command::Problems(problems) => pick::run(problems, out),
        Command::Profile(profile) => pick::run(profile, out),
        Command::Report(report) => report.run(out),
        Command::Runs(runs) => runs.run(out),
        Command::Serve(serve) => serve.run(out),
        Command::Show(show) => pick::run(show, out),
        Command::Stats(stats) => pick::run(stats, out),
        Command::Train(train) => train.run(out),
        Command::Truth(truth) => truth.run(out),
        Command::Uci(uci) => uci.run(out),
        Command::Usi(usi) => usi.run(out),
    }
}

/// What went wrong, and why. A cause that was told already is not told again.
fn message(failure: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in failure.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Whether the reader of our output has left, as `head` does: no failure of ours.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn a_cause_that_an_error_names_itself_is_told_once() {
        let cause = || anyhow!("no such file");
        assert_eq!(message(&cause().context("runs")), "runs: no such file");
        let told = cause().context("runs: no such file").context("the run");
        assert_eq!(message(&told), "the run: runs: no such file");
    }
}
