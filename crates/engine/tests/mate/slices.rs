//! Problems solved in parts.

use keisei_engine::Signal;
use keisei_engine::mate::{MateLimits, Solution, Solver, Verdict};
use keisei_game::Game;
use keisei_shogi::{Move, Shogi};

/// The solution with as many pauses as the solver allows, and how many parts it had.
fn in_parts(game: &Shogi, limits: &MateLimits) -> (Solution<Move>, usize) {
    let mut solver = Solver::new(16 << 20);
    let mut run = solver.begin(game, limits);
    for parts in 1.. {
        if let Some(solution) = solver.go_on(&mut run, &Signal::new(), &mut || true) {
            return (solution, parts);
        }
        assert!(parts < 10_000, "the solver gets nowhere");
    }
    unreachable!("some part is the last")
}

#[test]
fn pauses_change_no_verdict() {
    let text = include_str!("../data/mates.txt");
    let mut most = 0;
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let position = line.split(';').next().unwrap();
        let game = Shogi::from_notation(position).unwrap();
        let limits = MateLimits { nodes: Some(300_000), ..MateLimits::default() };
        let whole = Solver::new(16 << 20).solve(&game, &limits, &Signal::new());
        let (solution, parts) = in_parts(&game, &limits);
        most = most.max(parts);
        let plies = |verdict: &Verdict<Move>| match verdict {
            Verdict::Mate { within, shortest: true, .. } => Some(*within),
            _ => None,
        };
        if let Some(shortest) = plies(&whole.verdict) {
            assert_eq!(plies(&solution.verdict), Some(shortest), "{position}");
        }
        if whole.verdict == Verdict::NoMate {
            assert_eq!(solution.verdict, Verdict::NoMate, "{position}");
        }
    }
    assert!(most > 10, "no problem took more than {most} parts");
}
