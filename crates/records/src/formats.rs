//! One module a format: its reader and its writer together.

pub mod csa;
pub mod jkf;
pub(crate) mod json;
mod kakinoki;
pub mod ki2;
pub mod kif;
pub mod pgn;
mod presets;
pub(crate) mod remarks;
pub mod sfenx;
mod spot;
mod times;
pub mod usi;
