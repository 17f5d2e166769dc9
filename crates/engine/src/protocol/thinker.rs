//! The thread that thinks.

use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use keisei_game::Game;

use super::question::{Job, Mates, Question};
use super::serve::{Event, send};
use super::{Engine, EngineOptions, speech};
use crate::mate::MateLimits;
use crate::{Arena, Report};

/// Does the jobs of a session, until there are no more.
pub(super) struct Thinker<G: Game> {
    engine: Box<dyn Engine<G>>,
    mates: Mates,
    events: Sender<Event>,
}

impl<G: Arena> Thinker<G> {
    pub(super) fn new(engine: Box<dyn Engine<G>>, events: Sender<Event>) -> Self {
        Self { engine, mates: Mates::default(), events }
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
        let mut thought = match question.open(&mut remarks(&self.events)) {
            Ok(thought) => thought,
            Err(answer) => return Ok(answer),
        };
        let player = self.engine.player(&thought.options, &mut remarks(&self.events))?;
        let (mut best, several) = (thought.best, thought.options.multi_pv > 1);
        let mut report = |report: &Report<G::Move>| {
            if let (1, Some(&mv)) = (report.line, report.moves.first()) {
                best = mv;
            }
            send(&self.events, Event::Say(speech::info(G::PROTOCOL, report, several)));
        };
        let answer = player.think(&thought.game, &thought.limits, &thought.signal, &mut report);
        thought.best = best;
        thought.answer(player.name(), answer.map_err(|error| error.to_string())?)
    }

    fn mate(&mut self, question: Question<G>, time: Option<Duration>) -> String {
        match question.open_mate() {
            Err(answer) => answer,
            Ok((game, signal, options)) => {
                let limits = MateLimits { time, ..MateLimits::default() };
                let solver = self.mates.solver(&options);
                speech::checkmate(&solver.solve(&game, &limits, &signal).verdict)
            }
        }
    }
}

/// The session hears that the thinker has ended even if that is by a panic.
impl<G: Game> Drop for Thinker<G> {
    fn drop(&mut self) {
        send(&self.events, Event::Ended);
    }
}

/// Says what a person should know.
fn remarks(events: &Sender<Event>) -> impl Fn(&str) {
    |text| send(events, Event::Say(speech::remark(text)))
}
