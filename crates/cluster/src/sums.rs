//! Numbers that are added up in a fixed order.

use std::ops::Range;

use crate::Communicator;

/// What one part of a minibatch adds up to, laid out flat so that it travels in one message.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    /// Many numbers: a gradient.
    pub floats: Vec<f32>,
    /// A few numbers that need more digits: losses, statistics.
    pub doubles: Vec<f64>,
    /// Numbers of which the largest counts.
    pub maxima: Vec<f64>,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
}

impl Sums {
    /// Adds the sums of the part that follows.
    pub fn add(&mut self, other: &Self) {
        add(&mut self.floats, &other.floats);
        self.add_few(&other.doubles, &other.maxima);
    }

    fn add_few(&mut self, doubles: &[f64], maxima: &[f64]) {
        self.doubles.iter_mut().zip(doubles).for_each(|(sum, number)| *sum += number);
        self.maxima.iter_mut().zip(maxima).for_each(|(most, number)| *most = most.max(*number));
    }

    /// Gives the floats in `given` to `peer` and adds those in `kept` that it gives; the few other
    /// numbers go both ways.
    pub(crate) fn exchange_halves(
        &mut self,
        ranks: &(dyn Communicator + '_),
        peer: usize,
        kept: &Range<usize>,
        given: &Range<usize>,
    ) {
        let mut outgoing = std::mem::take(&mut self.outgoing);
        let mut incoming = std::mem::take(&mut self.incoming);
        outgoing.clear();
        outgoing.extend_from_slice(bytemuck::cast_slice(&self.doubles));
        outgoing.extend_from_slice(bytemuck::cast_slice(&self.maxima));
        outgoing.extend_from_slice(bytemuck::cast_slice(&self.floats[given.clone()]));
        let few = size_of::<f64>() * (self.doubles.len() + self.maxima.len());
        incoming.resize(few + size_of::<f32>() * kept.len(), 0);
        ranks.exchange(peer, &outgoing, &mut incoming);
        let (few, floats) = incoming.split_at(few);
        let few: Vec<_> =
            few.as_chunks().0.iter().map(|&bytes| f64::from_ne_bytes(bytes)).collect();
        let (doubles, maxima) = few.split_at(self.doubles.len());
        self.add_few(doubles, maxima);
        for (sum, bytes) in self.floats[kept.clone()].iter_mut().zip(floats.as_chunks().0) {
            *sum += f32::from_ne_bytes(*bytes);
        }
        (self.outgoing, self.incoming) = (outgoing, incoming);
    }

    /// Gives the results in `own` to `peer` and takes its results, `theirs`.
    pub(crate) fn exchange_results(
        &mut self,
        ranks: &(dyn Communicator + '_),
        peer: usize,
        own: &Range<usize>,
        theirs: &Range<usize>,
    ) {
        // The two ranges lie side by side.
        let middle = own.start.max(theirs.start);
        let (low, high) = self.floats.split_at_mut(middle);
        let low = &mut low[own.start.min(theirs.start)..];
        let high = &mut high[..own.end.max(theirs.end) - middle];
        let is_low = own.end <= theirs.start;
        let (outgoing, incoming) = if is_low { (low, high) } else { (high, low) };
        ranks.exchange(peer, bytemuck::cast_slice(outgoing), bytemuck::cast_slice_mut(incoming));
    }
}

fn add(sums: &mut [f32], numbers: &[f32]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
}

/// Adds up `parts` along a binary tree into the first: neighbours first, then neighbours of
/// neighbours. The sums of all aligned halves, quarters … appear on the way, so that it does not
/// matter who adds up which of them.
pub fn tree_sum<T>(parts: &mut [T], mut add: impl FnMut(&mut T, &mut T)) {
    let mut distance = 1;
    while distance < parts.len() {
        for pair in parts.chunks_mut(2 * distance).filter(|pair| pair.len() > distance) {
            let (left, right) = pair.split_at_mut(distance);
            add(&mut left[0], &mut right[0]);
        }
        distance *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Threads;

    /// Shards whose sum depends on the order.
    fn shard(number: usize) -> Sums {
        let float = |place: usize| ((number * 31 + place * 17) as f32 * 0.7).sin().powi(5) * 1e3;
        Sums {
            floats: (0..1001).map(float).collect(),
            doubles: (0..5).map(|place| f64::from(float(place)) * 1e-3).collect(),
            maxima: vec![number as f64, -(number as f64)],
            ..Sums::default()
        }
    }

    fn sum_of(shards: std::ops::Range<usize>) -> Sums {
        let mut shards: Vec<_> = shards.map(shard).collect();
        tree_sum(&mut shards, |left, right| left.add(right));
        shards.swap_remove(0)
    }

    fn bits(sums: &Sums) -> (Vec<u32>, Vec<u64>, Vec<u64>) {
        let doubles = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect();
        let floats = sums.floats.iter().map(|number| number.to_bits()).collect();
        (floats, doubles(&sums.doubles), doubles(&sums.maxima))
    }

    #[test]
    fn sums_over_shards_are_the_same_bits_for_any_number_of_ranks() {
        let whole = sum_of(0..16);
        let in_order = (1..16).fold(shard(0), |mut sum, number| {
            sum.add(&shard(number));
            sum
        });
        assert_ne!(bits(&whole), bits(&in_order), "another order would not be noticed");
        for size in [1, 2, 4, 8, 16] {
            let found = Threads::run(size, |ranks| {
                let each = 16 / size;
                let mut sums = sum_of(ranks.rank() * each..(ranks.rank() + 1) * each);
                ranks.all_reduce(&mut sums);
                bits(&sums)
            });
            assert!(found.iter().all(|found| *found == bits(&whole)), "{size} ranks");
        }
    }

    #[test]
    fn a_few_numbers_and_none_are_added_up_too() {
        for count in [0, 1, 3] {
            let found = Threads::run(4, |ranks| {
                let mut sums = Sums { floats: vec![1.0; count], ..Sums::default() };
                ranks.all_reduce(&mut sums);
                sums.floats
            });
            assert_eq!(found, vec![vec![4.0; count]; 4]);
        }
    }
}
