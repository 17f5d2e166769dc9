//! Any player as an engine.

use keisei_game::Game;

use super::{Engine, Setting, Settings};
use crate::Player;

/// A player that is as it is: a GUI sets nothing but how time is counted.
pub struct PlayerEngine<G: Game> {
    name: String,
    make: Make<G>,
    player: Option<Box<dyn Player<G>>>,
}

/// How a player comes to be.
type Make<G> = Box<dyn FnMut() -> Result<Box<dyn Player<G>>, String> + Send>;

impl<G: Game> PlayerEngine<G> {
    /// An engine of this name that plays like the player that `make` makes when it is needed.
    pub fn new(
        name: impl Into<String>,
        make: impl FnMut() -> Result<Box<dyn Player<G>>, String> + Send + 'static,
    ) -> Self {
        Self { name: name.into(), make: Box::new(make), player: None }
    }
}

impl<G: Game> Engine<G> for PlayerEngine<G> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn settings(&self) -> &[Setting] {
        // Of these, GUIs set memory and pondering whether they are offered or not.
        &[Setting::Hash, Setting::Ponder, Setting::Overhead]
    }

    fn player(
        &mut self,
        _: &Settings,
        _: &mut dyn FnMut(&str),
    ) -> Result<&mut dyn Player<G>, String> {
        let player = match self.player.take() {
            Some(player) => player,
            None => (self.make)()?,
        };
        Ok(&mut **self.player.insert(player))
    }

    fn new_game(&mut self) -> Result<(), String> {
        match &mut self.player {
            Some(player) => player.new_game().map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }
}
