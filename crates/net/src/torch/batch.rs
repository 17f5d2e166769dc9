//! Batches on their way to the device.

use rayon::prelude::*;
use tch::Tensor;

use super::device::TorchDevice;

/// Positions whose legal actions one thread looks up at a time.
const POSITIONS_A_TASK: usize = 256;

/// Positions on the device.
pub(super) struct Positions {
    /// How many there are.
    pub(super) len: usize,
    /// `[rows, bytes]`: the observations, then rows of zeros.
    pub(super) observations: Tensor,
    /// Where the logits of all legal actions lie, one position after the other, in rows of columns.
    pub(super) places: Tensor,
}

/// How many rows a batch of `len` positions gets. Every size of a convolution has to be prepared
/// for, so it pays to have few of them.
pub(super) fn rows(len: usize) -> usize {
    match len {
        0..=256 => len.next_power_of_two().max(16),
        _ => len.next_multiple_of(256),
    }
}

impl Positions {
    /// Brings positions to the device. `logit_places` says where in its row each action's logit
    /// lies; rows have `columns`.
    ///
    /// # Panics
    ///
    /// If the lengths differ or a position has no legal action.
    pub(super) fn new<P: AsRef<[u8]>>(
        device: TorchDevice,
        (logit_places, columns): (&[u32], usize),
        observations: &[P],
        legal: &[&[u32]],
    ) -> Self {
        let (len, rows) = (observations.len(), rows(observations.len()));
        assert_eq!(len, legal.len(), "one list of legal actions a position");
        assert!(i32::try_from(rows * columns).is_ok(), "{rows} positions are too many at once");
        let size = observations.first().map_or(0, |packed| packed.as_ref().len());
        let mut bytes = Vec::with_capacity(rows * size);
        observations.iter().for_each(|packed| bytes.extend_from_slice(packed.as_ref()));
        bytes.resize(rows * size, 0);
        let look_up = |(task, legal): (usize, &[&[u32]])| {
            let mut places = Vec::new();
            for (row, actions) in (task * POSITIONS_A_TASK..).zip(legal) {
                assert!(!actions.is_empty(), "a position has a legal action");
                let place = |&action: &u32| row * columns + logit_places[action as usize] as usize;
                places.extend(actions.iter().map(|action| place(action) as i32));
            }
            places
        };
        let places: Vec<_> = legal.par_chunks(POSITIONS_A_TASK).enumerate().map(look_up).collect();
        Self {
            len,
            observations: device.upload(&bytes).view([rows as i64, size as i64]),
            places: device.upload(&places.concat()),
        }
    }
}
