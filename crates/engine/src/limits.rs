//! How long a player may think, and what is said to it meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use keisei_game::{BySide, Game, Position};

/// When a player has to answer. Whichever limit is reached first ends the thinking; without any,
/// a player answers as it likes best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The clocks of the game.
    pub clock: Option<Clock>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// How many positions may be visited. For a search over a network these are its simulations.
    pub nodes: Option<u64>,
    /// How many plies deep a search may look.
    pub depth: Option<u32>,
    /// Whether nothing but the signal to stop ends the thinking, as long as there is something to
    /// find.
    pub infinite: bool,
    /// Whether the other side is to move in truth and this game is a guess of what it plays: the
    /// clocks count only after [`Signal::ponder_hit`].
    pub ponder: bool,
    /// How much of the time is lost between the clock and the player.
    pub latency: Duration,
    /// The moves to choose from, as the game's protocol writes them; none for all.
    pub search_moves: Vec<String>,
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

impl Default for Limits {
    fn default() -> Self {
        Self {
            clock: None,
            move_time: None,
            nodes: None,
            depth: None,
            infinite: false,
            ponder: false,
            latency: Self::LATENCY,
            search_moves: Vec::new(),
        }
    }
}

impl Limits {
    /// The time that is kept back unless told otherwise.
    pub const LATENCY: Duration = Duration::from_millis(50);

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

    /// The legal moves of `position` that may be chosen: those named in
    /// [`search_moves`](Self::search_moves), or all if none of them is legal.
    pub fn root_moves<P: Position>(&self, position: &P) -> Vec<P::Move> {
        let legal = position.legal_moves();
        let named = |mv: &&P::Move| self.search_moves.contains(&mv.to_string());
        let chosen: Vec<_> = match self.search_moves.is_empty() {
            true => Vec::new(),
            false => legal.as_ref().iter().filter(named).copied().collect(),
        };
        if chosen.is_empty() { legal.as_ref().to_vec() } else { chosen }
    }

    /// Whether the side to move may declare a win in `game`: where the moves to choose from are
    /// named, one of them is asked for.
    pub(crate) fn may_declare<G: Game>(&self, game: &G) -> bool {
        self.search_moves.is_empty() && game.can_declare_win()
    }
}

/// A line to a player that thinks. Clones are ends of the same line.
#[derive(Clone, Debug, Default)]
pub struct Signal(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    stop: AtomicBool,
    ponder_hit: AtomicBool,
}

impl Signal {
    /// A line on which nothing has been said.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for an answer at once.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Release);
    }

    /// Whether an answer is asked for at once.
    pub fn stopped(&self) -> bool {
        self.0.stop.load(Ordering::Acquire)
    }

    /// Says that the other side played what was expected: from now on the clocks count.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit.store(true, Ordering::Release);
    }

    /// Whether the other side played what was expected.
    pub fn ponder_was_hit(&self) -> bool {
        self.0.ponder_hit.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_end_says_the_other_hears() {
        let (here, there) = (Signal::new(), Signal::new());
        let line = here.clone();
        line.stop();
        line.ponder_hit();
        assert!(here.stopped() && here.ponder_was_hit());
        assert!(!there.stopped() && !there.ponder_was_hit());
    }
}
