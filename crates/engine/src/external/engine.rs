//! An engine that speaks USI or UCI.

use std::time::Duration;

use keisei_game::Side;

use super::clock::{Deadline, Say};
use super::go::{go_line, position_line};
use super::options::{OfferedOption, set_line};
use super::process::Process;
use super::{Launch, Patience, illegal, info, other};
use crate::{Answer, Arena, Limits, Player, PlayerError, Protocol, Report, Signal};

/// How often an engine that thinks is looked after.
const LOOK: Duration = Duration::from_millis(5);

/// An engine in a child process.
pub struct ExternalEngine {
    name: String,
    protocol: Protocol,
    process: Process,
    patience: Patience,
    /// Whether it was told that a game begins.
    in_game: bool,
}

impl ExternalEngine {
    /// Starts an engine and makes it ready to play.
    pub fn start(protocol: Protocol, launch: &Launch) -> Result<Self, PlayerError> {
        let Launch { name, command, options, patience } = launch;
        let mut process = Process::start(name, command, patience.quit)?;
        let (greeting, ok) = match protocol {
            Protocol::Usi => ("usi", "usiok"),
            Protocol::Uci => ("uci", "uciok"),
        };
        let mut offered = Vec::new();
        process.ask(greeting, patience.greeting, |line| {
            offered.extend(OfferedOption::read(line));
            (line == ok).then_some(())
        })?;
        for (option, value) in options {
            let line = set_line(&offered, option, value);
            process.send(&line.map_err(|problem| other(name, problem))?)?;
        }
        let mut engine =
            Self { name: name.clone(), protocol, process, patience: *patience, in_game: false };
        engine.wait_until_ready()?;
        Ok(engine)
    }

    fn wait_until_ready(&mut self) -> Result<(), PlayerError> {
        let ready = |line: &str| (line == "readyok").then_some(());
        self.process.ask("isready", self.patience.ready, ready)
    }

    fn begin_game(&mut self) -> Result<(), PlayerError> {
        match self.protocol {
            Protocol::Usi => {
                self.wait_until_ready()?;
                self.process.send("usinewgame")?;
            }
            Protocol::Uci => {
                self.process.send("ucinewgame")?;
                self.wait_until_ready()?;
            }
        }
        self.in_game = true;
        Ok(())
    }

    /// The answer that the words after `bestmove` are.
    fn answer<G: Arena>(&self, words: &str, game: &G) -> Result<Answer<G::Move>, PlayerError> {
        let mut words = words.split_ascii_whitespace();
        let text = words.next().unwrap_or_default();
        let refused = |problem: String| illegal(&self.name, text, problem);
        match text {
            "resign" => return Ok(Answer::Resign),
            "win" if game.can_declare_win() => return Ok(Answer::Win),
            "win" => return Err(refused("there is no win to declare".to_owned())),
            "(none)" | "none" | "0000" | "" => {
                return Err(refused("there are legal moves".to_owned()));
            }
            _ => {}
        }
        let mv = game.parse_move(text).map_err(|error| refused(error.to_string()))?;
        let mut next = game.clone();
        next.play(mv).map_err(|error| refused(error.to_string()))?;
        let ponder = words.next().filter(|word| *word == "ponder").and(words.next());
        let ponder = ponder.and_then(|text| next.parse_move(text).ok());
        Ok(Answer::Play { mv, ponder })
    }
}

impl<G: Arena> Player<G> for ExternalEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.begin_game()
    }

    fn end_game(&mut self, game: &G, side: Side) -> Result<(), PlayerError> {
        let was_in_game = std::mem::take(&mut self.in_game);
        let Some(outcome) = game.outcome() else { return Ok(()) };
        if !was_in_game || self.protocol == Protocol::Uci {
            return Ok(());
        }
        self.process.send(match outcome.winner() {
            None => "gameover draw",
            Some(winner) if winner == side => "gameover win",
            Some(_) => "gameover lose",
        })
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        if G::PROTOCOL != self.protocol {
            return Err(other(&self.name, format!("it does not play {}", G::NAME)));
        }
        if !self.in_game {
            self.begin_game()?;
        }
        let turn = game.turn();
        self.process.send(&position_line(game))?;
        let go = go_line(self.protocol, limits, turn);
        self.process.send(&go)?;
        let mut deadline = Deadline::new(limits, signal, turn, self.patience);
        loop {
            if let Some(line) = self.process.line_within(LOOK)? {
                if let Some(words) = line.strip_prefix("bestmove") {
                    return self.answer(words, game);
                }
                if let Some(told) = info::report(&line, game) {
                    report(&told);
                }
            }
            match deadline.say() {
                None => {}
                Some(Say::Stop) => self.process.send("stop")?,
                Some(Say::PonderHit) => self.process.send("ponderhit")?,
                Some(Say::GiveUp) => return Err(self.process.silent(&go, deadline.limit())),
            }
        }
    }
}
