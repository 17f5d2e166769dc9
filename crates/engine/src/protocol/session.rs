//! A conversation with a GUI.

use std::collections::VecDeque;
use std::io::{self, Write};

use super::command::{Command, Go};
use super::question::{Job, Question};
use super::situation::Situation;
use super::{Engine, EngineOption, EngineOptions, speech};
use crate::{Arena, Limits, Signal};

/// What `id author` says.
pub(super) const AUTHOR: &str = "the authors of Keisei";

/// What a GUI has said, what it waits for, and what is to be done for it. Who does the work, and
/// when, is no concern of the session.
pub(super) struct Session<G: Arena, W> {
    name: String,
    offered: Vec<EngineOption>,
    options: EngineOptions,
    situation: Situation<G>,
    /// The `position` command that gave the situation.
    position: String,
    /// The questions that are not answered yet, oldest first. All but the last are told to stop.
    open: VecDeque<Open<G>>,
    /// What is to be done, oldest first.
    jobs: VecDeque<Job<G>>,
    /// Whether the GUI wants to hear of commands that are ignored.
    debug: bool,
    out: W,
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

impl<G: Arena, W: Write> Session<G, W> {
    /// A session with `engine`, in which what is said goes to `out`.
    pub(super) fn new(engine: &dyn Engine<G>, options: EngineOptions, out: W) -> Self {
        let name = engine.name().to_owned();
        let offered = [engine.options(), EngineOption::of_rules::<G>(G::PROTOCOL)].concat();
        let position = "startpos".to_owned();
        let situation = Situation::parse(&position, options.rules()).expect("games have a start");
        let (jobs, open, debug) = (VecDeque::new(), VecDeque::new(), false);
        Self { name, offered, options, situation, position, open, jobs, debug, out }
    }

    /// Does what a line of the GUI says, as far as that needs no thought. Whether it said `quit`.
    pub(super) fn hear_line(&mut self, line: &str) -> io::Result<bool> {
        match Command::parse(G::PROTOCOL, line) {
            Command::Quit => return Ok(true),
            command => self.follow(command, line)?,
        }
        self.answer()?;
        Ok(false)
    }

    /// Takes the answer to the oldest question that has none, and gives it when it is due.
    pub(super) fn hear_answer(&mut self, line: String) -> io::Result<()> {
        let waiting = self.open.iter_mut().find(|open| open.answer.is_none());
        waiting.expect("only questions are answered").answer = Some(line);
        self.answer()
    }

    /// Says a line at once.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    /// Where what is said goes.
    pub(super) fn out(&mut self) -> &mut W {
        &mut self.out
    }

    /// Whether there is something to be done.
    pub(super) fn has_jobs(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// What is to be done next.
    pub(super) fn next_job(&mut self) -> Option<Job<G>> {
        self.jobs.pop_front()
    }

    /// Asks for all answers at once.
    pub(super) fn stop(&mut self) {
        for open in &mut self.open {
            open.signal.stop();
            open.held = false;
        }
    }

    fn follow(&mut self, command: Command<'_>, line: &str) -> io::Result<()> {
        match command {
            Command::Identify => self.identify(),
            // A search does not keep a GUI waiting that only asks whether we are alive.
            Command::IsReady if !self.open.is_empty() => self.say("readyok"),
            Command::IsReady => {
                self.jobs.push_back(Job::Ready(self.options.clone()));
                Ok(())
            }
            Command::SetOption { name, value } => self.set_option(name, value),
            Command::NewGame => {
                self.jobs.push_back(Job::NewGame);
                Ok(())
            }
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
        self.say(&format!("id name {}", self.name))?;
        self.say(&format!("id author {AUTHOR}"))?;
        for option in self.offered.clone() {
            self.say(&option.offer(G::PROTOCOL, &self.options))?;
        }
        self.say(&format!("{}ok", G::PROTOCOL.name()))
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
        let job = match mate {
            None => Job::Think(self.ask(situation, limits)),
            Some(time) => Job::Mate(self.ask(situation, Limits::default()), time),
        };
        self.jobs.push_back(job);
        Ok(())
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
        let question = self.ask(situation, limits);
        self.jobs.push_back(Job::Think(question));
        Ok(())
    }

    /// Gives the answers that need not wait any longer.
    fn answer(&mut self) -> io::Result<()> {
        let ready = |open: &mut Open<G>| open.answer.is_some() && !open.held;
        while let Some(Open { answer, dropped, .. }) = self.open.pop_front_if(ready) {
            if let Some(line) = answer.filter(|_| !dropped) {
                self.say(&line)?;
            }
        }
        Ok(())
    }

    fn remark(&mut self, text: &str) -> io::Result<()> {
        self.say(&speech::remark(text))
    }
}
