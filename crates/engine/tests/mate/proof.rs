//! The whole tree of a mate: every answer to every check, down to the mates.

use std::collections::HashMap;

use keisei_engine::mate::{MateLimits, Solver, Verdict};
use keisei_engine::{Arena, Signal};
use keisei_game::Position;

/// A proof, in which a solver names the checks and the rules of the game the answers.
pub(crate) struct Proof {
    solver: Solver,
    /// Positions of the attacker that mate within so many plies, by their key.
    pub(crate) proven: HashMap<u64, usize>,
}

impl Proof {
    pub(crate) fn new() -> Self {
        Self { solver: Solver::new(1 << 20), proven: HashMap::new() }
    }

    /// Follows every answer to a mate within `plies`, or says where there is none.
    pub(crate) fn mates_within<G: Arena>(
        &mut self,
        position: &G::Position,
        plies: usize,
    ) -> Result<(), String> {
        if self.proven.get(&position.key()).is_some_and(|&proven| proven <= plies) {
            return Ok(());
        }
        let limits =
            MateLimits { plies: Some(plies as u16), any_length: true, ..MateLimits::default() };
        let solution = self.solver.solve_position::<G>(position, &limits, &Signal::new());
        let Verdict::Mate { line, .. } = solution.verdict else {
            return Err(format!("an answer after which there is no mate within {plies}"));
        };
        let check = line[0];
        if !position.legal_moves().as_ref().contains(&check) {
            return Err(format!("{check} is illegal"));
        }
        let mut checked = position.clone();
        checked.play_unchecked(check);
        if !checked.in_check() {
            return Err(format!("{check} is no check"));
        }
        for &answer in checked.legal_moves().as_ref() {
            let left = plies.checked_sub(2).ok_or_else(|| format!("{answer} answers {check}"))?;
            let mut next = checked.clone();
            next.play_unchecked(answer);
            self.mates_within::<G>(&next, left)?;
        }
        self.proven.insert(position.key(), plies);
        Ok(())
    }
}
