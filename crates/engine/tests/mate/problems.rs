//! Problems: moves judged, and positions of games turned into problems.

use keisei_chess::Chess;
use keisei_engine::mate::{Judgement, MateLimits, Problem, Solver};
use keisei_engine::{Arena, Signal};
use keisei_shogi::{Position, Shogi};

fn judge(position: &str, mv: &str, plies: u16) -> Judgement<String> {
    let position: Position = position.parse().unwrap();
    let mv = mv.parse().unwrap();
    let limits = MateLimits { nodes: Some(100_000), ..MateLimits::default() };
    let judgement =
        Solver::new(8 << 20).judge::<Shogi>(&position, mv, plies, &limits, &Signal::new());
    match judgement {
        Judgement::Mated => Judgement::Mated,
        Judgement::Correct { answer, left } => {
            Judgement::Correct { answer: answer.to_string(), left }
        }
        Judgement::Slow { answer, left } => Judgement::Slow { answer: answer.to_string(), left },
        Judgement::Refuted { answer } => Judgement::Refuted { answer: answer.to_string() },
        Judgement::NoCheck => Judgement::NoCheck,
        Judgement::Unknown => Judgement::Unknown,
    }
}

fn problem<G: Arena>(text: &str, plies: u16) -> Option<Problem<G::Position, G::Move>> {
    let limits = MateLimits { nodes: Some(50_000), ..MateLimits::default() };
    let game = G::from_notation(text).unwrap();
    Solver::new(8 << 20).problem::<G>(game.position(), plies, &limits)
}

const CORNER: &str = "k8/9/G8/9/9/9/9/9/8K b Rp 1";

#[test]
fn the_first_move_of_a_mate_is_correct_and_the_last_one_mates() {
    let answer = "9a8a".to_owned();
    assert_eq!(judge(CORNER, "R*9b", 3), Judgement::Correct { answer, left: 1 });
    assert_eq!(judge("1k7/R8/G8/9/9/9/9/9/8K b p 1", "9c8b", 1), Judgement::Mated);
}

#[test]
fn a_check_that_does_not_mate_is_refuted_and_a_quiet_move_is_no_check() {
    let gold = judge(CORNER, "9c9b", 3);
    assert_eq!(gold, Judgement::Refuted { answer: "9a9b".to_owned() });
    assert_eq!(judge(CORNER, "R*5e", 3), Judgement::NoCheck);
}

#[test]
fn a_mate_that_takes_longer_than_asked_for_is_slow() {
    let slow = judge(CORNER, "R*9b", 1);
    assert_eq!(slow, Judgement::Slow { answer: "9a8a".to_owned(), left: 1 });
}

#[test]
fn a_limit_that_is_too_narrow_leaves_a_move_unjudged() {
    let position: Position = "9/7k1/9/9/9/9/9/9/9 b RB 1".parse().unwrap();
    let limits = MateLimits { nodes: Some(10), ..MateLimits::default() };
    let mv = "R*2e".parse().unwrap();
    let mut solver = Solver::new(1 << 20);
    let judgement = solver.judge::<Shogi>(&position, mv, 9, &limits, &Signal::new());
    assert_eq!(judgement, Judgement::Unknown);
}

#[test]
fn a_position_with_two_first_moves_is_no_problem() {
    assert!(problem::<Shogi>("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 3).is_some());
    assert!(problem::<Shogi>("4k4/9/4P4/9/9/9/9/9/4K4 b GS 1", 3).is_some());
    assert!(problem::<Shogi>("4k4/9/3PPP3/9/9/9/9/9/4K4 b 2G 1", 3).is_none(), "golds anywhere");
    assert!(problem::<Shogi>("4k4/9/9/9/9/9/9/9/4K4 b G 1", 3).is_none(), "no mate");
}

fn reduced<G: Arena>(text: &str, plies: u16) -> String {
    let limits = MateLimits { nodes: Some(50_000), ..MateLimits::default() };
    let found = problem::<G>(text, plies).expect("a problem");
    let reduced = Solver::new(8 << 20).reduce::<G>(found.clone(), &limits);
    assert_eq!(reduced.line.len(), found.line.len());
    assert_eq!(reduced.line[0], found.line[0]);
    reduced.position.to_string()
}

#[test]
fn a_problem_keeps_only_the_men_it_needs_and_the_defender_holds_the_rest() {
    let cluttered = "l2nk2nl/9/4P4/p7p/9/9/P7P/9/L3K3L b GN 1";
    let bare = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    assert_eq!(reduced::<Shogi>(cluttered, 3), bare);
}

#[test]
fn a_chess_problem_loses_the_men_that_look_on() {
    let cluttered = "6k1/5ppp/8/8/3n4/8/1PP5/R3K3 w Q - 0 1";
    let bare = reduced::<Chess>(cluttered, 1);
    assert!(bare.starts_with("6k1/5ppp/8/8/8/8/"), "{bare}");
}

#[test]
fn a_problem_that_needs_all_its_men_loses_the_traces_of_its_game() {
    let minimal = "6k1/5ppp/8/8/8/8/8/R3K3";
    assert_eq!(
        reduced::<Chess>(&format!("{minimal} w Q - 3 20"), 1),
        format!("{minimal} w - - 0 1")
    );
    let minimal = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p";
    assert_eq!(reduced::<Shogi>(&format!("{minimal} 48"), 3), format!("{minimal} 1"));
}

#[test]
fn a_mate_that_is_put_off_by_a_drop_is_no_problem() {
    let mate = problem::<Shogi>("k8/2S6/K8/9/9/9/9/9/8R b - 1", 9).expect("a mate in one");
    assert_eq!(mate.line.len(), 1);
    // A pawn in between is taken with mate: two plies more, or none, as one likes.
    assert!(problem::<Shogi>("k8/2S6/K8/9/9/9/9/9/8R b p 1", 9).is_none());
}

#[test]
fn a_choice_to_promote_is_no_second_solution() {
    let mate = problem::<Shogi>("k8/9/K8/9/9/9/9/9/8R b - 1", 9).expect("either rook mates");
    assert!(["1i1a", "1i1a+"].contains(&mate.line[0].to_string().as_str()));
}
