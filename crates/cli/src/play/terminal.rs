//! What comes from the person at the terminal: lines, the end of input, and Ctrl-C.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::Result;
use keisei_engine::Signal;

use crate::interrupt::Interrupt;

/// Something that a person did.
#[derive(Debug)]
pub(super) enum Event {
    /// Typed a line, of whatever bytes.
    Line(Vec<u8>),
    /// Left: the input ended, or Ctrl-C.
    Leave,
}

/// The person at the terminal.
pub(super) struct Terminal {
    events: Receiver<Event>,
    interrupt: Interrupt,
    /// The line to the player that thinks.
    thinking: Arc<Mutex<Signal>>,
}

impl Terminal {
    /// Listens to the terminal from now on, to what is typed only if somebody plays there.
    pub(super) fn open(somebody_plays: bool) -> Result<Self> {
        let (sender, events) = channel();
        let thinking = Arc::new(Mutex::new(Signal::new()));
        let (told, stopped) = (sender.clone(), Arc::clone(&thinking));
        let leave = move || {
            lock(&stopped).stop();
            let _ = told.send(Event::Leave);
        };
        // Who insists is let go at once: every move was saved when it was made.
        let interrupt = Interrupt::catch(leave, || ())?;
        if somebody_plays {
            thread::spawn(move || read_lines(&sender));
        }
        Ok(Self { events, interrupt, thinking })
    }

    /// What the person does next.
    pub(super) fn next(&self) -> Event {
        self.events.recv().unwrap_or(Event::Leave)
    }

    /// Whether Ctrl-C was typed.
    pub(super) fn was_interrupted(&self) -> bool {
        self.interrupt.asked()
    }

    /// A line to a player that is about to think. Ctrl-C stops it.
    pub(super) fn signal(&self) -> Signal {
        let signal = Signal::new();
        *lock(&self.thinking) = signal.clone();
        if self.was_interrupted() {
            signal.stop();
        }
        signal
    }
}

fn lock(signal: &Mutex<Signal>) -> MutexGuard<'_, Signal> {
    signal.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read_lines(events: &Sender<Event>) {
    for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::Leave);
}
