//! The Adam optimiser.

pub(crate) const BETA1: f32 = 0.9;
pub(crate) const BETA2: f32 = 0.999;
pub(crate) const EPSILON: f32 = 1e-5;

/// Adam's memory of earlier gradients.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adam {
    /// How many steps were made.
    pub(crate) step: u64,
    /// The decaying mean of the gradients.
    pub(crate) means: Vec<f32>,
    /// The decaying mean of their squares.
    pub(crate) squares: Vec<f32>,
}

impl Adam {
    pub(crate) fn new(len: usize) -> Self {
        Self { step: 0, means: vec![0.0; len], squares: vec![0.0; len] }
    }

    /// Moves `weights` against `factor` · `gradient`.
    pub(crate) fn step(&mut self, weights: &mut [f32], gradient: &[f32], factor: f32, rate: f32) {
        self.step += 1;
        // In f64: after many steps the corrections differ from 1 by less than f32 can tell.
        let correction = |decay: f32| 1.0 - f64::from(decay).powf(self.step as f64);
        let rate = f64::from(rate) / correction(BETA1);
        let rate = rate as f32;
        let root = correction(BETA2).sqrt() as f32;
        let memory = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, gradient), (mean, square)) in weights.iter_mut().zip(gradient).zip(memory) {
            let gradient = gradient * factor;
            *mean += (1.0 - BETA1) * (gradient - *mean);
            *square += (1.0 - BETA2) * (gradient * gradient - *square);
            *weight -= rate * *mean / (square.sqrt() / root + EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_steps_are_those_of_the_definition() {
        let mut adam = Adam::new(1);
        let mut weight = [1.0];
        let (mut mean, mut square, mut exact) = (0.0_f64, 0.0_f64, 1.0_f64);
        for (i, gradient) in [(1, 0.5), (2, -0.25)] {
            adam.step(&mut weight, &[gradient], 0.5, 0.1);
            let gradient = f64::from(gradient) * 0.5;
            mean = 0.9 * mean + 0.1 * gradient;
            square = 0.999 * square + 0.001 * gradient * gradient;
            let (mean, square) =
                (mean / (1.0 - 0.9_f64.powi(i)), square / (1.0 - 0.999_f64.powi(i)));
            exact -= 0.1 * mean / (square.sqrt() + 1e-5);
        }
        assert!((f64::from(weight[0]) - exact).abs() < 1e-6, "{} {exact}", weight[0]);
    }
}
