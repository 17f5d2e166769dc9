//! The vocabulary of shogi: colours, squares, pieces and moves.

mod color;
mod hand;
mod moves;
mod piece;
mod square;

pub use color::{ByColor, Color};
pub use hand::Hand;
pub use moves::{Move, MoveParseError, Origin};
pub use piece::{HandKind, Piece, PieceKind};
pub use square::{Square, SquareParseError};
