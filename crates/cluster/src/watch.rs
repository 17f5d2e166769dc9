//! A watch over all ranks: whoever is gone, stopped or in trouble is noticed within seconds, and all
//! ranks end with one message.
//!
//! MPI has no answer to a rank that falls silent: the others wait for ever. So every rank has a
//! thread with a connection of its own to rank 0, over which both send a sign of life twice a
//! second. It goes on while the rank plays, learns or waits for a message.
//!
//! | What happens | Who notices | How |
//! |---|---|---|
//! | a rank ends without a word | rank 0 | its connection closes |
//! | a rank is stopped or cut off | rank 0 and the rank | no sign of life for [`PATIENCE`] |
//! | rank 0 ends, is stopped or cut off | all others | the same |
//! | a rank has an error, or panics | that rank | [`Watch::fail`] |
//! | a rank is asked to end and the others do not come along | that rank | [`Watch::ask_to_end`] |

mod connection;
mod guard;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::Communicator;
use connection::{Connection, Frame};
use guard::{Guard, Order};

/// How long a rank may be silent.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// How long a rank that was asked to end may take: the others have to finish their update.
const FAREWELL: Duration = Duration::from_secs(8);
/// How long ranks try to reach rank 0 at the beginning.
const MEETING: Duration = Duration::from_secs(20);

/// Where rank 0 listens: at all its addresses of IPv4.
const ANYWHERE: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// Who a rank is, for messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Its number.
    pub rank: usize,
    /// Its process.
    pub process: u32,
    /// The name of its machine.
    pub host: String,
}

impl Identity {
    fn own(rank: usize) -> Self {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let host = match host.trim() {
            "" => "this machine".to_owned(),
            name => name.to_owned(),
        };
        Self { rank, process: process::id(), host }
    }
}

impl std::fmt::Display for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} (process {} on {})", self.rank, self.process, self.host)
    }
}

/// Why ranks cannot be watched over.
#[derive(Debug)]
pub struct WatchError {
    rank: usize,
    source: io::Error,
}

impl std::fmt::Display for WatchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rank {} cannot be reached for the watch: {}", self.rank, self.source)
    }
}

impl std::error::Error for WatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// What is said and done when all ranks have to end.
pub trait Ending: Send + 'static {
    /// Says what happened: one message for all ranks.
    fn say(&self, message: &str);

    /// Ends all ranks, or at least this process.
    fn end(&self) -> !;
}

/// The watch of one rank.
#[derive(Debug)]
pub struct Watch {
    orders: Sender<Order>,
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
}

/// What the watch knows of the work.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// How far it has come.
    progress: String,
    /// How to go on.
    hint: String,
}

/// Where rank 0 is found.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Meeting {
    addresses: Vec<IpAddr>,
    port: u16,
    host: String,
    /// So that nobody else is mistaken for a rank.
    token: u64,
}

impl Watch {
    /// Begins to watch over the ranks of `ranks`, all of which call this. A single rank has nobody
    /// to watch.
    ///
    /// # Errors
    ///
    /// If rank 0 cannot listen, or cannot be reached.
    pub fn begin(ranks: &dyn Communicator, ending: impl Ending) -> Result<Self, WatchError> {
        let problem = |source| WatchError { rank: ranks.rank(), source };
        let own = Identity::own(ranks.rank());
        let known = ranks.collect(own.clone());
        let connections = match ranks.rank() {
            _ if ranks.size() == 1 => Vec::new(),
            0 => listen(ranks, &own).map_err(problem)?,
            rank => {
                let meeting: Meeting = ranks
                    .share(None)
                    .ok_or_else(|| problem(io::Error::other("rank 0 cannot listen")))?;
                vec![Some(connect(&meeting, &own, rank).map_err(problem)?)]
            }
        };
        let state = Arc::new(Mutex::default());
        let (orders, receiver) = channel();
        let guard = Guard::new(own, known, connections, Arc::clone(&state));
        let thread =
            (ranks.size() > 1).then(|| thread::spawn(move || guard.run(&receiver, &ending)));
        Ok(Self { orders, state, thread })
    }

    /// Notes how far the work has come, in words that follow "at".
    pub fn set_progress(&self, progress: String) {
        lock(&self.state).progress = progress;
    }

    /// Notes how the work goes on after an end.
    pub fn set_hint(&self, hint: String) {
        lock(&self.state).hint = hint;
    }

    /// Ends all ranks, because this one has a problem. Returns only if there is just one rank.
    pub fn fail(&self, problem: &str) {
        if self.thread.is_none() {
            return;
        }
        // If the guard is gone, the process is ending already.
        let _ = self.orders.send(Order::Fail(problem.to_owned()));
        thread::sleep(2 * PATIENCE);
        process::exit(1);
    }

    /// Notes that this rank was asked to end. If that has not come to pass in a few seconds, because
    /// the others are busy, all are ended.
    pub fn ask_to_end(&self) {
        let _ = self.orders.send(Order::EndBy(Instant::now() + FAREWELL));
    }

    /// Ends the watch: from now on nobody is missed. All ranks do this when their work is done.
    pub fn finish(mut self) {
        self.leave();
    }

    fn leave(&mut self) {
        let _ = self.orders.send(Order::Leave);
        if let Some(thread) = self.thread.take() {
            // It ends the process if it panics.
            let _ = thread.join();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.leave();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Those of a machine's addresses at which a listener of [`ANYWHERE`] is found. Each of the others
/// would cost a rank that calls there the time to give it up.
fn that_answer(addresses: impl Iterator<Item = IpAddr>) -> Vec<IpAddr> {
    addresses.filter(|address| address.is_ipv4() == ANYWHERE.is_ipv4()).collect()
}

/// Waits for the connections of all other ranks, and puts them in their order.
fn listen(ranks: &dyn Communicator, own: &Identity) -> io::Result<Vec<Option<Connection>>> {
    let listening = TcpListener::bind((ANYWHERE, 0)).and_then(|listener| {
        let port = listener.local_addr()?.port();
        let addresses = if_addrs::get_if_addrs()?.into_iter().map(|interface| interface.ip());
        Ok((listener, port, that_answer(addresses)))
    });
    let (listener, port, addresses) = match listening {
        Ok(listening) => listening,
        Err(error) => {
            ranks.share(None::<Meeting>);
            return Err(error);
        }
    };
    let token = u64::from(own.process) << 32 | u64::from(port);
    let meeting = Meeting { addresses, port, host: own.host.clone(), token };
    ranks.share(Some(meeting));
    listener.set_nonblocking(true)?;
    let mut connections: Vec<_> = (1..ranks.size()).map(|_| None).collect();
    let end = Instant::now() + MEETING;
    while connections.iter().any(Option::is_none) {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                if let Some((rank, connection)) = Connection::accept(stream, token)
                    && let Some(place) = rank.checked_sub(1).and_then(|at| connections.get_mut(at))
                {
                    *place = Some(connection);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if Instant::now() > end {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(connections)
}

/// Connects to rank 0.
fn connect(meeting: &Meeting, own: &Identity, rank: usize) -> io::Result<Connection> {
    // Machines may share addresses that lead nowhere else: loopback is for the same one only.
    let same = meeting.host == own.host;
    let (near, far): (Vec<_>, Vec<_>) =
        meeting.addresses.iter().partition(|address| address.is_loopback());
    let addresses = if same { [near, far].concat() } else { far };
    let end = Instant::now() + MEETING;
    let mut last = io::Error::new(io::ErrorKind::AddrNotAvailable, "rank 0 has no address");
    while Instant::now() < end {
        for &address in &addresses {
            let address = SocketAddr::new(address, meeting.port);
            let reached = TcpStream::connect_timeout(&address, Duration::from_secs(2))
                .and_then(|stream| Connection::greet(stream, meeting.token, rank));
            match reached {
                Ok(connection) => return Ok(connection),
                Err(error) => last = error,
            }
        }
        thread::sleep(Duration::from_millis(50));
    }
    Err(last)
}

#[cfg(test)]
mod tests;
