//! What a run is told: every setting with its meaning, default and limits.
//!
//! Sources, each over the one before: the defaults, a preset, a file (TOML or YAML), the
//! environment (`KEISEI__TRAINING__LEARNING_RATE`), and `section.name=value` from the command line.

mod explain;
mod field;
mod games;
mod learning;
mod output;
mod section;
mod sources;

use keisei_encode::Encode;
use keisei_game::Game;
pub use keisei_games::GameName;
use keisei_games::with_game;
use keisei_net::{DeviceRequest, LearnerConfig, NetConfig, Precision};
use keisei_runs::RunFolder;
use serde_json::Value;

pub use field::{Limits, ValueError};
pub use games::{Device, Env, Mixture, Opponents, Rewind};
pub use learning::{Network, Rollout, Teacher, Teaching, Training};
pub use output::{Checkpoint, Demo, Evaluation, LogLevel, Logging, Wandb, WandbMode};
pub use section::Explanation;
pub use sources::{PRESETS, SourceError, Sources};

use field::nearest;
use section::Section;

/// Declares the configuration from its sections.
macro_rules! sections {
    ($($name:ident: $section:ident,)*) => {
        /// All that a run is told.
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
        pub struct Config {
            $(#[doc = concat!("See [`", stringify!($section), "`].")] pub $name: $section,)*
        }

        impl Config {
            /// The names of the sections, in order.
            pub const SECTIONS: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Changes one setting, or says why not and changes nothing.
            fn set_in(&mut self, section: &str, name: &str, value: &Value) -> Result<(), ValueError> {
                match section {
                    $(stringify!($name) => self.$name.set(name, value),)*
                    _ => {
                        let suggestion = nearest(section, Self::SECTIONS.iter().copied());
                        Err(ValueError::Unknown { suggestion })
                    }
                }
            }

            /// Each section with what it is about.
            fn abouts() -> Vec<(&'static str, String)> {
                vec![$((stringify!($name), $section::about())),*]
            }

            /// Each section with its settings.
            pub fn settings() -> Vec<(&'static str, Vec<Explanation>)> {
                vec![$((stringify!($name), $section::explanations())),*]
            }
        }
    };
}

sections! {
    env: Env,
    training: Training,
    teacher: Teacher,
    network: Network,
    rollout: Rollout,
    rewind: Rewind,
    opponents: Opponents,
    evaluation: Evaluation,
    checkpoint: Checkpoint,
    logging: Logging,
    wandb: Wandb,
    demo: Demo,
}

/// Why a configuration is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// A source cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A setting is unknown, of another type or out of range.
    #[error("{source_name}: {key}: {problem}")]
    Setting {
        /// Where it was written.
        source_name: String,
        /// The setting as `section.name`.
        key: String,
        /// What is wrong.
        problem: ValueError,
    },
    /// Settings that do not go together.
    #[error("{0}")]
    Conflict(String),
}

impl Config {
    /// Reads all `sources` and checks the result.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        let config = Self::read(sources)?;
        config.check()?;
        Ok(config)
    }

    /// The settings of the run in `folder`.
    pub fn of_run(folder: &RunFolder) -> Result<Self, ConfigError> {
        Self::load(&Sources { file: Some(folder.config_file()), ..Sources::default() })
    }

    /// Reads all `sources`, whether or not their settings go together.
    pub fn read(sources: &Sources) -> Result<Self, ConfigError> {
        Self::with(sources.settings()?)
    }

    /// The usual settings, but for these.
    fn with(settings: Vec<sources::Found>) -> Result<Self, ConfigError> {
        let mut config = Self::default();
        for (source_name, key, value) in settings {
            let (section, name) = key.split_once('.').unwrap_or((key.as_str(), ""));
            config.set_in(section, name, &value).map_err(|problem| ConfigError::Setting {
                source_name,
                key: key.clone(),
                problem,
            })?;
        }
        Ok(config)
    }

    /// Refuses settings that do not go together, and what no run can do.
    pub fn check(&self) -> Result<(), ConfigError> {
        let conflict = |text: String| Err(ConfigError::Conflict(text));
        let (rollout, size) =
            (self.rollout.games * self.rollout.steps, self.training.minibatch_size);
        if !rollout.is_multiple_of(size) {
            return conflict(format!(
                "rollout.games × rollout.steps = {rollout} is not a multiple of \
                 training.minibatch_size = {size}"
            ));
        }
        let max = self.env.max_moves_per_game;
        if let Some(min) = self.env.min_moves_per_game.filter(|&min| min > max) {
            return conflict(format!(
                "env.min_moves_per_game = {min} is above env.max_moves_per_game = {max}"
            ));
        }
        let Rewind { share, share_end, random_share, depth, depth_max, .. } = self.rewind;
        let shares = share.max(share_end) + random_share;
        if shares > 1.0 {
            return conflict(format!(
                "rewind.share (or share_end) + rewind.random_share = {shares} is above 1"
            ));
        }
        if depth > depth_max {
            return conflict(format!(
                "rewind.depth = {depth} is above rewind.depth_max = {depth_max}"
            ));
        }
        let opponents = self.opponents.share;
        if self.training.teacher == Teaching::Search && opponents > 0.0 {
            return conflict(format!(
                "training.teacher = \"search\" and opponents.share = {opponents}: a teacher plays \
                 both sides, so there is no place for earlier selves"
            ));
        }
        if !self.evaluation.eval_games.is_multiple_of(2) {
            return conflict(format!(
                "evaluation.eval_games = {} is odd, but each opening is played with both colours",
                self.evaluation.eval_games
            ));
        }
        let game = self.env.game;
        if self.env.mirror && with_game!(game, G => G::mirrored(&G::new().pack()).is_none()) {
            return conflict(format!(
                "env.mirror = true, but a mirror image of {game} is not {game}"
            ));
        }
        if self.env.move_count_plane {
            return conflict(
                "env.move_count_plane = true, but observations have no such plane: a network must \
                 not play for the move at which a game is truncated"
                    .into(),
            );
        }
        if self.training.distributed {
            return conflict(
                "training.distributed = true, but one process learns, or as many as mpirun or srun \
                 starts: it needs no setting"
                    .into(),
            );
        }
        let games = self.rollout.games;
        if let Some(shards) =
            self.training.shards.filter(|&shards| !shards.is_power_of_two() || shards > games)
        {
            return conflict(format!(
                "training.shards = {shards} is not a power of two up to rollout.games = {games}"
            ));
        }
        if self.demo.enabled {
            let network = self.demo.model_path.as_deref().unwrap_or("FILE");
            let black = if self.demo.interactive { "human" } else { &format!("net:{network}") };
            return conflict(format!(
                "demo.enabled = true, but training shows no games; a network is shown by: keisei \
                 play --black {black} --white net:{network}"
            ));
        }
        Ok(())
    }

    /// What [`Config::to_toml`] wrote.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        Self::with(sources::settings_of("the settings of a run", text)?)
    }

    /// The configuration as a TOML file with every value in it, which reads back as the same.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("sections of plain values are TOML")
    }
}
impl From<&Config> for LearnerConfig {
    fn from(config: &Config) -> Self {
        Self {
            network: NetConfig::from(&config.network),
            seed: config.env.seed.unwrap_or_default(),
            device: match config.env.device {
                Device::Auto => DeviceRequest::Auto,
                Device::Cpu => DeviceRequest::Cpu,
                Device::Cuda => DeviceRequest::Cuda,
            },
            precision: match config.training.mixed_precision {
                true => Precision::Mixed,
                false => Precision::Full,
            },
        }
    }
}
