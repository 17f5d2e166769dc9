//! Records of games: trees with variations, the formats they are kept in, and the notation of
//! moves.
//!
//! A [`Record`] is a start position, headers and a tree of moves, each with its notes. [`read`]
//! takes a file in any format, and refuses it with the line and column of what it cannot read.
//! [`write()`] gives back the file and a list of everything that the format cannot hold.
//!
//! ```
//! use keisei_records::{Format, read, write};
//!
//! let kif = "手合割：平手\n   1 ７六歩(77)\n*角道を開ける\n   2 投了\n\n変化：2手\n   2 ３四歩(33)\n";
//! let records = read(kif.as_bytes(), None)?;
//! let csa = write(&records[0], Format::Csa)?;
//! assert!(csa.text().unwrap().contains("+7776FU\n'*角道を開ける\n%TORYO\n"));
//! assert_eq!(csa.lost[0].to_string(), "ply 2 of a variation: variation \"3c3d\"");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`notation`] writes and reads single moves of shogi; [`Library`] counts the moves of a folder of
//! records and finds positions in it.
//!
//! # What the formats hold
//!
//! PGN is for chess; USI lines are for both games, and the rest for shogi. What is lost is always
//! listed.
//!
//! | | KIF | KI2 | CSA | JKF | USI | SFENX | PGN |
//! |---|---|---|---|---|---|---|---|
//! | header | kept | kept | kept | kept | lost | lost | kept |
//! | header given twice | kept | kept | kept | lost | lost | lost | kept |
//! | number of the first move | kept | kept | lost | lost | kept | lost | kept |
//! | variation | kept | kept | lost | kept | lost | kept | kept |
//! | comment | kept | kept | kept | kept | lost | lost | kept |
//! | bookmark | kept | kept | lost | lost | lost | lost | lost |
//! | time in seconds | kept | lost | kept | kept | lost | lost | kept |
//! | fraction of a second | lost | lost | kept | lost | lost | lost | kept |
//! | time left on the clock | lost | lost | lost | lost | lost | lost | kept |
//! | score and depth | kept | kept | kept | kept | lost | lost | kept |
//! | mate in so many | kept | kept | kept | kept | lost | lost | kept |
//! | expected moves, nodes, engine | kept | kept | kept | kept | lost | lost | lost |
//! | annotation glyph | lost | lost | lost | lost | lost | lost | kept |
//! | resignation, timeout | kept | kept | kept | kept | kept | kept | kept |
//! | declared win | kept | kept | kept | kept | kept | lost | kept |
//! | repetition, interruption | kept | kept | kept | kept | kept | lost | kept |
//! | mate, fouls | kept | kept | kept | kept | lost | lost | kept |
//! | agreed draw | lost | lost | kept | kept | kept | lost | kept |
//! | move limit | lost | lost | kept | kept | lost | lost | kept |
//! | ending of a variation | kept | kept | lost | kept | lost | kept | lost |
//!
//! An ending for which a format has no word is written with the nearest one where there is one,
//! and listed all the same. Headers keep their content but not always their order.

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
mod lines;
mod loss;
pub mod notation;
mod notes;
mod scan;
mod tree;

pub use any::{
    AnyRecord, read, read_csa, read_jkf, read_ki2, read_kif, read_pgn, read_sfenx, read_usi,
    read_within, write, write_encoded, write_several,
};
pub use builder::Limits;
pub use encoding::Encoding;
pub use ending::Ending;
pub use error::{Problem, ReadError, WriteError};
pub use file::{Unreadable, read_file};
pub use format::{Format, FormatParseError};
pub use game::{Listed, Recorded, TextError};
pub use headers::Headers;
pub use keisei_games as games;
pub use library::{
    Favorites, FavoritesError, Library, MoveStatistics, Occurrence, Sides, Source, Statistics,
};
pub use loss::{Construct, Loss, Text, Written};
pub use notes::{Evaluation, Evaluator, Mate, Notes};
pub use tree::{EditError, Node, NodeId, Record, Step};
