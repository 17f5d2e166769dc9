//! The solver beside trying everything, on random positions.

use keisei_chess::Chess;
use keisei_engine::mate::Solver;
use keisei_game::{SplitMix64, random_game};
use keisei_shogi::Shogi;

use crate::check::{Agreement, compare};
use crate::random::random_problem;

/// Enough for a few thousand positions; the table overflows now and then, which is what is wanted.
const MEMORY: usize = 64 << 10;

#[test]
fn random_problems_of_shogi_are_solved_as_trying_everything_solves_them() {
    let mut rng = SplitMix64::new(21);
    let mut solver = Solver::new(MEMORY);
    let (mut mates, mut refuted) = (0, 0);
    for _ in 0..2500 {
        let position = random_problem(&mut rng);
        match compare::<Shogi>(&mut solver, &position, 4000, 5, 2000) {
            Ok(Agreement::Mate(_) | Agreement::LongMate) => mates += 1,
            Ok(Agreement::NoMate) => refuted += 1,
            Ok(Agreement::Unknown) => {}
            Err(problem) => panic!("{position}: {problem}"),
        }
    }
    assert!(mates > 100 && refuted > 1000, "{mates} mates, {refuted} refuted");
}

#[test]
fn positions_of_random_games_are_solved_as_trying_everything_solves_them() {
    fn run<G: keisei_engine::Arena>(games: u64) -> usize
    where
        G::Position: std::fmt::Display,
    {
        let mut solver = Solver::new(MEMORY);
        let mut mates = 0;
        for seed in 0..games {
            let mut game = G::new();
            random_game(&mut game, seed, 400);
            // The last moves before the end are where mates are.
            for _ in 0..6 {
                game.undo();
                let position = game.position();
                match compare::<G>(&mut solver, position, 4000, 3, 4000) {
                    Ok(Agreement::Mate(_) | Agreement::LongMate) => mates += 1,
                    Ok(_) => {}
                    Err(problem) => panic!("{position}: {problem}"),
                }
            }
        }
        mates
    }
    assert!(run::<Shogi>(150) > 50);
    assert!(run::<Chess>(150) > 5);
}
