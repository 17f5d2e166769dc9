//! What comes from the person at the terminal: lines, the end of input, and Ctrl-C.

use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{process, thread};

use anyhow::{Context, Result};
use keisei_engine::Signal;

/// The exit status of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

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
    interrupt: Arc<Interrupt>,
}

#[derive(Default)]
struct Interrupt {
    happened: AtomicBool,
    /// The line to the player that thinks.
    thinking: Mutex<Signal>,
}

impl Terminal {
    /// Listens to the terminal from now on, to what is typed only if somebody plays there.
    pub(super) fn open(somebody_plays: bool) -> Result<Self> {
        let (sender, events) = channel();
        let interrupt = Arc::new(Interrupt::default());
        let (handler, told) = (Arc::clone(&interrupt), sender.clone());
        ctrlc::set_handler(move || handler.happen(&told)).context("Ctrl-C cannot be caught")?;
        if somebody_plays {
            thread::spawn(move || read_lines(&sender));
        }
        Ok(Self { events, interrupt })
    }

    /// What the person does next.
    pub(super) fn next(&self) -> Event {
        self.events.recv().unwrap_or(Event::Leave)
    }

    /// Whether Ctrl-C was typed.
    pub(super) fn was_interrupted(&self) -> bool {
        self.interrupt.happened.load(Ordering::Acquire)
    }

    /// A line to a player that is about to think. Ctrl-C stops it.
    pub(super) fn signal(&self) -> Signal {
        let signal = Signal::new();
        *self.interrupt.thinking.lock().unwrap_or_else(PoisonError::into_inner) = signal.clone();
        if self.was_interrupted() {
            signal.stop();
        }
        signal
    }
}

impl Interrupt {
    fn happen(&self, events: &Sender<Event>) {
        // Who insists is let go at once: every move was saved when it was made.
        if self.happened.swap(true, Ordering::AcqRel) {
            process::exit(INTERRUPTED);
        }
        self.thinking.lock().unwrap_or_else(PoisonError::into_inner).stop();
        let _ = events.send(Event::Leave);
    }
}

fn read_lines(events: &Sender<Event>) {
    for line in io::stdin().lock().split(b'\n').map_while(Result::ok) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::Leave);
}
