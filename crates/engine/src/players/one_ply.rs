//! Players that look no further than their own move.

use keisei_game::{Position, SplitMix64};

use super::{hold, no_moves};
use crate::{Answer, Arena, Limits, Player, PlayerError, Report, Signal, mate_in_one};

/// Plays any legal move, each as likely as the others.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

/// Mates if one move does, and otherwise plays any legal move.
#[derive(Clone, Debug)]
pub struct MateInOne(SplitMix64);

/// Mates if one move does, and otherwise makes the move that gains most material at once; of
/// equals, any.
#[derive(Clone, Debug)]
pub struct Greedy(SplitMix64);

/// Makes `$player` a player called `$name`, whose moves are those that `$choose` gives.
macro_rules! plays {
    ($player:ident, $name:literal, $choose:expr) => {
        impl $player {
            /// A player whose moves are a function of `seed`.
            pub const fn new(seed: u64) -> Self {
                Self(SplitMix64::new(seed))
            }
        }

        impl<G: Arena> Player<G> for $player {
            fn name(&self) -> &str {
                $name
            }

            fn think(
                &mut self,
                game: &G,
                limits: &Limits,
                signal: &Signal,
                _: &mut dyn FnMut(&Report<G::Move>),
            ) -> Result<Answer<G::Move>, PlayerError> {
                let choose: fn(&G::Position, &mut SplitMix64) -> Option<G::Move> = $choose;
                let mv = choose(game.position(), &mut self.0).ok_or_else(|| no_moves($name))?;
                hold(limits, signal);
                Ok(Answer::play(mv))
            }
        }
    };
}

plays!(Random, "random", any::<G>);
plays!(MateInOne, "mate1", |position, rng| {
    mate_in_one::<G>(position).or_else(|| any::<G>(position, rng))
});
plays!(Greedy, "greedy", |position, rng| {
    mate_in_one::<G>(position).or_else(|| richest::<G>(position, rng))
});

fn any<G: Arena>(position: &G::Position, rng: &mut SplitMix64) -> Option<G::Move> {
    rng.choose(position.legal_moves().as_ref())
}

/// One of the moves that gain most.
fn richest<G: Arena>(position: &G::Position, rng: &mut SplitMix64) -> Option<G::Move> {
    let moves = position.legal_moves();
    let gains = || moves.as_ref().iter().map(|&mv| (G::gain(position, mv), mv));
    let most = gains().map(|(gain, _)| gain).max()?;
    let best: Vec<_> = gains().filter(|&(gain, _)| gain == most).map(|(_, mv)| mv).collect();
    rng.choose(&best)
}
