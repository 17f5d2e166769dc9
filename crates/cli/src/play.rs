//! `keisei play`: a game in the terminal.

mod command;
mod record;
mod session;

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use keisei_game::{BySide, Side, SplitMix64};

use crate::pick::{ForAnyGame, GameName};
use crate::record_file::Target;
use crate::start::{Start, usage};
use crate::text_game::{Style, TextGame};
use session::Session;

/// Play a game, or watch one
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Play {
    #[command(flatten)]
    start: Start,
    /// Who plays Black; without this and --white you play the first side against random moves
    #[arg(long, value_enum, value_name = "PLAYER")]
    black: Option<PlayerName>,
    /// Who plays White
    #[arg(long, value_enum, value_name = "PLAYER")]
    white: Option<PlayerName>,
    /// Makes random players repeat their choices: the same seed gives the same game
    #[arg(long)]
    seed: Option<u64>,
    /// After this many moves the game is a draw [default: 500 in shogi, no limit in chess]
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
    /// How the board is printed
    #[arg(long, value_enum, default_value_t)]
    style: Style,
    /// Write the game to FILE after every move, so that nothing is lost however it ends; the
    /// format is the one that the extension stands for: kifu, ki2u, csa, jkf, usi, sfenx, pgn
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  keisei play
  keisei play --handicap four --style kanji
  keisei play --black random --white random --seed 7 --save game.kifu
  keisei play --game chess --black random --white human

Type `help` in a game to see what you can type.";

/// A player by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlayerName {
    /// Any legal move, each as likely as the others
    Random,
    /// You, at this terminal
    Human,
}

/// Who chooses the moves of a side.
enum Player {
    Random(SplitMix64),
    Human,
}

impl Player {
    /// The move that this player chooses; `None` if a person has to choose, or if there is none.
    fn choose<M: Copy>(&mut self, moves: &[M]) -> Option<M> {
        match self {
            Self::Random(rng) => rng.choose(moves),
            Self::Human => None,
        }
    }
}

impl fmt::Display for Player {
    /// The name that stands in a record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random(_) => "random",
            Self::Human => "human",
        })
    }
}

impl ForAnyGame for Play {
    fn game(&self) -> GameName {
        self.start.game
    }

    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        let game = self.new_game::<G>()?;
        game.board(self.style).map_err(usage)?;
        let names = Side::ALL.map(|side| self.player::<G>(side));
        let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        if self.seed.is_none() && names.contains(&PlayerName::Random) {
            writeln!(out, "The random moves are those of --seed {seed}.\n")?;
        }
        let mut seeds = SplitMix64::new(seed);
        let players = BySide(names.map(|name| match name {
            PlayerName::Random => Player::Random(SplitMix64::new(seeds.next_u64())),
            PlayerName::Human => Player::Human,
        }));
        let input = &mut io::stdin().lock();
        let save = self.save.as_deref().map(|path| Target::new(path, None, None));
        let save = save.transpose().map_err(usage)?;
        Session { game, players, style: self.style, save, input, out }.run()
    }
}

impl Play {
    /// The game as it stands before the first move that is played here.
    fn new_game<G: TextGame>(&self) -> Result<G> {
        let given = self.start.new_game::<G>()?;
        let mut game = G::between_people(given.start(), self.max_moves);
        for &mv in given.moves() {
            game.play(mv).map_err(usage)?;
        }
        Ok(game)
    }

    /// Who plays `side`: you play the first side unless told otherwise.
    fn player<G: TextGame>(&self, side: Side) -> PlayerName {
        let asked = if G::color(side) == "black" { self.black } else { self.white };
        let nobody_asked = self.black.is_none() && self.white.is_none();
        asked.unwrap_or(if nobody_asked && side == Side::First {
            PlayerName::Human
        } else {
            PlayerName::Random
        })
    }
}
