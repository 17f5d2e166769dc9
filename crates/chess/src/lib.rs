#![doc = include_str!("../README.md")]

pub mod attacks;
mod fen;
mod game;
mod legality;
mod position;
mod pseudo_legal;
mod san;
mod setup;
mod text;
mod types;

pub use cozy_chess::{BitBoard, File, Rank, Square};
pub use fen::{FenError, PositionError};
pub use game::{Chess, ClaimError, MoveError};
pub use keisei_game::{Game, Outcome, Reason, Rules, Side};
pub use legality::{CastlingBan, IllegalMove};
pub use position::{BOARD_SIZE, MoveList, Position};
pub use san::SanError;
pub use setup::{CastlingRights, Setup, SetupError};
pub use types::{Color, Move, MoveParseError, Piece, PieceKind};
