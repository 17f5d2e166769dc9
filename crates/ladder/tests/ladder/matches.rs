//! Matches between players who behave.

use std::fs;
use std::sync::atomic::AtomicBool;

use keisei_engine::{Greedy, MateInOne, Random};
use keisei_game::Side;
use keisei_ladder::contest::{Contestant, FinishedGame, Match, Openings};
use keisei_ladder::stats::{Games, Pairs, Verdict};
use keisei_records::{AnyRecord, Format, read};
use keisei_shogi::Shogi;

use crate::players::{Habit, Heard, contest, listening, play};

/// The games in a match's folder, by number, with their records.
fn games(folder: &std::path::Path) -> Vec<(FinishedGame, String)> {
    let lines = fs::read_to_string(folder.join("match.jsonl")).unwrap();
    let games = lines.lines().skip(1).map(|line| serde_json::from_str(line).unwrap());
    let mut games: Vec<FinishedGame> = games.collect();
    games.sort_by_key(|game| game.game);
    let record = |game: FinishedGame| {
        let name = format!("games/{:05}-{}.csa", game.game / 2 + 1, game.game % 2 + 1);
        let record = fs::read_to_string(folder.join(name)).unwrap();
        (game, record)
    };
    games.into_iter().map(record).collect()
}

#[test]
fn both_games_of_a_pair_begin_alike_and_colours_are_exchanged() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest([Habit::Random, Habit::Random], "", 3);
    contest.play(Some(folder.path()), &AtomicBool::new(false), &mut |_| ()).unwrap();
    let games = games(folder.path());
    assert_eq!(games.len(), 6);
    for pair in games.chunks(2) {
        let [(one, _), (two, _)] = pair else { panic!("games come in pairs") };
        assert_eq!(one.opening, two.opening);
        assert_eq!([one.first, two.first], [0, 1]);
        assert_eq!(one.moves[..4], one.opening.moves[..]);
        assert_ne!(one.moves, two.moves);
    }
    assert_ne!(games[0].0.opening, games[2].0.opening);
}

#[test]
fn games_are_the_same_however_many_are_played_at_once() {
    let played = |concurrency| {
        let folder = tempfile::tempdir().unwrap();
        let mut contest = contest([Habit::Random, Habit::Random], "nodes=1", 6);
        contest.concurrency = concurrency;
        let never = AtomicBool::new(false);
        let summary = contest.play(Some(folder.path()), &never, &mut |_| ()).unwrap();
        (summary, games(folder.path()))
    };
    assert!(played(1) == played(4));
}

#[test]
fn records_hold_the_game_with_its_players_and_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest([Habit::Random, Habit::Resigns], "", 1);
    contest.play(Some(folder.path()), &AtomicBool::new(false), &mut |_| ()).unwrap();
    for (game, record) in games(folder.path()) {
        let [AnyRecord::Shogi(record)] = &read(record.as_bytes(), Some(Format::Csa)).unwrap()[..]
        else {
            panic!("one game of shogi")
        };
        let moves: Vec<_> = record.main_moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, game.moves);
        let winner = record.outcome().and_then(|outcome| outcome.winner()).unwrap();
        assert_eq!(record.player(winner), Some("Random"));
        assert_eq!(record.player(!winner), Some("Resigns"));
    }
}

#[test]
fn a_test_ends_the_match_at_the_first_round_that_decides() {
    let mut contest = contest([Habit::Random, Habit::Resigns], "", 1000);
    contest.settings.sprt = Some("elo0=0 elo1=50 model=logistic".parse().unwrap());
    let sprt = contest.settings.sprt.unwrap();
    let needed = (1..).find(|&n| sprt.pairs_llr(Pairs([0, 0, 0, 0, n])) >= sprt.bounds().1);
    for concurrency in [1, 3] {
        contest.concurrency = concurrency;
        let summary = play(&contest);
        assert_eq!(Some(summary.rounds), needed);
        assert_eq!(summary.sprt.unwrap().verdict, Some(Verdict::H1));
        assert!(summary.finished);
    }
    contest.contestants.swap(0, 1);
    assert_eq!(play(&contest).sprt.unwrap().verdict, Some(Verdict::H0));
}

#[test]
fn a_match_without_a_folder_gives_the_records_of_the_games_that_count() {
    let mut contest = contest([Habit::Random, Habit::Resigns], "", 1000);
    contest.settings.sprt = Some("elo0=0 elo1=50 model=logistic".parse().unwrap());
    contest.concurrency = 3;
    let never = AtomicBool::new(false);
    let (summary, records) = contest.play_recorded(&never, &mut |_| ()).unwrap();
    assert_eq!(summary, play(&contest));
    assert_eq!(records.len() as u64, summary.games.count());
    for (record, first) in records.iter().zip(["Random", "Resigns"].into_iter().cycle()) {
        let AnyRecord::Shogi(record) = record else { panic!("games of shogi") };
        assert_eq!(record.player(Side::First), Some(first));
    }
    contest.rounds = 0;
    assert_eq!(contest.play_recorded(&never, &mut |_| ()).unwrap().1.len(), 0);
}

#[test]
fn standings_are_told_round_by_round() {
    let mut told = Vec::new();
    let contest = contest([Habit::Random, Habit::Resigns], "", 3);
    let stop = AtomicBool::new(false);
    contest.play(None, &stop, &mut |summary| told.push(summary.games.count())).unwrap();
    assert_eq!(told, [2, 4, 6]);
}

#[test]
fn single_games_exchange_colours_from_round_to_round() {
    let folder = tempfile::tempdir().unwrap();
    let mut contest = contest([Habit::Resigns, Habit::Random], "", 4);
    contest.settings.games_per_round = 1;
    let never = AtomicBool::new(false);
    let summary = contest.play(Some(folder.path()), &never, &mut |_| ()).unwrap();
    assert_eq!(summary.games, Games { wins: 0, draws: 0, losses: 4 });
    assert_eq!((summary.as_first.count(), summary.pentanomial), (2, None));
    assert_eq!(fs::read_dir(folder.path().join("games")).unwrap().count(), 4);
}

/// A match of the yardsticks in which everything is as in the command line's.
fn yardsticks(players: [Contestant<Shogi>; 2], rounds: u64) -> Match<Shogi> {
    let mut contest = contest([Habit::Random, Habit::Random], "", rounds);
    contest.settings.max_moves = Some(512);
    contest.openings = Openings::Random { plies: 2 };
    contest.concurrency = 2;
    contest.contestants = players;
    contest
}

#[test]
fn who_sees_mates_and_who_takes_pieces_beat_random_play() {
    fn player(
        name: &str,
        make: impl Fn(u64) -> Box<dyn keisei_engine::Player<Shogi>> + Send + Sync + 'static,
    ) -> Contestant<Shogi> {
        let control = Default::default();
        let make = Box::new(move |seed| Ok(make(seed)));
        Contestant { name: name.to_owned(), control, make, lasting: false }
    }
    let random = || player("random", |seed| Box::new(Random::new(seed)));
    let mate = player("mate1", |seed| Box::new(MateInOne::new(seed)));
    let summary = play(&yardsticks([mate, random()], 12));
    assert!(summary.los.unwrap() > 0.95, "{summary:?}");
    let greedy = player("greedy", |seed| Box::new(Greedy::new(seed)));
    let summary = play(&yardsticks([greedy, random()], 12));
    assert!(summary.los.unwrap() > 0.99, "{summary:?}");
}

#[test]
fn both_players_hear_how_every_game_ended() {
    for (habit, won) in [(Habit::Resigns, Some(false)), (Habit::Crashes, Some(false))] {
        let heard = Heard::default();
        let mut contest = contest([Habit::Random, habit], "", 1);
        contest.contestants = [Habit::Random, habit].map(|habit| listening(habit, "", &heard));
        play(&contest);
        let heard = heard.lock().unwrap();
        let times = |what| heard.iter().filter(|&told| *told == what).count();
        assert_eq!(heard.len(), 4, "two players, two games");
        assert_eq!((times((Habit::Random, Some(true))), times((habit, won))), (2, 2), "{heard:?}");
    }
}
