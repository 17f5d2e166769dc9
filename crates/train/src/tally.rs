//! Counts of the games that ended during a rollout.

use std::ops::AddAssign;

use keisei_game::{Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::curriculum::Beginning;

/// Counts of finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Games that were truncated.
    pub truncated: u64,
    /// Games that began at a kept position.
    pub rewound: u64,
    /// And had a winner.
    pub rewound_decisive: u64,
    /// In games with a winner: how often the value favoured whoever won, by the distance from the
    /// end.
    pub signs: [SignCount; 3],
}

/// The ranges of moves before a game's end that signs of values are counted in, by the last move
/// of each.
pub(crate) const DISTANCES: [usize; 3] = [10, 30, usize::MAX];

/// How often the sign of a value was right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignCount {
    /// How often it was.
    pub right: u64,
    /// How many values there were.
    pub values: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.moves += other.moves;
        self.first_wins += other.first_wins;
        self.second_wins += other.second_wins;
        self.draws += other.draws;
        self.truncated += other.truncated;
        self.rewound += other.rewound;
        self.rewound_decisive += other.rewound_decisive;
        for (own, other) in self.signs.iter_mut().zip(other.signs) {
            own.right += other.right;
            own.values += other.values;
        }
    }
}

impl Tally {
    /// Counts a game of so many moves.
    pub fn add(&mut self, start: Beginning, outcome: Outcome, moves: usize) {
        self.games += 1;
        self.moves += moves as u64;
        match outcome.winner() {
            Some(Side::First) => self.first_wins += 1,
            Some(Side::Second) => self.second_wins += 1,
            None if outcome.truncated() => self.truncated += 1,
            None => self.draws += 1,
        }
        if matches!(start, Beginning::Rewound(_)) {
            self.rewound += 1;
            self.rewound_decisive += u64::from(!outcome.is_draw());
        }
    }

    /// Counts the values of an episode: whether they `favoured` the mover before each move, of
    /// which the last was `mover`'s.
    pub fn add_favoured(&mut self, favoured: &[bool], outcome: Outcome, mover: Side) {
        let Some(winner) = outcome.winner() else { return };
        for (moves_after, &favoured) in favoured.iter().rev().enumerate() {
            let by_winner = (winner == mover) == moves_after.is_multiple_of(2);
            let range = DISTANCES.iter().position(|&last| moves_after < last);
            let count = &mut self.signs[range.expect("the last range has no end")];
            count.values += 1;
            count.right += u64::from(favoured == by_winner);
        }
    }

    /// The share of values with the right sign up to 10, 11 to 30 and more moves before the end.
    pub fn sign_accuracy(&self) -> [Option<f64>; 3] {
        self.signs.map(|count| share(count.right, count.values))
    }

    /// The share of games with a winner.
    pub fn decisive_rate(&self) -> Option<f64> {
        share(self.first_wins + self.second_wins, self.games)
    }

    /// The share of games drawn by their rules.
    pub fn draw_rate(&self) -> Option<f64> {
        share(self.draws, self.games)
    }

    /// The share of games that were truncated.
    pub fn truncation_rate(&self) -> Option<f64> {
        share(self.truncated, self.games)
    }

    /// The mean number of moves.
    pub fn mean_length(&self) -> Option<f64> {
        share(self.moves, self.games)
    }

    /// What the first side scored, a draw counting one half.
    pub fn first_score(&self) -> Option<f64> {
        let halves = 2 * self.first_wins + self.draws + self.truncated;
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
        tally.add(Beginning::Standard, Outcome::win(Side::First, Reason::Checkmate), 10);
        tally.add(Beginning::Rewound(2), Outcome::win(Side::Second, Reason::Checkmate), 2);
        tally.add(Beginning::Rewound(3), Outcome::draw(Reason::MoveLimit), 12);
        tally.add(Beginning::Random(8), Outcome::draw(Reason::Repetition), 40);
        assert_eq!(tally.decisive_rate(), Some(0.5));
        assert_eq!((tally.draw_rate(), tally.truncation_rate()), (Some(0.25), Some(0.25)));
        assert_eq!((tally.mean_length(), tally.first_score()), (Some(16.0), Some(0.5)));
        assert_eq!(tally.rewound_decisive_rate(), Some(0.5));
    }

    #[test]
    fn signs_of_values_are_right_where_they_favour_whoever_wins_in_the_end() {
        let mut tally = Tally::default();
        // Of 13 moves the first player made the first and the last; the values favour the first
        // player all along, and the first player wins; then the second one.
        let favoured: Vec<bool> = (0..13).map(|number| number % 2 == 0).collect();
        let wins = Side::ALL.map(|side| Outcome::win(side, Reason::Checkmate));
        tally.add_favoured(&favoured, wins[0], Side::First);
        assert_eq!(tally.sign_accuracy(), [Some(1.0), Some(1.0), None]);
        tally.add_favoured(&favoured, wins[1], Side::First);
        let count = |right, values| SignCount { right, values };
        assert_eq!(tally.signs, [count(10, 20), count(3, 6), count(0, 0)]);
        // The last mover loses by that move, as a perpetual checker does.
        tally.add_favoured(&[false], wins[1], Side::First);
        assert_eq!(tally.signs[0], count(11, 21));
        tally.add_favoured(&favoured, Outcome::draw(Reason::MoveLimit), Side::First);
        assert_eq!(tally.signs[0], count(11, 21), "a draw favours nobody");
        tally.add_favoured(&[true; 50], wins[0], Side::First);
        assert_eq!(tally.signs.map(|count| count.values), [31, 26, 20]);
    }
}
