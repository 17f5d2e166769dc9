//! `keisei play`: a game in the terminal.

mod command;
mod record;
mod rules;
mod seat;
mod session;
mod terminal;

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use keisei_engine::models::{self, Level};
use keisei_engine::{BuildError, Limits, PlayerSpec};
use keisei_game::{BySide, Side, SplitMix64};
use keisei_games::GameName;

use crate::pick::ForAnyGame;
use crate::players::{help, player};
use crate::record_file::Target;
use crate::start::{StartArgs, usage};
use crate::text_game::{SpellingArgs, Style, TextGame};
use crate::words::seconds;
use record::Recorder;
use rules::AgreedRules;
use seat::Seat;
use session::Session;
use terminal::Terminal;

/// Play a game, or watch one
///
/// You are the player `human`; the other players are listed below. If both sides are programs, you
/// watch.
#[derive(Args)]
#[command(after_help = help(EXAMPLES))]
pub(crate) struct Play {
    #[command(flatten)]
    start: StartArgs,
    /// Who plays Black. If only one side is named, you play the other; if neither is, you play the
    /// first side against the level that is usual for the game
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    black: Option<PlayerSpec>,
    /// Who plays White
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    white: Option<PlayerSpec>,
    /// How strong your opponent is, from 1 to 10: `keisei models` lists the levels
    #[arg(long, value_name = "N",
        value_parser = clap::value_parser!(u8).range(1..=i64::from(models::LEVELS)))]
    level: Option<u8>,
    /// The seed of random choices: the same seed gives the same game
    #[arg(long)]
    seed: Option<u64>,
    /// How many seconds programs think per move
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// How many positions programs search per move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How many plies programs look ahead
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Print what programs think of their moves
    #[arg(long)]
    eval: bool,
    #[command(flatten)]
    rules: AgreedRules,
    /// How the board is printed
    #[arg(long, value_enum, default_value_t)]
    style: Style,
    #[command(flatten)]
    spelling: SpellingArgs,
    /// Save the game to FILE after every move, so that nothing is lost however it ends. The
    /// extension decides the format: kifu, ki2u, csa, jkf, usi or sfenx for shogi, pgn or usi for
    /// chess
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  keisei play
  keisei play --level 1
  keisei play --handicap four --style kanji
  keisei play --black random --white random --seed 7 --save game.kifu
  keisei play --white net:shipped --eval
  keisei play --black human --white net:runs/shogi --time 2 --eval
  keisei play --black ab:3 --white 'usi:fairy-stockfish;option.Skill_Level=-10' --depth 3
  keisei play --game chess --black uci:stockfish --white human

Type `help` in a game to see what you can type.";

impl ForAnyGame for Play {
    fn game(&self) -> GameName {
        self.start.game
    }

    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        let game = self.new_game::<G>()?;
        game.board(self.style.into()).map_err(usage)?;
        let save = self.save.as_deref().map(Target::for_game::<G>);
        let save = save.transpose().map_err(usage)?;
        if self.level.is_some() && !self.leaves_an_opponent_open() {
            return Err(usage("--level is the opponent of a person, but both sides are named"));
        }
        let specs = Side::ALL.map(|side| self.player::<G>(side));
        let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
        let by_chance = specs.iter().any(chooses_by_chance);
        let mut seeds = SplitMix64::new(seed);
        let [first, second] = specs.map(|spec| match spec {
            PlayerSpec::Human => Ok(Seat::Person),
            spec => spec.build(seeds.next_u64()).map(Seat::Program).map_err(refused),
        });
        let players = BySide([first?, second?]);
        let told_seed = (self.seed.is_none() && by_chance).then_some(seed);
        let terminal = Terminal::open(players.0.iter().any(Seat::is_person))?;
        let limits = Limits {
            move_time: self.time,
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        };
        let recorder = Recorder::new(&players);
        let (style, spelling, eval) = (self.style.into(), self.spelling, self.eval);
        Session {
            game,
            players,
            limits,
            style,
            spelling,
            eval,
            told_seed,
            recorder,
            save,
            terminal,
            out,
        }
        .run()
    }
}

/// Whether the seed has a say in what a player does.
fn chooses_by_chance(player: &PlayerSpec) -> bool {
    !matches!(player, PlayerSpec::Human | PlayerSpec::Engine(_))
}

/// The error of a player that cannot be had.
fn refused(error: BuildError) -> anyhow::Error {
    match error {
        BuildError::Human | BuildError::OtherGame { .. } | BuildError::NoLevel { .. } => {
            usage(error)
        }
        BuildError::Network(_) | BuildError::Engine(_) => error.into(),
    }
}

impl Play {
    /// The game as it stands before the first move that is played here.
    fn new_game<G: TextGame>(&self) -> Result<G> {
        let given = self.start.new_game::<G>()?;
        let mut game = G::with_rules(given.start().clone(), self.rules.of::<G>().map_err(usage)?);
        for &mv in given.moves() {
            game.play(mv).map_err(usage)?;
        }
        Ok(game)
    }

    /// Whether somebody has to be found to play against a person.
    fn leaves_an_opponent_open(&self) -> bool {
        match (&self.black, &self.white) {
            (None, None) => true,
            (Some(only), None) | (None, Some(only)) => *only == PlayerSpec::Human,
            (Some(_), Some(_)) => false,
        }
    }

    /// Who plays against a person unless somebody is named.
    fn opponent<G: TextGame>(&self) -> PlayerSpec {
        let usual = || models::usual_level(G::NAME).map_or(PlayerSpec::Random, Level::spec);
        self.level.map_or_else(usual, PlayerSpec::Level)
    }

    /// Who plays `side`: whoever is named plays against you; if nobody is named, you play the first
    /// side.
    fn player<G: TextGame>(&self, side: Side) -> PlayerSpec {
        let (asked, other) = match G::color(side) {
            "black" => (&self.black, &self.white),
            _ => (&self.white, &self.black),
        };
        asked.clone().unwrap_or(match other {
            Some(PlayerSpec::Human) => self.opponent::<G>(),
            Some(_) => PlayerSpec::Human,
            None if side == Side::First => PlayerSpec::Human,
            None => self.opponent::<G>(),
        })
    }
}
