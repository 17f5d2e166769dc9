//! Learning a game from nothing: self-play, PPO, checkpoints and metrics.
//!
//! | responsibility | module |
//! |---|---|
//! | the algorithm: rollout, advantages, update | [`rollout`], [`gae`], [`buffer`], [`ppo`] |
//! | where episodes begin, against whom | [`starts`], [`rewind`], [`opponents`] |
//! | the loop | [`Session::train`] |
//! | the run at work, its folder | [`session`], [`run`] |
//! | the run in memory: learner, games, schedules | [`trainer`], [`schedule`] |
//! | saving and going on | [`checkpoint`] |
//! | telling: log, metrics, callbacks | [`log`], [`metrics`], [`callbacks`] |
//! | measuring strength | [`evaluate`] |
//! | settings | [`config`] |
//!
//! Everything random is a function of the seed and of what it is for ([`random`]), so that a run
//! that was killed goes on exactly as if it had not been.

mod append;
pub mod buffer;
pub mod callbacks;
pub mod checkpoint;
pub mod config;
pub mod evaluate;
pub mod gae;
mod game;
pub mod log;
pub mod metrics;
pub mod opponents;
pub mod ppo;
pub mod random;
pub mod rewind;
pub mod rollout;
pub mod run;
pub mod schedule;
pub mod session;
pub mod starts;
mod tally;
mod train_loop;
pub mod trainer;

pub use config::Config;
pub use game::Trained;
pub use session::Session;
pub use tally::Tally;
pub use train_loop::End;
