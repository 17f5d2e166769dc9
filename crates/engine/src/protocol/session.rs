//! A conversation with a GUI.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::command::{Command, Go};
use super::situation::Situation;
use super::thinker::{Event, Job, Question, Thinker, send};
use super::{Engine, EngineOption, EngineOptions, speech};
use crate::{Arena, Limits, Signal};

/// How long the end of a session waits for a thinker that was told to stop.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) struct Session<'a, G: Arena> {
    name: String,
    offered: Vec<EngineOption>,
    options: EngineOptions,
    situation: Situation<G>,
    /// The `position` command that gave the situation.
    position: String,
    /// The questions that are not answered yet, oldest first. All but the last are told to stop.
    open: VecDeque<Open<G>>,
    /// Where jobs go, until the session ends.
    jobs: Option<Sender<Job<G>>>,
    events: Receiver<Event>,
    /// Whether the GUI wants to hear of commands that are ignored.
    debug: bool,
    out: &'a mut dyn Write,
}

/// A `go` that is not answered yet.
struct Open<G: Arena> {
    signal: Signal,
    /// Whether the answer has to wait for `stop` or `ponderhit`.
    held: bool,
    answer: Option<String>,
    /// What was asked, if it was to ponder.
    ponder: Option<Situation<G>>,
    /// Whether nobody waits for the answer any more.
    dropped: bool,
}

impl<'a, G: Arena> Session<'a, G> {
    pub(super) fn new(
        engine: Box<dyn Engine<G>>,
        options: EngineOptions,
        input: impl BufRead + Send + 'static,
        out: &'a mut dyn Write,
    ) -> Self {
        let (jobs, work) = mpsc::channel();
        let (sender, events) = mpsc::channel();
        let name = engine.name().to_owned();
        let offered = [engine.options(), EngineOption::of_rules::<G>(G::PROTOCOL)].concat();
        let thinker = Thinker::new(engine, sender.clone());
        thread::spawn(move || thinker.work(work));
        // Not waited for: it may sit on an input that never ends.
        thread::spawn(move || listen(input, &sender));
        let position = "startpos".to_owned();
        let situation = Situation::parse(&position, options.rules()).expect("games have a start");
        let (jobs, open, debug) = (Some(jobs), VecDeque::new(), false);
        Self { name, offered, options, situation, position, open, jobs, events, debug, out }
    }

    /// Talks until the GUI has enough.
    pub(super) fn run(mut self) -> io::Result<()> {
        let result = self.talk();
        self.stop();
        self.jobs = None;
        result?;
        self.part()
    }

    fn talk(&mut self) -> io::Result<()> {
        loop {
            match self.events.recv().expect("the thinker says when it ends") {
                Event::Line(line) => match Command::parse(G::PROTOCOL, &line) {
                    Command::Quit => return Ok(()),
                    command => self.follow(command, &line)?,
                },
                Event::EndOfInput => return Ok(()),
                Event::Say(line) => say(self.out, &line)?,
                Event::Answer(line) => self.hear(line),
                Event::Ended => return Err(io::Error::other("the player has failed")),
            }
            self.answer()?;
        }
    }

    /// Says what a thinker that was told to stop has left to say.
    fn part(&mut self) -> io::Result<()> {
        let end = Instant::now() + PATIENCE;
        let left = || end.saturating_duration_since(Instant::now());
        while let Ok(event) = self.events.recv_timeout(left()) {
            match event {
                Event::Say(line) => say(self.out, &line)?,
                Event::Answer(line) => self.hear(line),
                Event::Line(_) | Event::EndOfInput => {}
                Event::Ended => break,
            }
            self.answer()?;
        }
        Ok(())
    }

    fn follow(&mut self, command: Command<'_>, line: &str) -> io::Result<()> {
        match command {
            Command::Identify => self.identify(),
            // A search does not keep a GUI waiting that only asks whether we are alive.
            Command::IsReady if !self.open.is_empty() => say(self.out, "readyok"),
            Command::IsReady => self.give(Job::Ready(self.options.clone())),
            Command::SetOption { name, value } => self.set_option(name, value),
            Command::NewGame => self.give(Job::NewGame),
            Command::Position(text) => self.set_position(text.to_owned()),
            Command::Go(text) => self.go(text),
            Command::PonderHit(text) => self.ponder_hit(text),
            Command::Stop | Command::GameOver => {
                self.stop();
                Ok(())
            }
            Command::Debug(debug) => {
                self.debug = debug;
                Ok(())
            }
            Command::Quit | Command::Unknown => {
                tracing::debug!(line, "ignored");
                let speak = self.debug && !line.trim().is_empty();
                if speak { self.remark(&format!("ignored: {line}")) } else { Ok(()) }
            }
        }
    }

    fn identify(&mut self) -> io::Result<()> {
        say(self.out, &format!("id name {}", self.name))?;
        say(self.out, "id author the authors of Keisei")?;
        for option in &self.offered {
            say(self.out, &option.offer(G::PROTOCOL, &self.options))?;
        }
        say(self.out, &format!("{}ok", G::PROTOCOL.name()))
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let known = self.offered.iter().find(|option| option.is_called(G::PROTOCOL, name));
        let Some(&option) = known else { return self.set_unknown(name, value) };
        let before = self.options.rules();
        if let Err(problem) = self.options.set(option, value) {
            let name = option.name(G::PROTOCOL);
            return self.remark(&format!("error: option {name}: {problem}"));
        }
        if self.options.rules() == before {
            return Ok(());
        }
        // The game at hand goes on by the new rules.
        self.set_position(self.position.clone())
    }

    /// GUIs send some options whether they are offered or not.
    fn set_unknown(&mut self, name: &str, value: &str) -> io::Result<()> {
        let is_book = ["USI_OwnBook", "OwnBook"].iter().any(|it| it.eq_ignore_ascii_case(name));
        match is_book {
            true if value.eq_ignore_ascii_case("true") => {
                self.remark("there is no book: all moves are thought out")
            }
            true => Ok(()),
            false => self.remark(&format!("error: there is no option {name:?}")),
        }
    }

    fn set_position(&mut self, text: String) -> io::Result<()> {
        match Situation::parse(&text, self.options.rules()) {
            Ok(situation) => {
                (self.situation, self.position) = (situation, text);
                Ok(())
            }
            Err(problem) => self.remark(&format!("error: position: {problem}")),
        }
    }

    fn go(&mut self, text: &str) -> io::Result<()> {
        let Go { limits, mate, complaints } = Go::parse(G::PROTOCOL, text);
        for complaint in complaints {
            self.remark(&complaint)?;
        }
        let situation = self.situation.clone();
        match mate {
            None => self.think(situation, limits),
            Some(time) => {
                let question = self.ask(situation, Limits::default());
                self.give(Job::Mate(question, time))
            }
        }
    }

    fn think(&mut self, situation: Situation<G>, limits: Limits) -> io::Result<()> {
        let question = self.ask(situation, limits);
        self.give(Job::Think(question))
    }

    /// Opens a question. The ones before are to be answered at once.
    fn ask(&mut self, situation: Situation<G>, limits: Limits) -> Question<G> {
        self.stop();
        let signal = Signal::new();
        self.open.push_back(Open {
            signal: signal.clone(),
            held: limits.infinite || limits.ponder,
            answer: None,
            ponder: limits.ponder.then(|| situation.clone()),
            dropped: false,
        });
        Question { situation, limits, signal, options: self.options.clone() }
    }

    fn ponder_hit(&mut self, text: &str) -> io::Result<()> {
        let Some(open) = self.open.back_mut() else { return Ok(()) };
        let Some(situation) = open.ponder.take() else { return Ok(()) };
        let limits = Go::parse(G::PROTOCOL, text).limits;
        if limits == Limits::default() {
            open.held = false;
            open.signal.ponder_hit();
            return Ok(());
        }
        // The clocks come only now, too late for the search that runs: it makes way for another,
        // which finds what it has learned.
        open.dropped = true;
        self.think(situation, limits)
    }

    /// Asks for all answers at once.
    fn stop(&mut self) {
        for open in &mut self.open {
            open.signal.stop();
            open.held = false;
        }
    }

    /// Takes the answer to the oldest question that has none.
    fn hear(&mut self, line: String) {
        let waiting = self.open.iter_mut().find(|open| open.answer.is_none());
        waiting.expect("only questions are answered").answer = Some(line);
    }

    /// Gives the answers that need not wait any longer.
    fn answer(&mut self) -> io::Result<()> {
        let ready = |open: &mut Open<G>| open.answer.is_some() && !open.held;
        while let Some(Open { answer, dropped, .. }) = self.open.pop_front_if(ready) {
            if let Some(line) = answer.filter(|_| !dropped) {
                say(self.out, &line)?;
            }
        }
        Ok(())
    }

    fn give(&mut self, job: Job<G>) -> io::Result<()> {
        if let Some(jobs) = &self.jobs {
            // A thinker that has failed says so as an event.
            let _ = jobs.send(job);
        }
        Ok(())
    }

    fn remark(&mut self, text: &str) -> io::Result<()> {
        say(self.out, &speech::remark(text))
    }
}

/// Writes a line at once.
fn say(out: &mut dyn Write, line: &str) -> io::Result<()> {
    writeln!(out, "{line}")?;
    out.flush()
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
