//! The problems of `tests/data/mates.txt`, all solved and all checked.

use keisei_engine::Signal;
use keisei_engine::mate::{MateLimits, Solver, Verdict};
use keisei_shogi::{Position, Shogi};

use crate::check::check_line;
use crate::naive::shortest_mate;
use crate::proof::Proof;

struct Problem {
    position: Position,
    /// The plies of the shortest mate; 0 if there is none.
    plies: usize,
}

fn problems(plies: std::ops::RangeInclusive<usize>) -> Vec<Problem> {
    let lines = include_str!("../data/mates.txt").lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let mut fields = line.split(';');
        let mut field = || fields.next().unwrap_or_else(|| panic!("{line} lacks a field"));
        Problem { position: field().parse().unwrap(), plies: field().parse().unwrap() }
    };
    lines.map(read).filter(|problem| plies.contains(&problem.plies)).collect()
}

/// Solves the problems and checks lines, lengths and, as far as `budget` allows, that trying
/// everything says the same. Returns how many were checked to the end that way.
fn check(plies: std::ops::RangeInclusive<usize>, budget: usize) -> usize {
    let mut solver = Solver::new(8 << 20);
    let mut tried = 0;
    for Problem { position, plies } in problems(plies) {
        let limits = MateLimits::default();
        match solver.solve_position::<Shogi>(&position, &limits, &Signal::new()).verdict {
            Verdict::Mate { line, shortest: true, .. } => {
                assert_eq!(line.len(), plies, "{position}: {line:?}");
                check_line(&position, &line)
                    .unwrap_or_else(|problem| panic!("{position}: {problem}"));
            }
            verdict => assert!(plies == 0 && verdict == Verdict::NoMate, "{position}: {verdict:?}"),
        }
        let naive = shortest_mate(&position, plies.max(5), budget);
        match naive.mate {
            Some(found) => assert_eq!(found, plies, "{position}"),
            None => assert!(plies == 0 || naive.plies < plies, "{position}"),
        }
        tried += usize::from(naive.mate.is_some() || (plies == 0 && naive.plies >= 5));
    }
    tried
}

#[test]
fn there_are_problems_of_every_length_and_positions_without_a_mate() {
    assert!(problems(1..=15).len() >= 60);
    assert!(problems(0..=0).len() >= 20);
    for plies in (1..=15).step_by(2) {
        assert!(problems(plies..=plies).len() >= 4, "{plies} plies");
    }
}

#[test]
fn positions_without_a_mate_are_refuted() {
    let tried = check(0..=0, 50_000);
    assert!(tried >= 15, "trying everything reached 5 plies in {tried}");
}

#[test]
fn mates_of_up_to_5_plies_are_found_at_their_exact_length() {
    let tried = check(1..=5, 100_000);
    assert_eq!(tried, problems(1..=5).len());
}

#[test]
fn mates_of_7_and_9_plies_are_found_at_their_exact_length() {
    let tried = check(7..=9, 200_000);
    assert!(tried >= 8, "trying everything reached the mate in {tried}");
}

#[test]
fn mates_of_11_to_15_plies_are_found_at_their_exact_length() {
    check(11..=15, 10_000);
}

#[test]
fn every_defence_against_every_line_is_answered() {
    let mut proof = Proof::new();
    for Problem { position, plies } in problems(3..=15) {
        proof
            .mates_within::<Shogi>(&position, plies)
            .unwrap_or_else(|problem| panic!("{position}: {problem}"));
    }
    assert!(proof.proven.len() > 1000, "{}", proof.proven.len());
}
