//! Analysis of recorded games.
//!
//! [`analyze`] lets a player think about every position of a record's main line. The [`Analysis`]
//! says how good each move was; [`annotate`] writes it into the record.

mod annotate;
mod evaluation;
mod judgement;
mod walk;

pub use annotate::annotate;
pub use evaluation::{evaluation, evaluation_after};
pub use judgement::{Judged, Mark, Tally};
pub use walk::{Analysis, AnalysisError, Opinion, analyze};
