//! A run at work: the trainer with its folder, its log, its metrics, its evaluations.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use keisei_cluster::Communicator;
use keisei_encode::{Actions, Observation};
use keisei_game::Game;
use keisei_net::{Learner, LoadEvaluator};

use crate::callbacks::{Alarms, Callback, Requests, Starvation};
use crate::checkpoint::{CheckpointError, Checkpoints};
use crate::config::Config;
use crate::evaluate::{Candidates, Evaluation, Player};
use crate::live::LiveWriter;
use crate::log::{TrainingLog, episode_entry};
use crate::metrics::{JsonLines, Record, Sinks, TensorBoard, WeightsAndBiases};
use crate::phases::Phases;
use crate::random;
use crate::rollout::Collected;
use crate::run::{HeldRun, RunError, RunFolder, model_name};
use crate::train_loop::End;
use crate::trainer::{Learned, Lengths, OutputError, TrainError, Trainer, WEIGHTS};

/// After how many broken updates in a row a run goes back to its last checkpoint.
const BROKEN_IN_A_ROW: u32 = 3;
/// How often it goes back without having written a new one.
const TIMES_BACK: u32 = 5;

/// What a session is made of.
pub struct Parts<A: Actions> {
    /// The settings. Without a seed one is drawn.
    pub config: Config,
    /// A learner with its first weights, which a checkpoint replaces if there is one.
    pub learner: Box<dyn Learner<Observation<A>>>,
    /// Makes players of the learner's weights.
    pub load: Box<LoadEvaluator<Observation<A>>>,
    /// Opponents in evaluations that this crate does not know.
    pub players: Vec<Box<dyn Player<A::Game>>>,
    /// Who is told what happens.
    pub callbacks: Vec<Box<dyn Callback>>,
    /// Who plays and learns together: [`keisei_cluster::Alone`], or several ranks that all have the
    /// same settings. The learner is one among them too.
    pub ranks: Arc<dyn Communicator>,
}

/// A run at work, or one rank's part of it: all play and learn, and rank 0 writes.
pub struct Session<A: Actions> {
    pub(crate) trainer: Trainer<A>,
    folder: RunFolder,
    /// What rank 0 writes.
    desk: Option<Desk>,
    checkpoints: Checkpoints,
    evaluation: Evaluation<A>,
    callbacks: Vec<Box<dyn Callback>>,
    pub(crate) requests: Requests,
    /// The last evaluation's score.
    score: Option<f64>,
    saved: Saved,
    broken: u32,
    times_back: u32,
    /// The time of this process up to the last record.
    spent: Phases,
    /// The time since.
    recent: Phases,
}

/// When the checkpoint was written from which the run would go on.
struct Saved {
    update: u64,
    episodes: u64,
    at: Instant,
}

/// What is written by one process alone.
struct Desk {
    folder: HeldRun,
    outputs: Outputs,
    live: LiveWriter,
}

/// What a run writes beside its checkpoints.
struct Outputs {
    folder: PathBuf,
    log: TrainingLog,
    log_works: bool,
    sinks: Sinks,
}

/// Why a session cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The run's folder cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The run cannot begin or go on.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The configuration names an opponent that nobody knows.
    #[error(transparent)]
    Opponent(#[from] crate::evaluate::UnknownOpponent),
    /// The log or the metrics cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl<A: Actions> Session<A> {
    /// Begins the run in `folder`, or goes on from its newest checkpoint. A run that cannot begin
    /// leaves no folder behind.
    pub fn begin(folder: HeldRun, parts: Parts<A>) -> Result<Self, SessionError> {
        Self::open((*folder).clone(), Some(folder), parts)
    }

    /// Joins the run that rank 0 begins, as another of its ranks. All of them must see its folder.
    pub fn join(folder: RunFolder, parts: Parts<A>) -> Result<Self, SessionError> {
        Self::open(folder, None, parts)
    }

    fn open(
        folder: RunFolder,
        held: Option<HeldRun>,
        parts: Parts<A>,
    ) -> Result<Self, SessionError> {
        let opened = match Opened::open(&folder, held.as_ref(), parts) {
            Ok(opened) => opened,
            Err(error) => {
                if let Some(held) = held {
                    held.discard();
                }
                return Err(error);
            }
        };
        let resumed = opened.resumed;
        let mut session = Self::with(folder, held, opened);
        let begun = match resumed {
            true => session.trainer.compare_weights(),
            // A run that cannot be saved should not begin.
            false => session.save(),
        };
        if let Err(error) = begun {
            if let Some(Desk { folder, outputs, .. }) = session.desk {
                // A W&B client writes there until it ends.
                drop(outputs);
                folder.discard();
            }
            return Err(error.into());
        }
        Ok(session)
    }

    fn with(folder: RunFolder, held: Option<HeldRun>, opened: Opened<A>) -> Self {
        let Opened { trainer, checkpoints, outputs, evaluation, callbacks, score, .. } = opened;
        let desk = held.zip(outputs).map(|(held, outputs)| Desk {
            live: LiveWriter::new(held.live_file()),
            folder: held,
            outputs,
        });
        Self {
            saved: Saved::now(&trainer),
            trainer,
            folder,
            desk,
            checkpoints,
            evaluation,
            callbacks,
            requests: Requests::default(),
            score,
            broken: 0,
            times_back: 0,
            spent: Phases::default(),
            recent: Phases::default(),
        }
    }

    fn ranks(&self) -> Arc<dyn Communicator> {
        Arc::clone(self.trainer.ranks())
    }

    /// Whether and why all ranks end now. They agree on the time too, which schedules may follow.
    pub(crate) fn agree(&mut self, stop: &AtomicBool) -> Option<End> {
        let asked = stop.load(Ordering::Relaxed);
        let own = (asked, self.trainer.progress().seconds, self.requests.stop.take());
        let mut all = self.ranks().collect(own);
        self.trainer.set_seconds(all[0].1);
        let asked = all.iter().position(|(asked, ..)| *asked);
        if self.trainer.is_finished() {
            return Some(End::Finished);
        }
        if let Some(rank) = asked {
            if all.len() > 1 && self.desk.is_some() {
                tracing::warn!(rank, "a rank was asked to end: all do, after saving");
            }
            return Some(End::Interrupted);
        }
        all.swap_remove(0).2.map(End::Stopped)
    }

    /// The trainer.
    pub fn trainer(&self) -> &Trainer<A> {
        &self.trainer
    }

    /// The run's folder.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Notes that the run has reached its end.
    pub(crate) fn mark_finished(&self) -> Result<(), RunError> {
        self.desk.as_ref().map_or(Ok(()), |desk| desk.folder.mark_finished(true))
    }

    /// Tells that a rollout and an update are about to begin.
    pub(crate) fn tell_start(&mut self) {
        let update = self.trainer.progress().updates;
        self.tell(|callback, requests| callback.on_update_start(update, requests));
    }

    /// Shows one of the games of the rollout that was played.
    pub(crate) fn tell_scene(&mut self) {
        if let Some(scene) = self.trainer.scene() {
            self.tell(|callback, requests| callback.on_rollout(&scene, requests));
        }
    }

    /// Where the time since [`Session::begin`] went.
    pub fn phases(&self) -> Phases {
        let mut phases = self.spent;
        phases += self.recent;
        phases
    }

    /// Writes down what an update brought.
    pub(crate) fn note(&mut self, collected: &Collected<A::Game>, learned: &Learned) {
        let start = Instant::now();
        self.log_episodes(collected);
        let mut record = self.trainer.record(collected, learned);
        self.recent += Phases {
            rollout: collected.time,
            acting: collected.network_time,
            update: learned.time,
            learning: learned.update.network_time,
            ..Phases::default()
        };
        self.recent.write(&mut record);
        self.spent += std::mem::take(&mut self.recent);
        if let Some(Desk { outputs, live, .. }) = &mut self.desk {
            outputs.log(|log| log.update(record.step, &learned.update.losses));
            outputs.sinks.write(&record);
            live.note((record.update, record.step), self.trainer.running(), &collected.ended);
        }
        self.tell(|callback, requests| callback.on_update(&record, requests));
        let factor = self.ranks().share(self.requests.scale_learning_rate.take());
        if let Some(factor) = factor {
            self.trainer.scale_learning_rate(factor);
        }
        self.recent.writing += start.elapsed();
    }

    /// Has one finished episode in so many logged, whoever played it.
    fn log_episodes(&mut self, collected: &Collected<A::Game>) {
        let every = self.trainer.config().logging.log_every_games;
        let first = self.trainer.episodes() - collected.tally.games;
        let numbers = collected.numbers.iter().map(|number| first + number);
        let due = numbers.zip(&collected.ended).filter(|(number, _)| number.is_multiple_of(every));
        let own: Vec<_> =
            due.map(|(number, ended)| (number, episode_entry(number, ended))).collect();
        let Some(all) = self.ranks().collect_at_first(own) else { return };
        let mut all = all.concat();
        all.sort();
        if let Some(desk) = &mut self.desk {
            for (_, entry) in all {
                desk.outputs.log(|log| log.episode(&entry));
            }
        }
    }

    /// Whether the run has to go back, because several updates in a row were broken; and does so:
    /// to its last checkpoint, with half the learning rate.
    pub(crate) fn recover(&mut self, learned: &Learned) -> Result<bool, TrainError> {
        self.broken = if learned.is_sound() { 0 } else { self.broken + 1 };
        if self.broken < BROKEN_IN_A_ROW {
            return Ok(false);
        }
        self.times_back += 1;
        let newest = self.checkpoints.newest_among(&*self.ranks())?;
        let stored = newest.filter(|_| self.times_back <= TIMES_BACK);
        let stored = stored.ok_or(TrainError::Broken)?;
        tracing::warn!(
            update = stored.header.update,
            "losses are not finite: back to a checkpoint"
        );
        let seconds = self.trainer.progress().seconds;
        let lengths = self.trainer.restore(&stored)?;
        self.trainer.scale_learning_rate(0.5f64.powi(self.times_back as i32));
        let lost = seconds - self.trainer.progress().seconds;
        self.trainer.add_time(Duration::from_secs_f64(lost.max(0.0)));
        self.broken = 0;
        // What came after the checkpoint was of weights and games that are gone.
        self.score = stored.header.score;
        self.saved = Saved::now(&self.trainer);
        let config = self.trainer.config();
        if let Some(desk) = &mut self.desk {
            // A W&B client ends before another goes on with its run.
            desk.outputs.sinks = Sinks::default();
            desk.outputs = Outputs::open(&desk.folder, config, A::Game::NAME, Some(&lengths))?;
        }
        Ok(true)
    }

    /// Evaluates the network if it is time to.
    pub(crate) fn evaluate_if_due(&mut self) {
        let update = self.trainer.progress().updates;
        let requested = std::mem::take(&mut self.requests.evaluate);
        let interval = self.trainer.config().evaluation.eval_interval;
        let ranks = self.ranks();
        if !ranks.share(requested || update.is_multiple_of(interval)) {
            return;
        }
        let start = Instant::now();
        let (weights, previous) = self.trainer.take_evaluated();
        let candidates = Candidates {
            update,
            weights: &weights,
            previous: previous.as_deref(),
            load: self.trainer.loader(),
        };
        let report = self.evaluation.run(&candidates, &*ranks);
        self.recent.evaluation += start.elapsed();
        let mut record = Record::new(update, self.trainer.progress().steps);
        report.write(&mut record);
        if let Some(desk) = &mut self.desk {
            desk.outputs.sinks.write(&record);
        }
        self.score = report.main_score().or(self.score);
        self.tell(|callback, requests| callback.on_evaluation(&report, &record, requests));
    }

    /// Writes a checkpoint if it is time to. A disk that refuses is reported, and tried again after
    /// the next update: the run goes on, and the checkpoints before are not touched. Several ranks
    /// end instead, and leave their machines to those who have a disk.
    pub(crate) fn save_if_due(&mut self) -> Result<(), TrainError> {
        let update = self.trainer.progress().updates;
        let config = self.trainer.config();
        let ended = self.trainer.episodes() - self.saved.episodes;
        let due = std::mem::take(&mut self.requests.checkpoint)
            || update.is_multiple_of(config.training.checkpoint_interval)
            || config.checkpoint.episodes.is_some_and(|episodes| ended >= episodes)
            || self.saved.at.elapsed().as_secs_f64() >= config.checkpoint.seconds;
        let ranks = self.ranks();
        if !ranks.share(due && self.broken == 0) {
            return Ok(());
        }
        match self.save() {
            Err(TrainError::Checkpoint(error)) if ranks.size() == 1 => {
                tracing::error!(%error, "the checkpoint could not be written");
                self.requests.checkpoint = true;
                Ok(())
            }
            saved => saved,
        }
    }

    /// Writes a checkpoint, unless the last one is of this state.
    pub(crate) fn save_if_changed(&mut self) -> Result<(), TrainError> {
        if self.saved.update != self.trainer.progress().updates && self.broken == 0 {
            self.save()?;
        }
        Ok(())
    }

    fn save(&mut self) -> Result<(), TrainError> {
        let start = Instant::now();
        self.trainer.compare_weights()?;
        let lengths = self.desk.as_mut().map(|desk| desk.outputs.lengths());
        let stored = self.trainer.checkpoint(self.score, lengths.unwrap_or_default());
        let path = self.checkpoints.save_among(&stored, &*self.ranks())?;
        self.saved = Saved::now(&self.trainer);
        self.times_back = 0;
        if let Some(weights) = stored.files.get(WEIGHTS).filter(|_| self.desk.is_some())
            && let Err(error) = self.write_model(stored.header.step, weights)
        {
            tracing::warn!(%error, "the model could not be written");
        }
        self.recent.writing += start.elapsed();
        self.tell(|callback, requests| callback.on_checkpoint(&path, requests));
        Ok(())
    }

    /// Keeps the weights of a checkpoint as a model, which stays when the checkpoint goes.
    fn write_model(&self, step: u64, weights: &[u8]) -> io::Result<()> {
        let folder = self.folder.models();
        fs::create_dir_all(&folder)?;
        let name = model_name(A::Game::NAME, step);
        let unfinished = folder.join(format!(".{name}"));
        fs::write(&unfinished, weights)?;
        fs::rename(&unfinished, folder.join(name))
    }

    fn tell(&mut self, mut what: impl FnMut(&mut dyn Callback, &mut Requests)) {
        for callback in &mut self.callbacks {
            what(&mut **callback, &mut self.requests);
        }
    }
}

/// All that can fail when a session begins.
struct Opened<A: Actions> {
    trainer: Trainer<A>,
    checkpoints: Checkpoints,
    /// At rank 0.
    outputs: Option<Outputs>,
    evaluation: Evaluation<A>,
    callbacks: Vec<Box<dyn Callback>>,
    score: Option<f64>,
    /// Whether there was a checkpoint to go on from.
    resumed: bool,
}

impl<A: Actions> Opened<A> {
    /// Opens what a rank needs; the one that has `held` the folder also opens the files.
    fn open(
        folder: &RunFolder,
        held: Option<&HeldRun>,
        parts: Parts<A>,
    ) -> Result<Self, SessionError> {
        let Parts { mut config, learner, load, players, mut callbacks, ranks } = parts;
        config.env.seed.get_or_insert_with(random::fresh_seed);
        let checkpoints = Checkpoints::new(folder.checkpoints(), &config.checkpoint);
        let stored = checkpoints.newest_among(&*ranks)?;
        let score = stored.as_ref().and_then(|stored| stored.header.score);
        let (trainer, lengths) = match &stored {
            Some(stored) => Trainer::resume_among(ranks, config, learner, load, stored)?,
            None => (Trainer::among(ranks, config, learner, load)?, Lengths::new()),
        };
        let config = trainer.config();
        let lengths = stored.is_some().then_some(&lengths);
        let open = |held: &HeldRun| Outputs::open(held, config, A::Game::NAME, lengths);
        let outputs = held.map(open).transpose()?;
        let (settings, env) = (&config.evaluation, &config.env);
        let evaluation = Evaluation::new(settings, env, trainer.seed(), players, folder.games())?;
        if let Some(held) = held {
            callbacks.push(Box::new(Alarms::default()));
            callbacks.push(Box::new(Starvation::new(config)));
            held.write_config(&config.to_toml())?;
            held.mark_finished(trainer.is_finished())?;
        }
        let resumed = stored.is_some();
        Ok(Self { trainer, checkpoints, outputs, evaluation, callbacks, score, resumed })
    }
}

impl Saved {
    fn now<A: Actions>(trainer: &Trainer<A>) -> Self {
        let (update, episodes) = (trainer.progress().updates, trainer.episodes());
        Self { update, episodes, at: Instant::now() }
    }
}

impl Outputs {
    /// Opens the files of a run, at the ends they had at a checkpoint if `lengths` are given.
    fn open(
        folder: &RunFolder,
        config: &Config,
        game: &str,
        lengths: Option<&Lengths>,
    ) -> Result<Self, OutputError> {
        let (path, logging) = (folder.path(), &config.logging);
        let length = |file: &Path| lengths?.get(&name_in(path, file)?).copied();
        let file = folder.log_file(logging.log_file.as_deref(), game);
        let log = TrainingLog::open(&file, length(&file)).map_err(output(&file))?;
        let mut sinks = Sinks::default();
        let file = folder.metrics_file();
        sinks.add(JsonLines::open(&file, length(&file)).map_err(output(&file))?);
        if logging.tensorboard {
            let file = folder.tensorboard_file();
            sinks.add(TensorBoard::open(&file, length(&file)).map_err(output(&file))?);
        }
        if config.wandb.enabled {
            let (name, place) = (folder.name(), folder.wandb());
            sinks.add(WeightsAndBiases::start(&config.wandb, config, name, &place)?);
        }
        Ok(Self { folder: path.to_owned(), log, log_works: true, sinks })
    }

    /// Writes to the log, until that fails.
    fn log(&mut self, write: impl FnOnce(&mut TrainingLog) -> io::Result<()>) {
        if self.log_works
            && let Err(error) = write(&mut self.log)
        {
            tracing::warn!(%error, "the training log is no longer written");
            self.log_works = false;
        }
    }

    /// Brings all to the disk and says how long the files are.
    fn lengths(&mut self) -> Lengths {
        self.log(TrainingLog::flush);
        self.sinks.flush();
        let files = self.sinks.files().chain([self.log.file()]);
        files.filter_map(|(path, length)| Some((name_in(&self.folder, path)?, length))).collect()
    }
}

/// The name of a file in the run's folder, or `None` for one elsewhere: that may belong to others
/// too, and is never cut short.
fn name_in(folder: &Path, file: &Path) -> Option<String> {
    Some(file.strip_prefix(folder).ok()?.display().to_string())
}

fn output(path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    move |source| OutputError { path: path.to_owned(), source }
}
