//! How long a player may think.

use std::time::Duration;

use keisei_game::BySide;

/// When a player has to answer. Whichever limit is reached first ends the thinking; without any,
/// a player answers as it likes best.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The clocks of the game.
    pub clock: Option<Clock>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// How many positions may be visited. For a search over a network these are its simulations.
    pub nodes: Option<u64>,
    /// How many plies deep a search may look.
    pub depth: Option<u32>,
    /// Whether to go on until the signal to stop, whatever is found.
    pub infinite: bool,
    /// Whether the other side is to move in truth and this game is a guess of what it plays: the
    /// clocks count only after [`crate::Signal::ponder_hit`].
    pub ponder: bool,
}

/// The clocks when it is the turn of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time that each side has left.
    pub left: BySide<Duration>,
    /// What each side gets on top with every move.
    pub increment: BySide<Duration>,
    /// The time for every move once nothing is left.
    pub byoyomi: Duration,
    /// How many moves have to be made until the clocks are set anew; `None` for the entire game.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// At most `nodes` positions.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// At most `depth` plies.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// The given time for this move.
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }
}
