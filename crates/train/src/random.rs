//! Random numbers that are a function of what they are for.
//!
//! Nothing keeps the state of a generator between moves: each draw has its own stream, made from
//! the run's seed, the purpose and two numbers such as game and step. So a run that is resumed
//! draws what it would have drawn, whatever happened before.

use std::hash::{BuildHasher, RandomState};

use keisei_game::SplitMix64;

/// What random numbers are for. Streams for different purposes have nothing in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Choosing a move: game, step.
    Action = 1,
    /// Beginning an episode: game, episode.
    Start,
    /// Shuffling a rollout: update, epoch.
    Shuffle,
    /// Random games to rewind to: game.
    Seeding,
    /// Choosing rewound games to keep: step, number among those that ended.
    Keep,
    /// Openings of evaluation games: pair.
    Opening,
    /// A player's moves in evaluation games.
    Player,
    /// Held-out positions: position.
    HeldOut,
}

/// A seed that nobody chose, small enough for every reader of numbers.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0) >> 11
}

/// The stream of numbers for `purpose`, `a` and `b` in the run with this seed.
pub fn stream(seed: u64, purpose: Purpose, a: u64, b: u64) -> SplitMix64 {
    let mixed = [purpose as u64, a, b].into_iter().fold(seed, |state, word| {
        // The mixer between the words keeps (1, 2) and (2, 1) apart.
        SplitMix64::new(SplitMix64::new(state).next_u64() ^ word).next_u64()
    });
    SplitMix64::new(mixed)
}

/// A number in [0, 1).
pub fn unit(rng: &mut SplitMix64) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// A place in `weights` with a probability in proportion to its weight. The last place with a
/// weight if rounding leads past the end.
///
/// # Panics
///
/// If no weight is above 0.
pub fn sample(rng: &mut SplitMix64, weights: &[f32]) -> usize {
    let total: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    let mut left = unit(rng) * total;
    let mut last = None;
    for (place, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        last = Some(place);
        left -= f64::from(weight);
        if left < 0.0 {
            break;
        }
    }
    last.expect("one weight is above 0")
}

/// Puts `items` into a random order.
pub fn shuffle<T>(rng: &mut SplitMix64, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn streams_differ_by_seed_purpose_and_both_numbers_and_repeat_otherwise() {
        let purposes = [Purpose::Action, Purpose::Start, Purpose::Shuffle];
        let mut firsts = HashSet::new();
        for seed in 0..5 {
            for purpose in purposes {
                for (a, b) in (0..20).flat_map(|a| (0..20).map(move |b| (a, b))) {
                    let first = stream(seed, purpose, a, b).next_u64();
                    assert_eq!(first, stream(seed, purpose, a, b).next_u64());
                    firsts.insert(first);
                }
            }
        }
        assert_eq!(firsts.len(), 5 * 3 * 400);
    }

    #[test]
    fn sampling_follows_the_weights_and_never_takes_a_zero() {
        let mut rng = stream(0, Purpose::Action, 0, 0);
        let mut counts = [0; 4];
        (0..10_000).for_each(|_| counts[sample(&mut rng, &[0.5, 0.0, 0.25, 0.25])] += 1);
        assert!((4800..5200).contains(&counts[0]), "{counts:?}");
        assert!((2300..2700).contains(&counts[2]), "{counts:?}");
        assert_eq!(counts[1], 0);
        assert_eq!(sample(&mut rng, &[0.0, 1e-30, 0.0]), 1);
    }

    #[test]
    fn a_shuffle_is_a_permutation_and_reaches_all_orders() {
        let mut orders = HashSet::new();
        for a in 0..200 {
            let mut items = [1, 2, 3];
            shuffle(&mut stream(0, Purpose::Shuffle, a, 0), &mut items);
            assert_eq!(items.iter().sum::<i32>(), 6);
            orders.insert(items);
        }
        assert_eq!(orders.len(), 6);
    }
}
