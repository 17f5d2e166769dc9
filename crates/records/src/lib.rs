#![doc = include_str!("../README.md")]

mod any;
mod builder;
mod encoding;
mod ending;
mod error;
mod file;
mod format;
pub mod formats;
mod game;
mod headers;
mod library;
mod loss;
pub mod notation;
mod notes;
pub mod samples;
mod scan;
mod tree;
mod write;

pub use any::{AnyRecord, read, read_within};
pub use builder::Limits;
pub use encoding::{Encoding, decode};
pub use ending::Ending;
pub use error::{Problem, ReadError, WriteError};
pub use file::{Unreadable, read_file, read_named};
pub use format::{Format, FormatParseError};
pub use game::{LineError, Listed, Recorded, TextError, read_line};
pub use headers::Headers;
pub use keisei_games as games;
pub use library::{
    Favorites, FavoritesError, Library, MoveStatistics, Occurrence, RecordFiles, Sides, Source,
    Statistics, record_files,
};
pub use loss::{Construct, Loss, Text, Written};
pub use notes::{Evaluation, Evaluator, Mate, Notes};
pub use tree::{EditError, Node, NodeId, Record, Step};
pub use write::{write, write_encoded, write_several};
