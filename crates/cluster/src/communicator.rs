//! How ranks talk to each other.

use std::fmt::Debug;
use std::ops::{AddAssign, Sub};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Sums;

/// One of several processes that work together, as it sees the others.
///
/// Messages between two ranks arrive in their order. A message that cannot be delivered ends the
/// process: there is no going on without a rank, and who watches over the ranks says why.
pub trait Communicator: Debug + Send + Sync {
    /// The number of this process, from 0.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn size(&self) -> usize;

    /// Its place among the ranks on the same machine, from 0: it takes the GPU of that number.
    fn place(&self) -> usize;

    /// Sends a message that `to` receives by [`Communicator::receive`].
    fn send(&self, to: usize, message: &[u8]);

    /// Waits for the next message that `from` sends.
    fn receive(&self, from: usize) -> Vec<u8>;

    /// Sends to `peer` and receives from it at the same time: it does the same, with messages of
    /// these lengths.
    fn exchange(&self, peer: usize, outgoing: &[u8], incoming: &mut [u8]);

    /// Leaves a message that `to` finds by [`Communicator::poll`] whenever it looks.
    fn post(&self, to: usize, message: &[u8]);

    /// A message that somebody has posted, and who, if there is one.
    fn poll(&self) -> Option<(usize, Vec<u8>)>;

    /// What was sent so far, and how long this rank was busy with it or waited.
    fn traffic(&self) -> Traffic;
}

/// What a rank has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// How many messages.
    pub messages: u64,
    /// How many bytes.
    pub bytes: u64,
    /// How long it talked, listened or waited.
    pub time: Duration,
}

impl Sub for Traffic {
    type Output = Self;

    fn sub(self, earlier: Self) -> Self {
        Self {
            messages: self.messages - earlier.messages,
            bytes: self.bytes - earlier.bytes,
            time: self.time.saturating_sub(earlier.time),
        }
    }
}

impl AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.time += other.time;
    }
}

/// Collective operations: every rank calls them, in the same order.
impl dyn Communicator + '_ {
    /// Whether this is the rank that speaks for all.
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// The message of rank 0, whatever the others give.
    pub fn broadcast(&self, message: Vec<u8>) -> Vec<u8> {
        let (rank, size) = (self.rank(), self.size());
        let mut message = message;
        // Down a binomial tree: whoever has it passes it on at half the distance.
        let mut distance = size.next_power_of_two();
        let mut has_it = rank == 0;
        while distance > 1 {
            distance /= 2;
            if has_it && rank + distance < size {
                self.send(rank + distance, &message);
            } else if !has_it && rank.is_multiple_of(distance) {
                message = self.receive(rank - distance);
                has_it = true;
            }
        }
        message
    }

    /// The messages of all ranks in their order, at rank 0; nothing elsewhere.
    pub fn gather(&self, message: Vec<u8>) -> Option<Vec<Vec<u8>>> {
        if !self.is_first() {
            self.send(0, &message);
            return None;
        }
        let others = (1..self.size()).map(|rank| self.receive(rank));
        Some([message].into_iter().chain(others).collect())
    }

    /// The value of rank 0, whatever the others have.
    pub fn share<T: Serialize + DeserializeOwned>(&self, value: T) -> T {
        if self.size() == 1 {
            return value;
        }
        let message = if self.is_first() { to_bytes(&value) } else { Vec::new() };
        let message = self.broadcast(message);
        if self.is_first() { value } else { from_bytes(&message) }
    }

    /// The values of all ranks in their order, everywhere.
    pub fn collect<T: Serialize + DeserializeOwned>(&self, value: T) -> Vec<T> {
        if self.size() == 1 {
            return vec![value];
        }
        let values = self.collect_at_first(value);
        self.share(values.unwrap_or_default())
    }

    /// The values of all ranks in their order, at rank 0; nothing elsewhere.
    pub fn collect_at_first<T: Serialize + DeserializeOwned>(&self, value: T) -> Option<Vec<T>> {
        if self.size() == 1 {
            return Some(vec![value]);
        }
        let messages = self.gather(to_bytes(&value))?;
        Some(messages.iter().map(|message| from_bytes(message)).collect())
    }

    /// Waits for all ranks.
    pub fn barrier(&self) {
        self.gather(Vec::new());
        self.broadcast(Vec::new());
    }

    /// Adds up the sums of all ranks, each that of its own shards, along a binary tree. Everybody
    /// gets the result.
    ///
    /// Half of the floats goes to the neighbour and half of its comes back, then a quarter to the
    /// neighbour's neighbour, and so on, until each rank has the sum of a part; then the parts go
    /// the same way back. That is twice the numbers in all, however many ranks there are.
    ///
    /// # Panics
    ///
    /// If the number of ranks is not a power of two.
    pub fn all_reduce(&self, sums: &mut Sums) {
        let (rank, size) = (self.rank(), self.size());
        assert!(size.is_power_of_two(), "{size} ranks are no full tree");
        let mut own = 0..sums.floats.len();
        let mut path = Vec::new();
        let mut distance = 1;
        while distance < size {
            let peer = rank ^ distance;
            let middle = own.start + own.len() / 2;
            let (low, high) = (own.start..middle, middle..own.end);
            let (kept, given) = if rank & distance == 0 { (low, high) } else { (high, low) };
            sums.exchange_halves(self, peer, &kept, &given);
            path.push((peer, given));
            own = kept;
            distance *= 2;
        }
        for (peer, theirs) in path.into_iter().rev() {
            sums.exchange_results(self, peer, &own, &theirs);
            own = own.start.min(theirs.start)..own.end.max(theirs.end);
        }
    }
}

/// As MessagePack, which keeps every number as it is: JSON has none that is infinite or not a number,
/// and such a one has to come to those who deal with it.
fn to_bytes(value: &impl Serialize) -> Vec<u8> {
    rmp_serde::to_vec_named(value).expect("what ranks tell each other is plain data")
}

fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> T {
    rmp_serde::from_slice(bytes).expect("all ranks run the same program")
}
