#![doc = include_str!("../README.md")]

mod annotate;
mod evaluation;
mod judgement;
mod walk;

pub use annotate::annotate;
pub use evaluation::{evaluation, evaluation_after};
pub use judgement::{Judged, Mark, Tally};
pub use walk::{Analysis, AnalysisError, Opinion, analyze};
