//! A player with limits of its own.

use crate::{Answer, Arena, Limits, Player, PlayerError, Report, Signal};

use super::OwnLimits;

/// A player whose own limits come before those it is given.
pub(super) struct Limited<G: Arena> {
    pub(super) player: Box<dyn Player<G>>,
    pub(super) limits: OwnLimits,
}

impl<G: Arena> Player<G> for Limited<G> {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.player.new_game()
    }

    fn end_game(&mut self, game: &G) -> Result<(), PlayerError> {
        self.player.end_game(game)
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        self.player.think(game, &self.limits.over(limits), signal, report)
    }
}
