//! The tree is kept from move to move, and evaluations from line to line.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use keisei_chess::Chess;
use keisei_engine::Arena;
use keisei_engine::search::{Found, Search, SearchSettings};
use keisei_game::{Game, Rules};
use keisei_net::Uniform;
use keisei_shogi::Shogi;

use super::{CHESS, Judge, SHOGI, repeatable, think, total};

fn statistics_are_kept<G: Arena>(start: &str) {
    let mut game = G::with_rules(start.parse().unwrap(), Rules::between_programs(None));
    let mut search = Search::new(Uniform, repeatable());
    let first = think(&mut search, &game, 2_000);
    let (best, visits) = first.visits[0];
    assert_eq!(best, first.best);
    game.play(best).unwrap();
    let kept = think(&mut search, &game, 0);
    // The first visit of a node tries none of its moves.
    assert_eq!(total(&kept), u64::from(visits) - 1);
    assert!((kept.value + first.value).abs() < 0.5);
    let (reply, replies) = kept.visits[0];
    game.play(reply).unwrap();
    let after = think(&mut search, &game, 100);
    assert_eq!(total(&after), u64::from(replies) - 1 + 100);
}

#[test]
fn what_was_found_before_a_move_counts_after_it() {
    statistics_are_kept::<Shogi>(SHOGI);
    statistics_are_kept::<Chess>(CHESS);
}

#[test]
fn another_line_or_another_start_begins_anew() {
    let mut game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let mut search = Search::new(Uniform, repeatable());
    game.play(game.parse_move("7g7f").unwrap()).unwrap();
    think(&mut search, &game, 300);
    game.undo();
    assert_eq!(total(&think(&mut search, &game, 0)), 0, "a move was taken back");
    think(&mut search, &game, 300);
    let other = Shogi::with_rules(
        "4k4/9/9/9/9/9/9/9/4K4 b 2G 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    assert_eq!(total(&think(&mut search, &other, 0)), 0);
    think(&mut search, &other, 300);
    search.clear();
    assert_eq!(total(&think(&mut search, &other, 0)), 0);
}

#[test]
fn a_whole_game_is_played_on_one_tree() {
    let mut game = Chess::with_rules(CHESS.parse().unwrap(), Rules::between_programs(Some(60)));
    let mut search = Search::new(Uniform, repeatable());
    while game.outcome().is_none() {
        let found = think(&mut search, &game, 150);
        game.play(found.best).unwrap();
    }
    assert!(game.ply() > 0);
}

/// What a search finds, and what it asked its evaluator about on the way.
fn asked<G: Arena>(start: &str, memory: usize) -> (Found<G::Move>, Vec<Vec<u8>>) {
    let game = G::with_rules(start.parse().unwrap(), Rules::between_programs(None));
    let shown = G::shown(&game.pack()).len();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let evaluator = Judge({
        let asked = asked.clone();
        move |packed: &[u8]| {
            let seen = &packed[..shown];
            asked.lock().unwrap().push(seen.to_vec());
            // Any number between −1 and 1 will do, as long as it is always the same.
            let sum = seen.iter().zip(1..).map(|(&byte, place)| i32::from(byte) * place * place);
            sum.sum::<i32>().rem_euclid(201) as f32 / 100.0 - 1.0
        }
    });
    let settings = SearchSettings { batch: 1, memory, ..repeatable() };
    let found = think(&mut Search::new(evaluator, settings), &game, 2_000);
    let asked = asked.lock().unwrap().clone();
    (found, asked)
}

fn asked_once<G: Arena>(start: &str) {
    let (found, questions) = asked::<G>(start, 64);
    let different: HashSet<_> = questions.iter().collect();
    assert_eq!(different.len(), questions.len(), "nothing is asked twice");
    let (forgetful, again) = asked::<G>(start, 1);
    assert_eq!(forgetful, found, "what is remembered changes nothing but the time");
    assert!(again.len() > questions.len(), "{} {}", again.len(), questions.len());
}

#[test]
fn a_position_reached_by_another_order_of_moves_is_not_asked_about_again() {
    asked_once::<Shogi>(SHOGI);
    asked_once::<Chess>(CHESS);
}
