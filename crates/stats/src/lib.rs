#![doc = include_str!("../README.md")]

mod counts;
mod elo;
mod normal;
mod rating;
mod sprt;

pub use counts::{Games, Pairs};
pub use elo::{Estimate, Sample, Z95, elo_of_score, score_of_elo, wilson};
pub use normal::cumulative as normal_cumulative;
pub use rating::{Bound, Pairing, Rating, rate};
pub use sprt::{Model, Sprt, SprtParseError, Verdict};
