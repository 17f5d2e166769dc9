//! The rules of shogi.
mod types;
pub use types::*;
