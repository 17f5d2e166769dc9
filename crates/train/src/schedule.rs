//! What changes in the course of a run: by moves or by time, never by how learning goes.

use serde::{Deserialize, Serialize};

use crate::config::Training;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// How many updates were made.
    pub updates: u64,
    /// How many moves were made.
    pub steps: u64,
    /// How many seconds the run took so far, pauses not counted.
    pub seconds: f64,
}

impl Progress {
    /// The share of the run that is done, from 0 to 1: of its minutes if they are limited and of
    /// its moves, whichever is further.
    pub fn share(&self, training: &Training) -> f64 {
        let steps = self.steps as f64 / training.total_steps as f64;
        let time = training.minutes.map_or(0.0, |minutes| self.seconds / (60.0 * minutes));
        steps.max(time).clamp(0.0, 1.0)
    }

    /// The learning rate now.
    pub fn learning_rate(&self, training: &Training) -> f64 {
        let end = training.learning_rate_end.unwrap_or(training.learning_rate);
        let warm = match training.warmup_updates {
            0 => 1.0,
            updates => ((self.updates + 1) as f64 / updates as f64).min(1.0),
        };
        warm * lerp(training.learning_rate, end, self.share(training))
    }

    /// The weight of the entropy bonus now.
    pub fn entropy_coeff(&self, training: &Training) -> f64 {
        let end = training.entropy_coeff_end.unwrap_or(training.entropy_coeff);
        lerp(training.entropy_coeff, end, self.share(training))
    }
}

/// The point at `share` of the way from `from` to `to`.
pub(crate) fn lerp(from: f64, to: f64, share: f64) -> f64 {
    from + (to - from) * share
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(updates: u64, steps: u64, seconds: f64) -> Progress {
        Progress { updates, steps, seconds }
    }

    #[test]
    fn rates_go_in_a_straight_line_from_first_to_last_and_stay_there() {
        let training = Training {
            learning_rate: 1e-3,
            learning_rate_end: Some(1e-4),
            entropy_coeff: 0.02,
            entropy_coeff_end: Some(0.0),
            total_steps: 1000,
            ..Training::default()
        };
        let rate = |steps| at(0, steps, 0.0).learning_rate(&training);
        assert_eq!(rate(0), 1e-3);
        assert!((rate(500) - 5.5e-4).abs() < 1e-12);
        assert!((rate(1000) - 1e-4).abs() < 1e-12 && rate(5000) == rate(1000));
        assert_eq!(at(0, 250, 0.0).entropy_coeff(&training), 0.015);
    }

    #[test]
    fn without_an_end_they_stay_and_a_warm_up_rises_to_them() {
        let training = Training { warmup_updates: 4, total_steps: 10, ..Training::default() };
        let rates: Vec<_> = (0..6).map(|n| at(n, n, 0.0).learning_rate(&training) / 3e-4).collect();
        assert_eq!(rates, [0.25, 0.5, 0.75, 1.0, 1.0, 1.0]);
        assert_eq!(at(9, 9, 0.0).entropy_coeff(&training), 0.01);
    }

    #[test]
    fn a_limit_in_minutes_drives_the_schedule_by_time() {
        let training =
            Training { minutes: Some(10.0), total_steps: 1_000_000, ..Training::default() };
        assert_eq!(at(0, 0, 150.0).share(&training), 0.25);
        assert_eq!(at(0, 500_000, 150.0).share(&training), 0.5);
        assert_eq!(at(0, 0, 1e9).share(&training), 1.0);
    }
}
