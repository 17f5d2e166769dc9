//! Matches that are stopped and go on.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use keisei_ladder::contest::{Journal, Match, Summary, identity};
use keisei_shogi::Shogi;

use crate::players::{Habit, contest, contestant};

fn go_on(contest: &Match<Shogi>, folder: &Path) -> Summary {
    contest.play(Some(folder), &AtomicBool::new(false), &mut |_| ()).unwrap()
}

/// Everything that a match leaves behind, its lines in the order of the games.
fn everything(folder: &Path) -> Vec<(String, String)> {
    let mut files = vec!["match.jsonl".to_owned(), "result.json".to_owned()];
    for entry in fs::read_dir(folder.join("games")).unwrap() {
        files.push(format!("games/{}", entry.unwrap().file_name().to_str().unwrap()));
    }
    files.sort();
    let content = |name: String| {
        let text = fs::read_to_string(folder.join(&name)).unwrap();
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        if name.ends_with("jsonl") {
            lines[1..].sort();
        }
        (name, lines.join("\n"))
    };
    files.into_iter().map(content).collect()
}

#[test]
fn a_match_stopped_again_and_again_ends_as_one_that_was_not() {
    let mut contest = contest([Habit::Random, Habit::Random], "nodes=1", 5);
    let whole = tempfile::tempdir().unwrap();
    let expected = go_on(&contest, whole.path());
    let pieces = tempfile::tempdir().unwrap();
    for finished in [2, 4, 6] {
        // Somebody stops the match when the second player sits down for its third game.
        let (stop, seated) = (Arc::new(AtomicBool::new(false)), AtomicU64::new(0));
        let (asked, make) = (Arc::clone(&stop), contestant(Habit::Random, "").make);
        contest.contestants[1].make = Box::new(move |seed| {
            asked.store(seated.fetch_add(1, Ordering::Relaxed) == 2, Ordering::Relaxed);
            make(seed)
        });
        let stopped = contest.play(Some(pieces.path()), &stop, &mut |_| ()).unwrap();
        assert_eq!((stopped.finished, stopped.games.count()), (false, finished));
    }
    contest.contestants[1] = contestant(Habit::Random, "");
    assert_eq!(go_on(&contest, pieces.path()), expected);
    assert_eq!(everything(pieces.path()), everything(whole.path()));
    // A finished match has nothing left to play.
    assert_eq!(go_on(&contest, pieces.path()), expected);
}

#[test]
fn half_a_line_is_a_game_that_is_played_again() {
    let contest = contest([Habit::Random, Habit::Random], "nodes=1", 2);
    let whole = tempfile::tempdir().unwrap();
    let expected = go_on(&contest, whole.path());
    let before = everything(whole.path());
    let lines = whole.path().join("match.jsonl");
    let text = fs::read_to_string(&lines).unwrap();
    for cut in [text.len() - 1, text.len() - 40, text.find('\n').unwrap()] {
        fs::write(&lines, &text[..cut]).unwrap();
        assert_eq!(go_on(&contest, whole.path()), expected);
        assert_eq!(everything(whole.path()), before);
    }
}

#[test]
fn a_line_may_be_cut_amid_a_character() {
    let mut contest = contest([Habit::Random, Habit::Random], "nodes=1", 2);
    contest.settings.players = ["先手", "後手"].map(str::to_owned);
    let folder = tempfile::tempdir().unwrap();
    let expected = go_on(&contest, folder.path());
    let lines = folder.path().join("match.jsonl");
    let bytes = fs::read(&lines).unwrap();
    let character = bytes.windows(3).position(|three| three == "先".as_bytes()).unwrap();
    fs::write(&lines, &bytes[..=character]).unwrap();
    assert_eq!(go_on(&contest, folder.path()), expected);
    // Elsewhere it is no line that was being written, and is named.
    let mut damaged = bytes.clone();
    damaged[bytes.len() - 3] = 0xff;
    fs::write(&lines, &damaged).unwrap();
    let error = contest.play(Some(folder.path()), &AtomicBool::new(false), &mut |_| ());
    let error = error.unwrap_err().to_string();
    assert!(error.ends_with("match.jsonl, line 5: it is not UTF-8"), "{error}");
    assert_eq!(fs::read(&lines).unwrap(), damaged, "nothing of it is lost");
}

#[test]
fn more_rounds_go_on_from_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let first = go_on(&contest([Habit::Random, Habit::Random], "nodes=1", 2), folder.path());
    assert_eq!((first.rounds, first.finished), (2, true));
    let more = go_on(&contest([Habit::Random, Habit::Random], "nodes=1", 4), folder.path());
    assert_eq!((more.rounds, more.games.count()), (4, 8));
}

#[test]
fn other_settings_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut contest = contest([Habit::Random, Habit::Random], "nodes=1", 1);
    go_on(&contest, folder.path());
    contest.settings.seed = 6;
    contest.settings.max_moves = None;
    let stop = AtomicBool::new(false);
    let refused = contest.play(Some(folder.path()), &stop, &mut |_| ()).unwrap_err().to_string();
    assert!(refused.contains("its max_moves is 60, not null"), "{refused}");
    assert!(refused.contains("its seed is 5, not 6"), "{refused}");
}

#[test]
fn other_weights_are_refused_with_the_player_and_both_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut contest = contest([Habit::Random, Habit::Random], "nodes=1", 1);
    contest.settings.identities[1] = identity("models/step_1.safetensors", b"one");
    go_on(&contest, folder.path());
    contest.settings.identities[1] = identity("elsewhere/step_1.safetensors", b"one");
    go_on(&contest, folder.path());
    contest.settings.identities[1] = identity("models/step_2.safetensors", b"two");
    let stop = AtomicBool::new(false);
    let refused = contest.play(Some(folder.path()), &stop, &mut |_| ()).unwrap_err().to_string();
    let words = ["Random played with other weights: models/step_1.safetensors ", ", now models/"];
    assert!(words.iter().all(|word| refused.contains(word)), "{refused}");
}

#[test]
fn damaged_lines_are_named_and_a_match_is_played_by_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest([Habit::Random, Habit::Random], "nodes=1", 1);
    let held = Journal::open(folder.path(), &contest.settings).unwrap();
    let stop = AtomicBool::new(false);
    let refused = || contest.play(Some(folder.path()), &stop, &mut |_| ()).unwrap_err().to_string();
    assert!(refused().contains("is being played by another process"));
    drop(held);
    let mut lines = fs::OpenOptions::new().append(true).open(folder.path().join("match.jsonl"));
    lines.as_mut().unwrap().write_all(b"{}\n").unwrap();
    let message = refused();
    assert!(message.contains("match.jsonl, line 2: missing field"), "{message}");
}
