//! Batches on their way to the device.

use tch::{Kind, Tensor};

use super::device::TorchDevice;
use super::loss::Transitions;
use crate::learner::{self, Examples, UpdateSettings};

/// Where the logits of actions lie: in rows, one a position, of so many columns.
#[derive(Debug)]
pub(super) struct LogitPlaces {
    /// The column of each action.
    columns_of: Tensor,
    /// How long a row is.
    columns: usize,
}

impl LogitPlaces {
    pub(super) fn new(columns_of: Vec<u32>, columns: usize, device: TorchDevice) -> Self {
        assert!(
            i16::try_from(columns_of.len()).is_ok(),
            "{} actions are too many",
            columns_of.len()
        );
        let columns_of: Vec<_> = columns_of.iter().map(|&column| column as i32).collect();
        Self { columns_of: device.upload(&columns_of), columns }
    }

    pub(super) fn shallow_clone(&self) -> Self {
        Self { columns_of: self.columns_of.shallow_clone(), columns: self.columns }
    }

    /// Where the logits of `actions` lie, which belong to the positions `rows`.
    fn of(&self, actions: &Tensor, rows: &Tensor) -> Tensor {
        let columns = self.columns_of.index_select(0, &actions.to_kind(Kind::Int));
        columns + rows * self.columns as i64
    }
}

/// Positions on the device.
pub(super) struct Positions {
    /// How many there are.
    pub(super) len: usize,
    /// `[rows, bytes]`: the observations, then rows that only fill up.
    pub(super) observations: Tensor,
    /// Where the logits of all legal actions lie, one position after the other.
    pub(super) places: Tensor,
    /// The place of the position that each of these actions belongs to.
    pub(super) owners: Tensor,
    /// `[len]`: how many legal actions each position has.
    pub(super) counts: Tensor,
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
    /// Brings positions to the device.
    ///
    /// # Panics
    ///
    /// If the lengths differ or a position has no legal action.
    pub(super) fn new<P: AsRef<[u8]> + Sync>(
        device: TorchDevice,
        logits: &LogitPlaces,
        observations: &[P],
        legal: &[&[u32]],
    ) -> Self {
        let (len, rows) = (observations.len(), rows(observations.len()));
        check_size(rows, logits);
        let legal = LegalActions::new(device, len, legal);
        let owners = owners(&legal.counts, legal.total);
        Self {
            len,
            observations: upload_observations(device, observations, rows),
            places: logits.of(&legal.actions, &owners),
            owners,
            counts: legal.counts,
        }
    }
}

fn check_size(rows: usize, logits: &LogitPlaces) {
    let fits = i32::try_from(rows * logits.columns).is_ok();
    assert!(fits, "{rows} positions are too many at once");
}

/// `[rows, bytes]`: the observations, then zeros.
fn upload_observations<P: AsRef<[u8]> + Sync>(
    device: TorchDevice,
    observations: &[P],
    rows: usize,
) -> Tensor {
    let size = observations.first().map_or(0, |packed| packed.as_ref().len());
    let len = observations.len();
    let bytes = device.upload_rows(observations, |packed| packed.as_ref().iter().copied());
    let bytes = bytes.view([len as i64, size as i64]);
    if rows == len { bytes } else { bytes.constant_pad_nd([0, 0, 0, (rows - len) as i64]) }
}

/// The place of the position that each of all legal actions belongs to, if they have `counts`.
fn owners(counts: &Tensor, total: i64) -> Tensor {
    let numbers = Tensor::arange(counts.size()[0], (Kind::Int, counts.device()));
    numbers.repeat_interleave_self_tensor(counts, 0, total)
}

/// The legal actions of positions on the device.
struct LegalActions {
    /// One position after the other.
    actions: Tensor,
    /// How many each position has.
    counts: Tensor,
    /// How many there are.
    total: i64,
}

impl LegalActions {
    fn new(device: TorchDevice, positions: usize, legal: &[&[u32]]) -> Self {
        assert_eq!(positions, legal.len(), "one list of legal actions a position");
        let counts: Vec<_> = legal.iter().map(|actions| actions.len() as i32).collect();
        assert!(counts.iter().all(|&count| count > 0), "a position has a legal action");
        Self {
            actions: device.upload_rows(legal, |legal| legal.iter().map(|&action| action as i16)),
            counts: device.upload(&counts),
            total: counts.iter().map(|&count| i64::from(count)).sum(),
        }
    }
}

/// The positions of a rollout on the device, of which minibatches are taken there.
struct RolloutPositions {
    observations: Tensor,
    legal: LegalActions,
    /// Where the legal actions of each position begin.
    starts: Tensor,
    /// How many legal actions each position has.
    counts: Vec<usize>,
}

/// Positions of a rollout that make up a minibatch.
struct Gathered {
    positions: Positions,
    /// `[len]`: their places in the rollout.
    places: Tensor,
    /// `[len]`: where the legal actions of each begin among those of the minibatch.
    starts: Tensor,
    /// The places of their legal actions among those of the rollout.
    legal: Tensor,
}

impl RolloutPositions {
    fn new<P: AsRef<[u8]> + Sync>(
        device: TorchDevice,
        observations: &[P],
        legal: &[&[u32]],
    ) -> Self {
        let len = observations.len();
        let counts = legal.iter().map(|legal| legal.len()).collect();
        let legal = LegalActions::new(device, len, legal);
        Self {
            observations: upload_observations(device, observations, len),
            starts: legal.counts.cumsum(0, Kind::Int64) - &legal.counts,
            legal,
            counts,
        }
    }

    /// The positions in `places`.
    fn gather(&self, device: TorchDevice, logits: &LogitPlaces, places: &[usize]) -> Gathered {
        let (len, rows) = (places.len(), rows(places.len()));
        check_size(rows, logits);
        let total = places.iter().map(|&place| self.counts[place] as i64).sum();
        let mut filled: Vec<_> = places.iter().map(|&place| place as i32).collect();
        // What fills up is no better or worse than what is learnt from.
        filled.resize(rows, filled.first().copied().unwrap_or(0));
        let filled = device.upload(&filled);
        let places = filled.narrow(0, 0, len as i64);
        let counts = self.legal.counts.index_select(0, &places);
        let owners = owners(&counts, total);
        let starts = counts.cumsum(0, Kind::Int64) - &counts;
        // From places among the minibatch's legal actions to those among all.
        let shifts = self.starts.index_select(0, &places) - &starts;
        let all = Tensor::arange(total, (Kind::Int64, counts.device()));
        let all = all + shifts.index_select(0, &owners);
        let actions = self.legal.actions.index_select(0, &all);
        let positions = Positions {
            len,
            observations: self.observations.index_select(0, &filled),
            places: logits.of(&actions, &owners),
            owners,
            counts,
        };
        Gathered { positions, places, starts, legal: all }
    }
}

/// The transitions of a rollout on the device.
pub(super) struct DeviceTransitions {
    positions: RolloutPositions,
    /// The places of the actions that were played, among the legal ones of their positions.
    chosen: Tensor,
    /// `[4, positions]`: old log-probabilities, old values, advantages and returns.
    numbers: Tensor,
}

impl DeviceTransitions {
    pub(super) fn new<P: AsRef<[u8]> + Sync>(
        device: TorchDevice,
        transitions: &learner::Transitions<'_, P>,
    ) -> Self {
        let positions = RolloutPositions::new(device, transitions.observations, transitions.legal);
        let chosen: Vec<_> = transitions.chosen.iter().map(|&chosen| chosen as i32).collect();
        let numbers = [
            transitions.old_log_probs,
            transitions.old_values,
            transitions.advantages,
            transitions.returns,
        ];
        let numbers = numbers.map(|numbers| device.upload(numbers));
        Self { chosen: device.upload(&chosen), numbers: Tensor::stack(&numbers, 0), positions }
    }

    /// The transitions in `places`.
    pub(super) fn minibatch(
        &self,
        device: TorchDevice,
        logits: &LogitPlaces,
        places: &[usize],
        settings: &UpdateSettings,
    ) -> (Positions, Transitions) {
        let Gathered { positions, places, starts, .. } =
            self.positions.gather(device, logits, places);
        let chosen = starts + self.chosen.index_select(0, &places);
        let numbers = self.numbers.index_select(1, &places);
        let transitions = Transitions::new(chosen, &numbers, &positions.counts, settings);
        (positions, transitions)
    }
}

/// The examples of a rollout on the device.
pub(super) struct DeviceExamples {
    positions: RolloutPositions,
    policies: Tensor,
    returns: Tensor,
}

/// A minibatch of examples.
pub(super) struct DeviceMinibatch {
    pub(super) positions: Positions,
    /// Of all legal actions, one position after the other.
    pub(super) policies: Tensor,
    pub(super) returns: Tensor,
}

impl DeviceExamples {
    pub(super) fn new<P: AsRef<[u8]> + Sync>(
        device: TorchDevice,
        examples: &Examples<'_, P>,
    ) -> Self {
        Self {
            positions: RolloutPositions::new(device, examples.observations, examples.legal),
            policies: device.upload_rows(examples.policies, |policy| policy.iter().copied()),
            returns: device.upload(examples.returns),
        }
    }

    /// The examples in `places`.
    pub(super) fn minibatch(
        &self,
        device: TorchDevice,
        logits: &LogitPlaces,
        places: &[usize],
    ) -> DeviceMinibatch {
        let Gathered { positions, places, legal, .. } =
            self.positions.gather(device, logits, places);
        DeviceMinibatch {
            positions,
            policies: self.policies.index_select(0, &legal),
            returns: self.returns.index_select(0, &places),
        }
    }
}
