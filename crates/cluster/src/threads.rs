//! Ranks within one process, for tests of what ranks do.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::{Communicator, Traffic};

/// Messages, each with the rank that posted it.
type Letters = VecDeque<(usize, Vec<u8>)>;

/// A rank that is a thread.
#[derive(Debug)]
pub struct Threads {
    rank: usize,
    /// What goes to each rank.
    senders: Vec<Sender<Vec<u8>>>,
    /// What comes from each rank.
    receivers: Vec<Mutex<Receiver<Vec<u8>>>>,
    /// What was posted to each rank.
    posted: Arc<Vec<Mutex<Letters>>>,
    messages: AtomicU64,
    bytes: AtomicU64,
}

impl Threads {
    /// So many ranks, which know each other.
    pub fn new(size: usize) -> Vec<Self> {
        let channels: Vec<Vec<_>> =
            (0..size).map(|_| (0..size).map(|_| channel()).collect()).collect();
        let mut receivers: Vec<Vec<_>> = (0..size).map(|_| Vec::new()).collect();
        let mut senders = Vec::new();
        for row in channels {
            let (from, to): (Vec<_>, Vec<_>) = row.into_iter().unzip();
            senders.push(from);
            receivers.iter_mut().zip(to).for_each(|(all, one)| all.push(Mutex::new(one)));
        }
        let posted = Arc::new((0..size).map(|_| Mutex::default()).collect());
        let ranks = senders.into_iter().zip(receivers).enumerate();
        let rank = |(rank, (senders, receivers))| Self {
            rank,
            senders,
            receivers,
            posted: Arc::clone(&posted),
            messages: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        };
        ranks.map(rank).collect()
    }

    /// What `work` gives at each of `size` ranks.
    ///
    /// # Panics
    ///
    /// If one of them does.
    pub fn run<T: Send>(size: usize, work: impl Fn(Arc<dyn Communicator>) -> T + Sync) -> Vec<T> {
        thread::scope(|scope| {
            let work = &work;
            let spawn = |rank: Self| scope.spawn(move || work(Arc::new(rank)));
            let threads: Vec<_> = Self::new(size).into_iter().map(spawn).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, T>| thread.join().expect("a rank");
            threads.into_iter().map(join).collect()
        })
    }

    fn count(&self, message: &[u8]) {
        self.messages.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(message.len() as u64, Ordering::Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The other end of a channel goes with its thread.
const GONE: &str = "a rank has ended";

impl Communicator for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.senders.len()
    }

    fn place(&self) -> usize {
        self.rank
    }

    fn send(&self, to: usize, message: &[u8]) {
        self.count(message);
        self.senders[to].send(message.to_vec()).expect(GONE);
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        lock(&self.receivers[from]).recv().expect(GONE)
    }

    fn exchange(&self, peer: usize, outgoing: &[u8], incoming: &mut [u8]) {
        self.send(peer, outgoing);
        incoming.copy_from_slice(&self.receive(peer));
    }

    fn post(&self, to: usize, message: &[u8]) {
        self.count(message);
        lock(&self.posted[to]).push_back((self.rank, message.to_vec()));
    }

    fn poll(&self) -> Option<(usize, Vec<u8>)> {
        lock(&self.posted[self.rank]).pop_front()
    }

    fn traffic(&self) -> Traffic {
        Traffic {
            messages: self.messages.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            time: Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_gets_what_rank_0_says_and_what_all_say_in_their_order() {
        for size in 1..=9 {
            let told = Threads::run(size, |ranks| {
                let said = ranks.share(format!("from {}", ranks.rank()));
                ranks.barrier();
                (said, ranks.collect(ranks.rank()), ranks.collect_at_first(ranks.rank()))
            });
            let all: Vec<_> = (0..size).collect();
            for (rank, (said, collected, at_first)) in told.into_iter().enumerate() {
                assert_eq!((said.as_str(), &collected), ("from 0", &all));
                assert_eq!(at_first, (rank == 0).then(|| all.clone()));
            }
        }
    }

    #[test]
    fn numbers_arrive_as_they_are_even_those_that_are_none() {
        let numbers = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.1, f64::MIN_POSITIVE];
        let bits = |numbers: &[f64]| numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>();
        let told = Threads::run(3, |ranks| {
            let own = if ranks.is_first() { numbers.to_vec() } else { Vec::new() };
            let single = ranks.share(if ranks.is_first() { f32::NAN } else { 0.0 });
            (ranks.share(own.clone()), ranks.collect(own).concat(), single)
        });
        for (shared, collected, single) in told {
            assert_eq!(bits(&shared), bits(&numbers));
            assert_eq!(bits(&collected), bits(&numbers));
            assert!(single.is_nan());
        }
    }

    #[test]
    fn posted_messages_wait_until_somebody_looks() {
        let found = Threads::run(3, |ranks| {
            if ranks.rank() > 0 {
                ranks.post(0, &[ranks.rank() as u8; 3]);
            }
            ranks.barrier();
            let mut found: Vec<_> = std::iter::from_fn(|| ranks.poll()).collect();
            found.sort();
            found
        });
        assert_eq!(found[0], [(1, vec![1; 3]), (2, vec![2; 3])]);
        assert!(found[1].is_empty() && found[2].is_empty());
    }
}
