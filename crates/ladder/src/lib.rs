//! Matches between players, and how strong they are.
//!
//! A [`contest::Match`] plays games in pairs and can be stopped and resumed at any moment. The
//! [`ladder`] rates candidates by players of known strength. Everything in [`stats`] is a pure
//! function of counts.

pub mod contest;
pub mod ladder;
pub use keisei_stats as stats;
