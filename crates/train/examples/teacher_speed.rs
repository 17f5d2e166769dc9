//! How many moves a second a search teaches where the network answers at once: the most that any
//! GPU can bring. `teacher_speed [games] [steps] [threads that ask]`.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use keisei_encode::shogi::{Compact, Packed};
use keisei_net::{Evaluation, Evaluator, Outputs};
use keisei_shogi::Shogi;
use keisei_train::config::{Config, Sources, Teaching};
use keisei_train::curriculum::Curriculum;
use keisei_train::opponents::Pool;
use keisei_train::rewind::Ring;
use keisei_train::rollout::Rollout;
use keisei_train::teacher::Teacher;

/// Says something else of every position, without thinking.
struct Oracle {
    asked_by: usize,
}

impl Evaluator<Packed> for Oracle {
    fn evaluate(&mut self, observations: &[Packed], legal: &[&[u32]]) -> Vec<Evaluation> {
        let even = |actions: &&[u32]| vec![1.0 / actions.len() as f32; actions.len()];
        let evaluation = |(_, actions)| Evaluation { value: 0.0, policy: even(actions) };
        observations.iter().zip(legal).map(evaluation).collect()
    }

    fn evaluate_into(&mut self, observations: &[Packed], legal: &[&[u32]], outputs: &mut Outputs) {
        outputs.clear();
        for (observation, actions) in observations.iter().zip(legal) {
            let noise = |number: u32| (number.wrapping_mul(2_654_435_761) >> 24) as f32 / 64.0;
            outputs.logits.extend(actions.iter().map(|&action| noise(action)));
            let sum = observation.as_ref().iter().map(|&byte| u32::from(byte)).sum();
            outputs.values.push(noise(sum) / 4.0 - 0.5);
        }
    }

    fn searchers(&mut self) -> Vec<Box<dyn Evaluator<Packed>>> {
        let fork = |_| Box::new(Self { asked_by: 0 }) as Box<dyn Evaluator<Packed>>;
        (0..self.asked_by).map(fork).collect()
    }
}

fn main() {
    let numbers: Vec<usize> =
        std::env::args().skip(1).map(|word| word.parse().expect("a number")).collect();
    let [games, steps, asked_by] =
        [(0, 4096), (1, 40), (2, 4)].map(|(place, usual)| *numbers.get(place).unwrap_or(&usual));
    let overrides = vec![format!("rollout.games={games}"), "rewind.seed_games=1000".to_owned()];
    let sources = Sources { preset: Some("gpu".to_owned()), overrides, ..Sources::default() };
    let config = Config::load(&sources).expect("the preset is sound");
    assert_eq!(config.training.teacher, Teaching::Search);
    let ring = Ring::seeded::<Shogi>(&config.rewind, 1, 512);
    let Config { env, rewind, opponents, .. } = &config;
    let mut curriculum = Curriculum::new(env, rewind, opponents, ring, games, 1);
    let mut rollout =
        Rollout::<Compact>::new(&curriculum, games, 1, true).taught_by(Teacher::of(&config, games));
    let mut pool = Pool::new(opponents);
    let mut oracle = Oracle { asked_by };
    // Games spread over all their lengths first.
    rollout.collect(&mut oracle, &mut pool, &mut curriculum, steps);
    let start = Instant::now();
    let collected = rollout.collect(&mut oracle, &mut pool, &mut curriculum, steps);
    let moves = (games * steps) as f64;
    let (all, network) = (start.elapsed().as_secs_f64(), collected.network_time.as_secs_f64());
    println!(
        "{:.0} moves/s; {:.1} µs a move, of which the oracle takes {:.1}",
        moves / all,
        1e6 * all / moves,
        1e6 * network / moves,
    );
}
