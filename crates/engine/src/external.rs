//! Programs that play: USI and UCI engines and GNU Shogi, each in a child process.
//!
//! Every request has a time limit, and a process ends with its player: asked first, then killed.

mod clock;
mod engine;
mod gnu_shogi;
mod go;
mod info;
mod options;
mod process;

use std::time::Duration;

pub use engine::ExternalEngine;
pub use gnu_shogi::GnuShogi;

use crate::PlayerError;

/// A program to start, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// What the player is called.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Options to set, by name. A name may have `_` for a blank and `USI_` for `UCI_`.
    pub options: Vec<(String, String)>,
    /// How long to wait for it.
    pub patience: Patience,
}

impl Launch {
    /// The program `command` under its own name, with its own settings.
    pub fn new(command: &[&str]) -> Self {
        Self {
            name: command.first().copied().unwrap_or_default().to_owned(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
            options: Vec::new(),
            patience: Patience::default(),
        }
    }
}

/// How long to wait for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For its first words.
    pub greeting: Duration,
    /// Until it is ready to play. Networks are loaded in this time.
    pub ready: Duration,
    /// For a move, beyond the time that it may think.
    pub answer: Duration,
    /// For a move when nothing limits the time it may think.
    pub thought: Duration,
    /// Until it is gone after it was asked to go.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            greeting: seconds(10),
            ready: seconds(60),
            answer: seconds(10),
            thought: seconds(600),
            quit: seconds(1),
        }
    }
}

/// The time that a program gets for a move when no limit is given: most would think for ever.
const USUAL_TIME: Duration = Duration::from_secs(1);

fn other(player: &str, problem: impl Into<String>) -> PlayerError {
    PlayerError::Other { player: player.to_owned(), problem: problem.into() }
}

fn illegal(player: &str, answer: &str, problem: impl ToString) -> PlayerError {
    PlayerError::Illegal {
        player: player.to_owned(),
        answer: answer.to_owned(),
        problem: problem.to_string(),
    }
}
