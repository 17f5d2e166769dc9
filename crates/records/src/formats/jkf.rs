//! The JSON kifu format: moves with every detail, and forks within forks.

mod read;
mod write;

pub use read::{read, read_within};
pub use write::write;
