//! The trainer with the real network, for both games.

use keisei_encode::chess::AlphaZero;
use keisei_encode::shogi::Compact;
use keisei_encode::{Actions, Observation};
use keisei_net::{CpuLearner, NetConfig, NetEvaluator};
use keisei_train::config::{Config, Sources};
use keisei_train::opponents::LoadPlayer;
use keisei_train::trainer::Trainer;

fn config(preset: &str) -> Config {
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
        "opponents.share=0.3",
        "opponents.interval=2",
    ];
    let overrides = settings.map(str::to_owned).to_vec();
    Config::load(&Sources { preset: Some(preset.to_owned()), overrides, ..Sources::default() })
        .unwrap()
}

fn load<A: Actions>() -> Box<LoadPlayer<Observation<A>>> {
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
fn straight_and_resumed<A: Actions>(preset: &str) -> [Vec<u8>; 2] {
    let config = config(preset);
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
    let [straight, resumed] = straight_and_resumed::<Compact>("cpu");
    assert!(straight == resumed);
}

#[test]
fn chess_is_learned_and_resumed_bit_by_bit() {
    let [straight, resumed] = straight_and_resumed::<AlphaZero>("chess-cpu");
    assert!(straight == resumed);
}
