//! What a move in a mate problem is worth, with the solver as judge.

use keisei_game::Position;

use super::{MateLimits, Solver, Verdict, after};
use crate::{Arena, Signal};

/// What a move in a mate problem is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement<M> {
    /// It mates at once.
    Mated,
    /// It mates within the plies asked for, whatever the other side answers.
    Correct {
        /// The answer that holds out longest.
        answer: M,
        /// How many plies the mate takes after that answer.
        left: usize,
    },
    /// It mates, but not within the plies asked for.
    Slow {
        /// The answer that holds out longest.
        answer: M,
        /// How many plies the mate takes at most after that answer.
        left: usize,
    },
    /// It does not mate.
    Refuted {
        /// An answer after which there is no mate by checks.
        answer: M,
    },
    /// It gives no check, as every move of a mate problem must.
    NoCheck,
    /// The limits were too narrow to tell.
    Unknown,
}

impl Solver {
    /// Judges the legal move `mv` of a problem that asks for a mate within `plies` of `position`.
    /// `limits` hold for each answer of the other side; their plies are not looked at.
    pub fn judge<G: Arena>(
        &mut self,
        position: &G::Position,
        mv: G::Move,
        plies: u16,
        limits: &MateLimits,
        signal: &Signal,
    ) -> Judgement<G::Move> {
        let checked = after::<G>(position, mv);
        if !checked.in_check() {
            return Judgement::NoCheck;
        }
        let (mut longest, mut unknown) = (None, false);
        for &answer in checked.legal_moves().as_ref() {
            let next = after::<G>(&checked, answer);
            let limits = MateLimits { plies: None, ..*limits };
            match self.solve_position::<G>(&next, &limits, signal).verdict {
                Verdict::NoMate => return Judgement::Refuted { answer },
                Verdict::Unknown => unknown = true,
                Verdict::Mate { within, .. } => {
                    if longest.is_none_or(|(_, most)| within > most) {
                        longest = Some((answer, within));
                    }
                }
            }
        }
        match longest {
            _ if unknown => Judgement::Unknown,
            None => Judgement::Mated,
            Some((answer, left)) if left + 2 <= usize::from(plies) => {
                Judgement::Correct { answer, left }
            }
            Some((answer, left)) => Judgement::Slow { answer, left },
        }
    }
}
