//! Learning a game from nothing: self-play, PPO, checkpoints and metrics.
//!
//! | responsibility | modules |
//! |---|---|
//! | settings: loading, checking, explaining | [`config`] |
//! | the session: folder, lock, begin, go on, end | [`session`], [`run`] |
//! | the model: learner, optimiser, checkpoints, going back | [`trainer`], [`checkpoint`], [`opponents`] |
//! | the environment: games, where they begin, their seeds | [`curriculum`], [`rewind`], [`random`] |
//! | the step: choosing, playing, storing | [`rollout`], [`buffer`] |
//! | the algorithm: advantages, update, schedules | [`gae`], [`ppo`], [`schedule`] |
//! | the loop | [`Session::train`] |
//! | metrics and the log | [`metrics`], [`log`] |
//! | measuring strength | [`evaluate`] |
//! | callbacks, among them every display | [`callbacks`] |
//! | where the time goes | [`phases`] |
//!
//! Everything random is a function of the seed and of what it is for ([`random`]), so that a run
//! that was killed goes on exactly as if it had not been.

mod append;
pub mod buffer;
pub mod callbacks;
pub mod checkpoint;
pub mod config;
pub mod curriculum;
pub mod evaluate;
pub mod gae;
pub mod log;
pub mod metrics;
pub mod opponents;
pub mod phases;
pub mod ppo;
pub mod random;
pub mod rewind;
pub mod rollout;
pub mod run;
pub mod schedule;
pub mod session;
mod tally;
mod train_loop;
pub mod trainer;

pub use config::Config;
pub use session::Session;
pub use tally::Tally;
pub use train_loop::End;
