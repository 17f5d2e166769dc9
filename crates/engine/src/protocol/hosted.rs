//! An engine inside another program that has no threads: the host hands it lines and gives it time.

use super::question::{Job, Mates, Question, Thought};
use super::session::Session;
use super::{Engine, EngineOptions, NetworkEngine, speech};
use crate::mate::{MateLimits, MateRun};
use crate::network_player::Begun;
use crate::search::Run;
use crate::{Arena, Report, Signal};

/// An engine that speaks its protocol to a host. It thinks only while the host lets it.
pub struct HostedEngine<G: Arena> {
    session: Session<G, Vec<u8>>,
    engine: NetworkEngine<G>,
    mates: Mates,
    work: Option<Work<G>>,
    ended: bool,
}

/// What is under way.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
enum Work<G: Arena> {
    Think(Thought<G>, Run<G>),
    Mate(MateRun<G>, Signal, EngineOptions),
}

impl<G: Arena> HostedEngine<G> {
    /// A session with `engine`. `options` are those that hold until the host changes them.
    pub fn new(engine: NetworkEngine<G>, options: EngineOptions) -> Self {
        let session = Session::new(&engine, options, Vec::new());
        Self { session, engine, mates: Mates::default(), work: None, ended: false }
    }

    /// Takes a line of the host and gives back what is said at once, a line each. After `quit`
    /// nothing is said any more.
    pub fn tell(&mut self, line: &str) -> String {
        if !self.ended {
            self.ended = self.session.hear_line(line).expect("memory takes what is written");
        }
        self.said()
    }

    /// Whether there is something to [`advance`](Self::advance). A search that waits for `stop` has
    /// nothing to do.
    pub fn has_work(&self) -> bool {
        !self.ended && (self.work.is_some() || self.session.has_jobs())
    }

    /// Works until there is nothing to do or `pause` wishes, and gives back what is said.
    pub fn advance(&mut self, pause: &mut dyn FnMut() -> bool) -> String {
        while self.has_work() {
            match self.work.take() {
                Some(work) => self.go_on(work, pause),
                None => match self.session.next_job() {
                    Some(job) => self.begin(job),
                    None => break,
                },
            }
            if pause() {
                break;
            }
        }
        self.said()
    }

    fn begin(&mut self, job: Job<G>) {
        match job {
            Job::Ready(options) => {
                let mut remarks = Vec::new();
                let say = &mut |text: &str| remarks.push(text.to_owned());
                let problem = self.engine.search_player(&options, say).err();
                remarks.extend(problem.map(|problem| format!("error: {problem}")));
                remarks.iter().for_each(|text| self.remark(text));
                self.say("readyok");
            }
            Job::NewGame => {
                if let Err(problem) = self.engine.new_game() {
                    self.remark(&format!("error: {problem}"));
                }
            }
            Job::Think(question) => {
                if let Err(problem) = self.begin_thought(question) {
                    self.fail(&problem);
                }
            }
            Job::Mate(question, time) => match question.open_mate() {
                Err(answer) => self.answer(answer),
                Ok((game, signal, options)) => {
                    let limits = MateLimits { time, ..MateLimits::default() };
                    let run = self.mates.solver(&options).begin(&game, &limits);
                    self.work = Some(Work::Mate(run, signal, options));
                }
            },
        }
    }

    fn begin_thought(&mut self, question: Question<G>) -> Result<(), String> {
        let mut remarks = Vec::new();
        let say = &mut |text: &str| remarks.push(text.to_owned());
        let thought = match question.open(say) {
            Ok(thought) => thought,
            Err(answer) => {
                self.answer(answer);
                return Ok(());
            }
        };
        let player = self.engine.search_player(&thought.options, say);
        let begun = player.and_then(|player| {
            let begun = player.begin(&thought.game, &thought.limits, &thought.signal);
            begun.map_err(|error| error.to_string())
        });
        remarks.iter().for_each(|text| self.remark(text));
        match begun? {
            Begun::Answer(answer) => {
                let line = thought.answer(self.engine.name(), answer)?;
                self.answer(line);
            }
            Begun::Run(run) => self.work = Some(Work::Think(thought, run)),
        }
        Ok(())
    }

    fn go_on(&mut self, work: Work<G>, pause: &mut dyn FnMut() -> bool) {
        match work {
            Work::Think(thought, run) => {
                if let Err(problem) = self.think(thought, run, pause) {
                    self.fail(&problem);
                }
            }
            Work::Mate(mut run, signal, options) => {
                match self.mates.solver(&options).go_on(&mut run, &signal, pause) {
                    None => self.work = Some(Work::Mate(run, signal, options)),
                    Some(solution) => self.answer(speech::checkmate(&solution.verdict)),
                }
            }
        }
    }

    fn think(
        &mut self,
        mut thought: Thought<G>,
        mut run: Run<G>,
        pause: &mut dyn FnMut() -> bool,
    ) -> Result<(), String> {
        let mut lines = Vec::new();
        let (mut best, several) = (thought.best, thought.options.multi_pv > 1);
        let mut report = |report: &Report<G::Move>| {
            if let (1, Some(&mv)) = (report.line, report.moves.first()) {
                best = mv;
            }
            lines.push(speech::info(G::PROTOCOL, report, several));
        };
        let player = self.engine.search_player(&thought.options, &mut |_| ())?;
        let over = player.go_on(&mut run, &thought.signal, &mut report, pause);
        let unfinished = match over {
            true => Err(player.end(run, &mut report)),
            false => Ok(run),
        };
        thought.best = best;
        lines.iter().for_each(|line| self.say(line));
        match unfinished {
            Ok(run) => self.work = Some(Work::Think(thought, run)),
            Err(answer) => {
                let line = thought.answer(self.engine.name(), answer)?;
                self.answer(line);
            }
        }
        Ok(())
    }

    /// Answers a question that led to a problem.
    fn fail(&mut self, problem: &str) {
        self.remark(&format!("error: {problem}"));
        self.answer(G::PROTOCOL.no_move().to_owned());
    }

    fn answer(&mut self, line: String) {
        self.session.hear_answer(line).expect("memory takes what is written");
    }

    fn remark(&mut self, text: &str) {
        self.say(&speech::remark(text));
    }

    fn say(&mut self, line: &str) {
        self.session.say(line).expect("memory takes what is written");
    }

    fn said(&mut self) -> String {
        let bytes = std::mem::take(self.session.out());
        if self.ended { String::new() } else { String::from_utf8_lossy(&bytes).into_owned() }
    }
}
