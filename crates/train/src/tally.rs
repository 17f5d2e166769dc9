//! Counts of the games that ended during a rollout.

use keisei_game::{Outcome, Side};

use crate::starts::Start;

/// Counts of finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All games.
    pub games: u64,
    /// The moves of all games, from where each episode began.
    pub moves: u64,
    /// Games that the first side won.
    pub first_wins: u64,
    /// Games that the second side won.
    pub second_wins: u64,
    /// Games drawn by their rules.
    pub draws: u64,
    /// Games that were cut off.
    pub cut_off: u64,
    /// Games that began at a kept position.
    pub rewound: u64,
    /// And had a winner.
    pub rewound_decisive: u64,
}

impl Tally {
    /// Counts a game of so many moves.
    pub fn add(&mut self, start: Start, outcome: Outcome, moves: usize) {
        self.games += 1;
        self.moves += moves as u64;
        match outcome.winner() {
            Some(Side::First) => self.first_wins += 1,
            Some(Side::Second) => self.second_wins += 1,
            None if outcome.truncated() => self.cut_off += 1,
            None => self.draws += 1,
        }
        if matches!(start, Start::Rewound(_)) {
            self.rewound += 1;
            self.rewound_decisive += u64::from(!outcome.is_draw());
        }
    }

    /// The share of games with a winner.
    pub fn decisive_rate(&self) -> Option<f64> {
        share(self.first_wins + self.second_wins, self.games)
    }

    /// The share of games drawn by their rules.
    pub fn draw_rate(&self) -> Option<f64> {
        share(self.draws, self.games)
    }

    /// The share of games that were cut off.
    pub fn truncation_rate(&self) -> Option<f64> {
        share(self.cut_off, self.games)
    }

    /// The mean number of moves.
    pub fn mean_length(&self) -> Option<f64> {
        share(self.moves, self.games)
    }

    /// What the first side scored, a draw counting one half.
    pub fn first_score(&self) -> Option<f64> {
        let halves = 2 * self.first_wins + self.draws + self.cut_off;
        share(halves, 2 * self.games)
    }

    /// The share of games from kept positions that had a winner.
    pub fn rewound_decisive_rate(&self) -> Option<f64> {
        share(self.rewound_decisive, self.rewound)
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::Reason;

    #[test]
    fn games_are_counted_by_winner_draw_and_cut_and_their_rates_add_up() {
        let mut tally = Tally::default();
        assert_eq!(tally.decisive_rate(), None);
        tally.add(Start::Standard, Outcome::win(Side::First, Reason::Checkmate), 10);
        tally.add(Start::Rewound(2), Outcome::win(Side::Second, Reason::Checkmate), 2);
        tally.add(Start::Rewound(3), Outcome::draw(Reason::MoveLimit), 12);
        tally.add(Start::Random(8), Outcome::draw(Reason::Repetition), 40);
        assert_eq!(tally.decisive_rate(), Some(0.5));
        assert_eq!((tally.draw_rate(), tally.truncation_rate()), (Some(0.25), Some(0.25)));
        assert_eq!((tally.mean_length(), tally.first_score()), (Some(16.0), Some(0.5)));
        assert_eq!(tally.rewound_decisive_rate(), Some(0.5));
    }
}
