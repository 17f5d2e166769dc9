//! Drawing by weights.

use keisei_game::SplitMix64;

/// A place in `weights`, none of which is negative, drawn with a probability in proportion to its
/// weight to the power of 1 / `temperature`. `None` if nothing has a weight or the temperature is
/// not above 0.
pub(crate) fn draw(weights: &[f32], temperature: f32, rng: &mut SplitMix64) -> Option<usize> {
    let most = weights.iter().copied().fold(0.0, f32::max);
    if most <= 0.0 || temperature <= 0.0 {
        return None;
    }
    let tempered: Vec<f64> = weights
        .iter()
        .map(|&weight| f64::from(weight / most).powf(1.0 / f64::from(temperature)))
        .collect();
    let unit = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let mut left = unit * tempered.iter().sum::<f64>();
    let drawn = tempered.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    drawn.or_else(|| weights.iter().rposition(|&weight| weight > 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(weights: &[f32], temperature: f32) -> Vec<f64> {
        let mut rng = SplitMix64::new(1);
        let mut counts = vec![0.0; weights.len()];
        for _ in 0..20_000 {
            counts[draw(weights, temperature, &mut rng).unwrap()] += 1.0 / 20_000.0;
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
        assert_eq!(draw(&[], 1.0, &mut rng), None);
        assert_eq!(draw(&[0.0], 1.0, &mut rng), None);
        assert_eq!(draw(&[1.0], 0.0, &mut rng), None);
    }
}
