//! Players that look no further than their own move.

use keisei_game::SplitMix64;

use super::no_moves;
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
                _: &Signal,
                _: &mut dyn FnMut(&Report<G::Move>),
            ) -> Result<Answer<G::Move>, PlayerError> {
                let choose: fn(&G::Position, &[G::Move], &mut SplitMix64) -> Option<G::Move> =
                    $choose;
                let moves = limits.root_moves(game.position());
                let mv = choose(game.position(), &moves, &mut self.0);
                mv.map(Answer::play).ok_or_else(|| no_moves($name))
            }
        }
    };
}

plays!(Random, "random", |_, moves, rng| rng.choose(moves));
plays!(MateInOne, "mate1", |position, moves, rng| {
    mate::<G>(position, moves).or_else(|| rng.choose(moves))
});
plays!(Greedy, "greedy", |position, moves, rng| {
    mate::<G>(position, moves).or_else(|| richest::<G>(position, moves, rng))
});

/// A move that mates, if it is one of `moves`.
fn mate<G: Arena>(position: &G::Position, moves: &[G::Move]) -> Option<G::Move> {
    mate_in_one::<G>(position).filter(|mv| moves.contains(mv))
}

/// One of `moves` that gain most.
fn richest<G: Arena>(
    position: &G::Position,
    moves: &[G::Move],
    rng: &mut SplitMix64,
) -> Option<G::Move> {
    let gains = || moves.iter().map(|&mv| (G::gain(position, mv), mv));
    let most = gains().map(|(gain, _)| gain).max()?;
    let best: Vec<_> = gains().filter(|&(gain, _)| gain == most).map(|(_, mv)| mv).collect();
    rng.choose(&best)
}
