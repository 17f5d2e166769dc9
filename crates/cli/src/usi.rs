//! `keisei usi`: a shogi engine for GUIs.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use keisei_engine::protocol::{Engine, EngineOptions, NetworkEngine, PlayerEngine, serve};
use keisei_engine::{Arena, PlayerSpec, Protocol};
use keisei_game::Game;
use keisei_games::{GameName, with_game};

use crate::pick::game_name;
use crate::players::{help, program};
use crate::start::usage;

/// Play as an engine in a shogi GUI, over USI on standard input and output
#[derive(Args)]
#[command(after_help = help(EXAMPLES))]
pub(crate) struct Usi {
    #[command(flatten)]
    who: Who,
    /// The game
    #[arg(long, value_name = "GAME", value_parser = game_name(), default_value_t)]
    game: GameName,
}

const EXAMPLES: &str = "\
Examples:
  keisei usi
  keisei usi --model runs/shogi-1
  keisei usi --player ab:3,quiescence
  keisei usi --player net:shipped,simulations=64
  keisei usi --game animal --model runs/animal-1

Without --model and --player, the built-in network plays.
In ShogiHome, add the program with the argument `usi`, or a script that starts it so.";

/// Who plays behind a protocol.
#[derive(Args)]
pub(crate) struct Who {
    /// The network to play with: a weights file, or the folder of a run, whose newest model is
    /// taken; the GUI may set another as EvalFile
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Somebody else who plays
    #[arg(long, value_name = "PLAYER", conflicts_with = "model", value_parser = program)]
    player: Option<PlayerSpec>,
}

impl Usi {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        with_game!(self.game, G => match G::PROTOCOL {
            Protocol::Usi => self.who.serve::<G>(out),
            Protocol::Uci => Err(usage(format!("{} is played over UCI: keisei uci", G::NAME))),
        })
    }
}

impl Who {
    /// Serves a GUI until it leaves.
    pub(crate) fn serve<G: Arena>(&self, out: &mut dyn Write) -> Result<()> {
        let options = EngineOptions { model: self.model.clone(), ..EngineOptions::default() };
        Ok(serve(self.engine::<G>(), options, BufReader::new(io::stdin()), out)?)
    }

    fn engine<G: Arena>(&self) -> Box<dyn Engine<G>> {
        let name = concat!("Keisei ", env!("CARGO_PKG_VERSION"));
        let Some(spec) = self.player.clone() else { return Box::new(NetworkEngine::new(name)) };
        let name = format!("{name} {spec}");
        let seed = RandomState::new().hash_one(0);
        let make = move || spec.build(seed).map_err(|error| error.to_string());
        Box::new(PlayerEngine::new(name, make))
    }
}
