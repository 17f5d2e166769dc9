#![doc = include_str!("../README.md")]

pub mod attacks;
mod bitboard;
mod declaration;
mod game;
mod handicap;
mod movegen;
mod position;
mod setup;
mod text;
mod types;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use declaration::{Declaration, DeclarationError};
pub use game::{MoveError, Shogi};
pub use handicap::{Handicap, HandicapParseError};
pub use keisei_game::{BoardStyle, DeclarationRule, Game, Outcome, Reason, Rules, Side};
pub use movegen::{MAX_MOVES, MoveList, MoveSet};
pub use position::{IllegalMove, Position, PositionError, Promotion, SetupError, Undo};
pub use setup::{Setup, SfenError};
pub use types::*;
