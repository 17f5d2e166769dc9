//! `keisei perft`: counts the tree of legal moves, and checks tables of such counts.

mod check;
mod tree;

use std::fmt;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::{Args, ValueEnum};
use keisei_game::Leaves;
use keisei_games::GameName;
use serde::Serialize;

use crate::pick::ForAnyGame;
use crate::start::StartArgs;
use crate::text_game::TextGame;
use crate::words::counted;

/// Count the tree of legal moves to a depth: the usual test of a move generator
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Perft {
    #[command(flatten)]
    start: StartArgs,
    /// How many plies deep
    #[arg(long, default_value_t = 5)]
    depth: u32,
    /// Print the count below each move of the position
    #[arg(long)]
    divide: bool,
    /// What is done at the last ply. All give the same count
    #[arg(long, value_enum, default_value_t)]
    mode: Mode,
    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Verify every line `position;depth;count` of FILE; lines that begin with # are comments
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "handicap", "depth", "divide"])]
    check: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  keisei perft
  keisei perft --depth 6 --mode count --threads 1
  keisei perft --handicap two --depth 4 --divide
  keisei perft --game chess --position 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' --depth 4
  keisei perft --check crates/shogi/tests/data/perft-shogi.txt";

/// [`Leaves`] by its name on the command line.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Mode {
    /// List the moves of the last ply
    #[default]
    Bulk,
    /// Count the moves of the last ply without listing them
    Count,
    /// Play every move of the last ply
    Make,
}

impl From<Mode> for Leaves {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Bulk => Self::Bulk,
            Mode::Count => Self::Count,
            Mode::Make => Self::Make,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bulk => "bulk",
            Self::Count => "count",
            Self::Make => "make",
        })
    }
}

impl ForAnyGame for Perft {
    fn game(&self) -> GameName {
        self.start.game
    }

    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        match &self.check {
            Some(file) => check::run::<G>(self, file, out),
            None => self.count::<G>(out),
        }
    }
}

/// What `keisei perft --json` prints.
#[derive(Serialize)]
struct Counted {
    game: &'static str,
    position: String,
    depth: u32,
    mode: String,
    threads: usize,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

/// The count below one move.
#[derive(Serialize)]
struct Branch {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

impl Perft {
    fn count<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        let game = self.start.new_game::<G>()?;
        let threads = self.threads();
        let begin = Instant::now();
        let branches =
            tree::divide(game.position(), self.depth, self.mode.into(), threads, &|_| {});
        let taken = begin.elapsed();
        let nodes = tree::total(&branches, self.depth);
        let branches = branches.into_iter().map(|(mv, nodes)| Branch { mv: mv.to_string(), nodes });
        let report = Counted {
            game: G::NAME,
            position: game.notation(),
            depth: self.depth,
            mode: self.mode.to_string(),
            threads,
            nodes,
            seconds: taken.as_secs_f64(),
            nodes_per_second: speed(nodes, taken),
            divide: self.divide.then(|| branches.collect()),
        };
        if self.json {
            return Ok(writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?);
        }
        writeln!(out, "{}", report.position)?;
        for Branch { mv, nodes } in report.divide.iter().flatten() {
            writeln!(out, "{mv}: {nodes}")?;
        }
        writeln!(out, "depth {}: {nodes} nodes in {}", self.depth, self.pace(nodes, taken))?;
        Ok(())
    }

    fn threads(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(cores, NonZeroUsize::get)
    }

    /// How long a count took and how fast it was, in words.
    fn pace(&self, nodes: u64, taken: Duration) -> String {
        let threads = counted(self.threads(), "thread");
        let (seconds, speed) = (taken.as_secs_f64(), speed(nodes, taken) / 1e6);
        format!("{seconds:.3} s, {speed:.1} Mnodes/s ({}, {threads})", self.mode)
    }
}

fn speed(nodes: u64, taken: Duration) -> f64 {
    nodes as f64 / taken.as_secs_f64().max(1e-9)
}
