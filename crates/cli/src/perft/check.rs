//! Verifying a file of perft counts.

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{Perft, speed, tree};
use crate::text_game::{TextGame, from_text};

/// A line of the file that states a count.
struct Entry<G> {
    line: usize,
    game: G,
    depth: u32,
    count: u64,
}

/// What is wrong with a line.
#[derive(Serialize)]
struct Fault {
    line: usize,
    #[serde(flatten)]
    problem: Problem,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Problem {
    Malformed { malformed: String },
    Mismatch { position: String, depth: u32, expected: u64, found: u64 },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            Problem::Malformed { malformed } => f.write_str(malformed),
            Problem::Mismatch { position, depth, expected, found } => {
                write!(f, "expected {expected} nodes at depth {depth}, found {found}: {position}")
            }
        }
    }
}

/// What `keisei perft --check --json` prints.
#[derive(Serialize)]
struct Verified<'a> {
    game: &'static str,
    file: String,
    lines: usize,
    faults: &'a [Fault],
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

/// Verifies every line of `file`, and fails if one is wrong.
pub(super) fn run<G: TextGame>(perft: &Perft, file: &Path, out: &mut dyn Write) -> Result<()> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    let (entries, mut faults) = read::<G>(&text);
    let lines = entries.len() + faults.len();
    if lines == 0 {
        bail!("{name} has no line to check: expected lines `position;depth;count`");
    }
    if !perft.json {
        faults.iter().try_for_each(|fault| writeln!(out, "{fault}"))?;
    }
    let begin = Instant::now();
    let nodes = verify(perft, &entries, &mut faults, out)?;
    let taken = begin.elapsed();
    if perft.json {
        let report = Verified {
            game: G::NAME,
            file: name.to_string(),
            lines,
            faults: &faults,
            nodes,
            seconds: taken.as_secs_f64(),
            nodes_per_second: speed(nodes, taken),
        };
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        let (right, pace) = (lines - faults.len(), perft.pace(nodes, taken));
        writeln!(out, "{right} of {lines} lines agree: {nodes} nodes in {pace}")?;
    }
    if !faults.is_empty() {
        bail!("{} of {lines} lines of {name} are wrong", faults.len());
    }
    Ok(())
}

/// Counts the trees of all `entries`, adds those that do not agree to `faults`, and gives back how
/// many nodes there were.
fn verify<G: TextGame>(
    perft: &Perft,
    entries: &[Entry<G>],
    faults: &mut Vec<Fault>,
    out: &mut dyn Write,
) -> Result<u64> {
    let bar = progress_bar(entries);
    let mut say = |text: &dyn fmt::Display| {
        if perft.json { Ok(()) } else { bar.suspend(|| writeln!(out, "{text}")) }
    };
    let mut nodes = 0;
    for &Entry { line, ref game, depth, count: expected } in entries {
        bar.set_message(format!("line {line}, depth {depth}"));
        let (leaves, threads) = (perft.mode.into(), perft.threads());
        let branches =
            tree::divide(game.position(), depth, leaves, threads, &|nodes| bar.inc(nodes));
        let found = tree::total(&branches, depth);
        nodes += found;
        if found != expected {
            let position = game.notation();
            let problem = Problem::Mismatch { position, depth, expected, found };
            let fault = Fault { line, problem };
            say(&fault)?;
            faults.push(fault);
        } else if bar.is_hidden() {
            say(&format_args!("line {line}: depth {depth}, {found} nodes, ok"))?;
        }
    }
    bar.finish_and_clear();
    Ok(nodes)
}

/// The counts that the lines of `text` state, and the lines that cannot be understood.
fn read<G: TextGame>(text: &str) -> (Vec<Entry<G>>, Vec<Fault>) {
    let (mut entries, mut faults) = (Vec::new(), Vec::new());
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match read_line(text) {
            Ok((game, depth, count)) => entries.push(Entry { line, game, depth, count }),
            Err(error) => {
                let problem = Problem::Malformed { malformed: format!("{error:#}") };
                faults.push(Fault { line, problem });
            }
        }
    }
    (entries, faults)
}

fn read_line<G: TextGame>(text: &str) -> Result<(G, u32, u64)> {
    let [position, depth, count] = text.split(';').map(str::trim).collect::<Vec<_>>()[..] else {
        bail!("expected `position;depth;count`, found {text:?}");
    };
    let depth = depth.parse().with_context(|| format!("{depth:?} is no depth"))?;
    let count = count.parse().with_context(|| format!("{count:?} is no count"))?;
    Ok((from_text(position)?, depth, count))
}

/// A bar on a terminal, and nothing elsewhere.
fn progress_bar<G>(entries: &[Entry<G>]) -> ProgressBar {
    let nodes = entries.iter().fold(0, |sum: u64, entry| sum.saturating_add(entry.count));
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {eta:>4} left  {msg}")
        .expect("the template is well-formed");
    ProgressBar::new(nodes).with_style(style)
}
