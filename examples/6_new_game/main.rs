//! A new game, from its rules to a network that plays it perfectly, in some seconds.
//!
//! `hexapawn.rs` has the rules: the traits `Position` and `Game`. `encoding.rs` shows them to a
//! network: `Encode` and `Actions`. Everything below is written against these four, so it works for
//! hexapawn as it does for shogi: the suite that checks the laws of games, rollouts, PPO, networks.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

mod encoding;
mod hexapawn;

use anyhow::Result;
use keisei_encode::{Encode, legal_actions};
use keisei_game::{Game, Position, Side, conformance, likeliest};
use keisei_net::{Backend, DeviceRequest, Evaluator, LearnerConfig, NetConfig, UpdateSettings};
use keisei_train::Config;
use keisei_train::curriculum::Curriculum;
use keisei_train::opponents::Pool;
use keisei_train::ppo::{self, PpoSettings};
use keisei_train::rewind::Ring;
use keisei_train::rollout::Rollout;

use encoding::{Packed, Steps};
use hexapawn::{Board, Hexapawn, Step};

const SEED: u64 = 1;
const GAMES: usize = 64;
const STEPS: usize = 16;

fn main() -> Result<()> {
    // Plays random games and panics at the first law that is broken.
    conformance::check::<Hexapawn>(&["p.p/.P./P.. b"], 100, 20);
    println!("the laws hold; the {} player can win", winner(&Hexapawn::start_position()));

    let network = NetConfig { blocks: 1, channels: 16, value_hidden: 16, ..NetConfig::default() };
    let device = DeviceRequest::Cpu;
    let learner = LearnerConfig { network, seed: SEED, device, ..LearnerConfig::default() };
    let Backend { mut learner, .. } = learner.build::<Steps>()?;

    // Self-play: a rollout of all games at once, then PPO on its moves; and again.
    let mut config = Config::default();
    config.rewind.enabled = false;
    let ring = Ring::new(&config.rewind);
    let mut curriculum =
        Curriculum::new(&config.env, &config.rewind, &config.opponents, ring, GAMES, SEED);
    let mut pool = Pool::new(&config.opponents);
    let mut rollout = Rollout::<Steps>::new(&curriculum, GAMES, SEED, false);
    for update in 0..=60 {
        if update % 20 == 0 {
            let (lost, all) = lost_games(&mut *learner, &Hexapawn::new());
            println!("after {update} updates, the second player loses {lost} of {all} games");
        }
        let played = rollout.collect(&mut *learner, &mut pool, &mut curriculum, STEPS);
        let buffer = rollout.buffer();
        buffer.finish(&played.last_values, 1.0, 0.9, 0.1);
        ppo::update(&mut *learner, buffer, &SETTINGS, SEED, update);
    }
    Ok(())
}

const SETTINGS: PpoSettings = PpoSettings {
    epochs: 3,
    minibatch_size: 128,
    target_kl: None,
    step: UpdateSettings {
        learning_rate: 3e-3,
        clip_epsilon: 0.2,
        value_weight: 0.5,
        clip_value: false,
        entropy_weight: 0.02,
        relative_entropy: true,
        max_gradient_norm: 0.5,
    },
};

/// Who wins when both play perfectly.
fn winner(board: &Board) -> Side {
    let wins = |&mv: &Step| {
        let mut next = *board;
        next.play_unchecked(mv);
        winner(&next) == board.turn()
    };
    if board.legal_moves().iter().any(wins) { board.turn() } else { !board.turn() }
}

/// Plays the second side by the network's likeliest moves against everything that the first side can
/// do: how many games it loses, of how many.
fn lost_games(network: &mut dyn Evaluator<Packed>, game: &Hexapawn) -> (u32, u32) {
    if let Some(outcome) = game.outcome() {
        return (u32::from(outcome.winner() == Some(Side::First)), 1);
    }
    let actions = legal_actions::<Steps>(game.position());
    let mut moves: Vec<_> = actions.iter().map(|&(_, mv)| mv).collect();
    if game.turn() == Side::Second {
        let numbers: Vec<u32> = actions.iter().map(|&(number, _)| number as u32).collect();
        let policy = &network.evaluate(&[game.pack()], &[&numbers])[0].policy;
        moves = vec![moves[likeliest(policy).expect("there is a move")]];
    }
    moves.into_iter().fold((0, 0), |(lost, all), mv| {
        let mut next = game.clone();
        next.play_unchecked(mv);
        let (more_lost, more) = lost_games(network, &next);
        (lost + more_lost, all + more)
    })
}

// Output:
//
// the laws hold; the second player can win
// after 0 updates, the second player loses 9 of 12 games
// after 20 updates, the second player loses 0 of 10 games
// after 40 updates, the second player loses 0 of 12 games
// after 60 updates, the second player loses 0 of 10 games
