//! Tells players to stop whose time is up, or whose match is being stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use keisei_engine::Signal;

/// How often the watchdog looks.
const INTERVAL: Duration = Duration::from_millis(5);

/// Who thinks at the moment, one place for each game at once.
pub(super) struct Watchdog {
    places: Vec<Mutex<Option<Thinking>>>,
    over: AtomicBool,
}

struct Thinking {
    signal: Signal,
    until: Option<Instant>,
}

impl Watchdog {
    pub(super) fn new(places: usize) -> Self {
        Self { places: (0..places).map(|_| Mutex::new(None)).collect(), over: false.into() }
    }

    /// Watches until the match is over. Players are stopped at once when `halt` says so.
    pub(super) fn run(&self, halt: &dyn Fn() -> bool) {
        while !self.over.load(Ordering::Acquire) {
            thread::sleep(INTERVAL);
            let halted = halt();
            for place in &self.places {
                if let Some(Thinking { signal, until }) = &*lock(place)
                    && (halted || until.is_some_and(|until| Instant::now() > until))
                {
                    signal.stop();
                }
            }
        }
    }

    /// Ends the watch.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Release);
    }

    /// Somebody begins to think at `place` and may do so for `allowed`.
    pub(super) fn begin(&self, place: usize, signal: Signal, allowed: Option<Duration>) {
        let until = allowed.and_then(|allowed| Instant::now().checked_add(allowed));
        *lock(&self.places[place]) = Some(Thinking { signal, until });
    }

    /// Nobody thinks at `place` any more.
    pub(super) fn finish(&self, place: usize) {
        *lock(&self.places[place]) = None;
    }
}

fn lock(place: &Mutex<Option<Thinking>>) -> MutexGuard<'_, Option<Thinking>> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}
