//! The speed of move generation, measured side by side in one process.
//!
//! For each position and each kind of work the engines take turns, so that a change of the
//! machine's pace hits them alike; the best turn of each counts. Time is the processor time of the
//! thread. The number of leaves is checked against the table before anything is timed.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use keisei_game::{Leaves, SplitMix64};

use crate::clock::timed;
use crate::engine::{Engine, Haitaka, Keisei, Rsshogi};
use crate::report::Report;
use crate::table::{Case, cases};

/// A random game is cut off after this many plies.
const PLY_LIMIT: usize = 512;
/// How many random games make one turn.
const GAMES_A_TURN: u64 = 200;
/// An engine that is known to be inexact may be off by this part of the leaves.
const TOLERANCE: f64 = 0.01;
/// A time that no turn falls below, so that a rate is finite.
const TICK: Duration = Duration::from_nanos(1);

/// What is measured, how long and how often.
#[derive(Args)]
pub(crate) struct Options {
    /// How long to go on with each position and each kind of work, at least
    #[arg(long, default_value_t = 1.0, value_name = "SECONDS")]
    seconds: f64,
    /// How many turns each engine gets with each position and each kind of work, at least
    #[arg(long, default_value_t = 3, value_name = "N")]
    rounds: u32,
    /// Only this kind of work (may be given several times)
    #[arg(long, value_enum, value_name = "KIND")]
    work: Vec<Work>,
    /// Only the position of this name (may be given several times)
    #[arg(long, value_name = "NAME")]
    position: Vec<String>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Work {
    /// Perft with the moves of the last ply written to a list
    Bulk,
    /// Perft with the moves of the last ply counted, not listed
    Count,
    /// Perft with every move of the last ply played
    Make,
    /// Random moves until there is no legal one, at most 512
    Playouts,
    /// Random moves until the game ends, fourfold repetition included, at most 512
    Games,
}

impl Work {
    /// The unit of the rate.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::Bulk | Self::Count | Self::Make => "million leaves/s",
            Self::Playouts | Self::Games => "million plies/s",
        }
    }

    fn leaves(self) -> Option<Leaves> {
        match self {
            Self::Bulk => Some(Leaves::Bulk),
            Self::Count => Some(Leaves::Count),
            Self::Make => Some(Leaves::Make),
            Self::Playouts | Self::Games => None,
        }
    }

    /// The most leaves for one turn: turns are short, so that every engine meets a quiet moment.
    fn most_leaves(self) -> u64 {
        if self == Self::Make { 1_000_000 } else { 6_000_000 }
    }
}

/// Runs the benchmark and prints its report.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut engines: [Box<dyn Engine>; 3] =
        [Box::new(Keisei::new()), Box::new(Rsshogi::new()), Box::new(Haitaka::new())];
    let mut report = Report::new(engines.iter().map(|engine| engine.name()).collect());
    let cases: Vec<_> = cases()?
        .into_iter()
        .filter(|case| options.position.is_empty() || options.position.contains(&case.name))
        .collect();
    ensure!(!cases.is_empty(), "no position is named {}", options.position.join(" or "));
    for &work in Work::value_variants() {
        if !options.work.is_empty() && !options.work.contains(&work) {
            continue;
        }
        report.begin(work);
        for case in &cases {
            for engine in &mut engines {
                engine.set_position(&case.sfen)?;
            }
            let rates = match work.leaves() {
                Some(leaves) => {
                    let (depth, expected) = case.deepest(work.most_leaves())?;
                    for engine in &mut engines {
                        check(engine.as_mut(), case, (depth, expected), leaves, &mut report)?;
                    }
                    take_turns(&mut engines, options, |engine| engine.perft(depth, leaves))
                }
                None => take_turns(&mut engines, options, |engine| play(engine, work)),
            };
            report.add(&case.name, rates);
        }
    }
    report.print(options.json);
    Ok(())
}

/// Compares an engine's count with the table; a difference is an error, or a note in the report
/// where the engine is known to be inexact.
fn check(
    engine: &mut dyn Engine,
    case: &Case,
    (depth, expected): (u32, u64),
    leaves: Leaves,
    report: &mut Report,
) -> Result<()> {
    let Some(counted) = engine.perft(depth, leaves) else { return Ok(()) };
    if counted == expected {
        return Ok(());
    }
    let difference = format!(
        "{} counts {counted} leaves in {} at depth {depth}; there are {expected}",
        engine.name(),
        case.name
    );
    let off = counted.abs_diff(expected) as f64 / expected as f64;
    ensure!(engine.is_inexact() && off <= TOLERANCE, "{difference}");
    report.note(difference);
    Ok(())
}

/// The same number of random games for every engine, from the same seeds. Which games they are
/// depends on the order in which an engine lists its moves; their lengths average out.
fn play(engine: &mut dyn Engine, work: Work) -> Option<u64> {
    let mut plies = 0;
    for seed in 0..GAMES_A_TURN {
        let rng = &mut SplitMix64::new(seed);
        plies += match work {
            Work::Games => engine.game(rng, PLY_LIMIT)?,
            _ => engine.playout(rng, PLY_LIMIT),
        } as u64;
    }
    Some(plies)
}

/// The best rate of each engine in millions of units a second; `None` for work it cannot do.
fn take_turns(
    engines: &mut [Box<dyn Engine>],
    options: &Options,
    work: impl Fn(&mut dyn Engine) -> Option<u64>,
) -> Vec<Option<f64>> {
    let mut best = vec![None; engines.len()];
    let start = Instant::now();
    let mut round = 0;
    while round < options.rounds.max(1) || start.elapsed().as_secs_f64() < options.seconds {
        for (engine, best) in engines.iter_mut().zip(&mut best) {
            let (time, units) = timed(|| work(engine.as_mut()));
            let Some(units) = units else { continue };
            let rate = units as f64 / time.max(TICK).as_secs_f64() / 1e6;
            *best = Some(best.map_or(rate, |best: f64| best.max(rate)));
        }
        round += 1;
    }
    best
}
