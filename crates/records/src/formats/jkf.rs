//! The JSON kifu format: moves with every detail, and forks within forks.

mod read;
mod write;

pub use read::read;
pub use write::write;
