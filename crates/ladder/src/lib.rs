//! Matches between players, and how strong they are.
//!
//! Everything in [`stats`] is a pure function of counts.

pub mod stats;
