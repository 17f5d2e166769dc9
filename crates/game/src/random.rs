//! A small, seedable source of random numbers, and games played with it.

use crate::{Game, Position};

/// A pseudo-random generator with 64 bits of state (the SplitMix64 mixer over a counter). The same
/// seed gives the same numbers on every machine; it is not for secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that is a function of `seed` alone.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0. The bias is below `bound` / 2⁶⁴.
    #[inline]
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// A uniformly chosen element, or `None` from an empty slice.
    #[inline]
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }
}

/// Plays uniformly random legal moves from where `game` stands until it is over or `plies` moves
/// were added. The same seed gives the same game.
pub fn random_game<G: Game>(game: &mut G, seed: u64, plies: usize) {
    let mut rng = SplitMix64::new(seed);
    for _ in 0..plies {
        if game.outcome().is_some() {
            return;
        }
        let Some(mv) = rng.choose(game.position().legal_moves().as_ref()) else { return };
        game.play_unchecked(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn the_generator_gives_its_published_sequence() {
        // The reference values of SplitMix64 for seed 1234567.
        let mut rng = SplitMix64::new(1_234_567);
        assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn below_stays_below_and_reaches_every_value() {
        let mut rng = SplitMix64::new(0);
        let mut seen = [0; 7];
        (0..7000).for_each(|_| seen[rng.below(7)] += 1);
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
        assert_eq!(rng.choose::<u8>(&[]), None);
    }
}
