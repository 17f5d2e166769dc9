#![doc = include_str!("../README.md")]

mod client;
mod connection;
mod seat;
mod summary;

pub use client::{CsaError, Event, Settings, Tally, play};
pub use seat::{Finished, Verdict};
pub use summary::{Clock, GameSummary, SummaryError};
