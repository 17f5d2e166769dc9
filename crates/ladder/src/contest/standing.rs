//! How a match stands.

use serde::Serialize;

use super::{Fault, FinishedGame};
use crate::stats::{Games, Pairs, Sprt, Verdict};

/// What a player did wrong, counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// Games lost because the player ended or failed.
    pub crashes: u64,
    /// Games lost on time.
    pub time_losses: u64,
    /// Games lost by an illegal move.
    pub illegal_moves: u64,
}

impl Faults {
    fn add(&mut self, fault: Fault) {
        match fault {
            Fault::Crash => self.crashes += 1,
            Fault::Time => self.time_losses += 1,
            Fault::Illegal => self.illegal_moves += 1,
        }
    }

    /// How many there were.
    pub const fn count(self) -> u64 {
        self.crashes + self.time_losses + self.illegal_moves
    }
}

/// The results of a match so far, from the first player's view: those of all rounds up to the first
/// unfinished one, so that they do not depend on which games happen to end earlier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The games.
    pub games: Games,
    /// The pairs, if games come in pairs.
    pub pairs: Option<Pairs>,
    /// The games that the first player played with the first side.
    pub as_first: Games,
    /// Games cut off by the limit of moves.
    pub cut_off: u64,
    /// The moves of all games.
    pub plies: u64,
    /// What the players did wrong.
    pub faults: [Faults; 2],
}

impl Standing {
    /// Nothing played yet.
    pub fn new(games_per_round: u64) -> Self {
        Self {
            games: Games::default(),
            pairs: (games_per_round == 2).then(Pairs::default),
            as_first: Games::default(),
            cut_off: 0,
            plies: 0,
            faults: [Faults::default(); 2],
        }
    }

    /// Adds a finished round.
    pub fn add_round(&mut self, round: &[&FinishedGame]) {
        for game in round {
            self.games.add(game.half_points());
            if game.first == 0 {
                self.as_first.add(game.half_points());
            }
            if let (Some(fault), Some(loser)) = (game.fault, game.loser()) {
                self.faults[loser].add(fault);
            }
            self.cut_off += u64::from(game.cut_off);
            self.plies += game.moves.len() as u64;
        }
        if let Some(pairs) = &mut self.pairs {
            pairs.add(round.iter().map(|game| game.half_points()).sum());
        }
    }

    /// The log-likelihood ratio of a test.
    pub fn llr(&self, sprt: &Sprt) -> f64 {
        match self.pairs {
            Some(pairs) => sprt.pairs_llr(pairs),
            None => sprt.games_llr(self.games),
        }
    }

    /// What a test has found, if it has.
    pub fn verdict(&self, sprt: Option<&Sprt>) -> Option<Verdict> {
        sprt.and_then(|sprt| sprt.verdict(self.llr(sprt)))
    }
}
