#![doc = include_str!("../README.md")]

pub mod contest;
pub mod ladder;
pub use keisei_stats as stats;
