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
    Episode,
    /// Shuffling a shard of a rollout: update, epoch and shard.
    Shuffle,
    /// Random games to rewind to: game.
    Seeding,
    /// Choosing rewound games to keep: game, step.
    Keep,
    /// Openings of evaluation games: pair.
    Opening,
    /// A player's moves in evaluation games.
    Player,
    /// Held-out positions: position.
    HeldOut,
    /// The noise of a teacher's search: game, step.
    Search,
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn streams_differ_by_seed_purpose_and_both_numbers_and_repeat_otherwise() {
        let purposes = [Purpose::Action, Purpose::Episode, Purpose::Shuffle];
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
}
