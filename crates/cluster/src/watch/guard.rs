//! The thread that watches.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::{Connection, Ending, FAREWELL, Frame, Identity, PATIENCE, State, lock};

/// How often it looks.
const TICK: Duration = Duration::from_millis(100);
/// How often it gives a sign of life.
const ALIVE_EVERY: Duration = Duration::from_millis(500);
/// A thread that was itself away for so long, as when the whole machine sleeps, blames nobody.
const ABSENCE: Duration = Duration::from_secs(2);
/// How long the others have to hear that all is over.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How much longer other ranks than 1 wait before they tell of the loss of rank 0: one is enough.
const COURTESY: Duration = Duration::from_millis(1500);

/// What the rank tells its guard.
#[derive(Debug)]
pub(super) enum Order {
    /// This rank has a problem: all have to end.
    Fail(String),
    /// This rank was asked to end, and should have by then.
    EndBy(Instant),
    /// The work is done.
    Leave,
}

/// What a guard knows. At rank 0, connection `i` is that of rank `i + 1`; elsewhere there is one,
/// to rank 0.
pub(super) struct Guard {
    own: Identity,
    ranks: Vec<Identity>,
    /// Those that have not said goodbye.
    connections: Vec<Option<Connection>>,
    state: Arc<Mutex<State>>,
    alive_at: Instant,
    end_by: Option<Instant>,
}

/// Why all ranks end.
enum End {
    /// Nobody has said so yet.
    Noticed(String),
    /// Somebody else has said so.
    Told,
}

impl Guard {
    pub(super) fn new(
        own: Identity,
        ranks: Vec<Identity>,
        connections: Vec<Option<Connection>>,
        state: Arc<Mutex<State>>,
    ) -> Self {
        Self { own, ranks, connections, state, alive_at: Instant::now(), end_by: None }
    }

    /// Watches until the work is done or all have to end.
    pub(super) fn run(mut self, orders: &Receiver<Order>, ending: &impl Ending) {
        let mut looked = Instant::now();
        loop {
            let end = match orders.recv_timeout(TICK) {
                Ok(Order::Fail(problem)) => {
                    // Whoever has said something else meanwhile is the one to be believed.
                    let told = self.look(false).filter(|end| matches!(end, End::Told));
                    Some(told.unwrap_or_else(|| End::Noticed(format!("{}: {problem}", self.own))))
                }
                Ok(Order::EndBy(time)) => {
                    self.end_by = Some(time);
                    None
                }
                Ok(Order::Leave) | Err(RecvTimeoutError::Disconnected) => {
                    self.tell(&Frame::Bye);
                    return;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let was_away = looked.elapsed() > ABSENCE;
                    if was_away {
                        self.forgive();
                    }
                    self.look(was_away)
                }
            };
            looked = Instant::now();
            if let Some(end) = end {
                self.end(&end, ending);
            }
        }
    }

    /// Gives a sign of life and reads those of others. Who `was_away` has nothing to say: others have
    /// said it.
    fn look(&mut self, was_away: bool) -> Option<End> {
        if self.alive_at.elapsed() >= ALIVE_EVERY {
            self.alive_at = Instant::now();
            self.tell(&Frame::Alive);
        }
        let first = self.own.rank == 0;
        for (index, place) in self.connections.iter_mut().enumerate() {
            let Some(connection) = place else { continue };
            let other = &self.ranks[if first { index + 1 } else { 0 }];
            let (frames, open) = connection.receive();
            for frame in frames {
                match frame {
                    Frame::Alive => {}
                    // Rank 0 speaks for those that have a problem, and has spoken to the others.
                    Frame::End(message) if first && !was_away => {
                        return Some(End::Noticed(message));
                    }
                    Frame::End(_) => return Some(End::Told),
                    Frame::Bye => *place = None,
                }
            }
            let Some(connection) = place else { continue };
            if !open {
                return Some(End::Noticed(format!("{other} has ended without a word")));
            }
            let silence = connection.heard.elapsed();
            if silence > PATIENCE {
                let seconds = silence.as_secs();
                return Some(End::Noticed(format!(
                    "{other} has given no sign of life for {seconds} s: it is stopped, or cut off \
                     from {}",
                    self.own
                )));
            }
        }
        if self.end_by.is_some_and(|end| Instant::now() > end) {
            return Some(End::Noticed(format!(
                "{} was asked to end, and the update did not end within {} s",
                self.own,
                FAREWELL.as_secs()
            )));
        }
        None
    }

    fn forgive(&mut self) {
        let heard = Instant::now();
        self.connections.iter_mut().flatten().for_each(|connection| connection.heard = heard);
    }

    fn tell(&mut self, frame: &Frame) {
        self.connections.iter_mut().flatten().for_each(|connection| connection.send(frame));
    }

    /// Says what happened and ends everything.
    fn end(&mut self, end: &End, ending: &impl Ending) -> ! {
        match end {
            End::Noticed(what) => {
                let first = self.own.rank == 0;
                self.tell(&Frame::End(what.clone()));
                // Rank 0 says it, unless it is the one that is gone.
                let silent = |connection: &Connection| connection.heard.elapsed() > PATIENCE / 2;
                let alone = self.connections.iter_mut().flatten().all(|connection| {
                    let (_, open) = connection.receive();
                    !open || silent(connection)
                });
                if !first && self.own.rank > 1 {
                    thread::sleep(COURTESY);
                }
                if first || alone {
                    ending.say(&self.message(what));
                }
                thread::sleep(if first || alone { LAST_WORDS } else { 4 * LAST_WORDS });
            }
            End::Told => thread::sleep(4 * LAST_WORDS),
        }
        ending.end()
    }

    fn message(&self, what: &str) -> String {
        let State { progress, hint } = lock(&self.state).clone();
        let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC");
        let at = if progress.is_empty() { String::new() } else { format!(", {progress}") };
        let hint = if hint.is_empty() { String::new() } else { format!("; {hint}") };
        format!("{what} ({now}{at}); all {} ranks have ended{hint}", self.ranks.len())
    }
}
