//! A session at a terminal: the GUI is listened to and thought is taken on threads of their own.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::question::Job;
use super::session::Session;
use super::thinker::Thinker;
use super::{Engine, EngineOptions};
use crate::Arena;

/// How long the end of a session waits for a thinker that was told to stop.
const PATIENCE: Duration = Duration::from_secs(2);

/// What happens in a session.
pub(super) enum Event {
    /// The GUI sent a line.
    Line(String),
    /// The GUI has left.
    EndOfInput,
    /// The thinker has something to say.
    Say(String),
    /// The thinker answers the oldest open `go`.
    Answer(String),
    /// The thinker has ended.
    Ended,
}

/// Serves a GUI until it says `quit` or leaves. `options` are those that hold until it changes
/// them.
pub fn serve<G: Arena>(
    engine: Box<dyn Engine<G>>,
    options: EngineOptions,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut session = Session::new(&*engine, options, out);
    let (jobs, work) = mpsc::channel();
    let (sender, events) = mpsc::channel();
    let thinker = Thinker::new(engine, sender.clone());
    thread::spawn(move || thinker.work(work));
    // Not waited for: it may sit on an input that never ends.
    thread::spawn(move || listen(input, &sender));
    let result = talk(&mut session, &jobs, &events);
    session.stop();
    drop(jobs);
    result?;
    part(&mut session, &events)
}

fn talk<G: Arena>(
    session: &mut Session<G, &mut dyn Write>,
    jobs: &Sender<Job<G>>,
    events: &Receiver<Event>,
) -> io::Result<()> {
    loop {
        match events.recv().expect("the thinker says when it ends") {
            Event::Line(line) => {
                if session.hear_line(&line)? {
                    return Ok(());
                }
                while let Some(job) = session.next_job() {
                    // A thinker that has failed says so as an event.
                    let _ = jobs.send(job);
                }
            }
            Event::EndOfInput => return Ok(()),
            Event::Say(line) => session.say(&line)?,
            Event::Answer(line) => session.hear_answer(line)?,
            Event::Ended => return Err(io::Error::other("the player has failed")),
        }
    }
}

/// Says what a thinker that was told to stop has left to say.
fn part<G: Arena>(
    session: &mut Session<G, &mut dyn Write>,
    events: &Receiver<Event>,
) -> io::Result<()> {
    let end = Instant::now() + PATIENCE;
    let left = || end.saturating_duration_since(Instant::now());
    while let Ok(event) = events.recv_timeout(left()) {
        match event {
            Event::Say(line) => session.say(&line)?,
            Event::Answer(line) => session.hear_answer(line)?,
            Event::Line(_) | Event::EndOfInput => {}
            Event::Ended => break,
        }
    }
    Ok(())
}

/// Reads lines until there are no more. Bytes that are no text are replaced.
fn listen(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes).is_ok_and(|length| length > 0) {
        send(events, Event::Line(String::from_utf8_lossy(&bytes).into_owned()));
        bytes.clear();
    }
    send(events, Event::EndOfInput);
}

/// Sends an event. A session that does not listen any more is no concern of the sender.
pub(super) fn send(events: &Sender<Event>, event: Event) {
    let _ = events.send(event);
}
