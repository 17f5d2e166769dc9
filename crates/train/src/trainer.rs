//! A run in memory: the learner, its games, and all that a checkpoint must hold of them.

mod state;

pub use state::{Lengths, WEIGHTS};

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use keisei_cluster::{Alone, Communicator, Traffic};
use keisei_encode::{Actions, Encode, Episode, Observation, SizeError, check_sizes};
use keisei_game::Game;
use keisei_net::{ImitationSettings, Learner, LoadEvaluator, StateError, UpdateSettings};

use crate::buffer::Summary;
use crate::callbacks::Scene;
use crate::checkpoint::{self, CheckpointError};
use crate::config::{Config, Teaching, Training};
use crate::curriculum::{Curriculum, Plan};
use crate::metrics::{Record, names};
use crate::opponents::Pool;
use crate::ppo::{self, PpoSettings, Update};
use crate::rewind::Ring;
use crate::rollout::{Collected, Rollout};
use crate::run::RunError;
use crate::schedule::Progress;
use crate::shards::{RanksError, Shards};
use crate::teacher::{self, Teacher, TeachingSettings};

/// How far the first ratio of a run may be from 1.
const FIRST_RATIO_TOLERANCE: f32 = 0.01;

/// A run in memory.
pub struct Trainer<A: Actions> {
    config: Config,
    seed: u64,
    learner: Box<dyn Learner<Observation<A>>>,
    load: Box<LoadEvaluator<Observation<A>>>,
    state: State<A>,
    /// Who plays and learns together.
    ranks: Arc<dyn Communicator>,
    /// Which of the games this rank plays.
    shards: Shards,
    /// What was said between the ranks up to the last record.
    traffic: Traffic,
}

/// What of a run changes while it goes on, but for the learner.
struct State<A: Actions> {
    curriculum: Curriculum<A::Game>,
    rollout: Rollout<A>,
    pool: Pool<Observation<A>>,
    progress: Progress,
    /// How many episodes have ended.
    episodes: u64,
    /// By what the learning rate is multiplied: less than 1 after the learner broke down.
    rate_scale: f64,
    /// The weights at the last evaluation.
    evaluated: Option<Vec<u8>>,
}

/// What an update brought.
#[derive(Clone, Debug)]
pub struct Learned {
    /// What the learner measured.
    pub update: Update,
    /// Numbers of the rollout.
    pub summary: Summary,
    /// How long it took.
    pub time: Duration,
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The sizes in the configuration are not those of the game.
    #[error(transparent)]
    Sizes(#[from] SizeError),
    /// The configuration has no seed.
    #[error("env.seed has no value; a run needs one")]
    Seed,
    /// The configuration is for another game.
    #[error("env.game is {found}, but this is the trainer of {expected}")]
    Game {
        /// The configured game.
        found: String,
        /// The trainer's.
        expected: &'static str,
    },
    /// The configuration asks for a mirror that the game does not have.
    #[error("env.mirror is true, but a mirror image of {0} has other rules")]
    Mirror(&'static str),
    /// The network cannot take over weights.
    #[error(transparent)]
    State(#[from] StateError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A checkpoint does not fit the configuration.
    #[error("the checkpoint has {found} games, but rollout.games is {expected}")]
    Games {
        /// How many it has.
        found: usize,
        /// How many are configured.
        expected: usize,
    },
    /// The number of processes does not fit.
    #[error(transparent)]
    Ranks(#[from] RanksError),
    /// Processes that should have learned the same have not.
    #[error("rank {0} has other weights than rank 0: its machine computes otherwise")]
    Apart(usize),
    /// Acting and learning do not compute the same.
    #[error(
        "the first ratio is {0} away from 1: the network that learns is not the one that acted"
    )]
    FirstRatio(f32),
    /// The log or the metrics cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The run's folder cannot be written.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Nothing finite comes out any more, and there is nothing to go back to.
    #[error("the losses are not finite, and no checkpoint is left to go back to")]
    Broken,
}

/// A file of a run cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {source}")]
pub struct OutputError {
    /// Which.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

impl<A: Actions> Trainer<A> {
    /// A new run. `load` makes players of the weights that `learner` gives.
    pub fn new(
        config: Config,
        learner: Box<dyn Learner<Observation<A>>>,
        load: Box<LoadEvaluator<Observation<A>>>,
    ) -> Result<Self, TrainError> {
        Self::among(Arc::new(Alone), config, learner, load)
    }

    /// A new run on several ranks, of which this is one. The learner is one among them too.
    pub fn among(
        ranks: Arc<dyn Communicator>,
        config: Config,
        learner: Box<dyn Learner<Observation<A>>>,
        load: Box<LoadEvaluator<Observation<A>>>,
    ) -> Result<Self, TrainError> {
        check::<A>(&config)?;
        let shards = Shards::of(&config, &*ranks)?;
        let seed = config.env.seed.ok_or(TrainError::Seed)?;
        let ring = match config.rewind.enabled {
            true => Ring::seeded::<A::Game>(&config.rewind, seed, config.env.max_moves_per_game),
            false => Ring::new(&config.rewind),
        };
        let games = shards.own_games();
        let curriculum = curriculum::<A>(&config, seed, ring).from_game(games.start);
        let bootstrap = config.training.bootstrap_cut_games;
        let rollout = Rollout::new(&curriculum, games.len(), seed, bootstrap)
            .taught_by(Teacher::of(&config, games.len()))
            .among(shards.clone(), Arc::clone(&ranks));
        let state = State {
            curriculum,
            rollout,
            pool: Pool::new(&config.opponents),
            progress: Progress { updates: 0, steps: 0, seconds: 0.0 },
            episodes: 0,
            rate_scale: 1.0,
            evaluated: None,
        };
        let traffic = ranks.traffic();
        Ok(Self { config, seed, learner, load, state, ranks, shards, traffic })
    }

    /// Who plays and learns together.
    pub fn ranks(&self) -> &Arc<dyn Communicator> {
        &self.ranks
    }

    /// Makes sure that all ranks have the same weights, by their hashes.
    pub fn compare_weights(&self) -> Result<(), TrainError> {
        if self.ranks.size() == 1 {
            return Ok(());
        }
        let hashes = self.ranks.collect(checkpoint::sha256(&self.learner.weights()));
        match hashes.iter().position(|hash| *hash != hashes[0]) {
            None => Ok(()),
            Some(rank) => Err(TrainError::Apart(rank)),
        }
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The number that all that is random follows from.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How far the run has come.
    pub fn progress(&self) -> Progress {
        self.state.progress
    }

    /// How many games have ended.
    pub fn episodes(&self) -> u64 {
        self.state.episodes
    }

    /// The learner.
    pub fn learner(&self) -> &dyn Learner<Observation<A>> {
        &*self.learner
    }

    /// Makes a player of weights.
    pub fn loader(&self) -> &LoadEvaluator<Observation<A>> {
        &*self.load
    }

    /// Whether the run has reached its end.
    pub fn is_finished(&self) -> bool {
        self.state.progress.share(&self.config.training) >= 1.0
    }

    /// Sets the time that has passed, which ranks have to agree on.
    pub(crate) fn set_seconds(&mut self, seconds: f64) {
        self.state.progress.seconds = seconds;
    }

    /// Lets time pass, for schedules and limits that follow it.
    pub fn add_time(&mut self, time: Duration) {
        self.state.progress.seconds += time.as_secs_f64();
    }

    /// Plays one rollout.
    pub fn collect(&mut self) -> Collected<A::Game> {
        let State { curriculum, rollout, pool, progress, episodes, .. } = &mut self.state;
        curriculum.progress = progress.share(&self.config.training);
        curriculum.opponents = pool.len();
        let steps = self.config.rollout.steps;
        let collected = rollout.collect(&mut *self.learner, pool, curriculum, steps);
        *episodes += collected.tally.games;
        collected
    }

    /// Learns from the rollout just played.
    pub fn learn(&mut self, collected: &Collected<A::Game>) -> Result<Learned, TrainError> {
        let start = Instant::now();
        let (ppo, teaching) = (self.ppo_settings(), self.teaching_settings());
        let Training { gamma, lambda_gae, advantage_floor, .. } = self.config.training;
        let values = &collected.last_values;
        let buffer = self.state.rollout.buffer();
        let own = buffer.estimate(values, gamma as f32, lambda_gae as f32);
        let moments = self.ranks.collect(own).concat();
        let summary = buffer.normalise(&moments, advantage_floor as f32);
        let number = self.state.progress.updates;
        let (learner, seed) = (&mut *self.learner, self.seed);
        let update = match self.config.training.teacher {
            Teaching::None => ppo::update(learner, buffer, &ppo, seed, number),
            Teaching::Search => teacher::update(learner, buffer, &teaching, seed, number),
        };
        if update.first_ratio_error > FIRST_RATIO_TOLERANCE {
            if number == 0 {
                return Err(TrainError::FirstRatio(update.first_ratio_error));
            }
            tracing::warn!(error = update.first_ratio_error, "the first ratio is not 1");
        }
        let moves = (self.config.rollout.games * self.config.rollout.steps) as u64;
        self.state.progress.updates += 1;
        self.state.progress.steps += moves;
        if self.config.rewind.enabled {
            let decisive = collected.tally.rewound_decisive_rate();
            let ring = &mut self.state.curriculum.ring;
            ring.grow(&self.config.rewind, moves, summary.explained_variance, decisive);
        }
        self.freeze_if_due()?;
        Ok(Learned { update, summary, time: start.elapsed() })
    }

    /// Keeps the network as an opponent for its later selves, now and then.
    fn freeze_if_due(&mut self) -> Result<(), StateError> {
        let settings = &self.config.opponents;
        if settings.share > 0.0 && self.state.progress.updates.is_multiple_of(settings.interval) {
            let weights = self.learner.weights();
            self.state.pool.add(self.state.progress.updates, weights, &*self.load)?;
        }
        Ok(())
    }

    fn learning_rate(&self) -> f64 {
        self.state.rate_scale * self.state.progress.learning_rate(&self.config.training)
    }

    /// Changes the learning rate by a factor, on top of its schedule.
    pub fn scale_learning_rate(&mut self, factor: f64) {
        self.state.rate_scale *= factor;
    }

    fn teaching_settings(&self) -> TeachingSettings {
        let training = &self.config.training;
        TeachingSettings {
            epochs: training.ppo_epochs,
            minibatch_size: training.minibatch_size,
            step: ImitationSettings {
                learning_rate: self.learning_rate() as f32,
                value_weight: training.value_coeff as f32,
                max_gradient_norm: training.gradient_clip_norm as f32,
            },
        }
    }

    fn ppo_settings(&self) -> PpoSettings {
        let training = &self.config.training;
        PpoSettings {
            epochs: training.ppo_epochs,
            minibatch_size: training.minibatch_size,
            target_kl: training.target_kl,
            step: UpdateSettings {
                learning_rate: self.learning_rate() as f32,
                clip_epsilon: training.clip_epsilon as f32,
                value_weight: training.value_coeff as f32,
                clip_value: training.clip_value,
                entropy_weight: self.state.progress.entropy_coeff(training) as f32,
                relative_entropy: training.relative_entropy,
                max_gradient_norm: training.gradient_clip_norm as f32,
            },
        }
    }

    /// The weights now, and those at the last evaluation, which the ones now replace.
    pub fn take_evaluated(&mut self) -> (Vec<u8>, Option<Vec<u8>>) {
        let weights = self.learner.weights();
        let earlier = self.state.evaluated.replace(weights.clone());
        (weights, earlier)
    }

    /// The games that are being played, the last first: it begins at the start more often than
    /// others.
    pub fn running(&self) -> impl Iterator<Item = &Episode<A::Game, Plan>> {
        let games: Vec<_> = self.state.rollout.running().map(|(episode, _)| episode).collect();
        games.into_iter().rev()
    }

    /// One of the games as it stands: the last, which begins at the start more often than others.
    pub fn scene(&self) -> Option<Scene> {
        let game = &self.running().next()?.game;
        Some(Scene {
            board: game.board_text(),
            moves: game.ply(),
            last_move: game.moves().last().map(ToString::to_string),
        })
    }

    /// The numbers of the update just made.
    pub fn record(&mut self, collected: &Collected<A::Game>, learned: &Learned) -> Record {
        let Progress { updates, steps, seconds } = self.state.progress;
        let (learning_rate, training) = (self.learning_rate(), &self.config.training);
        let mut record = Record::new(updates, steps);
        record.set(names::PROGRESS, self.state.progress.share(training));
        record.set(names::LEARNING_RATE, learning_rate);
        record.set(names::ENTROPY_COEFF, self.state.progress.entropy_coeff(training));
        learned.write(&mut record);
        let tally = &collected.tally;
        record.set(names::GAMES, tally.games as f64);
        record.set_some(names::LENGTH, tally.mean_length());
        record.set_some(names::DECISIVE_RATE, tally.decisive_rate());
        record.set_some(names::DRAW_RATE, tally.draw_rate());
        record.set_some(names::TRUNCATION_RATE, tally.truncation_rate());
        record.set_some(names::BLACK_SCORE, tally.first_score());
        record.set_some(names::REWIND_DECISIVE, tally.rewound_decisive_rate());
        record.set(names::OPPONENTS, self.state.pool.len() as f64);
        record.set_some(names::TEACHER_KL, collected.lessons.divergence());
        record.set_some(names::TEACHER_BY_RULE, collected.lessons.by_rule());
        for (name, accuracy) in names::SIGN_ACCURACY.into_iter().zip(tally.sign_accuracy()) {
            record.set_some(name, accuracy);
        }
        let ring = &self.state.curriculum.ring;
        record.set(names::REWIND_DEPTH, ring.depth() as f64);
        record.set(names::REWIND_KEPT, ring.len() as f64);
        let moves = (self.config.rollout.games * self.config.rollout.steps) as f64;
        record.set(names::SPS, moves / (collected.time + learned.time).as_secs_f64());
        record.set(names::SECONDS, seconds);
        if self.ranks.size() > 1 {
            let traffic = self.ranks.traffic();
            let since = traffic - std::mem::replace(&mut self.traffic, traffic);
            record.set(names::RANKS, self.ranks.size() as f64);
            record.set(names::MESSAGES, since.messages as f64);
            record.set(names::MESSAGE_BYTES, since.bytes as f64);
            record.set(names::MESSAGE_SECONDS, since.time.as_secs_f64());
        }
        record
    }
}

impl Learned {
    /// Whether anything was learned and nothing was broken.
    pub fn is_sound(&self) -> bool {
        self.update.not_finite == 0 && self.summary.mean_value.is_finite()
    }

    fn write(&self, record: &mut Record) {
        let Update { losses, first_ratio_error, minibatches, not_finite, .. } = self.update;
        record.set(names::POLICY_LOSS, losses.policy);
        record.set(names::VALUE_LOSS, losses.value);
        record.set(names::ENTROPY, losses.entropy);
        record.set(names::APPROX_KL, losses.approx_kl);
        record.set(names::OLD_APPROX_KL, losses.old_approx_kl);
        record.set(names::CLIP_FRACTION, losses.clip_fraction);
        record.set(names::GRADIENT_NORM, losses.gradient_norm);
        record.set(names::FIRST_RATIO_ERROR, first_ratio_error);
        record.set(names::MINIBATCHES, minibatches as f64);
        record.set(names::NOT_FINITE, not_finite as f64);
        record.set(names::EXPLAINED_VARIANCE, self.summary.explained_variance);
        record.set(names::MEAN_VALUE, self.summary.mean_value);
        record.set(names::ADVANTAGE_DEVIATION, self.summary.advantage_deviation);
    }
}

/// Refuses settings that do not fit the game.
pub fn check<A: Actions>(config: &Config) -> Result<(), TrainError> {
    let expected = A::Game::NAME;
    let found = config.env.game.name();
    if found != expected {
        return Err(TrainError::Game { found: found.to_owned(), expected });
    }
    check_sizes::<A>(config.env.input_channels, config.env.action_space_size)?;
    if config.env.mirror && A::Game::mirrored(&A::Game::new().pack()).is_none() {
        return Err(TrainError::Mirror(expected));
    }
    Ok(())
}

fn curriculum<A: Actions>(
    config: &Config,
    seed: u64,
    ring: Ring<<A::Game as Game>::Move>,
) -> Curriculum<A::Game> {
    let Config { env, rewind, opponents, rollout, .. } = config;
    Curriculum::new(env, rewind, opponents, ring, rollout.games, seed)
}
