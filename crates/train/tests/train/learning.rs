//! The loop learns: from positions shortly before mates it finds out what mates look like.

use keisei_encode::shogi::Compact;
use keisei_game::SplitMix64;
use keisei_train::config::{Config, Env, Rewind, Rollout, Training};
use keisei_train::evaluate::{Choice, MatePositions, MatesFound, NetworkPlayer};
use keisei_train::trainer::{TrainError, Trainer};

use crate::linear::{Linear, load};

fn config(seed: u64) -> Config {
    Config {
        env: Env { seed: Some(seed), max_moves_per_game: 300, ..Env::default() },
        training: Training {
            learning_rate: 0.02,
            gamma: 0.997,
            lambda_gae: 0.9,
            ppo_epochs: 2,
            minibatch_size: 256,
            relative_entropy: true,
            advantage_floor: 0.1,
            target_kl: Some(0.05),
            ..Training::default()
        },
        rollout: Rollout { games: 64, steps: 16 },
        rewind: Rewind { seed_games: 300, depth: 1, depth_max: 3, share: 0.9, ..Rewind::default() },
        ..Config::default()
    }
}

fn trainer(config: Config) -> Result<Trainer<Compact>, TrainError> {
    Trainer::new(config, Box::new(Linear::new()), load())
}

fn mates_found(trainer: &Trainer<Compact>, held_out: &MatePositions<Compact>) -> MatesFound {
    let network = Linear::player(&trainer.learner().weights()).unwrap();
    let rng = SplitMix64::new(0);
    let mut player = NetworkPlayer::new("network", Box::new(network), Choice::Greedy, false, rng);
    held_out.ask(&mut player).unwrap()
}

#[test]
fn mates_in_one_are_found_far_more_often_after_learning() {
    let held_out = MatePositions::collect(150, 99, 500);
    for seed in [1, 2] {
        let mut trainer = trainer(config(seed)).unwrap();
        let before = mates_found(&trainer, &held_out);
        assert!((before.sampled - before.chance).abs() < 1e-6, "{before:?}");
        let mut explained = 0.0;
        for _ in 0..60 {
            let collected = trainer.collect();
            let learned = trainer.learn(&collected).unwrap();
            assert!(learned.update.first_ratio_error < 1e-4, "{learned:?}");
            assert!(learned.is_sound());
            explained = learned.summary.explained_variance;
        }
        let after = mates_found(&trainer, &held_out);
        assert!(after.sampled > 4.0 * after.chance, "{before:?} {after:?}");
        assert!(after.greedy > 5.0 * after.chance, "{before:?} {after:?}");
        assert!(explained > 0.3, "{explained}");
    }
}

#[test]
fn the_same_seed_learns_the_same_on_any_number_of_threads() {
    let learn = |seed, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut trainer = trainer(config(seed)).unwrap();
            for _ in 0..3 {
                let collected = trainer.collect();
                trainer.learn(&collected).unwrap();
            }
            trainer.learner().state()
        })
    };
    let once = learn(1, 1);
    assert!(once == learn(1, 3), "threads must not matter");
    assert!(once != learn(2, 1), "the seed must matter");
}

#[test]
fn sizes_that_are_not_the_games_are_refused_before_anything_is_played() {
    let refused = |input_channels, action_space_size| {
        let env = Env { input_channels, action_space_size, ..config(1).env };
        trainer(Config { env, ..config(1) }).map(|_| ()).unwrap_err().to_string()
    };
    assert!(refused(45, 2187).contains("has 46 planes"));
    assert!(refused(46, 6480).contains("no room for promotions and drops"));
    assert!(refused(46, 13_527).contains("2187"));
    let env = Env { game: keisei_train::config::GameName::Chess, ..config(1).env };
    let message = trainer(Config { env, ..config(1) }).map(|_| ()).unwrap_err().to_string();
    assert_eq!(message, "env.game is chess, but this is the trainer of shogi");
}
