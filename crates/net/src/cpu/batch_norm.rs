//! The statistics of batch normalisation: mean and variance of what layers give.

use super::layout::{LayerLayout, ScaleShift, WeightLayout};
use crate::architecture::{Affine, Layer, MIN_SCALE, MOMENTUM, Parameters};

/// Sums of the results of normalised layers, laid out like the statistics of the network.
#[derive(Clone, Debug)]
pub(crate) struct BatchStatistics {
    /// For each output the sum where the mean is stored, the sum of squares where the variance is.
    sums: Vec<f64>,
    /// How many results were added to each.
    counts: Vec<u64>,
}

impl BatchStatistics {
    /// Of nothing yet; `len` statistics.
    pub(crate) fn new(len: usize) -> Self {
        Self { sums: vec![0.0; len], counts: vec![0; len] }
    }

    pub(crate) fn clear(&mut self) {
        self.sums.fill(0.0);
        self.counts.fill(0);
    }

    /// Adds the results of a layer before their activation: rows of its columns.
    pub(crate) fn measure(&mut self, layout: &LayerLayout, results: &[f32]) {
        for (layer, first) in &layout.parts {
            let Affine::BatchNorm { mean, variance, .. } = &layer.affine else { continue };
            for row in results.chunks_exact(layout.columns) {
                for (output, &result) in row[*first..][..layer.outputs].iter().enumerate() {
                    let result = f64::from(result);
                    self.sums[mean.start + output] += result;
                    self.sums[variance.start + output] += result * result;
                }
            }
            let rows = (results.len() / layout.columns) as u64;
            self.counts[mean.clone()].iter_mut().for_each(|count| *count += rows);
        }
    }

    /// Adds what was measured elsewhere.
    pub(crate) fn add(&mut self, other: &Self) {
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| *sum += other);
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, other)| *count += other);
    }

    /// All that is added up, flat.
    pub(crate) fn to_numbers(&self) -> impl Iterator<Item = f64> {
        self.sums.iter().copied().chain(self.counts.iter().map(|&count| count as f64))
    }

    /// Takes over what [`BatchStatistics::to_numbers`] gave.
    pub(crate) fn set_numbers(&mut self, numbers: &[f64]) {
        let (sums, counts) = numbers.split_at(self.sums.len());
        self.sums.copy_from_slice(sums);
        self.counts.iter_mut().zip(counts).for_each(|(own, &count)| *own = count as u64);
    }

    /// Moves the statistics of a layer towards what was measured with them.
    fn update_layer(&self, layer: &Layer, parameters: &mut Parameters) {
        let Affine::BatchNorm { mean, variance, .. } = &layer.affine else { return };
        for output in 0..layer.outputs {
            let (mean, variance) = (mean.start + output, variance.start + output);
            let scale_shift = ScaleShift::of(layer, output, parameters);
            let (count, scale) = (self.counts[mean] as f64, f64::from(scale_shift.scale));
            if count == 0.0 || scale_shift.scale.abs() < MIN_SCALE {
                continue;
            }
            let result_mean = self.sums[mean] / count;
            let result_variance = (self.sums[variance] / count - result_mean.powi(2)).max(0.0);
            // From the results back to the products that were normalised.
            let seen = [
                (mean, (result_mean - f64::from(scale_shift.shift)) / scale),
                (variance, result_variance / scale.powi(2)),
            ];
            for (place, seen) in seen {
                let number = &mut parameters.statistics[place];
                *number += (MOMENTUM * (seen - f64::from(*number))) as f32;
            }
        }
    }

    /// Moves all statistics towards what was measured with `parameters`.
    pub(crate) fn update_running(&self, layers: &WeightLayout, parameters: &mut Parameters) {
        for (layer, _) in layers.all().flat_map(|layout| &layout.parts) {
            self.update_layer(layer, parameters);
        }
    }
}
