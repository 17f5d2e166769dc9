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

impl Random {
    /// A player whose moves are a function of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }
}

impl MateInOne {
    /// A player whose moves are a function of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }
}

impl Greedy {
    /// A player whose moves are a function of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }
}

impl<G: Arena> Player<G> for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        let chosen = any::<G>(game.position(), &mut self.0);
        answer("random", chosen, limits, signal)
    }
}

impl<G: Arena> Player<G> for MateInOne {
    fn name(&self) -> &str {
        "mate1"
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        let position = game.position();
        let chosen = mate_in_one::<G>(position).or_else(|| any::<G>(position, &mut self.0));
        answer("mate1", chosen, limits, signal)
    }
}

impl<G: Arena> Player<G> for Greedy {
    fn name(&self) -> &str {
        "greedy"
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        let position = game.position();
        let chosen = mate_in_one::<G>(position).or_else(|| richest::<G>(position, &mut self.0));
        answer("greedy", chosen, limits, signal)
    }
}

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

fn answer<M>(
    player: &str,
    chosen: Option<M>,
    limits: &Limits,
    signal: &Signal,
) -> Result<Answer<M>, PlayerError> {
    let mv = chosen.ok_or_else(|| no_moves(player))?;
    hold(limits, signal);
    Ok(Answer::play(mv))
}
