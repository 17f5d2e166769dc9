//! A program in a child process, spoken to in lines.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

use super::other;
use crate::PlayerError;

/// Where Debian puts games, which is not on everybody's search path.
const GAMES_FOLDER: &str = "/usr/games";
/// How many lines that nobody reads are kept before the program has to wait.
const UNREAD_LINES: usize = 4096;
/// How many of its last complaints are kept.
const LAST_WORDS: usize = 8;

/// A running program.
pub(super) struct Process {
    player: String,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    complaints: Arc<Mutex<VecDeque<String>>>,
    listener: JoinHandle<()>,
    quit: Duration,
}

impl Process {
    /// Starts `command` for `player`. It has `quit` to leave when it is told to.
    pub(super) fn start(
        player: &str,
        command: &[String],
        quit: Duration,
    ) -> Result<Self, PlayerError> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(other(player, "there is no program to start"));
        };
        let mut child = match spawn(program, arguments) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !program.contains('/') => {
                spawn(&format!("{GAMES_FOLDER}/{program}"), arguments)
            }
            result => result,
        }
        .map_err(|error| other(player, format!("cannot start {program:?}: {error}")))?;
        let (sender, lines) = sync_channel(UNREAD_LINES);
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || hand_on(output, &sender));
        }
        let (errors, kept) = (child.stderr.take(), Arc::clone(&complaints));
        let listener = thread::spawn(move || {
            if let Some(errors) = errors {
                keep_last(errors, &kept);
            }
        });
        let input = child.stdin.take();
        Ok(Self { player: player.to_owned(), child, input, lines, complaints, listener, quit })
    }

    /// Says one or more lines.
    pub(super) fn send(&mut self, text: &str) -> Result<(), PlayerError> {
        tracing::trace!(player = self.player, text, "to the program");
        let written = match &mut self.input {
            Some(input) => input.write_all(format!("{text}\n").as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        written.map_err(|_| self.ended())
    }

    /// The next line it says, or `None` if it says nothing for so long.
    pub(super) fn line_within(&mut self, time: Duration) -> Result<Option<String>, PlayerError> {
        match self.lines.recv_timeout(time) {
            Ok(line) => {
                tracing::trace!(player = self.player, line, "from the program");
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// Says `request` and hands the lines that follow to `listen`, until that is content.
    pub(super) fn ask<T>(
        &mut self,
        request: &str,
        limit: Duration,
        mut listen: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, PlayerError> {
        self.send(request)?;
        let begin = Instant::now();
        // Of a program that floods there is always another line, so the lines alone end nothing.
        while let Some(left) = limit.checked_sub(begin.elapsed())
            && let Some(line) = self.line_within(left)?
        {
            if let Some(heard) = listen(&line) {
                return Ok(heard);
            }
        }
        Err(self.silent(request, limit))
    }

    /// The error of a program that did not answer `request`. It is killed: what it says later
    /// would be taken for the answer to another question.
    pub(super) fn silent(&mut self, request: &str, limit: Duration) -> PlayerError {
        self.kill();
        let (player, request) = (self.player.clone(), request.to_owned());
        PlayerError::Silent { player, request, limit }
    }

    /// The error of a program that is gone.
    fn ended(&mut self) -> PlayerError {
        self.input = None;
        let how = match self.status_within(Duration::from_secs(1)) {
            Some(status) => status.to_string(),
            None => "it closed its output".to_owned(),
        };
        // Its last words may still be on their way.
        wait_until(Duration::from_millis(200), || self.listener.is_finished().then_some(()));
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let words: Vec<_> = complaints.iter().map(String::as_str).collect();
        let how = if words.is_empty() { how } else { format!("{how}: {}", words.join("\n")) };
        PlayerError::Ended { player: self.player.clone(), how }
    }

    fn status_within(&mut self, time: Duration) -> Option<ExitStatus> {
        wait_until(time, || self.child.try_wait().ok().flatten())
    }

    /// Kills the program and those it started.
    fn kill(&mut self) {
        self.input = None;
        if self.status_within(Duration::ZERO).is_some() {
            return;
        }
        #[cfg(unix)]
        if let Some(group) =
            i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
        {
            // It may have gone just now; then there is nothing to kill.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    /// Asks the program to leave, and makes sure that it does.
    fn drop(&mut self) {
        if self.status_within(Duration::ZERO).is_some() {
            return;
        }
        let _ = self.send("quit");
        self.input = None;
        if self.status_within(self.quit).is_none() {
            self.kill();
        }
    }
}

fn spawn(program: &str, arguments: &[String]) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own: an interrupt at the terminal is for us alone, and a script that starts
    // the engine can be killed with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// Hands on the lines of `output` until it ends or nobody listens any more.
fn hand_on(output: impl Read, lines: &SyncSender<String>) {
    for line in lines_of(output) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

fn keep_last(errors: impl Read, kept: &Mutex<VecDeque<String>>) {
    for line in lines_of(errors) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == LAST_WORDS {
            kept.pop_front();
        }
        kept.push_back(line);
    }
}

/// The lines of a stream that may hold anything.
fn lines_of(stream: impl Read) -> impl Iterator<Item = String> {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
    BufReader::new(stream).split(b'\n').map_while(Result::ok).map(text)
}

/// Asks `ready` again and again until it has something, for at most `time`.
fn wait_until<T>(time: Duration, mut ready: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + time;
    loop {
        if let Some(found) = ready() {
            return Some(found);
        }
        if Instant::now() >= deadline {
            return None;
        }
        sleep(Duration::from_millis(2));
    }
}
