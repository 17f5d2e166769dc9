//! Mate problems: positions of games with one way to mate, reduced to the men that matter.

use keisei_game::{Game, Position};

use super::{Judgement, MateLimits, Solver, Verdict, after};
use crate::{Arena, Signal};

/// A position in which one first move alone mates by checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem<P, M> {
    /// The position, with the attacker to move.
    pub position: P,
    /// The shortest mate against the best defence.
    pub line: Vec<M>,
    /// How many positions the solver visited to prove it.
    pub nodes: u64,
}

/// A problem of the game `G`.
type ProblemOf<G> = Problem<<G as Game>::Position, <G as Game>::Move>;

impl Solver {
    /// The problem that `position` poses, if it poses one: a mate within `plies` with a single
    /// first move, with or without promotion; no other check mates, however long it takes. The best
    /// defence drops nothing, since people do not agree whether a man dropped in between counts.
    pub fn problem<G: Arena>(
        &mut self,
        position: &G::Position,
        plies: u16,
        limits: &MateLimits,
    ) -> Option<ProblemOf<G>> {
        let (signal, limits) = (Signal::new(), MateLimits { plies: Some(plies), ..*limits });
        let solution = self.solve_position::<G>(position, &limits, &signal);
        let Verdict::Mate { line, within, shortest: true } = solution.verdict else { return None };
        if line.len() != within || drops_in_defence::<G>(position, &line) {
            return None;
        }
        let refuted = |mv| {
            let judgement = self.judge::<G>(position, mv, plies, &limits, &signal);
            matches!(judgement, Judgement::Refuted { .. })
        };
        let solution_way = way::<G>(line[0]);
        let checks = G::checks(position).into_iter();
        let mut others = checks.filter(|&mv| way::<G>(mv) != solution_way);
        let unique = others.all(refuted);
        unique.then(|| Problem { position: position.clone(), line, nodes: solution.nodes })
    }

    /// The same problem without the game that led to it and every man that it does not need: same
    /// first move, same length, still the only way.
    pub fn reduce<G: Arena>(
        &mut self,
        mut problem: ProblemOf<G>,
        limits: &MateLimits,
    ) -> ProblemOf<G> {
        let plies = problem.line.len() as u16;
        let as_set = G::as_problem(&problem.position);
        if let Some(found) = self.same::<G>(&problem, &as_set, plies, limits) {
            problem = found;
        }
        // Men that had to stay may become needless when others have gone, so there are several
        // rounds. When a man goes, the next one takes its place in the list.
        loop {
            let (mut place, mut removed) = (0, false);
            while let Some((taken, found)) = self.first_same::<G>(&problem, place, plies, limits) {
                (problem, place, removed) = (found, taken, true);
            }
            if !removed {
                return problem;
            }
        }
    }

    /// The first problem with the same first move and length among those with one man less, from
    /// `place` in their list on, and its place.
    fn first_same<G: Arena>(
        &mut self,
        problem: &ProblemOf<G>,
        place: usize,
        plies: u16,
        limits: &MateLimits,
    ) -> Option<(usize, ProblemOf<G>)> {
        let lighter = G::with_one_man_less(&problem.position).into_iter().enumerate().skip(place);
        let mut found = lighter.filter_map(|(place, position)| {
            Some((place, self.same::<G>(problem, &position, plies, limits)?))
        });
        found.next()
    }

    /// The problem that `position` poses, if it has the first move and the length of `problem`.
    fn same<G: Arena>(
        &mut self,
        problem: &ProblemOf<G>,
        position: &G::Position,
        plies: u16,
        limits: &MateLimits,
    ) -> Option<ProblemOf<G>> {
        let found = self.problem::<G>(position, plies, limits)?;
        (found.line.len() == problem.line.len() && found.line[0] == problem.line[0])
            .then_some(found)
    }
}

/// The way of a move without the choice to promote: in either protocol, what comes first in its
/// text are the square or kind it comes from and the square it goes to, in four letters.
fn way<G: Arena>(mv: G::Move) -> String {
    mv.to_string().chars().take(4).collect()
}

/// Whether the defender, who answers every other move of `line`, drops a man.
fn drops_in_defence<G: Arena>(position: &G::Position, line: &[G::Move]) -> bool {
    let defender = !position.turn();
    let mut position = position.clone();
    line.iter().enumerate().any(|(ply, &mv)| {
        let (_, held) = G::held(&position, defender);
        position = after::<G>(&position, mv);
        ply % 2 == 1 && G::held(&position, defender).1 < held
    })
}
