//! What counts as a mate, rule by rule.

use keisei_chess::Chess;
use keisei_engine::mate::{MateLimits, Solution, Solver, Verdict};
use keisei_engine::{Arena, Signal};
use keisei_game::Game;
use keisei_shogi::Shogi;

use crate::check::check_line;

fn solve<G: Arena>(text: &str) -> Solution<G::Move> {
    let game = G::from_notation(text).unwrap();
    let limits = MateLimits { nodes: Some(500_000), ..MateLimits::default() };
    Solver::new(4 << 20).solve(&game, &limits, &Signal::new())
}

/// The line of the shortest mate.
fn mate<G: Arena>(text: &str) -> Vec<String> {
    let Verdict::Mate { line, shortest: true, .. } = solve::<G>(text).verdict else {
        panic!("no mate, or not the shortest: {text}")
    };
    let game = G::from_notation(text).unwrap();
    check_line(game.position(), &line).unwrap();
    line.iter().map(ToString::to_string).collect()
}

fn assert_no_mate<G: Arena>(text: &str) {
    assert_eq!(solve::<G>(text).verdict, Verdict::NoMate, "{text}");
}

#[test]
fn a_gold_before_the_king_mates() {
    assert_eq!(mate::<Shogi>("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), ["G*5b"]);
    assert_eq!(mate::<Shogi>("4k4/9/9/9/9/9/4p4/9/4K4 w g 1"), ["G*5h"]);
}

#[test]
fn a_dropped_pawn_must_not_mate() {
    assert_no_mate::<Shogi>("7nk/9/8G/9/9/9/9/9/K8 b P 1");
    // A lance in its place may.
    assert_eq!(mate::<Shogi>("7nk/9/8G/9/9/9/9/9/K8 b L 1"), ["L*1b"]);
    // So may a pawn that moves.
    assert_eq!(mate::<Shogi>("6GBk/6Gp1/8P/7N1/9/9/9/9/K8 b - 1").len(), 1);
}

#[test]
fn a_knight_mates_a_king_that_its_own_pieces_shut_in() {
    assert_eq!(mate::<Shogi>("7lk/7np/9/9/9/9/9/9/K8 b N 1"), ["N*2c"]);
}

#[test]
fn the_defender_may_interpose() {
    assert_eq!(mate::<Shogi>("k8/9/G8/9/9/9/9/9/8K b R 1").len(), 1);
    for held in ["p", "l", "n", "s", "g", "b", "r"] {
        let line = mate::<Shogi>(&format!("k8/9/G8/9/9/9/9/9/8K b R{held} 1"));
        assert_eq!(line, ["R*9b", "9a8a", "9c8b"]);
    }
}

#[test]
fn a_mate_needs_checks_all_the_way() {
    // Quiet moves win this, checks do not.
    assert_no_mate::<Chess>("7k/8/8/8/8/8/R7/1R5K w - - 0 1");
    assert_eq!(mate::<Chess>("8/7k/R7/1R6/8/8/8/7K w - - 0 1").len(), 3);
}

#[test]
fn a_position_without_checks_or_without_a_king_to_mate_has_no_mate() {
    assert_no_mate::<Shogi>("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert_no_mate::<Shogi>("9/9/9/9/9/9/9/9/4K4 b 2RG 1");
}

#[test]
fn perpetual_check_is_no_mate() {
    // A queen checks for ever between e8 and h5.
    assert_no_mate::<Chess>("6k1/6p1/8/7Q/8/7K/r7/1r6 w - - 0 1");
}

#[test]
fn a_position_that_the_game_has_repeated_often_is_no_way_to_a_mate() {
    let mut game = Chess::from_notation("8/7k/R7/1R6/8/8/8/7K w - - 0 1").unwrap();
    let first_move = |game: &Chess| {
        let solution = Solver::new(1 << 20).solve(game, &MateLimits::default(), &Signal::new());
        match solution.verdict {
            Verdict::Mate { line, .. } => Some(line[0].to_string()),
            _ => None,
        }
    };
    assert_eq!(first_move(&game).as_deref(), Some("b5b7"));
    for text in ["b5b7", "h7g8", "b7b5", "g8h7"].repeat(2) {
        game.play(text.parse().unwrap()).unwrap();
    }
    // After a third check on b7 Black could claim a draw.
    assert_ne!(first_move(&game).as_deref(), Some("b5b7"));
}

#[test]
fn limits_and_signals_end_the_search_without_an_answer() {
    let hard = Shogi::from_notation("9/7k1/9/9/9/9/9/9/9 b RB 1").unwrap();
    let mut solver = Solver::new(1 << 20);
    let limits = MateLimits { nodes: Some(1000), ..MateLimits::default() };
    let solution = solver.solve(&hard, &limits, &Signal::new());
    assert_eq!(solution.verdict, Verdict::Unknown);
    assert!((1000..2000).contains(&solution.nodes), "{}", solution.nodes);
    let signal = Signal::new();
    signal.stop();
    let solution = solver.solve(&hard, &MateLimits::default(), &signal);
    assert_eq!(solution.verdict, Verdict::Unknown);
    let time = Some(std::time::Duration::from_millis(5));
    let solution = solver.solve(&hard, &MateLimits { time, ..limits }, &Signal::new());
    assert_eq!(solution.verdict, Verdict::Unknown);
}

#[test]
fn a_limit_of_plies_hides_longer_mates() {
    let text = "8/7k/R7/1R6/8/8/8/7K w - - 0 1";
    let game = Chess::from_notation(text).unwrap();
    let within = |plies| {
        let limits = MateLimits { plies: Some(plies), ..MateLimits::default() };
        Solver::new(1 << 20).solve(&game, &limits, &Signal::new()).verdict
    };
    assert_eq!(
        [within(0), within(1), within(2)],
        [Verdict::NoMate, Verdict::NoMate, Verdict::NoMate]
    );
    assert!(matches!(within(3), Verdict::Mate { shortest: true, .. }));
}
