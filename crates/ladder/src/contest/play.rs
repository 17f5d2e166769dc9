//! One game of a match.

use std::time::{Duration, Instant};

use keisei_engine::{Answer, Arena, Player, PlayerError, Report, Signal};
use keisei_game::{BySide, Outcome, Reason, Side};
use serde::{Deserialize, Serialize};

use super::adjudicate::Adjudicator;
use super::clock::Clocks;
use super::watchdog::Watchdog;

/// Why a game was lost other than on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// The player ended, or failed to answer for a reason of its own.
    Crash,
    /// The player took too long.
    Time,
    /// The player made a move that the rules forbid, or declared a win without the right to.
    Illegal,
}

impl Fault {
    const fn reason(self) -> Reason {
        match self {
            Self::Crash => Reason::Abandoned,
            Self::Time => Reason::Timeout,
            Self::Illegal => Reason::IllegalMove,
        }
    }
}

/// A game as it was played. It is over.
pub(super) struct Played<G: Arena> {
    pub(super) game: G,
    /// What the players thought and took, for every move after the opening.
    pub(super) thoughts: Vec<Thought<G::Move>>,
    /// Why the loser lost, if not on the board.
    pub(super) fault: Option<Fault>,
    /// What went wrong, in words.
    pub(super) problem: Option<String>,
}

/// What is known about a move.
pub(super) struct Thought<M> {
    /// The last thing that the player said.
    pub(super) report: Option<Report<M>>,
    /// How long it took, if that matters.
    pub(super) time: Option<Duration>,
    /// What its clock shows afterwards, if it has one.
    pub(super) left: Option<Duration>,
}

/// The table at which a game is played.
pub(super) struct Table<'a> {
    pub(super) clocks: Clocks,
    pub(super) adjudicator: Adjudicator,
    pub(super) watchdog: &'a Watchdog,
    pub(super) place: usize,
    /// Whether the match is being stopped.
    pub(super) halt: &'a dyn Fn() -> bool,
}

/// How a turn ended, and what is known about it.
struct Turn<M> {
    answer: Result<Answer<M>, (Fault, String)>,
    thought: Thought<M>,
}

impl Table<'_> {
    /// Plays `game` to its end, or `None` if the match is stopped meanwhile.
    pub(super) fn play<G: Arena>(
        mut self,
        mut game: G,
        players: &mut BySide<&mut dyn Player<G>>,
    ) -> Option<Played<G>> {
        let mut thoughts = Vec::new();
        let (mut fault, mut problem) = (None, None);
        while game.outcome().is_none() {
            let side = game.turn();
            let Turn { answer, thought } = self.take_turn(&game, &mut *players[side])?;
            let failed = match answer {
                Ok(Answer::Play { mv, .. }) => {
                    let text = mv.to_string();
                    let played = game.play(mv);
                    played.err().map(|error| (Fault::Illegal, format!("{text}: {error}")))
                }
                Ok(Answer::Resign) => {
                    game.resign(side);
                    None
                }
                Ok(Answer::Win) if game.can_declare_win() => {
                    let claimed = game.claim();
                    claimed.err().map(|error| (Fault::Illegal, error.to_string()))
                }
                Ok(Answer::Win) => {
                    Some((Fault::Illegal, "declared a win without the right to".to_owned()))
                }
                Err(failure) => Some(failure),
            };
            match failed {
                None => {
                    let score = thought.report.as_ref().map(|report| report.score);
                    thoughts.push(thought);
                    if let Some(outcome) = self.adjudicator.after_move(side, score) {
                        // A game that the move has ended keeps its own end.
                        game.adjudicate(outcome);
                    }
                }
                Some((kind, words)) => {
                    game.adjudicate(Outcome::win(!side, kind.reason()));
                    problem = Some(format!("{}: {words}", players[side].name()));
                    fault = Some(kind);
                }
            }
        }
        for side in Side::ALL {
            // The game has its result: whoever fails only now is replaced before the next one.
            let _ = players[side].end_game(&game, side);
        }
        Some(Played { game, thoughts, fault, problem })
    }

    fn take_turn<G: Arena>(
        &mut self,
        game: &G,
        player: &mut dyn Player<G>,
    ) -> Option<Turn<G::Move>> {
        let side = game.turn();
        let limits = self.clocks.limits(side);
        let signal = Signal::new();
        let mut last = None;
        self.watchdog.begin(self.place, signal.clone(), self.clocks.allowed(side));
        let begin = Instant::now();
        let answer = player.think(game, &limits, &signal, &mut |report: &Report<G::Move>| {
            // Of several lines the first is what the player means to play.
            if report.line <= 1 {
                last = Some(report.clone());
            }
        });
        let elapsed = begin.elapsed();
        self.watchdog.finish(self.place);
        if (self.halt)() {
            return None;
        }
        let in_time = self.clocks.spend(side, elapsed);
        let answer = match answer {
            Err(error) => Err((fault_of(&error), error.to_string())),
            Ok(_) if !in_time => Err((Fault::Time, format!("took {:.3} s", elapsed.as_secs_f64()))),
            Ok(answer) => Ok(answer),
        };
        let time = self.clocks.is_timed(side).then_some(elapsed);
        let thought = Thought { report: last, time, left: self.clocks.left(side) };
        Some(Turn { answer, thought })
    }
}

fn fault_of(error: &PlayerError) -> Fault {
    match error {
        PlayerError::Silent { .. } => Fault::Time,
        PlayerError::Illegal { .. } => Fault::Illegal,
        PlayerError::Ended { .. } | PlayerError::Other { .. } => Fault::Crash,
    }
}
