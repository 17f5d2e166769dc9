//! How many moves a second PPO acts and prepares to learn from where the network answers at once:
//! what the CPU costs beside a GPU. `ppo_speed [games] [steps] [epochs]`; `RAYON_NUM_THREADS` says
//! on how many threads. What only one thread can do is what the thread does that asks the others;
//! processor time is told from Linux's counts, because other programs may take turns.
#![allow(clippy::print_stdout)]

use std::fs;
use std::path::Path;
use std::time::Instant;

use keisei_encode::shogi::{Compact, Packed};
use keisei_net::loss::log_softmax;
use keisei_net::{
    Evaluation, Evaluator, Examples, ImitationSettings, Learner, Losses, Outputs, Selection,
    StateError, Transitions, UpdateSettings,
};
use keisei_shogi::Shogi;
use keisei_train::config::{Config, Sources};
use keisei_train::curriculum::Curriculum;
use keisei_train::opponents::Pool;
use keisei_train::ppo::{self, PpoSettings};
use keisei_train::rewind::Ring;
use keisei_train::rollout::Rollout;
use rayon::prelude::*;

/// Says something else of every position and learns nothing, without thinking.
#[derive(Default)]
struct Oracle {
    /// How long it took to say it.
    time: Time,
}

/// Time that has passed, in seconds.
#[derive(Clone, Copy, Default)]
struct Time {
    wall: f64,
    /// The processor time of all threads.
    all: f64,
    /// Of this one.
    own: f64,
}

impl Time {
    /// How long some work takes.
    fn of<R>(work: impl FnOnce() -> R) -> (Self, R) {
        let (start, all, own) = (Instant::now(), all_threads(), this_thread());
        let result = work();
        let (all, own) = (all_threads() - all, this_thread() - own);
        (Self { wall: start.elapsed().as_secs_f64(), all, own }, result)
    }

    fn add(&mut self, more: Self) {
        self.wall += more.wall;
        self.all += more.all;
        self.own += more.own;
    }

    /// Says it for each of `moves`, less the time of an oracle.
    fn say(&self, what: &str, oracle: Self, moves: usize) {
        let each = |time: f64, less: f64| 1e6 * (time - less) / moves as f64;
        println!(
            "{what}: {:.0} moves/s; {:.3} µs of processor time a move, {:.3} on one thread alone",
            1e6 / each(self.wall, oracle.wall),
            each(self.all, oracle.all),
            each(self.own, oracle.own),
        );
    }
}

/// The processor time of all threads so far, where the system tells.
fn all_threads() -> f64 {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else { return 0.0 };
    tasks.flatten().map(|task| processor_time(&task.path().join("schedstat"))).sum()
}

fn this_thread() -> f64 {
    processor_time(Path::new("/proc/thread-self/schedstat"))
}

fn processor_time(path: &Path) -> f64 {
    let text = fs::read_to_string(path).unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    1e-9 * nanoseconds.unwrap_or(0.0)
}

impl Evaluator<Packed> for Oracle {
    fn evaluate(&mut self, observations: &[Packed], legal: &[&[u32]]) -> Vec<Evaluation> {
        let mut outputs = Outputs::default();
        self.evaluate_into(observations, legal, &mut outputs);
        let mut rest = &outputs.logits[..];
        let mut rows = Vec::with_capacity(legal.len());
        for (actions, &value) in legal.iter().zip(&outputs.values) {
            let (row, after) = rest.split_at(actions.len());
            rows.push((row, value));
            rest = after;
        }
        let evaluation = |(logits, value): (&[f32], f32)| {
            let mut policy = logits.to_vec();
            log_softmax(&mut policy);
            policy.iter_mut().for_each(|log| *log = log.exp());
            Evaluation { value, policy }
        };
        rows.into_par_iter().map(evaluation).collect()
    }

    fn evaluate_into(&mut self, observations: &[Packed], legal: &[&[u32]], outputs: &mut Outputs) {
        let noise = |number: u32| (number.wrapping_mul(2_654_435_761) >> 24) as f32 / 64.0;
        let (time, ()) = Time::of(|| {
            outputs.clear();
            for (observation, actions) in observations.iter().zip(legal) {
                outputs.logits.extend(actions.iter().map(|&action| noise(action)));
                let sum = observation.as_ref().iter().map(|&byte| u32::from(byte)).sum();
                outputs.values.push(noise(sum) / 4.0 - 0.5);
            }
        });
        self.time.add(time);
    }
}

impl Learner<Packed> for Oracle {
    fn update(
        &mut self,
        _: &Transitions<'_, Packed>,
        _: &[Vec<Selection>],
        _: &UpdateSettings,
        _: Option<f64>,
    ) -> Vec<Losses> {
        Vec::new()
    }

    fn imitate(
        &mut self,
        _: &Examples<'_, Packed>,
        _: &[Selection],
        _: &ImitationSettings,
    ) -> Vec<Losses> {
        Vec::new()
    }

    fn state(&self) -> Vec<u8> {
        Vec::new()
    }

    fn restore(&mut self, _: &[u8]) -> Result<(), StateError> {
        Ok(())
    }

    fn weights(&self) -> Vec<u8> {
        Vec::new()
    }
}

fn main() {
    let numbers: Vec<usize> =
        std::env::args().skip(1).map(|word| word.parse().expect("a number")).collect();
    let [games, steps, epochs] =
        [(0, 4096), (1, 32), (2, 3)].map(|(place, usual)| *numbers.get(place).unwrap_or(&usual));
    let overrides = vec![format!("rollout.games={games}"), "rewind.seed_games=1000".to_owned()];
    let sources = Sources { preset: Some("gpu".to_owned()), overrides, ..Sources::default() };
    let config = Config::load(&sources).expect("the preset is sound");
    let ring = Ring::seeded::<Shogi>(&config.rewind, 1, 512);
    let Config { env, rewind, opponents, .. } = &config;
    let mut curriculum = Curriculum::new(env, rewind, opponents, ring, games, 1);
    let mut rollout = Rollout::<Compact>::new(&curriculum, games, 1, true);
    let mut pool = Pool::new(opponents);
    let settings = PpoSettings {
        epochs,
        minibatch_size: 8192,
        target_kl: None,
        step: UpdateSettings {
            learning_rate: 1e-3,
            clip_epsilon: 0.2,
            value_weight: 0.5,
            clip_value: false,
            entropy_weight: 0.02,
            relative_entropy: true,
            max_gradient_norm: 0.5,
        },
    };
    let moves = games * steps;
    for round in 0..4 {
        let mut oracle = Oracle::default();
        let (acting, collected) =
            Time::of(|| rollout.collect(&mut oracle, &mut pool, &mut curriculum, steps));
        let buffer = rollout.buffer();
        let (finishing, _) = Time::of(|| buffer.finish(&collected.last_values, 0.99, 0.95, 0.1));
        let (preparing, _) = Time::of(|| ppo::update(&mut oracle, buffer, &settings, 1, round));
        // Games spread over all their lengths first.
        if round > 0 {
            acting.say("acting", oracle.time, moves);
            finishing.say("advantages", Time::default(), moves);
            preparing.say("minibatches of all epochs", Time::default(), moves);
        }
    }
}
