//! Players who break the rules of a match.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use keisei_ladder::contest::{Faults, text};

use crate::players::{Habit, contest, contestant, play};

#[test]
fn crashes_time_losses_and_illegal_moves_are_counted_apart_and_the_match_goes_on() {
    let none = Faults::default();
    for (habit, limits, faults) in [
        (Habit::Crashes, "nodes=1", Faults { crashes: 4, ..none }),
        (Habit::Dawdles, "st=0.01 timemargin=5", Faults { time_losses: 4, ..none }),
        (Habit::Cheats, "nodes=1", Faults { illegal_moves: 4, ..none }),
        (Habit::Declares, "nodes=1", Faults { illegal_moves: 4, ..none }),
        (Habit::Resigns, "nodes=1", none),
    ] {
        let mut contest = contest([Habit::Random, habit], limits, 2);
        // The other one has all the time it wants, whatever else this machine does.
        contest.contestants[0].control = Default::default();
        let summary = play(&contest);
        assert_eq!(summary.games.wins, 4, "{habit:?}");
        assert_eq!(summary.faults, [none, faults], "{habit:?}");
    }
}

#[test]
fn the_report_names_who_failed() {
    let summary = play(&contest([Habit::Crashes, Habit::Random], "", 1));
    let report = text(&summary);
    let line = "Crashes: 2 crashes, 0 losses on time, 0 illegal moves\n";
    assert!(report.ends_with(line), "{report}");
}

#[test]
fn a_lasting_player_is_made_once_and_again_after_a_crash() {
    let made = |habit| {
        let mut contest = contest([habit, Habit::Random], "", 3);
        let count = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&count);
        let make = contestant(habit, "").make;
        contest.contestants[0].make = Box::new(move |seed| {
            counted.fetch_add(1, Ordering::Relaxed);
            make(seed)
        });
        contest.contestants[0].lasting = true;
        play(&contest);
        count.load(Ordering::Relaxed)
    };
    assert_eq!(made(Habit::Random), 1);
    assert_eq!(made(Habit::Crashes), 6);
}

#[test]
fn a_player_that_cannot_be_made_ends_the_match() {
    let mut contest = contest([Habit::Random, Habit::Random], "", 3);
    contest.contestants[1].make = Box::new(|_| Err("no such program".into()));
    let stop = false.into();
    let error = contest.play(None, &stop, &mut |_| ()).unwrap_err().to_string();
    assert_eq!(error, "Random cannot play: no such program");
}
