//! How good moves are: those of mate problems, and those that an analysis has looked at.

use keisei_analysis::Mark;
use keisei_engine::Signal;
use keisei_engine::mate::{self, MateLimits, Solver};
use keisei_games::with_game;
use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::Result;
use crate::game::Game;
use crate::games::Shown;

/// The memory of the judge of mate problems.
const JUDGE_BYTES: usize = 16 << 20;

/// What a move of a mate problem is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct Judgement {
    pub verdict: ProblemVerdict,
    /// The answer that holds out longest, or that refutes the move.
    pub answer: Option<String>,
    /// How many plies the mate takes after that answer.
    pub left: Option<u32>,
}

/// The verdict on a move of a mate problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum ProblemVerdict {
    /// It mates at once.
    Mated,
    /// It mates in time, whatever the answer.
    Correct,
    /// It mates, but later than asked for.
    Slow,
    /// It does not mate.
    Refuted,
    /// It gives no check.
    NoCheck,
    /// The limits were too narrow to tell.
    Unknown,
}

/// Judges a move of a mate problem that asks for a mate within `plies` of the current position of
/// `game`. The solver may visit `nodes` positions for each answer. The caller waits for it.
#[wasm_bindgen(js_name = judgeMate)]
pub fn judge_mate(game: &Game, text: &str, plies: u16, nodes: u32) -> Result<Judgement> {
    with_game!(game.game().into(), G => judge::<G>(game.of()?, text, plies, nodes))
}

fn judge<G: Shown>(game: &G, text: &str, plies: u16, nodes: u32) -> Result<Judgement> {
    let mv = game.parse_move(text)?;
    G::check(game.position(), mv)?;
    let limits = MateLimits { nodes: Some(nodes.into()), ..MateLimits::default() };
    let mut solver = Solver::new(JUDGE_BYTES);
    let judged = solver.judge::<G>(game.position(), mv, plies, &limits, &Signal::new());
    let (verdict, answer, left) = match judged {
        mate::Judgement::Mated => (ProblemVerdict::Mated, None, None),
        mate::Judgement::Correct { answer, left } => {
            (ProblemVerdict::Correct, Some(answer), Some(left))
        }
        mate::Judgement::Slow { answer, left } => (ProblemVerdict::Slow, Some(answer), Some(left)),
        mate::Judgement::Refuted { answer } => (ProblemVerdict::Refuted, Some(answer), None),
        mate::Judgement::NoCheck => (ProblemVerdict::NoCheck, None, None),
        mate::Judgement::Unknown => (ProblemVerdict::Unknown, None, None),
    };
    let answer = answer.map(|mv| mv.to_string());
    Ok(Judgement { verdict, answer, left: left.map(|plies| plies as u32) })
}

/// A move that threw away chances to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
#[tsify(into_wasm_abi)]
pub enum MoveMark {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// The mark of a move that lowered the chance to win, from 0 to 1, by `loss`; undefined if it
/// deserves none.
#[wasm_bindgen(js_name = moveMark)]
pub fn move_mark(loss: f64) -> Option<MoveMark> {
    Mark::of(loss).map(|mark| match mark {
        Mark::Inaccuracy => MoveMark::Inaccuracy,
        Mark::Mistake => MoveMark::Mistake,
        Mark::Blunder => MoveMark::Blunder,
    })
}
