//! The classical players: yardsticks that know the rules and the worth of pieces.

mod alpha_beta;
mod one_ply;

pub use alpha_beta::AlphaBeta;
pub use one_ply::{Greedy, MateInOne, Random};

use crate::PlayerError;

pub(crate) fn no_moves(player: &str) -> PlayerError {
    PlayerError::Other { player: player.to_owned(), problem: "there is no legal move".to_owned() }
}
