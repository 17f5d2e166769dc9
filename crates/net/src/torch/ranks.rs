//! Sums over the ranks that learn together.

use std::sync::Arc;

use keisei_cluster::{Alone, Communicator, Sums};
use tch::{Kind, Tensor};

use super::device::{TorchDevice, download};
use super::layers::BatchStatistics;
use super::learner::Backward;

/// Which of the metrics is a largest: the distance of a ratio from 1. The ones before are means, the
/// one after is the gradient's norm.
const LARGEST: usize = 6;

/// The ranks that learn together, and what travels between them.
#[derive(Debug)]
pub(super) struct Ranks {
    ranks: Arc<dyn Communicator>,
    sums: Sums,
    pinned: Option<Tensor>,
}

impl Default for Ranks {
    fn default() -> Self {
        Self::new(Arc::new(Alone))
    }
}

impl Ranks {
    pub(super) fn new(ranks: Arc<dyn Communicator>) -> Self {
        Self { ranks, sums: Sums::default(), pinned: None }
    }

    /// What all ranks together say, from what this one says of its `count` positions among `total`.
    /// The gradient goes through pinned memory of the host. A single rank waits for nothing.
    pub(super) fn add_up(
        &mut self,
        device: TorchDevice,
        own: Backward,
        (count, total): (usize, usize),
    ) -> Backward {
        if self.ranks.size() == 1 {
            return own;
        }
        let Backward { metrics, gradient, statistics } = own;
        let share = count as f64 / total as f64;
        let Self { ranks, sums, pinned } = self;
        device.download_pinned(&(gradient * share), pinned, &mut sums.floats);
        let metrics = download(&metrics);
        sums.doubles.clear();
        sums.doubles.extend(metrics[..LARGEST].iter().map(|&mean| f64::from(mean) * share));
        sums.maxima.clear();
        sums.maxima.push(f64::from(metrics[LARGEST]));
        for BatchStatistics { mean, variance, .. } in &statistics {
            // Means and means of squares can be added up.
            let squares = variance + mean.square();
            let numbers = [mean, &squares].into_iter().flat_map(download);
            sums.doubles.extend(numbers.map(|number| f64::from(number) * share));
        }
        ranks.all_reduce(sums);
        let gradient = device.upload(&sums.floats);
        let mut numbers: Vec<_> = sums.doubles[..LARGEST].iter().map(|&mean| mean as f32).collect();
        numbers.push(sums.maxima[0] as f32);
        let norm = gradient.to_kind(Kind::Double).square().sum(None).sqrt().to_kind(Kind::Float);
        let metrics = Tensor::cat(&[device.upload(&numbers), norm.view(1)], 0);
        let mut rest = &sums.doubles[LARGEST..];
        let mut next = |like: &Tensor| {
            let (numbers, after) = rest.split_at(like.numel());
            rest = after;
            let numbers: Vec<_> = numbers.iter().map(|&number| number as f32).collect();
            device.upload(&numbers).view_as(like)
        };
        let together = |own: &BatchStatistics| {
            let (mean, squares) = (next(&own.mean), next(&own.variance));
            let variance = (squares - mean.square()).clamp_min(0.0);
            BatchStatistics { layer: own.layer.clone(), mean, variance }
        };
        let statistics = statistics.iter().map(together).collect();
        Backward { metrics, gradient, statistics }
    }
}
