//! Who plays.

use std::time::Duration;

use keisei_game::{Game, Side};

use crate::{Limits, Report, Signal};

/// Somebody who plays a game.
pub trait Player<G: Game>: Send {
    /// The name in records and tables.
    fn name(&self) -> &str;

    /// A game begins that has nothing to do with the one before.
    fn new_game(&mut self) -> Result<(), PlayerError> {
        Ok(())
    }

    /// The game that the player had `side` in is over, and `game` shows how.
    fn end_game(&mut self, _game: &G, _side: Side) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Thinks about `game`, which is not over, and answers for the side to move. Lines considered
    /// on the way are handed to `report`. Returns soon after `signal` says stop.
    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError>;

    /// Thinks without an audience.
    fn choose(&mut self, game: &G, limits: &Limits) -> Result<Answer<G::Move>, PlayerError> {
        self.think(game, limits, &Signal::new(), &mut |_| ())
    }
}

/// What a player answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<M> {
    /// A legal move, and the reply that the player would like to think about next.
    Play {
        /// The move.
        mv: M,
        /// The reply it expects.
        ponder: Option<M>,
    },
    /// The player gives up.
    Resign,
    /// The player declares a win by the rules.
    Win,
}

impl<M> Answer<M> {
    /// The move `mv`, expecting nothing.
    pub fn play(mv: M) -> Self {
        Self::Play { mv, ponder: None }
    }
}

/// Why a player did not answer.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// It was silent for too long.
    #[error("{player} did not answer {request:?} within {limit:?}")]
    Silent {
        /// Who.
        player: String,
        /// What it was asked.
        request: String,
        /// How long it had.
        limit: Duration,
    },
    /// It ended before its time.
    #[error("{player} ended: {how}")]
    Ended {
        /// Who.
        player: String,
        /// How: an exit status, or its last words.
        how: String,
    },
    /// It answered with something that is no legal move.
    #[error("{player} answered {answer:?}: {problem}")]
    Illegal {
        /// Who.
        player: String,
        /// Its answer.
        answer: String,
        /// Why that cannot be played.
        problem: String,
    },
    /// Anything else.
    #[error("{player}: {problem}")]
    Other {
        /// Who.
        player: String,
        /// What went wrong.
        problem: String,
    },
}
