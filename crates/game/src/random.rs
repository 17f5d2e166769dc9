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

    /// A number from the standard Gumbel distribution.
    pub fn gumbel(&mut self) -> f32 {
        let unit = ((self.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        -(-unit.ln()).ln() as f32
    }

    /// A uniformly chosen element, or `None` from an empty slice.
    #[inline]
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    /// A number from 0 to just below 1.
    #[inline]
    pub const fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A place in `weights`, none of which is negative, drawn with a probability in proportion to
    /// its weight. `None` if nothing has a weight.
    pub fn sample(&mut self, weights: &[f32]) -> Option<usize> {
        self.sample_by(weights.iter().map(|&weight| f64::from(weight)))
    }

    /// As [`sample`](Self::sample), by the weights to the power of 1 / `temperature`. `None` too if
    /// the temperature is not above 0.
    pub fn sample_tempered(&mut self, weights: &[f32], temperature: f32) -> Option<usize> {
        let most = weights.iter().copied().fold(0.0, f32::max);
        if most <= 0.0 || temperature <= 0.0 {
            return None;
        }
        let power = 1.0 / f64::from(temperature);
        self.sample_by(weights.iter().map(|&weight| f64::from(weight / most).powf(power)))
    }

    fn sample_by(&mut self, weights: impl Iterator<Item = f64> + Clone) -> Option<usize> {
        let mut left = self.unit() * weights.clone().sum::<f64>();
        // The last place with a weight, if rounding leads past the end.
        let mut last = None;
        for (place, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
            last = Some(place);
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }
}

/// The place of the largest of `weights`; of equals, the first. `None` if there is none.
pub fn likeliest(weights: &[f32]) -> Option<usize> {
    let best = weights.iter().enumerate().rev().max_by(|a, b| a.1.total_cmp(b.1));
    best.map(|(place, _)| place)
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
    use std::collections::HashSet;

    use super::*;

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

    fn shares(weights: &[f32], temperature: f32) -> Vec<f64> {
        let mut rng = SplitMix64::new(1);
        let mut counts = vec![0.0; weights.len()];
        for _ in 0..20_000 {
            counts[rng.sample_tempered(weights, temperature).unwrap()] += 1.0 / 20_000.0;
        }
        counts
    }

    fn near(shares: &[f64], expected: &[f64]) {
        assert!(shares.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.02), "{shares:?}");
    }

    #[test]
    fn places_are_drawn_by_their_weights() {
        near(&shares(&[1.0, 0.0, 3.0], 1.0), &[0.25, 0.0, 0.75]);
    }

    #[test]
    fn a_low_temperature_prefers_what_is_heavy_and_a_high_one_evens_out() {
        near(&shares(&[1.0, 3.0], 0.5), &[0.1, 0.9]);
        near(&shares(&[1.0, 3.0], 1000.0), &[0.5, 0.5]);
        near(&shares(&[1.0, 3.0], 1e-6), &[0.0, 1.0]);
    }

    #[test]
    fn nothing_is_drawn_without_weights_or_temperature() {
        let mut rng = SplitMix64::new(1);
        assert_eq!(rng.sample_tempered(&[], 1.0), None);
        assert_eq!(rng.sample_tempered(&[0.0], 1.0), None);
        assert_eq!(rng.sample_tempered(&[1.0], 0.0), None);
    }

    #[test]
    fn the_likeliest_of_equals_is_the_first() {
        assert_eq!(likeliest(&[0.1, 0.4, 0.4, 0.1]), Some(1));
        assert_eq!(likeliest(&[]), None);
    }

    #[test]
    fn sampling_follows_the_weights_and_never_takes_a_zero() {
        let mut rng = SplitMix64::new(0);
        let mut counts = [0; 4];
        (0..10_000).for_each(|_| counts[rng.sample(&[0.5, 0.0, 0.25, 0.25]).unwrap()] += 1);
        assert!((4800..5200).contains(&counts[0]), "{counts:?}");
        assert!((2300..2700).contains(&counts[2]), "{counts:?}");
        assert_eq!(counts[1], 0);
        assert_eq!(rng.sample(&[0.0, 1e-30, 0.0]), Some(1));
        assert_eq!(rng.sample(&[0.0]), None);
    }

    #[test]
    fn a_shuffle_is_a_permutation_and_reaches_all_orders() {
        let (mut orders, mut rng) = (HashSet::new(), SplitMix64::new(0));
        for _ in 0..200 {
            let mut items = [1, 2, 3];
            rng.shuffle(&mut items);
            assert_eq!(items.iter().sum::<i32>(), 6);
            orders.insert(items);
        }
        assert_eq!(orders.len(), 6);
    }

    #[test]
    fn gumbel_numbers_have_their_mean() {
        let mut rng = SplitMix64::new(3);
        let mean = (0..20_000).map(|_| f64::from(rng.gumbel())).sum::<f64>() / 20_000.0;
        // Euler's constant.
        assert!((mean - 0.5772).abs() < 0.03, "{mean}");
    }
}
