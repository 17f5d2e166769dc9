//! `keisei problems`: mate problems out of games.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use keisei_engine::mate::{MateLimits, Problem, Solver};
use keisei_game::{Game, Position};
use keisei_games::GameName;
use keisei_records::{Record, record_files};

use crate::interrupt::Interrupt;
use crate::pick::{ForAnyGame, game_name};
use crate::record_file::{STANDARD, read_games};
use crate::text_game::TextGame;
use crate::words::counted;

/// Collect mate problems from games, by the rules alone
///
/// A problem is a position in which one first move alone mates by checks, whatever the other side
/// answers. Men that the mate does not need are taken away; in shogi the problem is seen from Black's
/// side and White holds the rest. Prints a line each, the short ones and the easy ones first:
/// position;plies;a solution. `keisei mate --file` solves such a list. Files that cannot be read are
/// listed on standard error and skipped. If you press Ctrl-C, whatever was found so far is printed.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Problems {
    /// Records of games in any format, or folders of them, with their subfolders
    #[arg(value_name = "FILE|DIR", required = true)]
    games: Vec<PathBuf>,
    /// The game
    #[arg(long, value_name = "GAME", value_parser = game_name(), default_value_t)]
    game: GameName,
    /// The longest mates, in plies
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u16).range(1..=31))]
    plies: u16,
    /// How many problems of each length to collect
    #[arg(long, value_name = "N", default_value_t = 50)]
    each: usize,
    /// How many positions the solver may visit for a position
    #[arg(long, value_name = "N", default_value_t = 20_000,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

const EXAMPLES: &str = "\
Examples:
  keisei match policy:shipped policy:shipped --rounds 500 --out selfplay
  keisei problems selfplay/games --plies 9 --each 60 > problems.txt
  keisei mate --file problems.txt";

/// How much longer the solver may look when a problem that was found is reduced: the defender then
/// holds more and more, and there is more to refute.
const PATIENCE: u64 = 10;

/// A problem of a game.
type ProblemOf<G> = Problem<<G as Game>::Position, <G as Game>::Move>;

/// The problems found so far, by the plies of their mates.
struct Collection<G: TextGame> {
    solver: Solver,
    limits: MateLimits,
    plies: u16,
    each: usize,
    by_plies: BTreeMap<usize, Vec<ProblemOf<G>>>,
    /// The solutions: two problems with the same one are the same idea.
    known: HashSet<Vec<G::Move>>,
    /// Ends the search for more.
    interrupt: Interrupt,
}

impl<G: TextGame> Collection<G> {
    /// Adds at most one problem of a game, of the length that is rarest so far: the positions of a
    /// game are too much alike for more.
    fn add(&mut self, record: &Record<G>) {
        let mut found = self.problems_in(record);
        found.sort_by_key(|problem| self.len(problem.line.len()));
        for problem in found {
            if self.len(problem.line.len()) >= self.each {
                continue;
            }
            if self.interrupt.asked() {
                return;
            }
            let patient = self.limits.nodes.map(|nodes| nodes.saturating_mul(PATIENCE));
            let limits = MateLimits { nodes: patient, ..self.limits };
            let problem = self.solver.reduce::<G>(problem, &limits);
            if self.known.insert(problem.line.clone()) {
                self.by_plies.entry(problem.line.len()).or_default().push(problem);
                return;
            }
        }
    }

    /// The problems among the positions of the main line, as the first side sees them.
    fn problems_in(&mut self, record: &Record<G>) -> Vec<ProblemOf<G>> {
        let mut position = record.start().clone();
        let mut found = Vec::new();
        for mv in record.main_moves() {
            if self.interrupt.asked() {
                break;
            }
            let seen = G::fold(&position).unwrap_or_else(|| position.clone());
            found.extend(self.solver.problem::<G>(&seen, self.plies, &self.limits));
            position.play_unchecked(mv);
        }
        found
    }

    fn len(&self, plies: usize) -> usize {
        self.by_plies.get(&plies).map_or(0, Vec::len)
    }

    fn found(&self) -> usize {
        self.by_plies.values().map(Vec::len).sum()
    }

    fn is_full(&self) -> bool {
        (1..=self.plies.into()).step_by(2).all(|plies| self.len(plies) >= self.each)
    }
}

impl ForAnyGame for Problems {
    fn game(&self) -> GameName {
        self.game
    }

    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        let files = self.files()?;
        let tell = || eprintln!("printing what was found so far; Ctrl-C again stops at once");
        let mut problems = Collection::<G> {
            solver: Solver::new(64 << 20),
            limits: MateLimits { nodes: Some(self.nodes), ..MateLimits::default() },
            plies: self.plies,
            each: self.each,
            by_plies: BTreeMap::new(),
            known: HashSet::new(),
            interrupt: Interrupt::catch(tell, || ())?,
        };
        let bar = progress_bar(files.len())?;
        let mut games = 0;
        'files: for path in bar.wrap_iter(files.iter()) {
            let records = match read_games(path, None) {
                Ok(records) => records,
                Err(error) => {
                    bar.suspend(|| eprintln!("skipped: {error:#}"));
                    continue;
                }
            };
            for record in records.iter().filter_map(|record| record.of::<G>()) {
                if problems.is_full() || problems.interrupt.asked() {
                    break 'files;
                }
                problems.add(record);
                games += 1;
                bar.set_message(counted(problems.found(), "problem"));
            }
        }
        bar.finish_and_clear();
        if games == 0 && !problems.interrupt.asked() {
            bail!("there is no game of {} to look at", G::NAME);
        }
        writeln!(
            out,
            "# Mate problems of {} from {}: position;plies;a solution",
            G::NAME,
            counted(games, "game")
        )?;
        let found = problems.found();
        for list in problems.by_plies.values_mut() {
            list.sort_by_key(|problem| problem.nodes);
            for Problem { position, line, .. } in list {
                let moves: Vec<_> = line.iter().map(ToString::to_string).collect();
                writeln!(out, "{position};{};{}", line.len(), moves.join(" "))?;
            }
        }
        eprintln!("{} from {}", counted(found, "problem"), counted(games, "game"));
        Ok(())
    }
}

impl Problems {
    /// The files that are named, and the record files in the folders that are.
    fn files(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for path in &self.games {
            let cannot_read = || format!("cannot read {}", path.display());
            if path == Path::new(STANDARD) || !path.metadata().with_context(cannot_read)?.is_dir() {
                files.push(path.clone());
                continue;
            }
            let found = record_files(path).with_context(cannot_read)?;
            found.unreadable.iter().for_each(|folder| eprintln!("skipped: {folder}"));
            files.extend(found.files);
        }
        Ok(files)
    }
}

/// A bar on a terminal, and nothing elsewhere.
fn progress_bar(files: usize) -> Result<ProgressBar> {
    let style = "{bar:30} {pos}/{len} files, {eta} left  {msg}";
    let bar = ProgressBar::new(files as u64).with_style(ProgressStyle::with_template(style)?);
    bar.tick();
    Ok(bar)
}
