//! Elo, normalised Elo, the likelihood of superiority, and their errors.

use std::fmt;

use serde::Serialize;

use super::normal::cumulative;

/// How many standard deviations 95 % of a normal distribution lie within.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Elo for each unit of natural odds: 400 / ln 10.
pub(super) const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// Normalised Elo for each standard deviation of a game that a score lies above one half.
pub(super) const NELO_PER_DEVIATION: f64 = 2.0 * ELO_PER_NAT;

/// A number with the half-width of its 95 % interval. Either may be infinite: a player who won
/// every game has no Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Half the width of the interval.
    pub error: f64,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision().unwrap_or(2);
        write!(f, "{:+.places$} ± {:.places$}", self.value, self.error)
    }
}

/// The mean and variance of trials, each of one game or of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// How many trials there were.
    pub trials: f64,
    /// The games of each trial.
    pub games_per_trial: f64,
    /// Points a game.
    pub mean: f64,
    /// The variance of a trial's points a game.
    pub variance: f64,
}

impl Sample {
    /// The sample of `frequencies`, each the points a game with their count. `None` without trials.
    pub fn new(frequencies: &[(f64, u64)], games_per_trial: u8) -> Option<Self> {
        let trials: f64 = frequencies.iter().map(|&(_, count)| count as f64).sum();
        if trials == 0.0 {
            return None;
        }
        let expected = |value: &dyn Fn(f64) -> f64| {
            let sum: f64 = frequencies.iter().map(|&(x, count)| value(x) * count as f64).sum();
            sum / trials
        };
        let mean = expected(&|points| points);
        let variance = expected(&|points| (points - mean).powi(2));
        Some(Self { trials, games_per_trial: f64::from(games_per_trial), mean, variance })
    }

    /// The standard error of the mean.
    pub fn standard_error(self) -> f64 {
        (self.variance / self.trials).sqrt()
    }

    /// The difference in Elo. Its error is half the distance between the Elo of both ends of the
    /// score's interval.
    pub fn elo(self) -> Estimate {
        let margin = Z95 * self.standard_error();
        let width = elo_of_score(self.mean + margin) - elo_of_score(self.mean - margin);
        let value = elo_of_score(self.mean);
        let error = if value.is_finite() { width / 2.0 } else { f64::INFINITY };
        Estimate { value, error }
    }

    /// The difference in normalised Elo, which measures how easily it is seen: it depends on the
    /// number of games that prove it, and hardly on how drawish they are.
    pub fn normalised_elo(self) -> Estimate {
        let deviation = (self.variance * self.games_per_trial).sqrt();
        let distance = self.mean - 0.5;
        let value = if distance == 0.0 { 0.0 } else { distance / deviation * NELO_PER_DEVIATION };
        let games = self.trials * self.games_per_trial;
        Estimate { value, error: Z95 * NELO_PER_DEVIATION / games.sqrt() }
    }

    /// The likelihood of superiority: how likely the first player is the stronger one.
    pub fn superiority(self) -> f64 {
        match self.mean - 0.5 {
            0.0 => 0.5,
            distance => cumulative(distance / self.standard_error()),
        }
    }
}

/// The difference in Elo at which a player scores `score`: infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    -ELO_PER_NAT * (1.0 / score - 1.0).ln()
}

/// The score that a player expects who is better by `elo`.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_NAT).exp())
}

/// Wilson's 95 % interval of a score over `games`. Draws count as half points, which makes it wider
/// than needed.
pub fn wilson(score: f64, games: u64) -> (f64, f64) {
    if games == 0 {
        return (0.0, 1.0);
    }
    let (n, z2) = (games as f64, Z95 * Z95);
    let middle = score + z2 / (2.0 * n);
    let margin = Z95 * (score * (1.0 - score) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    (((middle - margin) / scale).max(0.0), ((middle + margin) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::super::{Games, Pairs};
    use super::*;

    fn close(found: f64, expected: f64) {
        let tolerance = 0.006 + 1e-3 * expected.abs();
        assert!((found - expected).abs() < tolerance, "{found}, expected {expected}");
    }

    fn games(wins: u64, losses: u64, draws: u64) -> Sample {
        Games { wins, draws, losses }.sample().unwrap()
    }

    #[test]
    fn elo_and_score_undo_each_other() {
        // Ten to one is 400 Elo.
        close(elo_of_score(10.0 / 11.0), 400.0);
        close(score_of_elo(-400.0), 1.0 / 11.0);
        for elo in [-700.0, -3.0, 0.0, 55.5] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!([elo_of_score(0.0), elo_of_score(1.0)], [f64::NEG_INFINITY, f64::INFINITY]);
    }

    #[test]
    fn single_games_give_what_fastchess_gives() {
        let sample = games(136, 96, 111);
        close(sample.elo().value, 40.70);
        close(sample.elo().error, 30.43);
        close(sample.normalised_elo().value, 49.77);
        close(sample.normalised_elo().error, 36.77);
        close(100.0 * sample.superiority(), 99.60);
        let sample = games(76, 89, 123);
        close(sample.normalised_elo().value, -20.76);
        close(sample.normalised_elo().error, 40.13);
        close(100.0 * sample.superiority(), 15.53);
        let sample = games(34, 356, 0);
        close(sample.normalised_elo().value, -508.44);
        close(sample.normalised_elo().error, 34.48);
    }

    #[test]
    fn pairs_give_what_fastchess_gives() {
        // Pairs of two draws and pairs of a win and a loss both bring one point.
        for (pairs, [elo, error, nelo, nelo_error, superiority]) in [
            ([34, 54, 31 + 32, 64, 75], [55.58, 27.65, 57.94, 28.28, 100.0]),
            ([332, 433, 457 + 41, 333, 334], [-8.64, 10.33, -9.17, 10.96, 5.05]),
            ([7895, 8757, 5485 + 200, 568, 9999], [-21.04, 2.95, -19.01, 2.65, 0.0]),
        ] {
            let sample = Pairs(pairs).sample().unwrap();
            close(sample.elo().value, elo);
            close(sample.elo().error, error);
            close(sample.normalised_elo().value, nelo);
            close(sample.normalised_elo().error, nelo_error);
            close(100.0 * sample.superiority(), superiority);
        }
    }

    #[test]
    fn pairs_of_opposite_results_leave_no_doubt_that_single_games_would_leave() {
        // 50 wins and 50 losses: as pairs always one point, as games anything.
        let pairs = Pairs([0, 0, 50, 0, 0]).sample().unwrap();
        assert_eq!(pairs.elo(), Estimate { value: 0.0, error: 0.0 });
        assert_eq!(pairs.superiority(), 0.5);
        assert_eq!(pairs.normalised_elo().value, 0.0);
        assert!(games(50, 50, 0).elo().error > 60.0);
    }

    #[test]
    fn winning_everything_is_infinitely_better() {
        let sample = games(10, 0, 0);
        assert_eq!(sample.elo(), Estimate { value: f64::INFINITY, error: f64::INFINITY });
        assert_eq!(sample.superiority(), 1.0);
        assert_eq!(sample.elo().to_string(), "+inf ± inf");
        assert_eq!(games(0, 10, 0).elo().value, f64::NEG_INFINITY);
        assert_eq!(games(0, 10, 0).superiority(), 0.0);
    }

    #[test]
    fn wilsons_interval_is_the_published_one() {
        // 10 successes of 10: the lower end is 10 / (10 + 1.96²).
        let (low, high) = wilson(1.0, 10);
        close(low, 0.7225);
        close(high, 1.0);
        let (low, high) = wilson(0.5, 100);
        assert!((low - 0.403_83).abs() < 1e-5 && (high - 0.596_17).abs() < 1e-5, "{low} {high}");
        assert_eq!(wilson(0.0, 0), (0.0, 1.0));
    }
}
