//! `keisei train`: learns a game from nothing, in a folder of its own.

mod console;
mod lines;
mod opponents;
mod view;

use std::fs;
use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, bail};
use clap::Args;
use keisei_encode::{Actions, Encode, ForActions, Observation};
use keisei_engine::Arena;
use keisei_game::Game;
use keisei_games::with_game;
use keisei_net::{Backend, Learner, LearnerConfig, Missing, NetConfig, Request, initial_state};
use keisei_train::config::Sources;
use keisei_train::evaluate::Player;
use keisei_train::metrics;
use keisei_train::run::{HeldRun, RunFolder, RunOrigin};
use keisei_train::session::Parts;
use keisei_train::{Config, End, Session, random, trainer};

use console::{Console, unpoisoned};
use lines::Lines;
use view::{About, Model, View, Watcher};

use crate::runs::RunsFolder;

/// Learn a game from nothing by self-play.
///
/// A run lives in runs/NAME: its settings, checkpoints, models, metrics, log and evaluation games.
/// Ctrl-C saves it; starting it again goes on exactly where it stopped (with a limit in minutes,
/// which schedules follow, the clock decides what exactly comes next).
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Train {
    /// The run's name; a run of that name goes on. Without a name, the newest unfinished run of the
    /// preset that has no chosen name goes on, or a new one begins
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    #[command(flatten)]
    runs: RunsFolder,
    /// Settings that come with the program: cpu, cpu-smoke, gpu, document,
    /// chess-cpu or animal
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
    /// Begin with the weights of this model instead of random ones. Its network may be smaller than
    /// the run's: what is added has no say until it has learned
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
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
  keisei train --from agent.safetensors --set network.blocks=10
                                                go on from a model with a larger network
  keisei train --preset chess-cpu               the same for chess
  keisei train --preset animal                  animal shogi, in two minutes";

impl Train {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let runs = self.runs.path(&self.sources(None))?;
        let begun = self.begun(&runs)?;
        let mut config = self.settings(&runs, begun.as_ref())?;
        // The first weights follow from the seed, so it is drawn before them.
        config.env.seed.get_or_insert_with(random::fresh_seed);
        let (game, actions) = (config.env.game, config.env.action_space_size);
        let training = Training { command: self, place: Place { runs, begun }, config, out };
        with_game!(game, G => G::with_actions(actions, training))
    }

    /// Whether the run is shown on the whole screen.
    fn wants_view(&self) -> bool {
        !self.plain && stdin().is_terminal() && stdout().is_terminal() && stderr().is_terminal()
    }

    /// The run that goes on, if one does.
    fn begun(&self, runs: &Path) -> Result<Option<RunFolder>> {
        Ok(match &self.run {
            Some(name) => Some(RunFolder::named(runs, name)?).filter(RunFolder::has_begun),
            None if self.new => None,
            None => RunFolder::unfinished(runs, &self.preset)?,
        })
    }

    /// Where settings come from: those of a run that goes on are its own, a new run has those of
    /// its preset. What the command line says comes last in both.
    fn sources(&self, begun: Option<&RunFolder>) -> Sources {
        let mut overrides = self.set.clone();
        overrides.extend(self.minutes.map(|minutes| format!("training.minutes={minutes}")));
        overrides.extend(self.steps.map(|steps| format!("training.total_steps={steps}")));
        overrides.extend(self.seed.map(|seed| format!("env.seed={seed}")));
        Sources {
            preset: begun.is_none().then(|| self.preset.clone()),
            file: begun.map(RunFolder::config_file).or_else(|| self.config.clone()),
            environment: Sources::environment(),
            overrides,
        }
    }

    fn settings(&self, runs: &Path, begun: Option<&RunFolder>) -> Result<Config> {
        if let Some(run) = begun.filter(|_| self.config.is_some()) {
            bail!(
                "the run {} has begun with its own settings; change single ones with --set, or \
                 begin another run with --run",
                run.name()
            );
        }
        let mut config = Config::load(&self.sources(begun))?;
        config.logging.runs_dir = runs.display().to_string();
        Ok(config)
    }

    /// Makes the folder of a new run, or takes that of the one that goes on.
    fn hold(&self, place: &Place) -> Result<HeldRun> {
        if let Some(run) = &place.begun {
            return Ok(run.hold()?);
        }
        let origin = RunOrigin::now(&self.preset, self.run.is_some());
        let folder = match &self.run {
            Some(name) => RunFolder::named(&place.runs, name)?.hold()?,
            None => RunFolder::create(&place.runs, &origin)?,
        };
        folder.write_origin(&origin)?;
        Ok(folder)
    }

    /// Gives a new run its first weights.
    fn begin_with<A: Actions>(
        &self,
        model: &Path,
        place: &Place,
        config: &Config,
        learner: &mut dyn Learner<Observation<A>>,
    ) -> Result<()> {
        if let Some(run) = &place.begun {
            bail!("the run {} has begun; --from is for a new one", run.name());
        }
        let name = || format!("--from {}", model.display());
        let weights = fs::read(model).with_context(name)?;
        let seed = config.env.seed.unwrap_or_default();
        let network = NetConfig::from(&config.network);
        let state = initial_state::<A>(&weights, &network, seed).with_context(name)?;
        learner.restore(&state).with_context(name)
    }

    fn train<A: Actions<Game: Arena>>(
        &self,
        place: &Place,
        config: Config,
        out: &mut dyn Write,
    ) -> Result<()> {
        let Prepared { mut backend, players } = Prepared::<A>::new(&config)?;
        if let Some(model) = &self.from {
            self.begin_with::<A>(model, place, &config, &mut *backend.learner)?;
        }
        let folder = self.hold(place)?;
        let path = folder.path().to_owned();
        let name = folder.name().to_owned();
        let seed = config.env.seed.unwrap_or_default();
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
        let console = Console::default();
        let level = config.logging.log_level;
        console.listen(level);
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
                    Box::new(Lines::new(&console, level)),
                    Box::new(Watcher(Arc::clone(&model))),
                ],
            },
        )?;
        let before = session.trainer().progress();
        if before.updates > 0 {
            writeln!(out, "going on after {} moves", before.steps)?;
            unpoisoned(&model).recall(&metrics::of_run(session.folder()));
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
                let models = session.folder().models();
                writeln!(out, "finished: the models are in {}", models.display())?;
            }
            End::Interrupted | End::Stopped(_) => {
                if let End::Stopped(reason) = end {
                    writeln!(out, "stopped: {reason}")?;
                }
                let runs = match place.runs.as_path() {
                    usual if usual == Path::new("runs") => String::new(),
                    other => format!(" --runs {}", other.display()),
                };
                writeln!(out, "saved; go on with: keisei train --run {name}{runs}")?;
            }
        }
        Ok(())
    }
}

/// Where a run is, or will be.
struct Place {
    runs: PathBuf,
    /// The run that goes on.
    begun: Option<RunFolder>,
}

/// All that a run needs beside its folder. What cannot be had is refused before there is one.
pub(crate) struct Prepared<A: Actions> {
    backend: Backend<Observation<A>>,
    players: Vec<Box<dyn Player<A::Game>>>,
}

impl<A: Actions<Game: Arena>> Prepared<A> {
    pub(crate) fn new(config: &Config) -> Result<Self> {
        trainer::check::<A>(config)?;
        let backend = LearnerConfig::from(config).build::<A>().context("the network")?;
        let players = opponents::opponents(&config.evaluation.opponents)?;
        Ok(Self { backend, players })
    }
}

/// Training, once the game is known.
struct Training<'a> {
    command: &'a Train,
    place: Place,
    config: Config,
    out: &'a mut dyn Write,
}

impl<G: Arena> ForActions<G> for Training<'_> {
    type Output = Result<()>;

    fn visit<A: Actions<Game = G>>(self) -> Result<()> {
        self.command.train::<A>(&self.place, self.config, self.out)
    }
}
