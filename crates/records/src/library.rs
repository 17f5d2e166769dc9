//! A collection of records: which moves were played in a position, how they scored, and where.

mod favorites;
mod folder;
mod statistics;

pub use favorites::{Favorites, FavoritesError};
pub use folder::{Library, RecordFiles, Source, record_files};
pub use statistics::{MoveStatistics, Occurrence, Sides, Statistics};
