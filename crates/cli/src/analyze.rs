//! `keisei analyze`: what a player thinks of a recorded game.

mod graph;
mod table;

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use keisei_analysis::{Analysis, analyze, annotate};
use keisei_engine::models::network;
use keisei_engine::network_player::SHIPPED;
use keisei_engine::{Arena, Limits, NetSpec, PlayerSpec, Signal};
use keisei_games::with_game;
use keisei_records::{AnyRecord, Format, Record, Recorded, with_record, write_encoded};

use crate::convert::report_losses;
use crate::interrupt::Interrupt;
use crate::players::{help, program};
use crate::record_file::{FormatArgs, STANDARD, Target, check_writable, read_games, replace};
use crate::start::usage;
use crate::text_game::{SpellingArgs, TextGame};
use crate::words::seconds;
use table::Spelled;

/// Analyse recorded games: scores, best lines, bad moves, a graph of the winning chances
///
/// A player thinks about every position of a game. Its scores and best lines are written into the
/// record as ShogiHome writes them ([%eval] in PGN); bad moves get a comment. If you press Ctrl-C, or
/// the player fails, whatever was found so far is written.
#[derive(Args)]
#[command(after_help = help(EXAMPLES))]
pub(crate) struct Analyze {
    /// The record to read, or - for standard input; several are analysed one after the other
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    /// The record to write, or - for standard output [default: RECORD with -analysis in its name]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    formats: FormatArgs,
    /// Which game of a file that holds several, from 1
    #[arg(long, value_name = "N")]
    number: Option<usize>,
    /// Who analyses: any player from the list below that evaluates positions [default: net:shipped,
    /// or ab:4,quiescence for a game without a built-in network]
    #[arg(long, value_name = "PLAYER", value_parser = program)]
    player: Option<PlayerSpec>,
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
  keisei analyze games.pgn --number 3 --nodes 10000
  keisei analyze csa/*.csa                       every game in a file of its own
  keisei analyze game.kif -o - --to csa --chart chances.svg";

/// How far alpha-beta looks where there is no network and nothing is asked.
const USUAL_DEPTH: u32 = 4;

impl Analyze {
    /// Reads, analyses and writes.
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let charts = self.charts()?;
        let several = self.records.len() > 1;
        if several && (self.out.is_some() || self.number.is_some() || !self.chart.is_empty()) {
            return Err(usage("--out, --number and --chart are for one record"));
        }
        let works = self.records.iter().map(|record| self.prepare(record, charts.as_deref()));
        // All are read, and all places to write to are tried, before anything is thought about.
        let works = works.collect::<Result<Vec<_>>>()?;
        check_apart(works.iter().flat_map(|(_, work)| work.files()))?;
        let signal = Signal::new();
        let told = signal.clone();
        let tell = move || {
            told.stop();
            eprintln!("writing what was found so far; Ctrl-C again stops at once");
        };
        Interrupt::catch(tell, || ())?;
        for (number, (game, work)) in works.into_iter().enumerate() {
            if number > 0 && signal.stopped() {
                break;
            }
            if several {
                let space = if number > 0 { "\n" } else { "" };
                writeln!(out, "{space}{}", self.records[number].display())?;
            }
            with_record!(game, record => work.analyze(record, &signal, out))?;
        }
        Ok(())
    }

    /// The game of a record, and what is to be done with it.
    fn prepare(&self, path: &Path, charts: Option<&[PathBuf]>) -> Result<(AnyRecord, Work<'_>)> {
        let game = self.read(path)?;
        let output = self.out.clone().map_or_else(|| usual_path(path, &game), Ok)?;
        let target = self.formats.target(path, &output).map_err(usage)?;
        let charts = match charts {
            Some(charts) => charts.to_vec(),
            None if target.is_standard() => Vec::new(),
            None => ["svg", "png"].map(|kind| target.path.with_extension(kind)).to_vec(),
        };
        write_encoded(&game, target.format, target.encoding)?;
        let work = Work { command: self, limits: self.limits(), target, charts };
        work.files().try_for_each(|path| check_writable(path))?;
        Ok((game, work))
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
    fn read(&self, path: &Path) -> Result<AnyRecord> {
        let mut games = read_games(path, self.formats.from)?;
        let (count, name) = (games.len(), path.display());
        let number = match self.number {
            Some(number) if (1..=count).contains(&number) => number,
            Some(number) => bail!("{name} has no game {number}: it has {count}"),
            None if count == 1 => 1,
            None => bail!("{name} has {count} games: choose one with --number"),
        };
        Ok(games.swap_remove(number - 1))
    }

    /// Who analyses a game of `G`.
    fn player<G: TextGame + Arena>(&self) -> PlayerSpec {
        let usual = || {
            let checkpoint = PathBuf::from(SHIPPED);
            match network(G::NAME, &checkpoint) {
                Some(_) => PlayerSpec::Net(NetSpec { checkpoint, ..NetSpec::default() }),
                None => {
                    let depth = self.depth.unwrap_or(USUAL_DEPTH);
                    PlayerSpec::AlphaBeta { depth, quiescence: true }
                }
            }
        };
        self.player.clone().unwrap_or_else(usual)
    }
}

/// Refuses files of which two are the same.
fn check_apart<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Result<()> {
    let mut taken = HashSet::new();
    for path in files {
        if !taken.insert(path) {
            let path = path.display();
            return Err(usage(format!("{path} would be written for two of the records")));
        }
    }
    Ok(())
}

/// Beside the record that is read, in the same format if that holds an analysis.
fn usual_path(record: &Path, game: &AnyRecord) -> Result<PathBuf> {
    if record == Path::new(STANDARD) {
        return Err(usage("say with --out where the analysed record goes"));
    }
    let extension = record.extension().and_then(OsStr::to_str).unwrap_or_default();
    let holds = match Format::from_extension(extension) {
        None | Some(Format::Usi | Format::Sfenx) => false,
        Some(_) => true,
    };
    let usual = with_game!(game.game(), G => G::FORMAT.extension());
    let extension = if holds { extension } else { usual };
    let mut name = record.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-analysis.{extension}"));
    Ok(record.with_file_name(name))
}

/// An analysis to be made.
struct Work<'a> {
    command: &'a Analyze,
    limits: Limits,
    target: Target,
    charts: Vec<PathBuf>,
}

impl Work<'_> {
    /// What is written, but for standard output.
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let record = (!self.target.is_standard()).then_some(&self.target.path);
        record.into_iter().chain(&self.charts)
    }

    fn analyze<G: TextGame + Arena>(
        &self,
        mut record: Record<G>,
        signal: &Signal,
        out: &mut dyn Write,
    ) -> Result<()> {
        let positions = 1 + record.main_moves().count();
        let player = self.command.player::<G>();
        let analysis = self.think(&record, &player, positions, signal)?;
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
            writeln!(told, "{player} said nothing within its limits about {silent}")?;
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
        player: &PlayerSpec,
        positions: usize,
        signal: &Signal,
    ) -> Result<Analysis<G::Move>> {
        let mut player = player.build(0)?;
        let target = match io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(positions as u64), target);
        bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} positions, {eta} left")?);
        bar.tick();
        let analysis = analyze(record, &mut *player, &self.limits, signal, || bar.inc(1));
        bar.finish_and_clear();
        Ok(analysis?)
    }

    fn draw<G: TextGame>(&self, analysis: &Analysis<G::Move>, out: &mut dyn Write) -> Result<()> {
        let graph = graph::graph::<G>(analysis);
        for path in &self.charts {
            let bytes = match graph::Kind::of(path) {
                Some(graph::Kind::Png) => graph.png(),
                _ => graph.svg().into_bytes(),
            };
            replace(path, &bytes)?;
            if !self.target.is_standard() {
                writeln!(out, "written: {}", path.display())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use keisei_animal::Animal;
    use keisei_chess::Chess;
    use keisei_shogi::Shogi;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        analyze: Analyze,
    }

    fn read(arguments: &[&str]) -> Analyze {
        Line::parse_from([&["analyze", "game.usi"][..], arguments].concat()).analyze
    }

    #[test]
    fn games_with_a_built_in_network_are_analysed_by_it() {
        let usual = read(&[]);
        assert_eq!(usual.player::<Shogi>().to_string(), "net:shipped");
        assert_eq!(usual.player::<Chess>().to_string(), "net:shipped");
        assert_eq!(usual.player::<Animal>().to_string(), "ab:4,quiescence");
        assert_eq!(read(&["--player", "greedy"]).player::<Shogi>(), PlayerSpec::Greedy);
    }

    #[test]
    fn without_a_network_the_search_is_as_deep_as_is_asked() {
        let deeper = read(&["--depth", "6"]);
        assert_eq!(deeper.player::<Animal>().to_string(), "ab:6,quiescence");
    }
}
