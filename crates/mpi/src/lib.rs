//! The ranks that `mpirun` or `srun` started.
#![cfg(feature = "mpi")]

use std::collections::VecDeque;
use std::env;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use keisei_cluster::{Communicator, Traffic};
use mpi::environment::Universe;
use mpi::request::{Request, scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, Destination, MatchedReceiveVec, Source};
use mpi::{Tag, Threading};

/// Messages between two ranks that both wait for them.
const DIRECT: Tag = 1;
/// Messages that are found whenever somebody looks.
const POSTED: Tag = 2;
/// MPI counts the bytes of a message in 31 bits.
const LARGEST: usize = 1 << 30;
/// How long a rank that waits stays awake: the messages of a step take less. After that it leaves
/// its core to whoever can use it.
const AWAKE: Duration = Duration::from_millis(20);
const NAP: Duration = Duration::from_micros(100);

/// The variables by which launchers of MPI tell a program that it is one of theirs.
const LAUNCHED: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"];

/// All ranks that were started together. MPI ends when it is dropped.
pub struct World {
    /// Whose drop ends MPI.
    _universe: Universe,
    rank: usize,
    size: usize,
    place: usize,
    local_size: usize,
    /// Posted messages that came in while this rank was posting.
    inbox: Mutex<VecDeque<(usize, Vec<u8>)>>,
    messages: AtomicU64,
    bytes: AtomicU64,
    nanoseconds: AtomicU64,
}

/// Why this process cannot join the other ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinError {
    /// It has done so before.
    Begun,
    /// MPI may not be called by several threads at the same time, only so much.
    Threads(Threading),
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begun => f.write_str("MPI was begun before"),
            Self::Threads(granted) => write!(
                f,
                "this MPI grants the level {granted:?} of threads, but all of them call it, which is \
                 the level Multiple: take an MPI that was built with it"
            ),
        }
    }
}

impl Error for JoinError {}

/// Refuses an MPI that only one thread at a time may call: the watch may have to end it while another
/// thread waits for a message.
fn check(granted: Threading) -> Result<(), JoinError> {
    match granted {
        Threading::Multiple => Ok(()),
        granted => Err(JoinError::Threads(granted)),
    }
}

impl World {
    /// Whether this process was started by a launcher of MPI.
    pub fn is_launched() -> bool {
        LAUNCHED.iter().any(|name| env::var_os(name).is_some())
    }

    /// Joins the other ranks.
    pub fn join() -> Result<Self, JoinError> {
        let asked = mpi::initialize_with_threading(Threading::Multiple);
        let (universe, granted) = asked.ok_or(JoinError::Begun)?;
        check(granted)?;
        let world = universe.world();
        let here = world.split_shared(world.rank());
        Ok(Self {
            rank: world.rank() as usize,
            size: world.size() as usize,
            place: here.rank() as usize,
            local_size: here.size() as usize,
            inbox: Mutex::default(),
            messages: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
            _universe: universe,
        })
    }

    /// How many ranks there are on this machine.
    pub fn local_size(&self) -> usize {
        self.local_size
    }

    /// Ends all ranks at once, with a status that is not success.
    pub fn abort() -> ! {
        SimpleCommunicator::world().abort(1)
    }

    fn count(&self, bytes: usize, begin: Instant) {
        self.messages.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        self.spend(begin);
    }

    fn spend(&self, begin: Instant) {
        self.nanoseconds.fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }

    fn inbox(&self) -> MutexGuard<'_, VecDeque<(usize, Vec<u8>)>> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send_all(&self, to: usize, message: &[u8]) {
        let world = SimpleCommunicator::world();
        let process = world.process_at_rank(to as i32);
        for part in message.chunks(LARGEST) {
            scope(|scope| wait(process.immediate_send_with_tag(scope, part, DIRECT), || ()));
        }
    }

    fn receive_all(&self, from: usize, message: &mut [u8]) {
        let world = SimpleCommunicator::world();
        let process = world.process_at_rank(from as i32);
        for part in message.chunks_mut(LARGEST) {
            scope(|scope| {
                wait(process.immediate_receive_into_with_tag(scope, part, DIRECT), || ());
            });
        }
    }

    /// Takes in a posted message, if there is one.
    fn take_in(&self) -> bool {
        let world = SimpleCommunicator::world();
        let probe = world.any_process().immediate_matched_probe_with_tag(POSTED);
        let Some(found) = probe else { return false };
        let (message, status) = found.matched_receive_vec::<u8>();
        self.inbox().push_back((status.source_rank() as usize, message));
        true
    }
}

/// Waits for a request, and does something `meanwhile`.
fn wait<'a, D: ?Sized, S: mpi::request::Scope<'a>>(
    request: Request<'a, D, S>,
    mut meanwhile: impl FnMut(),
) {
    let begin = Instant::now();
    let mut request = request;
    while let Err(open) = request.test() {
        request = open;
        meanwhile();
        if begin.elapsed() < AWAKE {
            thread::yield_now();
        } else {
            thread::sleep(NAP);
        }
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank, self.size)
    }
}

impl Communicator for World {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn place(&self) -> usize {
        self.place
    }

    fn send(&self, to: usize, message: &[u8]) {
        let begin = Instant::now();
        self.send_all(to, &(message.len() as u64).to_ne_bytes());
        self.send_all(to, message);
        self.count(message.len(), begin);
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        let begin = Instant::now();
        let mut length = [0; 8];
        self.receive_all(from, &mut length);
        let mut message = vec![0; u64::from_ne_bytes(length) as usize];
        self.receive_all(from, &mut message);
        self.spend(begin);
        message
    }

    fn exchange(&self, peer: usize, outgoing: &[u8], incoming: &mut [u8]) {
        let begin = Instant::now();
        let world = SimpleCommunicator::world();
        let process = world.process_at_rank(peer as i32);
        let mut parts = outgoing.chunks(LARGEST);
        let mut places = incoming.chunks_mut(LARGEST);
        loop {
            let (part, place) = (parts.next(), places.next());
            if part.is_none() && place.is_none() {
                break;
            }
            scope(|scope| {
                let receive = place
                    .map(|place| process.immediate_receive_into_with_tag(scope, place, DIRECT));
                let send = part.map(|part| process.immediate_send_with_tag(scope, part, DIRECT));
                if let Some(receive) = receive {
                    wait(receive, || ());
                }
                if let Some(send) = send {
                    wait(send, || ());
                }
            });
        }
        self.count(outgoing.len(), begin);
    }

    fn post(&self, to: usize, message: &[u8]) {
        let begin = Instant::now();
        let world = SimpleCommunicator::world();
        let process = world.process_at_rank(to as i32);
        // Two ranks may post to each other at the same time: whoever waits takes in what comes.
        scope(|scope| {
            wait(process.immediate_send_with_tag(scope, message, POSTED), || _ = self.take_in());
        });
        self.count(message.len(), begin);
    }

    fn poll(&self) -> Option<(usize, Vec<u8>)> {
        while self.take_in() {}
        self.inbox().pop_front()
    }

    fn traffic(&self) -> Traffic {
        Traffic {
            messages: self.messages.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            time: Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_mpi_that_several_threads_cannot_call_at_once_is_refused_with_what_it_grants() {
        assert_eq!(check(Threading::Multiple), Ok(()));
        for granted in [Threading::Single, Threading::Funneled, Threading::Serialized] {
            let message = check(granted).unwrap_err().to_string();
            assert!(message.contains(&format!("the level {granted:?}")), "{message}");
        }
    }
}
