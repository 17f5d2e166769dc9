//! The rules of chess, complete and fast, over the cozy-chess move generator.
//!
//! [`Position`] is a board with a side to move: it lists, checks and plays moves, and reads and
//! writes FEN and SAN. [`Setup`] is the same without any promise. [`Chess`] is a game with its
//! history: repetition, the fifty- and seventy-five-move rules, claims and resignation.

mod attacks;
mod fen;
mod game;
mod legality;
mod position;
mod san;
mod setup;
mod text;
mod types;

pub use cozy_chess::{BitBoard, File, Rank, Square};
pub use fen::{FenError, PositionError};
pub use game::{Chess, ClaimError, MoveError};
pub use keisei_game::{Game, Outcome, Reason, Rules, Side};
pub use legality::{CastlingBan, IllegalMove};
pub use position::{MoveList, Position};
pub use san::SanError;
pub use setup::{CastlingRights, Setup, SetupError};
pub use types::{Color, Move, MoveParseError, Piece, PieceKind};
