//! An engine that does what a test wants.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use keisei_engine::protocol::{Engine, EngineOption, EngineOptions};
use keisei_engine::{Answer, Arena, Limits, Player, PlayerError, Report, Score, Signal};

/// Plays the move that comes first in the alphabet, and expects the reply that does.
#[derive(Clone, Default)]
pub(crate) struct Tester {
    pub(crate) habit: Habit,
    /// What it was told, in order.
    pub(crate) told: Arc<Mutex<Vec<String>>>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Habit {
    /// Thinks until told to stop where that is asked, otherwise not at all.
    #[default]
    Patient,
    /// Answers at once, whatever is asked.
    Hasty,
    GivesUp,
    DeclaresWins,
    PlaysIllegally,
    HasNoNetwork,
    Fails,
    Panics,
}

impl Tester {
    pub(crate) fn with(habit: Habit) -> Self {
        Self { habit, ..Self::default() }
    }

    /// What it was told since the last time.
    pub(crate) fn take_told(&self) -> Vec<String> {
        std::mem::take(&mut self.told.lock().unwrap())
    }

    fn note(&self, text: String) {
        self.told.lock().unwrap().push(text);
    }
}

impl<G: Arena> Engine<G> for Tester {
    fn name(&self) -> &str {
        "Tester 1"
    }

    fn options(&self) -> &[EngineOption] {
        &[
            EngineOption::Hash,
            EngineOption::Ponder,
            EngineOption::MultiPv,
            EngineOption::Latency,
            EngineOption::Model,
        ]
    }

    fn player(
        &mut self,
        options: &EngineOptions,
        say: &mut dyn FnMut(&str),
    ) -> Result<&mut dyn Player<G>, String> {
        if self.habit == Habit::HasNoNetwork {
            return Err("cannot read \"none\":\nno such file".to_owned());
        }
        if let Some(model) = &options.model {
            say(&format!("plays with {}", model.display()));
        }
        Ok(self)
    }

    fn new_game(&mut self) -> Result<(), String> {
        self.note("new game".to_owned());
        Ok(())
    }
}

impl<G: Arena> Player<G> for Tester {
    fn name(&self) -> &str {
        "tester"
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        self.note(format!("{limits:?}"));
        let mv = first(limits.root_moves(game.position())).expect("the game is not over");
        let mut next = game.clone();
        next.play_unchecked(mv);
        let reply = first(next.legal_moves());
        report(&Report {
            line: 1,
            depth: 1,
            selective_depth: None,
            score: Score::Centipawns(12),
            win_rate: None,
            nodes: 3,
            time: Duration::ZERO,
            hash_full: None,
            moves: [mv].into_iter().chain(reply).collect(),
        });
        match self.habit {
            Habit::Patient if limits.infinite => wait_until(|| signal.stopped()),
            Habit::Patient if limits.ponder => {
                wait_until(|| signal.stopped() || signal.ponder_was_hit());
            }
            Habit::GivesUp => return Ok(Answer::Resign),
            Habit::DeclaresWins => return Ok(Answer::Win),
            Habit::PlaysIllegally => {
                return Ok(Answer::play(reply.expect("the other side can move")));
            }
            Habit::Fails => {
                let (player, problem) = ("tester".to_owned(), "out of order".to_owned());
                return Err(PlayerError::Other { player, problem });
            }
            Habit::Panics => panic!("the tester was asked to"),
            _ => {}
        }
        Ok(Answer::Play { mv, ponder: reply })
    }
}

fn first<M: ToString>(moves: Vec<M>) -> Option<M> {
    moves.into_iter().min_by_key(ToString::to_string)
}

fn wait_until(done: impl Fn() -> bool) {
    while !done() {
        thread::sleep(Duration::from_millis(1));
    }
}
