//! The GUI's end of a session.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use keisei_engine::Arena;
use keisei_engine::protocol::{EngineOptions, serve};

use crate::tester::Tester;

/// Far longer than anything here takes: only a session that hangs waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A GUI in a conversation with a [`Tester`].
pub(crate) struct Gui {
    to: PipeWriter,
    lines: Receiver<String>,
    session: JoinHandle<io::Result<()>>,
}

impl Gui {
    pub(crate) fn new<G: Arena>(engine: Tester) -> Self {
        let (from, to, session) = start::<G>(engine);
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(from).lines() {
                let _ = sender.send(line.expect("the engine writes text"));
            }
        });
        Self { to, lines, session }
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.to, "{line}").expect("the session reads");
    }

    /// The next line of the engine.
    pub(crate) fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine says something")
    }

    /// The next line of the engine that is no `info`.
    pub(crate) fn hear_answer(&self) -> String {
        loop {
            let line = self.hear();
            if !line.starts_with("info ") {
                return line;
            }
        }
    }

    /// Checks that the engine says nothing more unless asked.
    pub(crate) fn hear_nothing(&mut self) {
        thread::sleep(Duration::from_millis(50));
        self.send("isready");
        assert_eq!(self.hear(), "readyok");
    }

    /// Plays a conversation: `> ` before what the GUI sends, `< ` before what has to come back.
    pub(crate) fn follow(&mut self, transcript: &str) {
        for line in transcript.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line.split_at(2) {
                ("> ", command) => self.send(command),
                ("< ", expected) => assert_eq!(self.hear(), expected, "{transcript}"),
                _ => panic!("{line:?} is neither sent nor heard"),
            }
        }
    }

    /// Leaves, and says how the session ended and what it said until then.
    pub(crate) fn leave(self) -> (io::Result<()>, Vec<String>) {
        drop(self.to);
        let result = self.session.join().expect("the session does not panic");
        (result, self.lines.iter().collect())
    }

    /// Waits for the session to end by itself.
    pub(crate) fn wait_for_end(self) -> io::Result<()> {
        self.lines.iter().for_each(drop);
        self.session.join().expect("the session does not panic")
    }

    /// Says `quit` and hears the rest.
    pub(crate) fn quit(mut self) -> Vec<String> {
        self.send("quit");
        let (result, rest) = self.leave();
        result.expect("the session ends well");
        rest
    }
}

/// A session, with what it writes and what it reads.
pub(crate) fn start<G: Arena>(
    engine: Tester,
) -> (PipeReader, PipeWriter, JoinHandle<io::Result<()>>) {
    let (input, to) = io::pipe().unwrap();
    let (from, mut out) = io::pipe().unwrap();
    let session = thread::spawn(move || {
        let options = EngineOptions::default();
        serve::<G>(Box::new(engine), options, BufReader::new(input), &mut out)
    });
    (from, to, session)
}
