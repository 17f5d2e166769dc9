//! The real network learns shogi from nothing: what `cargo xtask check` runs in release mode.
//!
//! `cargo nextest run --release -p keisei-train --features learning --test learns`
#![allow(clippy::print_stdout, reason = "what was learned is worth seeing, with --no-capture")]

use keisei_encode::shogi::Compact;
use keisei_net::{CpuLearner, NetConfig, NetEvaluator};
use keisei_train::cluster::Alone;
use keisei_train::config::{Config, Sources};
use keisei_train::evaluate::{Candidates, Choice, Evaluation, EvaluationReport, MatchResult};
use keisei_train::trainer::Trainer;

/// How many updates are made, of 8192 moves each.
const UPDATES: u64 = 36;

/// The settings of the preset for PPO on a CPU with a smaller network.
fn config() -> Config {
    let settings = [
        "env.seed=1",
        "network.blocks=2",
        "evaluation.eval_games=300",
        "evaluation.eval_timeout=600",
        "evaluation.opponents=[\"random\"]",
        "evaluation.save_eval_games=false",
    ];
    let mut overrides = settings.map(str::to_owned).to_vec();
    overrides.push(format!("training.total_steps={}", UPDATES * 8192));
    let preset = Some("cpu-ppo".to_owned());
    Config::load(&Sources { preset, overrides, ..Sources::default() }).unwrap()
}

/// The score against random play with sampled moves: low end, mean and high end.
fn score(report: &EvaluationReport) -> [f64; 3] {
    let is_sampled = |result: &&MatchResult| result.choice == Choice::Sampled;
    let score = report.results.iter().find(is_sampled).unwrap().score;
    let (low, high) = score.interval().unwrap();
    [low, score.mean().unwrap(), high]
}

#[test]
fn a_small_network_learns_to_mate_to_value_and_to_beat_random_play() {
    let config = config();
    assert_eq!(config.rollout.games * config.rollout.steps, 8192);
    let learner = CpuLearner::<Compact>::new(&NetConfig::from(&config.network), 1).unwrap();
    let load = |weights: &[u8]| Ok(Box::new(NetEvaluator::<Compact>::from_weights(weights)?) as _);
    let mut evaluation = Evaluation::<Compact>::new(
        &config.evaluation,
        &config.env,
        99,
        Vec::new(),
        std::env::temp_dir(),
    )
    .unwrap();
    let mut trainer = Trainer::<Compact>::new(config, Box::new(learner), Box::new(load)).unwrap();
    let mut evaluate = |update, weights: &[u8]| {
        let report =
            evaluation.run(&Candidates { update, weights, previous: None, load: &load }, &Alone);
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        report
    };
    let before = evaluate(0, &trainer.learner().weights());
    let mut explained = Vec::new();
    for _ in 0..UPDATES {
        let collected = trainer.collect();
        let learned = trainer.learn(&collected).unwrap();
        assert!(learned.update.first_ratio_error < 1e-3 && learned.is_sound(), "{learned:?}");
        explained.push(learned.summary.explained_variance);
    }
    let after = evaluate(UPDATES, &trainer.learner().weights());
    let late = &explained[explained.len() - 10..];
    let explained = late.iter().sum::<f64>() / late.len() as f64;
    let told = format!(
        "against random {:.3?}, then {:.3?}; mates in one {:.3?}, then {:.3?}; explained {explained:.3}",
        score(&before),
        score(&after),
        before.mates,
        after.mates,
    );
    println!("{told}");
    let mates = after.mates.unwrap();
    assert!(mates.chance < 0.1 && mates.greedy > 0.3, "{told}");
    assert!(explained > 0.2, "{told}");
    assert!(score(&after)[0] > score(&before)[2], "{told}");
}
