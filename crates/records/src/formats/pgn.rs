//! Portable Game Notation, for chess: tags, movetext with nested variations, comments, annotation
//! glyphs and results; several games in one file.
//!
//! `[%clk …]`, `[%emt …]` and `[%eval …]` in comments are clock, time and evaluation.

mod endings;
mod read;
mod remarks;
mod write;

pub use read::{read, read_within};
pub(crate) use remarks::read as read_remarks;
pub use write::write;

/// The tags that every game has, in their order; one that is not known has a question mark.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Whether a roster tag says that nothing is known.
fn is_unknown(key: &str, value: &str) -> bool {
    ROSTER.contains(&key) && (value == "?" || key == "Date" && value == "????.??.??")
}

/// The suffixes of moves that are written as annotation glyphs 1 to 6.
const SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
