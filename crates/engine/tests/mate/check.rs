//! The solver's answers beside those of trying everything.

use keisei_engine::mate::{MateLimits, Solver, Verdict};
use keisei_engine::{Arena, Signal};
use keisei_game::Position;

use crate::naive::shortest_mate;
use crate::proof::Proof;

/// What was learnt of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agreement {
    /// A mate of so many plies, as long as trying everything says.
    Mate(usize),
    /// A mate that is too long for trying everything. Its whole tree was followed, and trying
    /// everything found no shorter one.
    LongMate,
    /// No mate, and trying everything found none.
    NoMate,
    /// The solver ran out of nodes.
    Unknown,
}

/// Solves `position` and says how that agrees with trying everything, or what is wrong.
pub(crate) fn compare<G: Arena>(
    solver: &mut Solver,
    position: &G::Position,
    nodes: u64,
    plies: usize,
    budget: usize,
) -> Result<Agreement, String> {
    let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
    let solution = solver.solve_position::<G>(position, &limits, &Signal::new());
    let naive = shortest_mate(position, plies, budget);
    match solution.verdict {
        Verdict::Mate { line, within, shortest } => {
            check_line(position, &line)?;
            if line.len() > within || (shortest && line.len() < within) {
                return Err(format!("a line of other than {within} plies: {line:?}"));
            }
            match naive.mate {
                Some(plies) if within < plies || (shortest && within != plies) => {
                    Err(format!("{within} plies instead of {plies}: {line:?}"))
                }
                Some(plies) => Ok(Agreement::Mate(plies)),
                None if within <= naive.plies => Err(format!("no mate within {within}: {line:?}")),
                None => {
                    Proof::new().mates_within::<G>(position, within)?;
                    Ok(Agreement::LongMate)
                }
            }
        }
        Verdict::NoMate => match naive.mate {
            Some(plies) => Err(format!("a mate of {plies} plies was called none")),
            None => Ok(Agreement::NoMate),
        },
        Verdict::Unknown => Ok(Agreement::Unknown),
    }
}

/// Checks that the moves of `line` are legal, that every other one gives check and that the last
/// one mates.
pub(crate) fn check_line<P: Position>(position: &P, line: &[P::Move]) -> Result<(), String> {
    let mut position = position.clone();
    for (ply, &mv) in line.iter().enumerate() {
        if !position.legal_moves().as_ref().contains(&mv) {
            return Err(format!("{mv} is illegal in {line:?}"));
        }
        position.play_unchecked(mv);
        if ply % 2 == 0 && !position.in_check() {
            return Err(format!("{mv} is no check in {line:?}"));
        }
    }
    let mated = position.in_check() && position.legal_moves().as_ref().is_empty();
    if mated && line.len() % 2 == 1 { Ok(()) } else { Err(format!("no mate after {line:?}")) }
}
