//! The ladder: players of known strength, from random moves to engines, by which others are rated.
//!
//! A candidate plays against the rungs that are not hopelessly far from it. The games among the
//! rungs themselves were played once and come with the program ([`Calibration::shipped`]), so
//! that all ladders have the same scale. Ratings are those of [`crate::stats::rate`], random play
//! is 0.

mod calibration;
mod climb;
mod rungs;
mod table;

pub use calibration::{Calibration, CalibrationError, Met, Rated};
pub use climb::{climb, next_start};
pub use rungs::{Rung, rungs};
pub use table::{Candidate, Row, Table};
