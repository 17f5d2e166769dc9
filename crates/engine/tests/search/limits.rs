//! When a search ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use keisei_chess::Chess;
use keisei_engine::search::{Found, Search, SearchSettings};
use keisei_engine::{Arena, Clock, Limits, Signal};
use keisei_game::{BySide, Game, Rules};
use keisei_shogi::Shogi;
use std::time::Duration;

use super::{Judge, SHOGI, repeatable};

/// A judge who counts positions, and says stop at the `last`.
fn counting(
    count: Arc<AtomicU64>,
    last: u64,
    signal: Signal,
) -> Judge<impl Fn(&[u8]) -> f32 + Send + Clone> {
    Judge(move |_: &[u8]| {
        if count.fetch_add(1, Ordering::SeqCst) + 1 == last {
            signal.stop();
        }
        0.0
    })
}

#[test]
fn no_batch_is_begun_after_the_signal_to_stop() {
    let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let limits = Limits { infinite: true, ..Limits::default() };
    for threads in [1, 2] {
        let (count, signal) = (Arc::new(AtomicU64::new(0)), Signal::new());
        let judge = counting(Arc::clone(&count), 1_000, signal.clone());
        let settings = SearchSettings { threads, ..repeatable() };
        let (batch, threads) = (settings.batch as u64, threads as u64);
        let found = Search::new(judge, settings).think(&game, &limits, &signal, &mut |_| ());
        let most = 1_000 + 2 * batch * threads;
        assert!(count.load(Ordering::SeqCst) <= most);
        assert!((990..=most).contains(&found.simulations), "{}", found.simulations);
    }
}

#[test]
fn a_search_that_is_stopped_at_once_still_answers() {
    let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let signal = Signal::new();
    signal.stop();
    let judge = Judge(|_: &[u8]| 0.0);
    let found =
        Search::new(judge, repeatable()).think(&game, &Limits::nodes(100), &signal, &mut |_| ());
    assert_eq!(found.simulations, 0);
    assert!(found.visits.iter().any(|(mv, _)| *mv == found.best));
}

/// Starts a search under `limits`, waits until it has made some simulations, checks that there is
/// no answer yet, gives the signal and waits for the answer.
fn answers_only_after(limits: Limits, say: impl Fn(&Signal)) {
    let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let (count, signal) = (Arc::new(AtomicU64::new(0)), Signal::new());
    let judge = counting(Arc::clone(&count), u64::MAX, signal.clone());
    let settings = SearchSettings { gumbel_up_to: 0, ..repeatable() };
    let (send, answers) = mpsc::channel();
    thread::scope(|scope| {
        let ear = signal.clone();
        scope.spawn(move || {
            let found = Search::new(judge, settings).think(&game, &limits, &ear, &mut |_| ());
            send.send(found.simulations).unwrap();
        });
        while count.load(Ordering::SeqCst) < 50 {
            thread::yield_now();
        }
        thread::sleep(Duration::from_millis(20));
        assert_eq!(answers.try_recv(), Err(mpsc::TryRecvError::Empty));
        say(&signal);
        assert!(answers.recv().unwrap() > 0);
    });
}

#[test]
fn a_pondering_search_answers_after_the_hit_or_the_stop() {
    let limits = || Limits { ponder: true, ..Limits::move_time(Duration::from_millis(1)) };
    answers_only_after(limits(), Signal::ponder_hit);
    answers_only_after(limits(), Signal::stop);
}

#[test]
fn an_infinite_search_answers_after_the_stop() {
    let limits = Limits { infinite: true, ..Limits::move_time(Duration::from_millis(1)) };
    answers_only_after(limits, Signal::stop);
}

#[test]
fn a_search_with_nothing_more_to_find_leaves_the_waiting_to_others() {
    let mut search = Search::new(Judge(|_: &[u8]| 0.0), repeatable());
    let game = Shogi::from_notation("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    let limits = Limits { infinite: true, ..Limits::default() };
    let found = search.think(&game, &limits, &Signal::new(), &mut |_| ());
    assert_eq!(found.mate, Some(1));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let mut search = Search::new(Judge(|_: &[u8]| 0.0), repeatable());
    let search_moves = ["7g7f", "2g2f"].map(str::to_owned).to_vec();
    for simulations in [10, 300] {
        let limits = Limits { search_moves: search_moves.clone(), ..Limits::nodes(simulations) };
        let found = search.think(&game, &limits, &Signal::new(), &mut |_| ());
        let mut searched: Vec<_> = found.visits.iter().map(|(mv, _)| mv.to_string()).collect();
        searched.sort();
        assert_eq!(searched, ["2g2f", "7g7f"]);
    }
    let all = search.think(&game, &Limits::nodes(100), &Signal::new(), &mut |_| ());
    assert_eq!(all.visits.len(), 30, "what was left out is searched again");
}

#[test]
fn a_clock_ends_a_search() {
    let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let left = BySide([Duration::from_millis(100); 2]);
    let clock = Some(Clock { left, ..Clock::default() });
    let limits = Limits { clock, ..Limits::default() };
    let judge = Judge(|_: &[u8]| 0.0);
    let found = Search::new(judge, repeatable()).think(&game, &limits, &Signal::new(), &mut |_| ());
    assert!(found.visits.iter().any(|(mv, _)| *mv == found.best));
}

#[test]
fn a_depth_ends_a_search() {
    let game = Shogi::with_rules(SHOGI.parse().unwrap(), Rules::between_programs(None));
    let mut longest = 0;
    let judge = Judge(|_: &[u8]| 0.0);
    let limits = Limits::depth(3);
    Search::new(judge, repeatable()).think(&game, &limits, &Signal::new(), &mut |report| {
        longest = report.moves.len();
    });
    assert_eq!(longest, 3);
}

#[test]
fn a_depth_ends_a_search_whose_best_line_ends_the_game_before() {
    fn search<G: Arena>(start: &str, most_plies: Option<usize>) -> Found<G::Move> {
        let game = G::with_rules(start.parse().unwrap(), Rules::between_programs(most_plies));
        let judge = Judge(|_: &[u8]| 0.0);
        let limits = Limits::depth(5);
        Search::new(judge, repeatable()).think(&game, &limits, &Signal::new(), &mut |_| ())
    }
    // The king takes the rook, and nobody can win any more.
    let found = search::<Chess>("7k/8/8/8/8/8/8/6rK w - - 0 1", None);
    assert_eq!((found.best.to_string().as_str(), found.mate), ("h1g1", None));
    // The game is drawn after three moves.
    assert!(search::<Shogi>(SHOGI, Some(3)).simulations > 0);
}
