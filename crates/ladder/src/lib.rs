//! Matches between players, and how strong they are.
//!
//! A [`contest::Match`] plays games in pairs and can be stopped and resumed at any moment.
//! Everything in [`stats`] is a pure function of counts.

pub mod contest;
pub mod stats;
