//! The names of players: one grammar for the command line, matches, the ladder and the server.
//!
//! | Name | Player |
//! |---|---|
//! | `human` | a person |
//! | `random` | any legal move |
//! | `mate1` | any legal move, but a mate in one if there is one |
//! | `greedy` | the move that gains most material at once |
//! | `level:N` | a built-in opponent of known strength, from 1 to 10 |
//! | `ab:DEPTH[,quiescence]` | alpha-beta over material, to the end of exchanges if asked |
//! | `policy:CHECKPOINT[,SETTING…]` | a network's policy alone |
//! | `net:CHECKPOINT[,SETTING…]` | a network with search |
//! | `usi:COMMAND[;SETTING…]` | a shogi engine |
//! | `uci:COMMAND[;SETTING…]` | a chess engine |
//! | `gnushogi[:COMMAND][;SETTING…]` | GNU Shogi |
//!
//! A checkpoint is a weights file, the folder of a run, whose newest model is taken, or `shipped`,
//! the built-in network; `shipped/ID` is one of its earlier ages. A policy draws its moves unless it
//! is `greedy`; `temperature=T` makes the draw more or less even. A search has `simulations=N` or `seconds=S` for every move, `threads=N`
//! and `batch=N`; its network is computed in `precision=f32` or `int16`. `policy_temperature=T`
//! divides the policy's logits: above 1, the search trusts the network's first choice less; it is 3
//! unless it is given, or 1 where the root is planned.
//! `exploration=C` is how much the policy counts against values found, `fpu_reduction=R` what a move
//! loses for never having been tried; up to `gumbel_up_to=N` simulations the root is planned by sequential halving.
//! With `mirror` both see every position together with its mirror image.
//!
//! A command has its arguments after blanks. Settings of engines are `depth=N`, `nodes=N` and
//! `seconds=S` for every move, `name=NAME` in records and tables, and `option.NAME=VALUE` for the
//! engine's own options, where `_` may stand for a blank:
//! `usi:fairy-stockfish;option.Skill_Level=-20;depth=1`. Whatever holds a separator is put between
//! single or double quotes, as in a shell.

#[cfg(not(target_family = "wasm"))]
mod build;
mod quotes;
mod text;

use std::path::PathBuf;
use std::time::Duration;

use keisei_net::InferencePrecision;

#[cfg(not(target_family = "wasm"))]
pub use build::BuildError;
pub use text::{PROGRAMS, SpecError, read_seconds};

use crate::{AlphaBeta, Arena, Greedy, Limits, MateInOne, Player, Random};

/// A player by name. Reading and printing are inverse: see the [table](self).
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerSpec {
    /// A person.
    Human,
    /// Any legal move.
    Random,
    /// Any legal move, but a mate in one.
    MateInOne,
    /// The most material at once.
    Greedy,
    /// The built-in opponent of this number, from 1.
    Level(u8),
    /// Alpha-beta over material.
    AlphaBeta {
        /// How many plies it looks ahead, at least 1.
        depth: u32,
        /// Whether it follows captures to their end.
        quiescence: bool,
    },
    /// A network's policy.
    Policy {
        /// The file of the network.
        checkpoint: PathBuf,
        /// Whether it plays the likeliest move instead of drawing one.
        greedy: bool,
        /// How even the draw is: 1 draws by the policy itself.
        temperature: Option<f32>,
        /// Whether positions are evaluated together with their mirror images.
        mirror: bool,
    },
    /// A network with search.
    Net(NetSpec),
    /// A program.
    Engine(EngineSpec),
}

impl PlayerSpec {
    /// The classical player of this name, if it is one. What it does by chance is a function of
    /// `seed`.
    pub fn yardstick<G: Arena>(&self, seed: u64) -> Option<Box<dyn Player<G>>> {
        Some(match *self {
            Self::Random => Box::new(Random::new(seed)),
            Self::MateInOne => Box::new(MateInOne::new(seed)),
            Self::Greedy => Box::new(Greedy::new(seed)),
            Self::AlphaBeta { depth, quiescence: false } => Box::new(AlphaBeta::new(depth, seed)),
            Self::AlphaBeta { depth, quiescence: true } => {
                Box::new(AlphaBeta::new(depth, seed).with_quiescence())
            }
            Self::Human | Self::Level(_) | Self::Policy { .. } | Self::Net(_) | Self::Engine(_) => {
                return None;
            }
        })
    }
}

/// A network with search, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetSpec {
    /// The file of the network.
    pub checkpoint: PathBuf,
    /// How many simulations a move gets.
    pub simulations: Option<u64>,
    /// How much time a move gets.
    pub seconds: Option<Duration>,
    /// How many threads search.
    pub threads: Option<usize>,
    /// How many positions are evaluated at once.
    pub batch: Option<usize>,
    /// The numbers that the network is computed with.
    pub precision: Option<InferencePrecision>,
    /// By what the logits of the policy are divided.
    pub policy_temperature: Option<f32>,
    /// How much the policy counts against the values found.
    pub exploration: Option<f32>,
    /// What a move loses for never having been tried.
    pub fpu_reduction: Option<f32>,
    /// Up to how many simulations the root is planned by sequential halving.
    pub gumbel_up_to: Option<u64>,
    /// Whether positions are evaluated together with their mirror images.
    pub mirror: bool,
}

/// A program that plays, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The language it speaks.
    pub kind: EngineKind,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its own options with their values.
    pub options: Vec<(String, String)>,
    /// What limits its moves, whatever limits those of others.
    pub limits: OwnLimits,
    /// What it is called in records and tables.
    pub name: Option<String>,
}

/// The language that an engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// The Universal Shogi Interface.
    Usi,
    /// The Universal Chess Interface.
    Uci,
    /// That of GNU Shogi.
    GnuShogi,
}

/// The limits that a player has for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnLimits {
    /// How many plies deep it may look.
    pub depth: Option<u32>,
    /// How many positions it may visit.
    pub nodes: Option<u64>,
    /// How much time it has for a move.
    pub seconds: Option<Duration>,
}

impl OwnLimits {
    /// These limits where there are some, and otherwise those of `given`. Analysis is not limited.
    pub fn over(self, given: &Limits) -> Limits {
        if given.infinite || given.ponder {
            return given.clone();
        }
        Limits {
            depth: self.depth.or(given.depth),
            nodes: self.nodes.or(given.nodes),
            move_time: self.seconds.or(given.move_time),
            ..given.clone()
        }
    }
}
