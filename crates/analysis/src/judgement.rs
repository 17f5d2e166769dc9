//! How good moves were.

use std::fmt;

use keisei_game::Side;
use keisei_records::NodeId;

/// A move that threw away chances to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`: at least 10 in 100.
    Inaccuracy,
    /// `?`: at least 20 in 100.
    Mistake,
    /// `??`: at least 30 in 100.
    Blunder,
}

impl Mark {
    /// All marks, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The mark of a move that lowered the chance to win by `loss`, if it deserves one.
    pub fn of(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|mark| loss >= mark.least_loss())
    }

    const fn least_loss(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.1,
            Self::Mistake => 0.2,
            Self::Blunder => 0.3,
        }
    }

    /// The mark as books print it.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The glyph's number in PGN.
    pub const fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        })
    }
}

/// A move of the game, and what it did to its player's chances.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged<M> {
    /// Where the move leads to in the record.
    pub node: NodeId,
    /// The number of the move, from 1.
    pub ply: usize,
    /// Who made it.
    pub side: Side,
    /// The move.
    pub played: M,
    /// What the analysis would have played, first to last; empty if it named no move.
    pub best: Vec<M>,
    /// The chance of its player to win before the move.
    pub before: f64,
    /// The chance of its player to win after the move.
    pub after: f64,
}

impl<M: Copy + PartialEq> Judged<M> {
    /// Whether this is the move that the analysis would have played.
    pub fn is_best(&self) -> bool {
        self.best.first() == Some(&self.played)
    }

    /// How much of the chance to win was lost. The move that the analysis would have played loses
    /// nothing, whatever it sees later.
    pub fn loss(&self) -> f64 {
        if self.is_best() { 0.0 } else { (self.before - self.after).max(0.0) }
    }

    /// The mark that the move deserves.
    pub fn mark(&self) -> Option<Mark> {
        Mark::of(self.loss())
    }
}

/// The moves of one side summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many moves were judged.
    pub moves: usize,
    /// How many of them the analysis would have played.
    pub best: usize,
    marks: [usize; 3],
    accuracy: f64,
}

impl Tally {
    /// Sums up the moves of `side`.
    pub fn of<M: Copy + PartialEq>(moves: &[Judged<M>], side: Side) -> Self {
        let mut tally = Self::default();
        for judged in moves.iter().filter(|judged| judged.side == side) {
            tally.moves += 1;
            tally.best += usize::from(judged.is_best());
            tally.accuracy += (-5.0 * judged.loss()).exp();
            if let Some(mark) = judged.mark() {
                tally.marks[mark as usize] += 1;
            }
        }
        tally
    }

    /// How many moves deserve `mark`.
    pub fn marked(&self, mark: Mark) -> usize {
        self.marks[mark as usize]
    }

    /// The mean of exp(−5·loss) over the moves: 1 if nothing was thrown away, 0.61 if every move
    /// costs a tenth of the chance to win. `None` without moves.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy / self.moves as f64)
    }

    /// The share of moves that the analysis would have played. `None` without moves.
    pub fn best_share(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.best as f64 / self.moves as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(side: Side, played: char, before: f64, after: f64) -> Judged<char> {
        Judged { node: NodeId::ROOT, ply: 1, side, played, best: vec!['b'], before, after }
    }

    #[test]
    fn marks_follow_what_was_thrown_away() {
        let marks = [0.05, 0.1, 0.25, 0.3, 0.9].map(Mark::of);
        let (mild, bad, worst) = (Mark::Inaccuracy, Mark::Mistake, Mark::Blunder);
        assert_eq!(marks, [None, Some(mild), Some(bad), Some(worst), Some(worst)]);
        assert!(mild < bad && bad < worst);
    }

    #[test]
    fn the_best_move_loses_nothing_and_no_move_gains() {
        assert_eq!(judged(Side::First, 'b', 0.9, 0.2).mark(), None);
        assert_eq!(judged(Side::First, 'x', 0.2, 0.9).loss(), 0.0);
        assert_eq!(judged(Side::First, 'x', 0.9, 0.2).mark(), Some(Mark::Blunder));
    }

    #[test]
    fn a_tally_counts_the_moves_of_one_side() {
        let moves = [
            judged(Side::First, 'b', 0.5, 0.5),
            judged(Side::Second, 'x', 0.9, 0.1),
            judged(Side::First, 'x', 0.5, 0.3),
        ];
        let tally = Tally::of(&moves, Side::First);
        assert_eq!((tally.moves, tally.best), (2, 1));
        assert_eq!(Mark::ALL.map(|mark| tally.marked(mark)), [0, 1, 0]);
        // (1 + e⁻¹) / 2
        assert!((tally.accuracy().unwrap() - 0.683_939_7).abs() < 1e-6);
        assert_eq!(tally.best_share(), Some(0.5));
        assert_eq!(Tally::of(&moves[..1], Side::Second).accuracy(), None);
    }
}
