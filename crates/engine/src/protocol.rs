//! USI and UCI: one loop, two dialects.
//!
//! [`serve`] reads commands, an [`Engine`] thinks on a thread of its own, and only the thread that
//! called `serve` writes. So `stop`, `ponderhit`, `isready` and `quit` are heard during a search,
//! and lines never mix. Every `go` is answered by exactly one `bestmove` or `checkmate`: with
//! `infinite` and `ponder` not before `stop` or `ponderhit`, and at once when another `go`
//! follows. Mates are looked for by the crate's own solver, whoever the player is.

mod command;
mod dialect;
mod go;
mod network_engine;
mod player_engine;
mod session;
mod settings;
mod situation;
mod speech;
mod thinker;

use std::io::{self, BufRead, Write};

use keisei_game::Game;

use crate::{Arena, Player};
use session::Session;

pub use network_engine::NetworkEngine;
pub use player_engine::PlayerEngine;
pub use settings::{Setting, SettingError, Settings};

/// A player with settings, as a protocol shows it.
pub trait Engine<G: Game>: Send {
    /// The name under which the engine presents itself.
    fn name(&self) -> String;

    /// The settings that make a difference to this engine.
    fn settings(&self) -> &[Setting];

    /// The player by these settings. Called before every search: what a setting does not concern,
    /// above all a loaded network, stays as it is. What a person should know is handed to `say`.
    fn player(
        &mut self,
        settings: &Settings,
        say: &mut dyn FnMut(&str),
    ) -> Result<&mut dyn Player<G>, String>;

    /// A game begins that has nothing to do with the one before.
    fn new_game(&mut self) -> Result<(), String>;
}

/// Serves a GUI until it says `quit` or leaves. `settings` are those that hold until it changes
/// them.
pub fn serve<G: Arena>(
    engine: Box<dyn Engine<G>>,
    settings: Settings,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<()> {
    Session::new(engine, settings, input, out).run()
}
