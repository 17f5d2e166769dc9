//! Results of games as scores with intervals.

use keisei_stats::{elo_of_score, wilson};
use serde::{Deserialize, Serialize};

/// Wins, draws and losses of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Games won.
    pub wins: usize,
    /// Games drawn, those that were truncated included.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
    /// Of the draws, those that were truncated at the limit of moves.
    pub truncated: usize,
}

impl Score {
    /// How many games there were.
    pub fn games(&self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// Points a game: a win counts 1, a draw one half.
    pub fn mean(&self) -> Option<f64> {
        let points = self.wins as f64 + 0.5 * self.draws as f64;
        (self.games() > 0).then(|| points / self.games() as f64)
    }

    /// Wilson's 95 % interval of the mean.
    pub fn interval(&self) -> Option<(f64, f64)> {
        Some(wilson(self.mean()?, self.games() as u64))
    }

    /// The difference in Elo and half the width of its 95 % interval. A clean sweep counts as if
    /// half a game had gone the other way.
    pub fn elo(&self) -> Option<(f64, f64)> {
        let count = self.games() as f64;
        let mean = self.mean()?.clamp(0.5 / count, 1.0 - 0.5 / count);
        Some((elo_of_score(mean), 681.0 / count.sqrt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: usize, draws: usize, losses: usize) -> Score {
        Score { wins, draws, losses, truncated: 0 }
    }

    #[test]
    fn the_interval_is_wilsons() {
        // Wilson's interval of 8 of 10: .4902 to .9433; of 0 of 10: 0 to .2775.
        let (low, high) = score(8, 0, 2).interval().unwrap();
        assert!((low - 0.4902).abs() < 1e-3 && (high - 0.9433).abs() < 1e-3, "{low} {high}");
        let (low, high) = score(0, 0, 10).interval().unwrap();
        assert!(low.abs() < 1e-9 && (high - 0.2775).abs() < 1e-3, "{low} {high}");
        assert_eq!(score(0, 0, 0).interval(), None);
    }

    #[test]
    fn draws_count_one_half_and_elo_follows_the_score() {
        assert_eq!(score(3, 2, 1).mean(), Some(4.0 / 6.0));
        let (elo, error) = score(10, 80, 10).elo().unwrap();
        assert!(elo.abs() < 1e-9 && (error - 68.1).abs() < 1e-9);
        let (elo, _) = score(75, 0, 25).elo().unwrap();
        assert!((elo - 190.85).abs() < 0.01, "{elo}");
        assert!(score(10, 0, 0).elo().unwrap().0.is_finite());
    }
}
