//! Means and deviations that can be put together from those of parts.

use serde::{Deserialize, Serialize};

/// How many quantities are followed: advantages, values, returns, and returns without values.
const QUANTITIES: usize = 4;

/// What some moves tell of their quantities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    count: usize,
    means: [f64; QUANTITIES],
    /// Sums of the squares of the distances from the mean.
    squares: [f64; QUANTITIES],
}

impl Moments {
    /// Those of these moves.
    pub fn of(moves: &[[f64; QUANTITIES]]) -> Self {
        let count = moves.len();
        let mean = |which: usize| {
            moves.iter().map(|numbers| numbers[which]).sum::<f64>() / count.max(1) as f64
        };
        let means = std::array::from_fn(mean);
        let square = |which: usize| {
            moves.iter().map(|numbers| (numbers[which] - means[which]).powi(2)).sum()
        };
        Self { count, means, squares: std::array::from_fn(square) }
    }

    /// Those of the moves here and there.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let count = self.count + other.count;
        if count == 0 {
            return *self;
        }
        let (own, others, all) = (self.count as f64, other.count as f64, count as f64);
        let apart = |which: usize| other.means[which] - self.means[which];
        let mean = |which: usize| self.means[which] + apart(which) * others / all;
        let square = |which: usize| {
            self.squares[which] + other.squares[which] + apart(which).powi(2) * own * others / all
        };
        Self { count, means: std::array::from_fn(mean), squares: std::array::from_fn(square) }
    }

    /// How many moves there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The mean of each quantity.
    pub fn means(&self) -> [f64; QUANTITIES] {
        self.means
    }

    /// The deviation of each quantity.
    pub fn deviations(&self) -> [f64; QUANTITIES] {
        self.squares.map(|square| (square / self.count.max(1) as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_any_size_put_together_are_the_whole() {
        let moves: Vec<_> =
            (0..50).map(|n| [0.7, 1.3, 2.9, 3.1].map(|f| (n as f64 * f).sin())).collect();
        let whole = Moments::of(&moves);
        let parts = [&moves[..0], &moves[..7], &moves[7..8], &moves[8..]].map(Moments::of);
        let together = parts.iter().fold(Moments::default(), |all, part| all.and(part));
        assert_eq!(together.count(), 50);
        let near = |a: [f64; 4], b: [f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near(together.means(), whole.means()), "{together:?} {whole:?}");
        assert!(near(together.deviations(), whole.deviations()), "{together:?} {whole:?}");
        assert_eq!(Moments::of(&[]).deviations(), [0.0; 4]);
    }
}
