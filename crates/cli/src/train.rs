//! `keisei train`: learns a game from nothing, in a folder of its own.

mod console;
mod lines;
mod opponents;
mod view;

use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, bail};
use clap::Args;
use keisei_encode::{Actions, Encode, ForActions};
use keisei_engine::Arena;
use keisei_game::Game;
use keisei_games::with_game;
use keisei_net::{Backend, LearnerConfig, Missing, Request};
use keisei_train::config::Sources;
use keisei_train::run::{self, RunFolder};
use keisei_train::session::Parts;
use keisei_train::{Config, End, Session};

use console::{Console, unpoisoned};
use lines::Lines;
use view::{About, Model, View, Watcher};

/// Learn a game from nothing by self-play.
///
/// A run lives in runs/NAME: its settings, checkpoints, models, metrics, log and evaluation games.
/// Ctrl-C saves it; starting it again goes on exactly where it stopped (with a limit in minutes,
/// which schedules follow, the clock decides what exactly comes next).
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Train {
    /// The run's name; an unfinished run of that name goes on. Without a name, the newest
    /// unfinished run of the preset goes on, or a new one begins
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// Where runs are kept
    #[arg(long, value_name = "FOLDER", default_value = "runs")]
    runs: PathBuf,
    /// Settings that come with the program: cpu, cpu-smoke, gpu, document or chess-cpu
    #[arg(long, value_name = "NAME", default_value = "cpu")]
    preset: String,
    /// More settings, in a TOML or YAML file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// One more setting (may be given several times); `keisei config explain` lists them all
    #[arg(long, value_name = "SECTION.NAME=VALUE")]
    set: Vec<String>,
    /// End after this many minutes of training
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<f64>,
    /// End after this many moves
    #[arg(long, value_name = "MOVES")]
    steps: Option<u64>,
    /// What everything random follows from
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Begin a new run even if there is an unfinished one
    #[arg(long, conflicts_with = "run")]
    new: bool,
    /// Print lines even on a terminal, instead of filling the screen
    #[arg(long)]
    plain: bool,
}

const EXAMPLES: &str = "\
Examples:
  keisei train --minutes 10                     learn shogi on this machine's CPU
  keisei train --run first --seed 1             a run with a name and a seed
  keisei train --preset cpu-smoke               everything once, in seconds
  keisei train --set training.learning_rate=5e-4 --set network.blocks=4
  keisei train --preset chess-cpu               the same for chess";

/// Marks a run that reached its end.
const FINISHED: &str = "finished";

impl Train {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let folder = self.folder()?;
        let mut config = self.settings(&folder)?;
        check(&config)?;
        // The first weights follow from the seed, so it is drawn before them.
        config.env.seed.get_or_insert_with(fresh_seed);
        let (game, actions) = (config.env.game, config.env.action_space_size);
        let run = Begun { command: self, folder, config, out };
        with_game!(game, G => G::with_actions(actions, run))
    }

    /// Whether the run is shown on the whole screen.
    fn wants_view(&self) -> bool {
        !self.plain && stdin().is_terminal() && stdout().is_terminal() && stderr().is_terminal()
    }

    /// The run that goes on, or a new one.
    fn folder(&self) -> Result<RunFolder> {
        let name = match &self.run {
            Some(name) => name.clone(),
            None => self.unfinished()?.unwrap_or_else(|| run::timestamped_name(&self.preset)),
        };
        Ok(RunFolder::open(&self.runs, &name)?)
    }

    fn unfinished(&self) -> Result<Option<String>> {
        if self.new {
            return Ok(None);
        }
        let prefix = format!("{}-", self.preset);
        let runs = run::list(&self.runs)?.into_iter().rev();
        let mut open = runs.filter(|run| run.name.starts_with(&prefix) && !is_finished(&run.path));
        Ok(open.next().map(|run| run.name))
    }

    /// The settings of a run that goes on are its own; a new run has those of its preset. What the
    /// command line says comes last in both.
    fn settings(&self, folder: &RunFolder) -> Result<Config> {
        let mut overrides = self.set.clone();
        overrides.extend(self.minutes.map(|minutes| format!("training.minutes={minutes}")));
        overrides.extend(self.steps.map(|steps| format!("training.total_steps={steps}")));
        overrides.extend(self.seed.map(|seed| format!("env.seed={seed}")));
        let begun = folder.config_file();
        if begun.is_some() && self.config.is_some() {
            bail!(
                "the run {} has begun with its own settings; change single ones with --set, or \
                 begin another run with --run",
                folder.name()
            );
        }
        let preset = begun.is_none().then(|| self.preset.clone());
        let file = begun.or_else(|| self.config.clone());
        let environment = std::env::vars().collect();
        Ok(Config::load(&Sources { preset, file, environment, overrides })?)
    }

    fn train<A: Actions<Game: Arena>>(
        &self,
        folder: RunFolder,
        config: Config,
        out: &mut dyn Write,
    ) -> Result<()> {
        let path = folder.path().to_owned();
        let name = folder.name().to_owned();
        let seed = config.env.seed.unwrap_or_default();
        let backend = LearnerConfig::from(&config).build::<A>().context("the network")?;
        for Missing { request, reason } in &backend.missing {
            let setting = match request {
                Request::Cuda => "env.device is cuda",
                Request::MixedPrecision => "training.mixed_precision is true",
            };
            writeln!(out, "{setting}, but {reason}")?;
        }
        let Backend { learner, load, device, parameter_count, .. } = backend;
        let about = About {
            name: path.display().to_string(),
            description: format!(
                "{}, {parameter_count} weights, seed {seed}, on the {device}",
                A::Game::NAME
            ),
            training: config.training.clone(),
        };
        writeln!(out, "{}: {}", about.name, about.description)?;
        out.flush()?;
        let players = opponents::opponents(&config.evaluation.opponents)?;
        let console = Console::default();
        console.listen(config.logging.log_level);
        let stop = console.stop_on_interrupt()?;
        let model = Arc::new(Mutex::new(Model::new(about)));
        let mut session = Session::<A>::begin(
            folder,
            Parts {
                config,
                learner: Box::new(learner),
                load,
                players,
                callbacks: vec![
                    Box::new(Lines::new(&console)),
                    Box::new(Watcher(Arc::clone(&model))),
                ],
            },
        )?;
        let before = session.trainer().progress();
        if before.updates > 0 {
            writeln!(out, "going on after {} moves", before.steps)?;
            unpoisoned(&model).recall(&path.join("metrics.jsonl"));
        }
        out.flush()?;
        let view = self.wants_view().then(|| View::open(&console, &model, &stop));
        let view = view.transpose().context("the terminal; --plain does without it")?;
        let end = session.train(stop.flag());
        drop(view);
        let end = end?;
        let progress = session.trainer().progress();
        let phases = session.phases();
        if let Some(network) = phases.network_share() {
            let speed = (progress.steps - before.steps) as f64 / phases.total().as_secs_f64();
            writeln!(
                out,
                "{speed:.0} moves a second, all included; time: {}; of play and learning, {:.0} % is \
                 the network's arithmetic",
                phases
                    .shares()
                    .map(|(name, share)| format!("{name} {:.1} %", 100.0 * share))
                    .join(", "),
                100.0 * network
            )?;
        }
        writeln!(out, "{} updates, {} moves", progress.updates, progress.steps)?;
        match end {
            End::Finished => {
                std::fs::write(path.join(FINISHED), "")?;
                writeln!(out, "finished: the models are in {}", path.join("models").display())?;
            }
            End::Interrupted | End::Stopped(_) => {
                if let End::Stopped(reason) = end {
                    writeln!(out, "stopped: {reason}")?;
                }
                let runs = match self.runs.as_path() {
                    usual if usual == Path::new("runs") => String::new(),
                    other => format!(" --runs {}", other.display()),
                };
                writeln!(out, "saved; go on with: keisei train --run {name}{runs}")?;
            }
        }
        Ok(())
    }
}

/// A run whose settings are known.
struct Begun<'a> {
    command: &'a Train,
    folder: RunFolder,
    config: Config,
    out: &'a mut dyn Write,
}

impl<G: Arena> ForActions<G> for Begun<'_> {
    type Output = Result<()>;

    fn visit<A: Actions<Game = G>>(self) -> Result<()> {
        self.command.train::<A>(self.folder, self.config, self.out)
    }
}

/// Whether a run reached its end.
pub(crate) fn is_finished(run: &Path) -> bool {
    run.join(FINISHED).exists()
}

/// Refuses what this build cannot do.
fn check(config: &Config) -> Result<()> {
    if config.training.distributed {
        bail!("training.distributed is true, but this build learns in one process only");
    }
    Ok(())
}

fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) >> 11
}
