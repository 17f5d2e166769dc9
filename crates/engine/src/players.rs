//! The classical players: yardsticks that know the rules and the worth of pieces.

mod alpha_beta;
mod one_ply;

use std::thread::sleep;
use std::time::Duration;

pub use alpha_beta::AlphaBeta;
pub use one_ply::{Greedy, MateInOne, Random};

use crate::{Limits, PlayerError, Signal};

/// Waits until an answer may be given: analysis without end and thoughts in the other side's time
/// are answered only when asked.
pub(crate) fn hold(limits: &Limits, signal: &Signal) {
    let held = || limits.infinite || limits.ponder && !signal.ponder_was_hit();
    while held() && !signal.stopped() {
        sleep(Duration::from_millis(1));
    }
}

fn no_moves(player: &str) -> PlayerError {
    PlayerError::Other { player: player.to_owned(), problem: "there is no legal move".to_owned() }
}
