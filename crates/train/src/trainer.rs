//! A run in memory: the learner, its games, and all that a checkpoint must hold of them.

mod state;
mod timed;

pub use state::{Lengths, WEIGHTS};

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use keisei_encode::{Actions, SizeError, check_sizes};
use keisei_game::Game;
use keisei_net::{Learner, StateError, UpdateSettings};

use crate::buffer::Summary;
use crate::callbacks::Scene;
use crate::checkpoint::CheckpointError;
use crate::config::{Config, Training};
use crate::metrics::{Record, names};
use crate::opponents::{LoadPlayer, Pool};
use crate::ppo::{self, Update};
use crate::rollout::{Collected, Rollout, Seen};
use crate::schedule::Progress;
use crate::starts::Starts;
use timed::Timed;

/// How far the first ratio of a run may be from 1.
const FIRST_RATIO_TOLERANCE: f32 = 0.01;

/// A run in memory.
pub struct Trainer<A: Actions, L> {
    config: Config,
    seed: u64,
    learner: L,
    load: Box<LoadPlayer<Seen<A>>>,
    rollout: Rollout<A>,
    pool: Pool<Seen<A>>,
    progress: Progress,
    /// How many games have ended.
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
    /// Of that, the time in the network.
    pub network_time: Duration,
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
    /// Acting and learning do not compute the same.
    #[error(
        "the first ratio is {0} away from 1: the network that learns is not the one that acted"
    )]
    FirstRatio(f32),
    /// The log or the metrics cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
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

impl<A: Actions, L: Learner<Seen<A>>> Trainer<A, L> {
    /// A new run. `load` makes players of the weights that `learner` gives.
    pub fn new(
        config: Config,
        learner: L,
        load: Box<LoadPlayer<Seen<A>>>,
    ) -> Result<Self, TrainError> {
        let seed = check::<A>(&config)?;
        let starts = Starts::new(&config, seed);
        Ok(Self::with_starts(config, seed, learner, load, starts))
    }

    fn with_starts(
        config: Config,
        seed: u64,
        learner: L,
        load: Box<LoadPlayer<Seen<A>>>,
        starts: Starts<A::Game>,
    ) -> Self {
        let bootstrap = config.training.bootstrap_cut_games;
        let rollout = Rollout::new(starts, config.rollout.games, seed, bootstrap);
        let pool = Pool::new(&config.opponents);
        Self {
            config,
            seed,
            learner,
            load,
            rollout,
            pool,
            progress: Progress { updates: 0, steps: 0, seconds: 0.0 },
            episodes: 0,
            rate_scale: 1.0,
            evaluated: None,
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
        self.progress
    }

    /// How many games have ended.
    pub fn episodes(&self) -> u64 {
        self.episodes
    }

    /// The learner.
    pub fn learner(&mut self) -> &mut L {
        &mut self.learner
    }

    /// Makes a player of weights.
    pub fn loader(&self) -> &LoadPlayer<Seen<A>> {
        &*self.load
    }

    /// Whether the run has reached its end.
    pub fn is_finished(&self) -> bool {
        self.progress.share(&self.config.training) >= 1.0
    }

    /// Lets time pass, for schedules and limits that follow it.
    pub fn add_time(&mut self, time: Duration) {
        self.progress.seconds += time.as_secs_f64();
    }

    /// Plays one rollout.
    pub fn collect(&mut self) -> Collected<A::Game> {
        let share = self.progress.share(&self.config.training);
        self.rollout.starts().progress = share;
        let steps = self.config.rollout.steps;
        let collected = self.rollout.collect(&mut self.learner, &mut self.pool, steps);
        self.episodes += collected.tally.games;
        collected
    }

    /// Learns from the rollout just played.
    pub fn learn(&mut self, collected: &Collected<A::Game>) -> Result<Learned, TrainError> {
        let start = Instant::now();
        let settings = self.ppo_settings();
        let Training { gamma, lambda_gae, advantage_floor, .. } = self.config.training;
        let values = &collected.last_values;
        let buffer = self.rollout.buffer();
        let summary =
            buffer.finish(values, gamma as f32, lambda_gae as f32, advantage_floor as f32);
        let number = self.progress.updates;
        let mut learner = Timed::new(&mut self.learner);
        let update = ppo::update(&mut learner, buffer, &settings, self.seed, number);
        let network_time = learner.time();
        if update.first_ratio_error > FIRST_RATIO_TOLERANCE {
            if number == 0 {
                return Err(TrainError::FirstRatio(update.first_ratio_error));
            }
            tracing::warn!(error = update.first_ratio_error, "the first ratio is not 1");
        }
        self.progress.updates += 1;
        self.progress.steps += (self.config.rollout.games * self.config.rollout.steps) as u64;
        if self.config.rewind.enabled {
            let decisive = collected.tally.rewound_decisive_rate();
            let ring = &mut self.rollout.starts().ring;
            ring.grow(&self.config.rewind, summary.explained_variance, decisive);
        }
        self.freeze_if_due()?;
        Ok(Learned { update, summary, time: start.elapsed(), network_time })
    }

    /// Keeps the network as an opponent for its later selves, now and then.
    fn freeze_if_due(&mut self) -> Result<(), StateError> {
        let settings = &self.config.opponents;
        if settings.share > 0.0 && self.progress.updates.is_multiple_of(settings.interval) {
            let weights = self.learner.weights();
            self.pool.add(self.progress.updates, weights, &*self.load)?;
        }
        Ok(())
    }

    fn learning_rate(&self) -> f64 {
        self.rate_scale * self.progress.learning_rate(&self.config.training)
    }

    /// Changes the learning rate by a factor, on top of its schedule.
    pub fn scale_learning_rate(&mut self, factor: f64) {
        self.rate_scale *= factor;
    }

    fn ppo_settings(&self) -> ppo::Settings {
        let training = &self.config.training;
        ppo::Settings {
            epochs: training.ppo_epochs,
            minibatch_size: training.minibatch_size,
            target_kl: training.target_kl,
            step: UpdateSettings {
                learning_rate: self.learning_rate() as f32,
                clip_epsilon: training.clip_epsilon as f32,
                value_weight: training.value_coeff as f32,
                clip_value: training.clip_value,
                entropy_weight: self.progress.entropy_coeff(training) as f32,
                relative_entropy: training.relative_entropy,
                max_gradient_norm: training.gradient_clip_norm as f32,
            },
        }
    }

    /// The weights now, and those at the last evaluation, which the ones now replace.
    pub fn take_evaluated(&mut self) -> (Vec<u8>, Option<Vec<u8>>) {
        let weights = self.learner.weights();
        let earlier = self.evaluated.replace(weights.clone());
        (weights, earlier)
    }

    /// One of the games as it stands: the last, which begins at the start more often than others.
    pub fn scene(&self) -> Option<Scene> {
        let game = &self.rollout.episodes().last()?.game;
        Some(Scene {
            board: game.board_text(),
            moves: game.ply(),
            last_move: game.moves().last().map(ToString::to_string),
        })
    }

    /// The numbers of the update just made.
    pub fn record(&mut self, collected: &Collected<A::Game>, learned: &Learned) -> Record {
        let Progress { updates, steps, seconds } = self.progress;
        let (learning_rate, training) = (self.learning_rate(), &self.config.training);
        let mut record = Record::new(updates, steps);
        record.set(names::PROGRESS, self.progress.share(training));
        record.set(names::LEARNING_RATE, learning_rate);
        record.set(names::ENTROPY_COEFF, self.progress.entropy_coeff(training));
        learned.write(&mut record);
        let tally = &collected.tally;
        record.set(names::GAMES, tally.games as f64);
        record.set_some(names::LENGTH, tally.mean_length());
        record.set_some(names::DECISIVE_RATE, tally.decisive_rate());
        record.set_some(names::DRAW_RATE, tally.draw_rate());
        record.set_some(names::TRUNCATION_RATE, tally.truncation_rate());
        record.set_some(names::BLACK_SCORE, tally.first_score());
        record.set_some(names::REWIND_DECISIVE, tally.rewound_decisive_rate());
        record.set(names::OPPONENTS, self.pool.len() as f64);
        let ring = &self.rollout.starts().ring;
        record.set(names::REWIND_DEPTH, ring.depth() as f64);
        record.set(names::REWIND_KEPT, ring.len() as f64);
        let moves = (self.config.rollout.games * self.config.rollout.steps) as f64;
        record.set(names::SPS, moves / (collected.time + learned.time).as_secs_f64());
        record.set(names::SECONDS, seconds);
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

/// Refuses a configuration that does not fit the game, and gives its seed.
fn check<A: Actions>(config: &Config) -> Result<u64, TrainError> {
    use keisei_encode::Encode;
    let expected = A::Game::NAME;
    let found = config.env.game.name();
    if found != expected {
        return Err(TrainError::Game { found: found.to_owned(), expected });
    }
    check_sizes::<A>(config.env.input_channels, config.env.action_space_size)?;
    if config.env.mirror && A::Game::mirrored(&A::Game::new().pack()).is_none() {
        return Err(TrainError::Mirror(expected));
    }
    config.env.seed.ok_or(TrainError::Seed)
}
