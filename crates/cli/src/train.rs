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
use keisei_cluster::{Alone, Communicator};
use keisei_encode::{Actions, Encode, ForActions, Observation};
use keisei_engine::Arena;
use keisei_game::Game;
use keisei_games::with_game;
use keisei_net::{Backend, Learner, LearnerConfig, Missing, NetConfig, Request, initial_state};
use keisei_train::callbacks::{Callback, Requests};
use keisei_train::config::{LogLevel, Sources};
use keisei_train::evaluate::Player;
use keisei_train::metrics;
use keisei_train::run::{HeldRun, RunFolder, RunOrigin};
use keisei_train::session::Parts;
use keisei_train::{Config, End, Session, random, trainer};

use console::{Console, unpoisoned};
use lines::Lines;
use view::{About, Model, View, Watcher};

use crate::cluster::{Cluster, SharedWatch};
use crate::runs::RunsFolder;

/// The preset of runs that name none.
pub(crate) const PRESET: &str = "cpu";

/// Learn a game from nothing by self-play.
///
/// A run lives in runs/NAME: its settings, checkpoints, models, metrics, log and evaluation games.
/// Ctrl-C saves it; starting it again goes on exactly where it stopped (with a limit in minutes,
/// which schedules follow, the clock decides what exactly comes next).
///
/// Started by mpirun or srun (in a build with the feature mpi), 2, 4, 8 … processes play and learn
/// together, with the same result; docs/cluster.md tells how.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Train {
    /// The run's name; a run of that name goes on. Without a name, the newest unfinished run of the
    /// preset that has no chosen name goes on, or a new one begins
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    #[command(flatten)]
    runs: RunsFolder,
    /// Settings that come with the program: cpu, cpu-ppo, cpu-smoke, gpu, document, chess-cpu,
    /// chess-gpu or animal [default: cpu]
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
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
  keisei train --preset cpu-ppo                 shogi by PPO, without a search as teacher
  keisei train --preset animal                  animal shogi, in two minutes
  mpirun -n 8 keisei train --run big            a run on 8 processes";

impl Train {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        Cluster::join()?.run(out, |cluster, out| self.run_on(cluster, out))
    }

    fn run_on(&self, cluster: &Cluster, out: &mut dyn Write) -> Result<()> {
        let runs = self.runs.path(&self.sources(None))?;
        let (config, begun) = match cluster.is_first() {
            true => {
                let begun = self.begun(&runs)?;
                let mut config = self.settings(&runs, begun.as_ref())?;
                // The first weights follow from the seed, so it is drawn before them.
                config.env.seed.get_or_insert_with(random::fresh_seed);
                let name = begun.as_ref().map(|run| run.name().to_owned());
                cluster.ranks.share((config.to_toml(), name));
                (config, begun)
            }
            // Where several processes begin, the first one decides for all.
            false => {
                let (toml, name) = cluster.ranks.share((String::new(), None::<String>));
                let begun = name.map(|name| RunFolder::named(&runs, &name)).transpose()?;
                (Config::from_toml(&toml)?, begun)
            }
        };
        let (game, actions) = (config.env.game, config.env.action_space_size);
        let place = Place { runs, begun };
        let training = Training { command: self, cluster, place, config, out };
        with_game!(game, G => G::with_actions(actions, training))
    }

    /// Whether the run is shown on the whole screen.
    fn wants_view(&self, cluster: &Cluster) -> bool {
        cluster.ranks.size() == 1
            && !self.plain
            && stdin().is_terminal()
            && stdout().is_terminal()
            && stderr().is_terminal()
    }

    /// The run that goes on, if one does.
    fn begun(&self, runs: &Path) -> Result<Option<RunFolder>> {
        Ok(match &self.run {
            Some(name) => Some(RunFolder::named(runs, name)?).filter(RunFolder::has_begun),
            None if self.new => None,
            None => RunFolder::unfinished(runs, self.preset())?,
        })
    }

    /// The preset of a new run.
    fn preset(&self) -> &str {
        self.preset.as_deref().unwrap_or(PRESET)
    }

    /// `result`, which says in its error that a run goes on that has settings of its own.
    fn of_begun<T>(&self, begun: Option<&RunFolder>, result: Result<T>) -> Result<T> {
        let Some(run) = begun else { return result };
        result.with_context(|| format!("the run {} goes on ({})", run.name(), self.other()))
    }

    /// How another run begins.
    fn other(&self) -> &'static str {
        match self.run {
            Some(_) => "another name after --run begins another run",
            None => "--new begins another run",
        }
    }

    /// Where settings come from: those of a run that goes on are its own, a new run has those of
    /// its preset. What the command line says comes last in both.
    fn sources(&self, begun: Option<&RunFolder>) -> Sources {
        let mut overrides = self.set.clone();
        overrides.extend(self.minutes.map(|minutes| format!("training.minutes={minutes}")));
        overrides.extend(self.steps.map(|steps| format!("training.total_steps={steps}")));
        overrides.extend(self.seed.map(|seed| format!("env.seed={seed}")));
        Sources {
            preset: begun.is_none().then(|| self.preset().to_owned()),
            file: begun.map(RunFolder::config_file).or_else(|| self.config.clone()),
            environment: Sources::environment(),
            overrides,
        }
    }

    fn settings(&self, runs: &Path, begun: Option<&RunFolder>) -> Result<Config> {
        if let Some(run) = begun.filter(|_| self.config.is_some()) {
            bail!(
                "the run {} has begun with its own settings; change single ones with --set, or \
                 begin another run: {}",
                run.name(),
                self.other()
            );
        }
        let mut config =
            self.of_begun(begun, Config::load(&self.sources(begun)).map_err(Into::into))?;
        begun.map_or(Ok(()), |run| self.check_origin(run, &config))?;
        config.logging.runs_dir = runs.display().to_string();
        Ok(config)
    }

    /// Refuses a preset and a seed that are not those which `run` began with: it would not follow
    /// them.
    fn check_origin(&self, run: &RunFolder, config: &Config) -> Result<()> {
        let (name, other) = (run.name(), self.other());
        let before = run.origin().map(|origin| origin.preset);
        if let (Some(preset), Some(before)) = (&self.preset, before)
            && *preset != before
        {
            bail!("the run {name} has begun with the preset {before}, not {preset}: {other}");
        }
        let file = Some(run.config_file());
        let before = Config::read(&Sources { file, ..Sources::default() })?.env.seed;
        if let (Some(seed), Some(before)) = (config.env.seed, before)
            && seed != before
        {
            bail!("the run {name} has begun with the seed {before}, not {seed}: {other}");
        }
        Ok(())
    }

    /// Makes the folder of a new run, or takes that of the one that goes on.
    fn hold(&self, place: &Place) -> Result<HeldRun> {
        if let Some(run) = &place.begun {
            return Ok(run.hold()?);
        }
        let origin = RunOrigin::now(self.preset(), self.run.is_some());
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
            bail!("the run {} has begun; --from is for a new one: {}", run.name(), self.other());
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
        cluster: &Cluster,
        place: &Place,
        config: Config,
        out: &mut dyn Write,
    ) -> Result<()> {
        let begun = place.begun.as_ref();
        let prepared = Prepared::<A>::among(&config, &cluster.ranks);
        let Prepared { mut backend, players } = self.of_begun(begun, prepared)?;
        if let Some(model) = &self.from {
            self.begin_with::<A>(model, place, &config, &mut *backend.learner)?;
        }
        let held = cluster.is_first().then(|| self.hold(place)).transpose()?;
        let name = cluster.ranks.share(held.as_ref().map(|held| held.name().to_owned()));
        let folder = match &held {
            Some(held) => (**held).clone(),
            None => RunFolder::named(&place.runs, &name.unwrap_or_default())?,
        };
        let path = folder.path().to_owned();
        let name = folder.name().to_owned();
        let go_on = cluster.launch(&place.go_on(&name));
        cluster.watch.tell(|watch| watch.set_hint(format!("go on with: {go_on}")));
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
                "{}, {parameter_count} weights, seed {seed}, on {}",
                A::Game::NAME,
                match cluster.ranks.size() {
                    1 => format!("the {device}"),
                    ranks => format!("{ranks} ranks with a {device}"),
                }
            ),
            training: config.training.clone(),
        };
        writeln!(out, "{}: {}", about.name, about.description)?;
        out.flush()?;
        let console = Console::default();
        // The others have nothing to say that the first does not.
        let level = if held.is_some() { config.logging.log_level } else { LogLevel::Error };
        console.listen(level);
        let stop = console.stop_on_interrupt(&cluster.watch)?;
        let model = Arc::new(Mutex::new(Model::new(about)));
        let parts = Parts {
            config,
            learner: Box::new(learner),
            load,
            players,
            callbacks: vec![
                Box::new(Lines::new(&console, level)),
                Box::new(Watcher(Arc::clone(&model))),
                Box::new(Progress::new(&cluster.watch)),
            ],
            ranks: Arc::clone(&cluster.ranks),
        };
        let session = match held {
            Some(held) => Session::<A>::begin(held, parts),
            None => Session::<A>::join(folder, parts),
        };
        let mut session = self.of_begun(begun, session.map_err(Into::into))?;
        let before = session.trainer().progress();
        if before.updates > 0 {
            writeln!(out, "going on after {} moves", before.steps)?;
            unpoisoned(&model).recall(&metrics::of_run(session.folder()));
        }
        out.flush()?;
        let view = self.wants_view(cluster).then(|| View::open(&console, &model, &stop));
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
                writeln!(out, "saved; go on with: {go_on}")?;
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

impl Place {
    /// The command by which a run goes on.
    fn go_on(&self, name: &str) -> String {
        let runs = match self.runs.as_path() {
            usual if usual == Path::new("runs") => String::new(),
            other => format!(" --runs {}", other.display()),
        };
        format!("keisei train --run {name}{runs}")
    }
}

/// Tells the watch how far the run has come.
struct Progress {
    watch: SharedWatch,
    update: u64,
    saved: Option<String>,
}

impl Progress {
    fn new(watch: &SharedWatch) -> Self {
        Self { watch: watch.clone(), update: 0, saved: None }
    }

    fn tell(&self) {
        let saved = self.saved.as_deref().unwrap_or("none in this session");
        let progress = format!("after update {}, last checkpoint: {saved}", self.update);
        self.watch.tell(|watch| watch.set_progress(progress));
    }
}

impl Callback for Progress {
    fn on_update_start(&mut self, update: u64, _: &mut Requests) {
        self.update = update;
        self.tell();
    }

    fn on_checkpoint(&mut self, path: &Path, _: &mut Requests) {
        self.saved = path.file_name().map(|name| name.to_string_lossy().into_owned());
        self.tell();
    }
}

/// All that a run needs beside its folder. What cannot be had is refused before there is one.
pub(crate) struct Prepared<A: Actions> {
    backend: Backend<Observation<A>>,
    players: Vec<Box<dyn Player<A::Game>>>,
}

impl<A: Actions<Game: Arena>> Prepared<A> {
    pub(crate) fn new(config: &Config) -> Result<Self> {
        Self::among(config, &(Arc::new(Alone) as Arc<dyn Communicator>))
    }

    fn among(config: &Config, ranks: &Arc<dyn Communicator>) -> Result<Self> {
        trainer::check::<A>(config)?;
        let backend = LearnerConfig::from(config).build_among::<A>(ranks).context("the network")?;
        let players = opponents::opponents(&config.evaluation.opponents)?;
        Ok(Self { backend, players })
    }
}

/// Training, once the game is known.
struct Training<'a> {
    command: &'a Train,
    cluster: &'a Cluster,
    place: Place,
    config: Config,
    out: &'a mut dyn Write,
}

impl<G: Arena> ForActions<G> for Training<'_> {
    type Output = Result<()>;

    fn visit<A: Actions<Game = G>>(self) -> Result<()> {
        self.command.train::<A>(self.cluster, &self.place, self.config, self.out)
    }
}
