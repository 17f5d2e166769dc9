#![doc = include_str!("../README.md")]

mod append;
pub mod buffer;
pub mod callbacks;
pub mod checkpoint;
pub mod config;
pub mod curriculum;
pub mod evaluate;
pub mod gae;
pub mod live;
pub mod log;
pub mod metrics;
pub mod moments;
pub mod opponents;
pub mod phases;
pub mod ppo;
pub mod random;
pub mod rewind;
pub mod rollout;
pub mod schedule;
pub mod session;
pub mod shards;
mod tally;
pub mod teacher;
mod train_loop;
pub mod trainer;

pub use config::Config;
pub use keisei_cluster as cluster;
pub use keisei_runs as run;
pub use session::Session;
pub use tally::Tally;
pub use train_loop::End;
