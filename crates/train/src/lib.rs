//! Learning a game from nothing: self-play, PPO, checkpoints and metrics.

pub mod buffer;
pub mod config;
pub mod gae;
mod game;
pub mod opponents;
pub mod ppo;
pub mod random;
pub mod rewind;
pub mod rollout;
pub mod schedule;
pub mod starts;
mod tally;

pub use config::Config;
pub use game::Trained;
pub use tally::Tally;
