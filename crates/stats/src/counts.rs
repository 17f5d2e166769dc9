//! Results counted: single games, and pairs of games from the same opening.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::Sample;

/// Games by their result, from the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Games {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Games {
    /// How many there are.
    pub const fn count(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half a point for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game, or `None` without games.
    pub fn score(self) -> Option<f64> {
        (self.count() > 0).then(|| self.points() / self.count() as f64)
    }

    /// The share of draws, or `None` without games.
    pub fn draw_ratio(self) -> Option<f64> {
        (self.count() > 0).then(|| self.draws as f64 / self.count() as f64)
    }

    /// The same games from the other player's view.
    pub const fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Counts a game that brought `half_points`: 0, 1 or 2.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Each game as a trial (the trinomial model).
    pub fn sample(self) -> Option<Sample> {
        Sample::new(&self.frequencies(), 1)
    }

    /// The possible points of a trial with their counts, the fewest points first.
    pub(super) fn frequencies(self) -> [(f64, u64); 3] {
        [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)]
    }
}

impl AddAssign for Games {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Pairs of games from one opening with colours exchanged, by the first player's points: how many
/// pairs brought 0, ½, 1, 1½ and 2 (the pentanomial counts).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// How many there are.
    pub fn count(self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts a pair that brought `half_points`, at most 4.
    pub fn add(&mut self, half_points: u8) {
        self.0[usize::from(half_points)] += 1;
    }

    /// Pairs won for each pair lost, or `None` if none was lost.
    pub fn ratio(self) -> Option<f64> {
        let [lost_both, lost, _, won, won_both] = self.0;
        let losses = lost_both + lost;
        (losses > 0).then(|| (won + won_both) as f64 / losses as f64)
    }

    /// The share of pairs that brought both players the same.
    pub fn draw_ratio(self) -> Option<f64> {
        (self.count() > 0).then(|| self.0[2] as f64 / self.count() as f64)
    }

    /// Each pair as a trial (the pentanomial model). It sees that the games of a pair are not
    /// independent: an opening that favours one colour adds nothing to the error.
    pub fn sample(self) -> Option<Sample> {
        Sample::new(&self.frequencies(), 2)
    }

    pub(super) fn frequencies(self) -> [(f64, u64); 5] {
        let [none, half, one, more, both] = self.0;
        [(0.0, none), (0.25, half), (0.5, one), (0.75, more), (1.0, both)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_ratios_are_counted_by_hand() {
        let games = Games { wins: 3, draws: 2, losses: 1 };
        assert_eq!((games.count(), games.points(), games.score()), (6, 4.0, Some(4.0 / 6.0)));
        assert_eq!(games.draw_ratio(), Some(2.0 / 6.0));
        assert_eq!(games.reversed().points(), 2.0);
        assert_eq!(Games::default().score(), None);
        let pairs = Pairs([1, 2, 3, 4, 5]);
        assert_eq!((pairs.count(), pairs.ratio(), pairs.draw_ratio()), (15, Some(3.0), Some(0.2)));
        assert_eq!(Pairs([0, 0, 3, 4, 5]).ratio(), None);
    }

    #[test]
    fn results_are_added_one_by_one() {
        let mut games = Games::default();
        [2, 2, 1, 0].into_iter().for_each(|half_points| games.add(half_points));
        assert_eq!(games, Games { wins: 2, draws: 1, losses: 1 });
        let mut pairs = Pairs::default();
        [4, 1, 0, 4].into_iter().for_each(|half_points| pairs.add(half_points));
        assert_eq!(pairs, Pairs([1, 1, 0, 0, 2]));
    }
}
