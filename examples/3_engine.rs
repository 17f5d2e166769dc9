//! A USI engine in twenty lines: it takes the most valuable piece it can.
//!
//! Anything that implements `Player` plays in matches, on the ladder and, as here, under a GUI.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::io::{self, BufReader};

use keisei_engine::protocol::{EngineOptions, PlayerEngine, serve};
use keisei_engine::{Answer, Arena, Limits, Player, PlayerError, Report, Signal};
use keisei_game::Game;
use keisei_shogi::{Move, Shogi};

struct Grabber;

impl Player<Shogi> for Grabber {
    fn name(&self) -> &str {
        "Grabber"
    }

    fn think(
        &mut self,
        game: &Shogi,
        _: &Limits,
        _: &Signal,
        _: &mut dyn FnMut(&Report<Move>),
    ) -> Result<Answer<Move>, PlayerError> {
        let moves = game.legal_moves();
        let best = moves.into_iter().max_by_key(|&mv| Shogi::gain(game.position(), mv));
        Ok(best.map_or(Answer::Resign, Answer::play))
    }
}

fn main() -> io::Result<()> {
    let engine = PlayerEngine::new("Grabber", || Ok(Box::new(Grabber)));
    let input = BufReader::new(io::stdin());
    serve::<Shogi>(Box::new(engine), EngineOptions::default(), input, &mut io::stdout())
}

// Input:
//
// position startpos moves 7g7f 3c3d
// go
// quit

// Output:
//
// bestmove 8h2b+
