//! The sequential probability ratio test: when a match has shown enough.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::elo::NELO_PER_DEVIATION;
use super::{Games, Pairs, score_of_elo};

/// What the two hypotheses of a test are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo.
    #[default]
    Normalized,
    /// Logistic Elo, the usual one.
    Logistic,
}

/// A test of "better by `elo1`" against "better by `elo0`".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the other hypothesis.
    pub elo1: f64,
    /// How often `elo1` may be accepted when `elo0` is true.
    pub alpha: f64,
    /// How often `elo0` may be accepted when `elo1` is true.
    pub beta: f64,
    /// What the differences are measured in.
    pub model: Model,
}

/// What a test has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// `elo0` is accepted.
    H0,
    /// `elo1` is accepted.
    H1,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
        })
    }
}

impl Sprt {
    /// The log-likelihood ratios at which `elo0` and `elo1` are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The log-likelihood ratio of `elo1` to `elo0` given pairs of games.
    pub fn pairs_llr(&self, pairs: Pairs) -> f64 {
        self.llr(&pairs.frequencies(), 2.0)
    }

    /// The log-likelihood ratio of `elo1` to `elo0` given single games.
    pub fn games_llr(&self, games: Games) -> f64 {
        self.llr(&games.frequencies(), 1.0)
    }

    /// Which hypothesis a log-likelihood ratio accepts, if either.
    pub fn verdict(&self, llr: f64) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        match llr {
            _ if llr <= lower => Some(Verdict::H0),
            _ if llr >= upper => Some(Verdict::H1),
            _ => None,
        }
    }

    /// The generalised ratio: both hypotheses leave the distribution of results open except for
    /// their difference, so each is represented by its most likely distribution.
    fn llr(&self, frequencies: &[(f64, u64)], games_per_trial: f64) -> f64 {
        if frequencies.iter().all(|&(_, count)| count == 0) {
            return 0.0;
        }
        let observed = Distribution::observed(frequencies);
        let best = |elo: f64| match self.model {
            Model::Logistic => observed.most_likely_with_mean(score_of_elo(elo)),
            Model::Normalized => {
                let deviations = elo / NELO_PER_DEVIATION * games_per_trial.sqrt();
                observed.most_likely_with_distance(deviations)
            }
        };
        let (null, other) = (best(self.elo0), best(self.elo1));
        let shares = observed.shares.iter().zip(null.shares.iter().zip(&other.shares));
        let ratio: f64 = shares.map(|(share, (null, other))| share * (other / null).ln()).sum();
        observed.trials * ratio
    }
}

/// Points with their shares, which sum to 1.
#[derive(Clone)]
struct Distribution {
    points: Vec<f64>,
    shares: Vec<f64>,
    trials: f64,
}

impl Distribution {
    /// The observed shares. What was never seen counts as a thousandth, so that no result is held
    /// for impossible.
    fn observed(frequencies: &[(f64, u64)]) -> Self {
        let count = |&(_, count): &(f64, u64)| if count == 0 { 1e-3 } else { count as f64 };
        let trials: f64 = frequencies.iter().map(count).sum();
        let shares = frequencies.iter().map(|entry| count(entry) / trials).collect();
        Self { points: frequencies.iter().map(|&(points, _)| points).collect(), shares, trials }
    }

    fn mean_and_variance(&self, shares: &[f64]) -> (f64, f64) {
        let pairs = || self.points.iter().zip(shares);
        let mean: f64 = pairs().map(|(points, share)| points * share).sum();
        let variance = pairs().map(|(points, share)| share * (points - mean).powi(2)).sum();
        (mean, variance)
    }

    /// The distribution with this mean under which the observation is most likely.
    fn most_likely_with_mean(&self, mean: f64) -> Self {
        let distances: Vec<_> = self.points.iter().map(|points| points - mean).collect();
        self.most_likely_balanced(&distances)
    }

    /// The most likely distribution whose mean is so many standard deviations above one half.
    ///
    /// The condition mean − ½ = t·σ is not linear in the shares. At a given mean and σ its tangent
    /// is, so the tangent is followed until nothing changes.
    fn most_likely_with_distance(&self, deviations: f64) -> Self {
        let mut found = self.clone();
        found.shares.fill(1.0 / self.points.len() as f64);
        for _ in 0..50 {
            let (mean, variance) = self.mean_and_variance(&found.shares);
            let sigma = variance.sqrt();
            let tangent = |points: &f64| {
                let bend = 1.0 + ((points - mean) / sigma).powi(2);
                points - 0.5 - deviations * sigma * bend / 2.0
            };
            let distances: Vec<_> = self.points.iter().map(tangent).collect();
            let next = self.most_likely_balanced(&distances);
            let change = |(old, new): (&f64, &f64)| (old - new).abs();
            let largest = found.shares.iter().zip(&next.shares).map(change).fold(0.0, f64::max);
            found = next;
            if largest < 1e-9 {
                break;
            }
        }
        found
    }

    /// The most likely distribution under which `distances` have the mean 0.
    ///
    /// With a Lagrange multiplier x its shares are those observed divided by 1 + x·distance, where
    /// x is the only root of a falling function.
    fn most_likely_balanced(&self, distances: &[f64]) -> Self {
        let smallest = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = distances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
        let slope = |x: f64| -> f64 {
            let terms = self.shares.iter().zip(distances);
            terms.map(|(share, distance)| share * distance / (1.0 + x * distance)).sum()
        };
        for _ in 0..64 {
            let middle = f64::midpoint(low, high);
            if slope(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let x = f64::midpoint(low, high);
        let shares = self.shares.iter().zip(distances);
        let shares = shares.map(|(share, distance)| share / (1.0 + x * distance)).collect();
        Self { points: self.points.clone(), shares, trials: self.trials }
    }
}

/// Why words are no test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtParseError {
    /// Not one of the settings.
    #[error("{0:?} is no setting of a test: elo0=, elo1=, alpha=, beta= or model=")]
    Unknown(String),
    /// A setting has a value that it cannot have.
    #[error("{key}={value} is out of range: {range}")]
    Value {
        /// The setting.
        key: String,
        /// Its value.
        value: String,
        /// What it may be.
        range: &'static str,
    },
}

impl FromStr for Sprt {
    type Err = SprtParseError;

    /// Reads `elo0=0 elo1=10 alpha=0.05 beta=0.05 model=normalized`, in any order. What is left
    /// out is as here.
    fn from_str(text: &str) -> Result<Self, SprtParseError> {
        let mut test =
            Self { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: Model::default() };
        for word in text.split_whitespace() {
            let unknown = || SprtParseError::Unknown(word.to_owned());
            let (key, value) = word.split_once('=').ok_or_else(unknown)?;
            let refuse = |range| SprtParseError::Value {
                key: key.to_owned(),
                value: value.to_owned(),
                range,
            };
            let number = |low: f64, high: f64, range| match value.parse::<f64>() {
                Ok(number) if low < number && number < high => Ok(number),
                _ => Err(refuse(range)),
            };
            match key {
                "elo0" => test.elo0 = number(-400.0, 400.0, "between -400 and 400")?,
                "elo1" => test.elo1 = number(-400.0, 400.0, "between -400 and 400")?,
                "alpha" => test.alpha = number(0.0, 0.5, "above 0 and below 0.5")?,
                "beta" => test.beta = number(0.0, 0.5, "above 0 and below 0.5")?,
                "model" => {
                    test.model = match value {
                        "normalized" => Model::Normalized,
                        "logistic" => Model::Logistic,
                        _ => return Err(refuse("normalized or logistic")),
                    };
                }
                _ => return Err(unknown()),
            }
        }
        if test.elo0 >= test.elo1 {
            let (key, value) = ("elo1".to_owned(), test.elo1.to_string());
            return Err(SprtParseError::Value { key, value, range: "above elo0" });
        }
        Ok(test)
    }
}

#[cfg(test)]
mod tests;
