//! Evaluations: fair games, told with their intervals, and never an end to training.

use std::error::Error;
use std::fs;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use keisei_cluster::Alone;
use keisei_encode::shogi::Compact;
use keisei_game::{Game, Side, SplitMix64};
use keisei_net::Learner;
use keisei_shogi::{Move, Shogi};
use keisei_train::callbacks::{Callback, Requests};
use keisei_train::config::{Config, Env, Evaluation as Settings, Rewind, Rollout, Training};
use keisei_train::evaluate::{
    Candidates, Choice, Conditions, Evaluation, EvaluationReport, Player, RandomPlayer, play, score,
};
use keisei_train::metrics::Record;
use keisei_train::run::RunFolder;
use keisei_train::session::Parts;
use keisei_train::{End, Session};

use crate::linear::{Linear, load};

fn conditions(games: usize) -> Conditions {
    let deadline = Instant::now() + Duration::from_secs(60);
    Conditions { games, opening_plies: 6, limit: 80, seed: 1, deadline }
}

fn random(seed: u64) -> RandomPlayer {
    RandomPlayer(SplitMix64::new(seed))
}

#[test]
fn each_opening_is_played_twice_with_colours_exchanged() {
    let games = play::<Shogi>(&conditions(20), &mut random(1), &mut random(2)).unwrap();
    assert_eq!(games.len(), 20);
    let mut openings = Vec::new();
    for pair in games.chunks(2) {
        assert_eq!((pair[0].side, pair[1].side), (Side::First, Side::Second));
        assert_eq!(pair[0].game.moves()[..6], pair[1].game.moves()[..6]);
        openings.push(pair[0].game.moves()[..6].to_vec());
    }
    openings.dedup();
    assert_eq!(openings.len(), 10);
    assert!(games.iter().all(|game| game.game.ply() <= 80 && game.outcome.is_some()));
    let result = score(&games);
    assert_eq!(result.games(), 20);
    assert!(result.truncated > 0 && result.truncated <= result.draws);
}

/// Gives up every game it can by playing into a loss, or waits for it.
struct Resigner;

impl Player<Shogi> for Resigner {
    fn name(&self) -> &str {
        "slow"
    }

    fn choose(&mut self, games: &[&Shogi]) -> Result<Vec<Move>, Box<dyn Error>> {
        std::thread::sleep(Duration::from_millis(30));
        random(3).choose(games)
    }
}

#[test]
fn when_time_is_up_the_games_finished_by_then_count() {
    let deadline = Instant::now() + Duration::from_millis(100);
    let conditions = Conditions { deadline, ..conditions(4) };
    let games = play(&conditions, &mut random(1), &mut Resigner).unwrap();
    assert!(games.iter().all(|game| game.outcome.is_none() && game.game.ply() > 6));
    assert_eq!(score(&games).mean(), None);
}

fn config() -> Config {
    Config {
        env: Env { seed: Some(3), max_moves_per_game: 40, ..Env::default() },
        training: Training {
            minibatch_size: 32,
            ppo_epochs: 1,
            total_steps: 512,
            ..Training::default()
        },
        rollout: Rollout { games: 8, steps: 16 },
        rewind: Rewind { seed_games: 20, ..Rewind::default() },
        evaluation: Settings {
            eval_interval: 2,
            eval_games: 4,
            mate_positions: 10,
            ..Settings::default()
        },
        ..Config::default()
    }
}

/// Keeps what it is told.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<(EvaluationReport, Record)>>>);

impl Callback for Listener {
    fn on_evaluation(&mut self, report: &EvaluationReport, record: &Record, _: &mut Requests) {
        self.0.lock().unwrap().push((report.clone(), record.clone()));
    }
}

/// Trains to the end with these players, and gives what evaluations said.
fn train(
    config: Config,
    players: Vec<Box<dyn Player<Shogi>>>,
    runs: &tempfile::TempDir,
) -> Vec<(EvaluationReport, Record)> {
    let listener = Listener::default();
    let mut session = Session::<Compact>::begin(
        RunFolder::named(runs.path(), "run").unwrap().hold().unwrap(),
        Parts {
            config,
            learner: Box::new(Linear::new()),
            load: load(),
            players,
            callbacks: vec![Box::new(listener.clone())],
            ranks: Arc::new(Alone),
        },
    )
    .unwrap();
    assert_eq!(session.train(&AtomicBool::new(false)).unwrap(), End::Finished);
    listener.0.lock().unwrap().clone()
}

#[test]
fn evaluations_come_on_their_interval_against_random_and_the_self_before() {
    let runs = tempfile::tempdir().unwrap();
    let told = train(config(), Vec::new(), &runs);
    assert_eq!(told.iter().map(|(_, record)| record.update).collect::<Vec<_>>(), [2, 4]);
    let opponents = |report: &EvaluationReport| -> Vec<_> {
        report.results.iter().map(|result| (result.opponent.clone(), result.choice)).collect()
    };
    let against = |name: &str| Choice::ALL.map(|choice| (name.to_owned(), choice)).to_vec();
    assert_eq!(opponents(&told[0].0), against("random"));
    assert_eq!(opponents(&told[1].0), [against("random"), against("previous")].concat());
    let record = &told[1].1;
    for name in ["eval/score_vs_random", "eval/score_vs_random_greedy", "eval/score_vs_previous"] {
        let [mean, low, high] =
            ["", "_low", "_high"].map(|end| record.get(&format!("{name}{end}")).unwrap());
        assert!(0.0 <= low && low < mean + 1e-9 && mean - 1e-9 < high && high <= 1.0, "{name}");
    }
    assert!(record.get("eval/elo").is_some() && record.get("eval/elo_err").is_some());
    assert!(record.get("eval/mate_in_one").is_some());
}

#[test]
fn an_evaluation_may_have_more_time_than_a_clock_can_count() {
    for timeout in [1e19, 1e20] {
        let mut config = config();
        config.evaluation.eval_timeout = timeout;
        assert_eq!(train(config, Vec::new(), &tempfile::tempdir().unwrap()).len(), 2);
    }
}

#[test]
fn games_of_evaluations_are_kept_as_lines_that_replay() {
    let runs = tempfile::tempdir().unwrap();
    let told = train(config(), Vec::new(), &runs);
    let folder = runs.path().join("run/games");
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(path.extension().unwrap(), "usi");
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(text.lines().count(), 4);
        for line in text.lines() {
            let game: Shogi = line.parse().unwrap_or_else(|e| panic!("{line}: {e}"));
            assert!(game.ply() > 4 && game.ply() <= 40);
        }
        files += 1;
    }
    assert_eq!(files, told.iter().map(|(report, _)| report.results.len()).sum::<usize>());
}

/// Fails in one way or another.
struct Unreliable(&'static str);

impl Player<Shogi> for Unreliable {
    fn name(&self) -> &str {
        self.0
    }

    fn choose(&mut self, games: &[&Shogi]) -> Result<Vec<Move>, Box<dyn Error>> {
        match self.0 {
            "buggy" => panic!("the player has a bug"),
            "cheating" => Ok(vec!["5e5d".parse()?; games.len()]),
            _ => Err("the player is gone".into()),
        }
    }
}

#[test]
fn a_player_that_fails_is_reported_and_training_goes_on() {
    let runs = tempfile::tempdir().unwrap();
    let mut config = config();
    let names = ["cheating", "failing", "random"];
    config.evaluation.opponents = names.map(str::to_owned).to_vec();
    let players: Vec<Box<dyn Player<Shogi>>> =
        names[..2].iter().map(|&name| Box::new(Unreliable(name)) as Box<_>).collect();
    let told = train(config, players, &runs);
    for (report, _) in told {
        assert_eq!(report.results.len(), 2, "the games against random were played");
        let problems = report.problems.join("; ");
        for expected in ["5e5d is illegal", "the player is gone"] {
            assert!(problems.contains(expected), "{problems}");
        }
    }
}

#[test]
#[should_panic(expected = "the player has a bug")]
fn a_bug_that_shows_in_an_evaluation_ends_the_run() {
    let runs = tempfile::tempdir().unwrap();
    let mut config = config();
    config.evaluation.opponents = vec!["buggy".to_owned()];
    train(config, vec![Box::new(Unreliable("buggy"))], &runs);
}

#[test]
fn weights_that_cannot_be_loaded_are_reported_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut evaluation = Evaluation::<Compact>::new(
        &config().evaluation,
        &config().env,
        3,
        Vec::new(),
        folder.path().to_owned(),
    )
    .unwrap();
    let load = load();
    let weights = Linear::new().weights();
    let mut broken = Candidates { update: 1, weights: &weights[1..], previous: None, load: &*load };
    let report = evaluation.run(&broken, &Alone);
    assert!(report.results.is_empty() && report.mates.is_none());
    assert!(report.problems.iter().any(|problem| problem.contains("bytes for")), "{report:?}");
    broken.weights = &weights;
    assert_eq!(evaluation.run(&broken, &Alone).results.len(), 2);
}

#[test]
fn an_opponent_that_nobody_knows_is_refused_before_the_run_begins() {
    let mut config = config();
    config.evaluation.opponents.push("meijin".to_owned());
    let folder = std::env::temp_dir();
    let refused =
        Evaluation::<Compact>::new(&config.evaluation, &config.env, 3, Vec::new(), folder)
            .map(|_| ());
    let message = refused.unwrap_err().to_string();
    assert_eq!(message, "evaluation.opponents names \"meijin\"; known are: random, previous");
}
