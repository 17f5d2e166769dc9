//! `keisei train`: learns a game from nothing, in a folder of its own.

mod display;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use keisei_encode::{Actions, Encode, chess, shogi};
use keisei_net::{CpuLearner, NetConfig, NetEvaluator};
use keisei_train::config::{Device, GameName, Sources};
use keisei_train::run::{self, RunFolder};
use keisei_train::session::Parts;
use keisei_train::{Config, End, Session, Trained};

use display::Display;

/// Learn a game from nothing by self-play.
///
/// A run lives in runs/NAME: its settings, checkpoints, models, metrics, log and evaluation games.
/// Ctrl-C saves it; starting it again goes on exactly where it stopped.
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
        match config.env.device {
            Device::Cuda => writeln!(out, "this build learns on the CPU; the GPU is not used")?,
            Device::Auto | Device::Cpu => {}
        }
        // The first weights follow from the seed, so it is drawn before them.
        config.env.seed.get_or_insert_with(fresh_seed);
        match (config.env.game, config.env.action_space_size) {
            (GameName::Shogi, <shogi::Full as Actions>::COUNT) => {
                self.train::<shogi::Full>(folder, config, out)
            }
            (GameName::Shogi, _) => self.train::<shogi::Compact>(folder, config, out),
            (GameName::Chess, _) => self.train::<chess::AlphaZero>(folder, config, out),
        }
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

    fn train<A: Actions<Game: Trained>>(
        &self,
        folder: RunFolder,
        config: Config,
        out: &mut dyn Write,
    ) -> Result<()> {
        type Seen<A> = <<A as Actions>::Game as Encode>::Packed;
        let path = folder.path().to_owned();
        let name = folder.name().to_owned();
        let network = NetConfig::from(&config.network);
        let seed = config.env.seed.unwrap_or_default();
        let learner = CpuLearner::<A>::new(&network, seed).context("the network")?;
        writeln!(out, "{}: {} weights, seed {seed}", path.display(), learner.parameter_count())?;
        out.flush()?;
        let display = Display::new(&config, std::io::stderr().is_terminal());
        let load = |weights: &[u8]| {
            let player: Box<dyn keisei_net::Evaluator<Seen<A>>> =
                Box::new(NetEvaluator::<A>::from_weights(weights)?);
            Ok(player)
        };
        let mut session = Session::<A, _>::begin(
            folder,
            Parts {
                config,
                learner,
                load: Box::new(load),
                players: Vec::new(),
                callbacks: vec![Box::new(display)],
            },
        )?;
        let progress = session.trainer().progress();
        if progress.updates > 0 {
            writeln!(out, "going on after {} moves", progress.steps)?;
        }
        let end = session.train(&*stop_on_interrupt()?)?;
        let progress = session.trainer().progress();
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

/// Whether a run reached its end.
pub(crate) fn is_finished(run: &Path) -> bool {
    run.join(FINISHED).exists()
}

/// A flag that Ctrl-C sets. A second Ctrl-C ends the program at once; the last checkpoint stays.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("stopping after this update; Ctrl-C again stops at once");
    })
    .context("Ctrl-C cannot be caught")?;
    Ok(stop)
}

fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) >> 11
}
