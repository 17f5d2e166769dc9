//! Matches on several ranks, which are threads here.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use keisei_cluster::Threads;
use keisei_engine::PlayerSpec;
use keisei_ladder::contest::{Contestant, Match, MatchError, TimeControl, identity};
use keisei_shogi::Shogi;

use crate::players::{Habit, contest, contestant, play};

const RANKS: usize = 3;

/// How many games each rank has begun in a match.
type Begun = Arc<[AtomicUsize; RANKS]>;

/// A match as `rank` plays it. Rank 0 waits in its first game until all others have begun one.
fn counted(rank: usize, begun: &Begun) -> Match<Shogi> {
    let mut contest = contest([Habit::Random, Habit::Random], "nodes=1", 8);
    let (begun, make) = (Arc::clone(begun), contestant(Habit::Random, "").make);
    contest.contestants[0].make = Box::new(move |seed| {
        let first = begun[rank].fetch_add(1, Ordering::Relaxed) == 0;
        let begin = Instant::now();
        while rank == 0
            && first
            && begun.iter().any(|games| games.load(Ordering::Relaxed) == 0)
            && begin.elapsed() < Duration::from_secs(10)
        {
            sleep(Duration::from_millis(1));
        }
        make(seed)
    });
    contest
}

#[test]
fn all_ranks_play_in_one_match_after_another_and_no_message_outlives_its_match() {
    let expected = play(&contest([Habit::Random, Habit::Random], "nodes=1", 8));
    let matches: [Begun; 3] = Default::default();
    let left = Threads::run(RANKS, |ranks| {
        for begun in &matches {
            let contest = counted(ranks.rank(), begun);
            let never = AtomicBool::new(false);
            let summary = contest.play_among(&*ranks, None, &never, &mut |_| ()).unwrap();
            assert_eq!(summary, expected);
        }
        ranks.barrier();
        std::iter::from_fn(|| ranks.poll()).count()
    });
    for begun in &matches {
        let begun = begun.each_ref().map(|games| games.load(Ordering::Relaxed));
        assert!(begun.iter().all(|&games| games > 0), "{begun:?}");
        assert_eq!(begun.iter().sum::<usize>(), 16);
    }
    assert_eq!(left, [0; RANKS]);
}

#[test]
fn a_match_that_somebody_stops_at_one_rank_stops_at_all_and_goes_on_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let begun: [Begun; 2] = Default::default();
    let finished = Threads::run(RANKS, |ranks| {
        let rank = ranks.rank();
        let stop = Arc::new(AtomicBool::new(false));
        let mut stopped = counted(rank, &begun[0]);
        if rank == 1 {
            let (stop, make) = (Arc::clone(&stop), contestant(Habit::Random, "").make);
            stopped.contestants[1].make = Box::new(move |seed| {
                stop.store(true, Ordering::Relaxed);
                make(seed)
            });
        }
        let whole = counted(rank, &begun[1]);
        let never = AtomicBool::new(false);
        let play = |contest: &Match<Shogi>, stop| {
            contest.play_among(&*ranks, Some(folder.path()), stop, &mut |_| ()).unwrap().finished
        };
        [play(&stopped, &stop), play(&whole, &never)]
    });
    assert_eq!(finished, [[false, true]; RANKS]);
}

#[test]
fn a_rank_with_other_weights_or_settings_ends_the_match_for_all_with_one_problem() {
    let of = |change: fn(&mut Match<Shogi>)| {
        let problems = Threads::run(RANKS, |ranks| {
            let mut contest = contest([Habit::Random, Habit::Resigns], "nodes=1", 1);
            contest.settings.identities[1] = identity("a.safetensors", b"weights");
            if ranks.rank() == 1 {
                change(&mut contest);
            }
            let never = AtomicBool::new(false);
            match contest.play_among(&*ranks, None, &never, &mut |_| ()) {
                Err(MatchError::Rank { rank: 1, problem }) => problem,
                other => panic!("{other:?}"),
            }
        });
        assert!(problems.iter().all(|problem| *problem == problems[0]), "{problems:?}");
        problems[0].clone()
    };
    let weights = of(|contest| {
        contest.settings.identities[1] = identity("a.safetensors", b"other weights");
    });
    assert!(weights.starts_with("Resigns would play with other weights than at rank 0: a.safe"));
    let openings = of(|contest| contest.settings.openings = "7 openings".to_owned());
    let told = "its match is not that of rank 0: its openings is \"7 openings\", not \"4 random";
    assert!(openings.starts_with(told), "{openings}");
}

#[test]
fn all_ranks_take_the_weights_that_rank_0_finds() {
    let folder = tempfile::tempdir().unwrap();
    let file = |rank: usize| folder.path().join(format!("{rank}.safetensors"));
    (0..RANKS).for_each(|rank| fs::write(file(rank), [rank as u8; 9]).unwrap());
    let identities = Threads::run(RANKS, |ranks| {
        // As if each found another newest model in the folder of a run.
        let spec: PlayerSpec = format!("net:{}", file(ranks.rank()).display()).parse().unwrap();
        Contestant::<Shogi>::named(&*ranks, &spec, TimeControl::default()).unwrap().1
    });
    let of_rank_0 = identity(&file(0).display().to_string(), &[0; 9]);
    assert!(identities.iter().all(|identity| *identity == of_rank_0), "{identities:?}");
}
