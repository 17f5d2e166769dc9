//! The thread that thinks.

use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use keisei_game::{Game, Position};

use super::situation::Situation;
use super::{Engine, EngineOptions, speech};
use crate::mate::{MateLimits, Solver, Verdict};
use crate::{Answer, Arena, Limits, Protocol, Report, Signal};

/// The most memory for mates, in MiB: more takes too long to set up.
const MOST_FOR_MATES: usize = 64;

/// What the thread is asked to do, one after the other.
pub(super) enum Job<G: Game> {
    /// Load whatever is needed, and say so.
    Ready(EngineOptions),
    NewGame,
    Think(Question<G>),
    /// Look for a mate, for at most some time.
    Mate(Question<G>, Option<Duration>),
}

/// A `go`.
pub(super) struct Question<G: Game> {
    pub(super) situation: Situation<G>,
    pub(super) limits: Limits,
    pub(super) signal: Signal,
    pub(super) options: EngineOptions,
}

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

/// Does the jobs of a session, until there are no more.
pub(super) struct Thinker<G: Game> {
    engine: Box<dyn Engine<G>>,
    /// Made when a mate is looked for, with its memory in MiB.
    solver: Option<(Solver, usize)>,
    events: Sender<Event>,
}

impl<G: Arena> Thinker<G> {
    pub(super) fn new(engine: Box<dyn Engine<G>>, events: Sender<Event>) -> Self {
        Self { engine, solver: None, events }
    }

    pub(super) fn work(mut self, jobs: Receiver<Job<G>>) {
        for job in jobs {
            let event = match job {
                Job::Ready(options) => {
                    self.get_ready(&options);
                    Event::Say("readyok".to_owned())
                }
                Job::NewGame => {
                    if let Err(problem) = self.engine.new_game() {
                        remarks(&self.events)(&format!("error: {problem}"));
                    }
                    continue;
                }
                Job::Think(question) => Event::Answer(self.think(question)),
                Job::Mate(question, time) => Event::Answer(self.mate(question, time)),
            };
            send(&self.events, event);
        }
    }

    fn get_ready(&mut self, options: &EngineOptions) {
        let say = &mut remarks(&self.events);
        if let Err(problem) = self.engine.player(options, say) {
            say(&format!("error: {problem}"));
        }
    }

    /// Answers a `go`, whatever happens.
    fn think(&mut self, question: Question<G>) -> String {
        self.try_to_think(question).unwrap_or_else(|problem| {
            remarks(&self.events)(&format!("error: {problem}"));
            G::PROTOCOL.no_move().to_owned()
        })
    }

    fn try_to_think(&mut self, question: Question<G>) -> Result<String, String> {
        let Question { mut situation, limits, signal, options } = question;
        situation.carry_on();
        let moves = situation.position().legal_moves();
        let Some(&some_move) = moves.as_ref().first() else {
            return Ok(G::PROTOCOL.no_move().to_owned());
        };
        let Some(game) = situation.game() else {
            return Ok(speech::best_move(G::PROTOCOL, &Answer::play(some_move)));
        };
        let mut limits = options.limited(limits);
        limits.search_moves = self.searched(game, limits.search_moves);
        let player = self.engine.player(&options, &mut remarks(&self.events))?;
        let mut best = limits.root_moves(game.position())[0];
        let mut report = |report: &Report<G::Move>| {
            if let (1, Some(&mv)) = (report.line, report.moves.first()) {
                best = mv;
            }
            let line = speech::info(G::PROTOCOL, report, options.multi_pv > 1);
            send(&self.events, Event::Say(line));
        };
        let answer = player.think(game, &limits, &signal, &mut report);
        let answer = Self::checked(game, answer.map_err(|error| error.to_string())?, best);
        let answer = answer.map_err(|problem| format!("{}: {problem}", player.name()))?;
        Ok(speech::best_move(G::PROTOCOL, &answer))
    }

    /// The moves of `named` that are legal, as the protocol writes them.
    fn searched(&self, game: &G, named: Vec<String>) -> Vec<String> {
        let legal = |text: String| {
            let mv = game.parse_move(&text).ok().filter(|&mv| game.position().is_legal(mv));
            if mv.is_none() {
                remarks(&self.events)(&format!("searchmoves: {text:?} is no legal move"));
            }
            mv.map(|mv| mv.to_string())
        };
        named.into_iter().filter_map(legal).collect()
    }

    /// The answer as the protocol can say it. Where there is no word for giving up, `best` is
    /// played instead.
    fn checked(
        game: &G,
        answer: Answer<G::Move>,
        best: G::Move,
    ) -> Result<Answer<G::Move>, String> {
        match answer {
            Answer::Resign if G::PROTOCOL == Protocol::Uci => Ok(Answer::play(best)),
            Answer::Play { mv, ponder } => {
                let mut next = game.clone();
                next.play(mv).map_err(|error| error.to_string())?;
                let goes_on = next.outcome().is_none();
                let possible = |reply: &_| goes_on && next.position().is_legal(*reply);
                Ok(Answer::Play { mv, ponder: ponder.filter(possible) })
            }
            Answer::Win if !game.can_declare_win() => Err("there is no win to declare".to_owned()),
            answer => Ok(answer),
        }
    }

    fn mate(&mut self, question: Question<G>, time: Option<Duration>) -> String {
        let Question { mut situation, signal, options, .. } = question;
        situation.carry_on();
        let Some(game) = situation.game() else {
            return speech::checkmate(&Verdict::<G::Move>::NoMate);
        };
        let memory = options.hash.min(MOST_FOR_MATES);
        let solver = self.solver.take().filter(|(_, before)| *before == memory);
        let (solver, _) =
            self.solver.insert(solver.unwrap_or_else(|| (Solver::new(memory << 20), memory)));
        let limits = MateLimits { time, ..MateLimits::default() };
        speech::checkmate(&solver.solve(game, &limits, &signal).verdict)
    }
}

/// The session hears that the thinker has ended even if that is by a panic.
impl<G: Game> Drop for Thinker<G> {
    fn drop(&mut self) {
        send(&self.events, Event::Ended);
    }
}

/// Sends an event. A session that does not listen any more is no concern of the sender.
pub(super) fn send(events: &Sender<Event>, event: Event) {
    let _ = events.send(event);
}

/// Says what a person should know.
fn remarks(events: &Sender<Event>) -> impl Fn(&str) {
    |text| send(events, Event::Say(speech::remark(text)))
}
