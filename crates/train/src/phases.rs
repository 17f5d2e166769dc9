//! Where the time of a run goes.

use std::ops::AddAssign;
use std::time::Duration;

use crate::metrics::{Record, names};

/// The time of a run by what it went into.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Phases {
    /// Playing games.
    pub rollout: Duration,
    /// Of that, the network's answers.
    pub acting: Duration,
    /// Learning from the games.
    pub update: Duration,
    /// Of that, the network's arithmetic.
    pub learning: Duration,
    /// Evaluations.
    pub evaluation: Duration,
    /// Writing the log, the metrics and the checkpoints.
    pub writing: Duration,
}

impl Phases {
    /// The names of the times in metrics.
    const NAMES: [&'static str; 6] = [
        names::ROLLOUT_SECONDS,
        names::ACTING_SECONDS,
        names::UPDATE_SECONDS,
        names::LEARNING_SECONDS,
        names::EVALUATION_SECONDS,
        names::WRITING_SECONDS,
    ];

    fn times(&mut self) -> [&mut Duration; 6] {
        let Self { rollout, acting, update, learning, evaluation, writing } = self;
        [rollout, acting, update, learning, evaluation, writing]
    }

    /// All of it.
    pub fn total(&self) -> Duration {
        self.rollout + self.update + self.evaluation + self.writing
    }

    /// The share of playing and learning that is the network's arithmetic, if there was any.
    pub fn network_share(&self) -> Option<f64> {
        let whole = (self.rollout + self.update).as_secs_f64();
        (whole > 0.0).then(|| (self.acting + self.learning).as_secs_f64() / whole)
    }

    /// Disjoint parts of the whole and their shares of it.
    pub fn shares(&self) -> [(&'static str, f64); 6] {
        let whole = self.total().as_secs_f64().max(f64::MIN_POSITIVE);
        let rest = |whole: Duration, part| whole.saturating_sub(part);
        [
            ("acting", self.acting),
            ("games", rest(self.rollout, self.acting)),
            ("learning", self.learning),
            ("preparing", rest(self.update, self.learning)),
            ("evaluating", self.evaluation),
            ("writing", self.writing),
        ]
        .map(|(name, time)| (name, time.as_secs_f64() / whole))
    }

    /// Adds the times to a record.
    pub(crate) fn write(mut self, record: &mut Record) {
        for (name, time) in Self::NAMES.into_iter().zip(self.times()) {
            record.set(name, time.as_secs_f64());
        }
        record.set_some(names::NETWORK_SHARE, self.network_share());
    }

    /// The times in a record.
    pub fn of(record: &Record) -> Self {
        let mut phases = Self::default();
        for (name, time) in Self::NAMES.into_iter().zip(phases.times()) {
            let seconds = record.get(name).unwrap_or(0.0);
            *time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        }
        phases
    }
}

impl AddAssign for Phases {
    fn add_assign(&mut self, mut more: Self) {
        for (time, more) in self.times().into_iter().zip(more.times()) {
            *time += *more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phases() -> Phases {
        let seconds = Duration::from_secs;
        Phases {
            rollout: seconds(4),
            acting: seconds(3),
            update: seconds(6),
            learning: seconds(5),
            evaluation: seconds(8),
            writing: seconds(2),
        }
    }

    #[test]
    fn shares_are_of_the_whole_and_those_of_the_network_of_playing_and_learning() {
        assert_eq!(phases().network_share(), Some(0.8));
        let shares = phases().shares();
        assert_eq!(shares.map(|(_, share)| share), [0.15, 0.05, 0.25, 0.05, 0.4, 0.1]);
        assert_eq!(Phases::default().network_share(), None);
        assert_eq!(Phases::default().shares()[0].1, 0.0);
    }

    #[test]
    fn times_are_read_back_from_a_record_and_added_up() {
        let mut record = Record::new(1, 1);
        phases().write(&mut record);
        let mut sum = Phases::of(&record);
        assert_eq!(sum, phases());
        sum += phases();
        assert_eq!((sum.total(), sum.network_share()), (2 * phases().total(), Some(0.8)));
        assert!(record.values.keys().all(|name| names::is_timed(name)));
    }
}
