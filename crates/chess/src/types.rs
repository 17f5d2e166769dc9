//! The vocabulary of chess: colours, pieces and moves.

mod color;
mod moves;
mod piece;

pub use color::Color;
pub use moves::{Move, MoveParseError};
pub use piece::{Piece, PieceKind};
