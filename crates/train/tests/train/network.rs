//! The trainer with the real network, for both games.

use keisei_encode::chess::AlphaZero;
use keisei_encode::shogi::Compact;
use keisei_encode::{Actions, Observation};
use keisei_net::{CpuLearner, LoadEvaluator, NetConfig, NetEvaluator};
use keisei_train::config::{Config, Sources};
use keisei_train::trainer::Trainer;

/// The settings of a preset in small, and what `method` adds to them.
fn config(preset: &str, method: &[&str]) -> Config {
    let settings = [
        "env.seed=5",
        "env.max_moves_per_game=60",
        "env.min_moves_per_game=none",
        "network.blocks=1",
        "network.channels=8",
        "rollout.games=16",
        "rollout.steps=8",
        "training.minibatch_size=64",
        "rewind.seed_games=30",
    ];
    let overrides = settings.iter().chain(method).copied().map(str::to_owned).collect();
    Config::load(&Sources { preset: Some(preset.to_owned()), overrides, ..Sources::default() })
        .unwrap()
}

/// PPO with everything that a checkpoint can hold.
const PPO: &[&str] = &["training.teacher=none", "opponents.share=0.3", "opponents.interval=2"];

const TEACHER: &[&str] =
    &["training.teacher=search", "teacher.simulations=6", "teacher.candidates=4"];

fn load<A: Actions>() -> Box<LoadEvaluator<Observation<A>>> {
    Box::new(|weights| Ok(Box::new(NetEvaluator::<A>::from_weights(weights)?)))
}

fn learner<A: Actions>(config: &Config) -> Box<CpuLearner<A>> {
    Box::new(CpuLearner::new(&NetConfig::from(&config.network), 1).unwrap())
}

fn learn<A: Actions>(trainer: &mut Trainer<A>, updates: u32) {
    for _ in 0..updates {
        let collected = trainer.collect();
        let learned = trainer.learn(&collected).unwrap();
        assert!(learned.update.first_ratio_error < 1e-4, "{learned:?}");
        assert!(learned.is_sound() && learned.update.losses.entropy > 0.5, "{learned:?}");
    }
}

/// The state after some updates, without and with a stop in between.
fn straight_and_resumed<A: Actions>(preset: &str, method: &[&str]) -> [Vec<u8>; 2] {
    let config = config(preset, method);
    let mut straight =
        Trainer::<A>::new(config.clone(), learner::<A>(&config), load::<A>()).unwrap();
    learn(&mut straight, 3);
    let stored = straight.checkpoint(None, Default::default());
    learn(&mut straight, 3);
    let (mut resumed, _) =
        Trainer::<A>::resume(config.clone(), learner::<A>(&config), load::<A>(), &stored).unwrap();
    learn(&mut resumed, 3);
    [straight.learner().state(), resumed.learner().state()]
}

#[test]
fn shogi_is_learned_and_resumed_bit_by_bit() {
    let [straight, resumed] = straight_and_resumed::<Compact>("cpu", PPO);
    assert!(straight == resumed);
}

#[test]
fn chess_is_learned_and_resumed_bit_by_bit() {
    let [straight, resumed] = straight_and_resumed::<AlphaZero>("chess-cpu", PPO);
    assert!(straight == resumed);
}

#[test]
fn what_a_teacher_shows_is_learned_and_resumed_bit_by_bit_in_either_game() {
    let [straight, resumed] = straight_and_resumed::<Compact>("cpu", TEACHER);
    assert!(straight == resumed);
    let [straight, resumed] = straight_and_resumed::<AlphaZero>("chess-cpu", TEACHER);
    assert!(straight == resumed);
}
