#![doc = include_str!("../README.md")]

mod attacks;
mod bitboard;
mod board;
mod game;
mod legality;
mod movegen;
mod notation;
mod position;
pub mod tablebase;
mod text;
mod types;

pub use bitboard::Bitboard;
pub use board::Board;
pub use game::{Animal, MoveError};
pub use legality::IllegalMove;
pub use movegen::{MAX_MOVES, MoveList};
pub use notation::PositionError;
pub use position::Position;
pub use types::{HandKind, Move, MoveParseError, Piece, PieceKind, Square, SquareParseError};
