//! `keisei analyze`: what a player thinks of a recorded game.

mod graph;
mod table;

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use keisei_analysis::{Analysis, analyze, annotate};
use keisei_engine::{Arena, Limits, PlayerSpec, Signal};
use keisei_games::with_game;
use keisei_records::{AnyRecord, Format, Record, Recorded, with_record, write_encoded};

use crate::convert::report_losses;
use crate::interrupt::Interrupt;
use crate::players::{help, program};
use crate::record_file::{FormatArgs, STANDARD, Target, read_games, replace};
use crate::start::usage;
use crate::text_game::{SpellingArgs, TextGame};
use crate::words::seconds;
use table::Spelled;

/// Analyse a recorded game: scores, best lines, bad moves, a graph of the winning chances
///
/// A player thinks about every position of the game. Its scores and best lines are written into the
/// record as ShogiHome writes them ([%eval] in PGN); bad moves get a comment. If you press Ctrl-C, or
/// the player fails, whatever was found so far is written.
#[derive(Args)]
#[command(after_help = help(EXAMPLES))]
pub(crate) struct Analyze {
    /// The record to read, or - for standard input
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    /// The record to write, or - for standard output [default: RECORD with -analysis in its name]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    formats: FormatArgs,
    /// Which game of a file that holds several, from 1
    #[arg(long, value_name = "N")]
    number: Option<usize>,
    /// Who analyses: any player from the list below that evaluates positions
    #[arg(long, value_name = "PLAYER", default_value = "ab:4,quiescence", value_parser = program)]
    player: PlayerSpec,
    /// Search at most this many positions per move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search at most this many plies deep
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Think this long about each move [default: 1, unless --nodes or --depth is given]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Add the best line as a variation beside every bad move
    #[arg(long)]
    variations: bool,
    /// Draw the chances to this .svg or .png file; can be repeated
    /// [default: both, next to the written record]
    #[arg(long, value_name = "FILE")]
    chart: Vec<PathBuf>,
    #[command(flatten)]
    spelling: SpellingArgs,
    /// Draw nothing
    #[arg(long, conflicts_with = "chart")]
    no_chart: bool,
}

const EXAMPLES: &str = "\
Examples:
  keisei analyze game.kif                        game-analysis.kif, .svg and .png
  keisei analyze game.kif --player net:runs/first --nodes 800
  keisei analyze game.csa -o game.kifu --time 5 --variations
  keisei analyze games.pgn --number 3 --depth 4
  keisei analyze game.kif -o - --to csa --chart chances.svg";

impl Analyze {
    /// Reads, analyses and writes.
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let limits = self.limits();
        let charts = self.charts()?;
        let game = self.read()?;
        let path = self.out.clone().map_or_else(|| self.usual_path(&game), Ok)?;
        let target = self.formats.target(&self.record, &path).map_err(usage)?;
        let work = Work { command: self, limits, target, charts };
        with_record!(game, record => work.analyze(record, out))
    }

    fn limits(&self) -> Limits {
        let unlimited = self.nodes.is_none() && self.depth.is_none();
        let move_time = self.time.or(unlimited.then_some(Duration::from_secs(1)));
        Limits { move_time, nodes: self.nodes, depth: self.depth, ..Limits::default() }
    }

    /// The files to draw, if they are named.
    fn charts(&self) -> Result<Option<Vec<PathBuf>>> {
        if let Some(path) = self.chart.iter().find(|path| graph::Kind::of(path).is_none()) {
            return Err(usage(format!("a chart is an .svg or a .png, not {:?}", path.display())));
        }
        let named = self.no_chart || !self.chart.is_empty();
        Ok(named.then(|| self.chart.clone()))
    }

    /// The game that is asked for.
    fn read(&self) -> Result<AnyRecord> {
        let mut games = read_games(&self.record, self.formats.from)?;
        let (count, name) = (games.len(), self.record.display());
        let number = match self.number {
            Some(number) if (1..=count).contains(&number) => number,
            Some(number) => bail!("{name} has no game {number}: it has {count}"),
            None if count == 1 => 1,
            None => bail!("{name} has {count} games: choose one with --number"),
        };
        Ok(games.swap_remove(number - 1))
    }

    /// Beside the record that is read, in the same format if that holds an analysis.
    fn usual_path(&self, game: &AnyRecord) -> Result<PathBuf> {
        if self.record == Path::new(STANDARD) {
            return Err(usage("say with --out where the analysed record goes"));
        }
        let extension = self.record.extension().and_then(OsStr::to_str).unwrap_or_default();
        let holds = match Format::from_extension(extension) {
            None | Some(Format::Usi | Format::Sfenx) => false,
            Some(_) => true,
        };
        let usual = with_game!(game.game(), G => G::FORMAT.extension());
        let extension = if holds { extension } else { usual };
        let mut name = self.record.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-analysis.{extension}"));
        Ok(self.record.with_file_name(name))
    }
}

/// An analysis to be made.
struct Work<'a> {
    command: &'a Analyze,
    limits: Limits,
    target: Target,
    /// `None` for those beside the record.
    charts: Option<Vec<PathBuf>>,
}

impl Work<'_> {
    fn analyze<G: TextGame + Arena>(
        &self,
        mut record: Record<G>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let positions = 1 + record.main_moves().count();
        let analysis = self.think(&record, positions)?;
        if analysis.evaluated() == 0 {
            bail!("stopped before the first position was evaluated: nothing is written");
        }
        let spelled: Vec<_> = analysis
            .moves
            .iter()
            .map(|judged| Spelled::new(&record, judged, self.command.spelling))
            .collect();
        let best: HashMap<_, _> =
            analysis.moves.iter().map(|judged| judged.ply).zip(spelled.iter()).collect();
        annotate(&mut record, &analysis, self.command.variations, |judged| {
            best.get(&judged.ply).and_then(|spelled| spelled.best.clone()).unwrap_or_default()
        });
        let written =
            write_encoded(&AnyRecord::from(record), self.target.format, self.target.encoding)?;
        report_losses(&[written.lost], self.target.format);
        let mut told = Vec::new();
        writeln!(told, "{} of {positions} positions evaluated", analysis.evaluated())?;
        if let Some(silent) = table::silent(&analysis) {
            let name = &self.command.player;
            writeln!(told, "{name} said nothing within its limits about {silent}")?;
        }
        table::write::<G>(&analysis, &spelled, &mut told)?;
        if self.target.is_standard() {
            out.write_all(&written.bytes)?;
            io::stderr().write_all(&told)?;
        } else {
            replace(&self.target.path, &written.bytes)?;
            out.write_all(&told)?;
            let (path, format) = (self.target.path.display(), self.target.format);
            writeln!(out, "written: {path} as {format}")?;
        }
        self.draw::<G>(&analysis, out)?;
        match analysis.failure {
            Some(failure) => Err(failure).context("the analysis ended early"),
            None => Ok(()),
        }
    }

    /// Lets the player think about every position, until Ctrl-C.
    fn think<G: TextGame + Arena>(
        &self,
        record: &Record<G>,
        positions: usize,
    ) -> Result<Analysis<G::Move>> {
        let mut player = self.command.player.build(0)?;
        let signal = Signal::new();
        let told = signal.clone();
        let tell = move || {
            told.stop();
            eprintln!("writing what was found so far; Ctrl-C again stops at once");
        };
        Interrupt::catch(tell, || ())?;
        let target = match io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(positions as u64), target);
        bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} positions, {eta} left")?);
        bar.tick();
        let analysis = analyze(record, &mut *player, &self.limits, &signal, || bar.inc(1));
        bar.finish_and_clear();
        Ok(analysis?)
    }

    fn draw<G: TextGame>(&self, analysis: &Analysis<G::Move>, out: &mut dyn Write) -> Result<()> {
        let paths = match &self.charts {
            Some(paths) => paths.clone(),
            None if self.target.is_standard() => Vec::new(),
            None => ["svg", "png"].map(|kind| self.target.path.with_extension(kind)).to_vec(),
        };
        let graph = graph::graph::<G>(analysis);
        for path in paths {
            let bytes = match graph::Kind::of(&path) {
                Some(graph::Kind::Png) => graph.png(),
                _ => graph.svg().into_bytes(),
            };
            replace(&path, &bytes)?;
            if !self.target.is_standard() {
                writeln!(out, "written: {}", path.display())?;
            }
        }
        Ok(())
    }
}
