//! A player with a network and search.

use std::path::Path;

use keisei_encode::Encode;
use keisei_net::{Evaluator, NetEvaluator};

use super::load::{LoadError, load_network};
use crate::players::hold;
use crate::search::{Search, SearchSettings, win_rate};
use crate::{Answer, Arena, Limits, Player, PlayerError, Report, Signal};

/// Plays what a search finds. It declares a win when it can.
pub struct SearchPlayer<G: Arena, E = NetEvaluator<<G as Encode>::Actions>> {
    name: String,
    search: Search<G, E>,
    resign_below: Option<f32>,
}

impl<G: Arena> SearchPlayer<G> {
    /// A player with the network at `path`: a weights file, or the folder of a run, whose newest
    /// model is taken.
    pub fn open(
        name: impl Into<String>,
        path: &Path,
        settings: SearchSettings,
    ) -> Result<Self, LoadError> {
        Ok(Self::new(name, load_network::<G>(path)?, settings))
    }
}

impl<G: Arena, E: Evaluator<G::Packed> + Clone> SearchPlayer<G, E> {
    /// A player with this evaluator.
    pub fn new(name: impl Into<String>, evaluator: E, settings: SearchSettings) -> Self {
        Self { name: name.into(), search: Search::new(evaluator, settings), resign_below: None }
    }

    /// Sets the chance to win, from 0 to 1, below which the player resigns; `None`, as at first,
    /// for never.
    pub fn resign_below(&mut self, chance: Option<f32>) {
        self.resign_below = chance;
    }

    /// The settings of the search.
    pub fn settings(&self) -> &SearchSettings {
        self.search.settings()
    }

    /// The settings of the search, to be changed between moves.
    pub fn settings_mut(&mut self) -> &mut SearchSettings {
        self.search.settings_mut()
    }
}

impl<G: Arena, E: Evaluator<G::Packed> + Clone> Player<G> for SearchPlayer<G, E> {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.search.clear();
        Ok(())
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        if game.outcome().is_some() {
            let problem = "the game is over".to_owned();
            return Err(PlayerError::Other { player: self.name.clone(), problem });
        }
        if game.can_declare_win() {
            hold(limits, signal);
            return Ok(Answer::Win);
        }
        let found = self.search.think(game, limits, signal, report);
        let chance = win_rate(found.value);
        if self.resign_below.is_some_and(|least| chance < least) {
            return Ok(Answer::Resign);
        }
        Ok(Answer::Play { mv: found.best, ponder: found.ponder })
    }
}
