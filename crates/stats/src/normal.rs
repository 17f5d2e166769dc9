//! The normal distribution.

/// The probability that a standard normal variable is below `x`.
///
/// Marsaglia's series ½ + φ(x)·(x + x³/3 + x⁵/15 + …), which is exact to the last digits.
pub fn cumulative(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    if x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while sum + term != sum {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    0.5 + density * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_quantiles_are_met() {
        for (x, probability) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (1.959_963_984_540_054, 0.975),
            (-3.0, 0.001_349_898_031_630),
        ] {
            assert!((cumulative(x) - probability).abs() < 1e-14, "{x}: {}", cumulative(x));
        }
        assert_eq!([cumulative(-40.0), cumulative(f64::INFINITY)], [0.0, 1.0]);
        assert!(cumulative(f64::NAN).is_nan());
    }
}
