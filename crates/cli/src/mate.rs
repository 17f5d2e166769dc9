//! `keisei mate`: whether the side to move mates by checks.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use keisei_engine::Signal;
use keisei_engine::mate::{MateLimits, Solver, Verdict};
use keisei_games::GameName;
use serde::Serialize;

use crate::interrupt::Interrupt;
use crate::pick::{ForAnyGame, game_name};
use crate::start::usage;
use crate::text_game::{SpellingArgs, TextGame, from_text, result};
use crate::words::{counted, seconds};

/// Solve a mate problem: prove a mate by checks and print its shortest line, or refute it
///
/// Every move of the side to move must give check; the other side may answer with any legal move,
/// drops between king and checker among them. A mate is proven against every answer. "No mate" is
/// proven too: checks alone do not mate, though quiet moves may. Where a limit was reached first,
/// the answer is "unknown". If you press Ctrl-C, what is known so far is printed.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Mate {
    /// The position: SFEN or FEN, or a whole `position` line with moves; quotes are not needed
    #[arg(value_name = "POSITION", required_unless_present = "file")]
    position: Vec<String>,
    /// Solve the position on every line of FILE; what follows a semicolon is not read, nor lines
    /// that begin with #
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    file: Option<PathBuf>,
    /// The game
    #[arg(long, value_name = "GAME", value_parser = game_name(), default_value_t)]
    game: GameName,
    /// Stop after visiting this many positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Stop after this many seconds for a position
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    seconds: Duration,
    /// Look only for mates of at most this many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..1000))]
    plies: Option<u16>,
    /// Take the first mate found, without a search for a shorter one
    #[arg(long)]
    any_length: bool,
    /// Memory for positions, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(1..=1 << 18))]
    memory: u32,
    #[command(flatten)]
    spelling: SpellingArgs,
    /// Print JSON; an object a line with --file
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  keisei mate '4k4/9/4P4/9/9/9/9/9/4K4 b G 1'
  keisei mate k8/9/G8/9/9/9/9/9/8K b Rp 1 --json
  keisei mate startpos moves 7g7f 3c3d --seconds 5
  keisei mate --game chess 8/7k/R7/1R6/8/8/8/7K w - - 0 1
  keisei mate --file crates/engine/tests/data/mates.txt";

/// What `keisei mate --json` prints.
#[derive(Serialize)]
struct Solved {
    game: &'static str,
    position: String,
    /// `mate`, `no mate` or `unknown`.
    result: &'static str,
    /// How many plies the mate takes at most.
    plies: Option<usize>,
    /// Whether no shorter mate exists.
    shortest: Option<bool>,
    moves: Vec<String>,
    /// The moves as books print them.
    notation: Vec<String>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

impl Solved {
    /// The answer in words.
    fn answer(&self) -> String {
        let Some(plies) = self.plies else { return self.result.to_owned() };
        let plies = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
        match self.shortest {
            Some(true) => format!("mate in {plies}, the shortest"),
            _ => format!("mate in at most {plies}, perhaps in fewer"),
        }
    }

    fn effort(&self) -> String {
        let (nodes, seconds) = (self.nodes, self.seconds);
        format!("{nodes} nodes in {seconds:.3} s, {:.0} nodes/s", self.nodes_per_second)
    }
}

impl ForAnyGame for Mate {
    fn game(&self) -> GameName {
        self.game
    }

    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        let mut solver = self.solver()?;
        let signal = Signal::new();
        let told = signal.clone();
        let tell = move || {
            told.stop();
            eprintln!("printing what is known so far; Ctrl-C again stops at once");
        };
        Interrupt::catch(tell, || ())?;
        if let Some(file) = &self.file {
            let name = file.display();
            let text =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
            let positions = problems(&text);
            if positions.is_empty() {
                bail!("{name} has no position to solve");
            }
            return self.solve_all::<G>(&positions, &mut solver, &signal, out);
        }
        let position = self.position.join(" ");
        let report = self.solve::<G>(&position, &mut solver, &signal).map_err(usage)?;
        if self.json {
            return Ok(writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?);
        }
        let answer = report.answer();
        writeln!(out, "{}{}", answer[..1].to_uppercase(), &answer[1..])?;
        if !report.moves.is_empty() {
            writeln!(out, "{}\n{}", report.moves.join(" "), report.notation.join(" "))?;
        }
        Ok(writeln!(out, "{}", report.effort())?)
    }
}

impl Mate {
    fn solver(&self) -> Result<Solver> {
        let bytes = (self.memory as usize) << 20;
        // The solver takes its memory or dies; whether there is so much is asked before.
        let asked = Vec::<u8>::new().try_reserve_exact(bytes);
        asked.map_err(|_| usage(format!("there are no {} MiB of --memory", self.memory)))?;
        Ok(Solver::new(bytes))
    }

    /// Solves positions, each with its line in the file, prints a line for each, and how many there
    /// were.
    fn solve_all<G: TextGame>(
        &self,
        problems: &[(usize, &str)],
        solver: &mut Solver,
        signal: &Signal,
        out: &mut dyn Write,
    ) -> Result<()> {
        let (mut positions, mut mates, mut refuted, mut nodes) = (0, 0, 0, 0);
        let start = Instant::now();
        for &(number, position) in problems {
            if signal.stopped() {
                break;
            }
            let report = self.solve::<G>(position, solver, signal);
            let report = report.with_context(|| format!("line {number}"))?;
            positions += 1;
            mates += usize::from(report.plies.is_some());
            refuted += usize::from(report.result == "no mate");
            nodes += report.nodes;
            if self.json {
                writeln!(out, "{}", serde_json::to_string(&report)?)?;
            } else {
                let moves = report.moves.join(" ");
                let text = format!("{position}: {} ({}) {moves}", report.answer(), report.effort());
                writeln!(out, "{}", text.trim_end())?;
            }
        }
        if !self.json {
            let unknown = positions - mates - refuted;
            let seconds = start.elapsed().as_secs_f64();
            writeln!(
                out,
                "{}: {mates} mate, {refuted} no mate, {unknown} unknown; {nodes} nodes in {seconds:.1} s",
                counted(positions, "position"),
            )?;
        }
        Ok(())
    }

    fn solve<G: TextGame>(
        &self,
        text: &str,
        solver: &mut Solver,
        signal: &Signal,
    ) -> Result<Solved> {
        let game = from_text::<G>(text)?;
        if let Some(outcome) = game.outcome() {
            bail!("the game is over: {}", result::<G>(outcome));
        }
        let limits = MateLimits {
            nodes: self.nodes,
            time: Some(self.seconds),
            plies: self.plies,
            any_length: self.any_length,
        };
        let start = Instant::now();
        let solution = solver.solve(&game, &limits, signal);
        let seconds = start.elapsed().as_secs_f64();
        let mut report = Solved {
            game: G::NAME,
            position: game.notation(),
            result: "unknown",
            plies: None,
            shortest: None,
            moves: Vec::new(),
            notation: Vec::new(),
            nodes: solution.nodes,
            seconds,
            nodes_per_second: solution.nodes as f64 / seconds.max(1e-9),
        };
        match solution.verdict {
            Verdict::Mate { line, within, shortest } => {
                report.result = "mate";
                report.plies = Some(within);
                report.shortest = Some(shortest);
                let notation = notation(game, &line)?;
                report.notation = notation.iter().map(|mv| self.spelling.spell(mv)).collect();
                report.moves = line.iter().map(ToString::to_string).collect();
            }
            Verdict::NoMate => report.result = "no mate",
            Verdict::Unknown => {}
        }
        Ok(report)
    }
}

/// The positions in the lines of `text`, with their numbers from 1.
fn problems(text: &str) -> Vec<(usize, &str)> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#'));
    let positions =
        lines.map(|(number, line)| (number, line.split(';').next().unwrap_or_default().trim()));
    positions.filter(|(_, position)| !position.is_empty()).collect()
}

/// The moves of `line`, played from where `game` stands, as books print them.
fn notation<G: TextGame>(mut game: G, line: &[G::Move]) -> Result<Vec<String>> {
    line.iter()
        .map(|&mv| {
            let text = game.book_move(mv)?;
            game.play(mv)?;
            Ok(text)
        })
        .collect()
}
