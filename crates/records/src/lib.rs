//! Records of games: trees with variations, the formats they are kept in, and the notation of
//! moves.

mod any;
mod builder;
mod encoding;
mod ending;
mod error;
mod format;
pub mod formats;
mod game;
mod headers;
mod library;
mod loss;
pub mod notation;
mod notes;
mod scan;
mod tree;

pub use any::{AnyRecord, read, read_within, write, write_encoded, write_several};
pub use builder::Limits;
pub use encoding::Encoding;
pub use ending::Ending;
pub use error::{Problem, ReadError, WriteError};
pub use format::{Format, FormatParseError};
pub use game::Recorded;
pub use headers::Headers;
pub use library::{
    Favorites, FavoritesError, Library, MoveStatistics, Occurrence, Sides, Source, Statistics,
    Unreadable,
};
pub use loss::{Construct, Loss, Text, Written};
pub use notes::{Evaluation, Evaluator, Mate, Notes};
pub use tree::{EditError, Node, NodeId, Record, Step};
