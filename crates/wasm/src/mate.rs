//! The mate solver, in steps, and its judgement of moves in a problem.

use keisei_engine::Signal;
use keisei_engine::mate::{Judgement, MateLimits as Limits, MateRun, Problem, Solver, Verdict};
use keisei_game::Game as _;
use keisei_games::with_game;
use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;
use web_time::{Duration, Instant};

use crate::error::{Refusal, Result};
use crate::game::Game;
use crate::games::Shown;

/// How far to look for a mate.
#[derive(Clone, Copy, Debug, Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[tsify(from_wasm_abi)]
pub struct MateLimits {
    /// How many plies the mate may have.
    #[tsify(optional)]
    pub plies: Option<u16>,
    /// How many positions may be visited.
    #[tsify(optional)]
    pub nodes: Option<u32>,
    /// Whether to be content with the first mate found, however long it is.
    #[tsify(optional)]
    pub any_length: Option<bool>,
}

impl From<MateLimits> for Limits {
    fn from(limits: MateLimits) -> Self {
        Self {
            nodes: limits.nodes.map(u64::from),
            time: None,
            plies: limits.plies,
            any_length: limits.any_length.unwrap_or(false),
        }
    }
}

/// What a step of solving led to.
#[derive(Clone, Debug, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct MateProgress {
    pub done: bool,
    /// How many positions were visited.
    pub nodes: f64,
    /// Null until it is done. `unknown`: the limits were too narrow to tell.
    pub verdict: Option<VerdictName>,
    /// The moves of both sides to the mate.
    pub line: Vec<String>,
    /// The mate takes at most so many plies.
    pub within: Option<u32>,
    /// Whether there is no shorter mate.
    pub shortest: bool,
}

/// Whether the side to move mates.
#[derive(Clone, Copy, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum VerdictName {
    Mate,
    NoMate,
    Unknown,
}

/// What a move in a mate problem is worth.
#[derive(Clone, Debug, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct MoveJudgement {
    pub verdict: JudgementName,
    /// The answer that holds out longest, or that refutes the move.
    pub reply: Option<String>,
    /// How many plies the mate takes at most after the reply.
    pub left: Option<u32>,
}

/// The verdicts on a move in a mate problem.
#[derive(Clone, Copy, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum JudgementName {
    /// It mates at once.
    Mated,
    /// It mates in time.
    Correct,
    /// It mates, but not within the plies asked for.
    Slow,
    Refuted,
    /// It gives no check, as every move must.
    NoCheck,
    /// The limits were too narrow to tell.
    Unknown,
}

/// A problem: a position in which one first move alone mates by checks.
#[derive(Clone, Debug, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct MateProblem {
    pub position: String,
    /// The shortest mate against the best defence.
    pub line: Vec<String>,
    /// How many positions were visited to prove it.
    pub nodes: f64,
}

/// Solves mate problems of all games.
#[wasm_bindgen]
pub struct MateSolver {
    solver: Solver,
    problem: Option<Box<dyn Solved>>,
    signal: Signal,
}

/// A problem under way, whichever game it is of.
trait Solved {
    fn go_on(&mut self, solver: &mut Solver, signal: &Signal, deadline: Instant) -> MateProgress;
}

impl<G: Shown> Solved for MateRun<G> {
    fn go_on(&mut self, solver: &mut Solver, signal: &Signal, deadline: Instant) -> MateProgress {
        let found = solver.go_on(self, signal, &mut || Instant::now() >= deadline);
        let mut progress = MateProgress {
            done: found.is_some(),
            nodes: self.nodes() as f64,
            verdict: None,
            line: Vec::new(),
            within: None,
            shortest: false,
        };
        let verdict = found.map(|solution| solution.verdict);
        progress.verdict = verdict.as_ref().map(|verdict| match verdict {
            Verdict::Mate { .. } => VerdictName::Mate,
            Verdict::NoMate => VerdictName::NoMate,
            Verdict::Unknown => VerdictName::Unknown,
        });
        if let Some(Verdict::Mate { line, within, shortest }) = verdict {
            progress.line = line.iter().map(ToString::to_string).collect();
            progress.within = Some(within as u32);
            progress.shortest = shortest;
        }
        progress
    }
}

#[wasm_bindgen]
impl MateSolver {
    /// A solver with so much memory in MiB, 16 unless told otherwise.
    #[wasm_bindgen(constructor)]
    pub fn new(memory: Option<u32>) -> MateSolver {
        let bytes = (memory.unwrap_or(16).clamp(1, 1024) as usize) << 20;
        MateSolver { solver: Solver::new(bytes), problem: None, signal: Signal::new() }
    }

    /// Begins to look for a mate by checks of the side to move.
    pub fn start(&mut self, game: &Game, limits: Option<MateLimits>) -> Result<()> {
        let limits = limits.unwrap_or_default().into();
        self.signal = Signal::new();
        self.problem = Some(with_game!(game.game().into(), G => {
            Box::new(self.solver.begin(game.of::<G>()?, &limits)) as Box<dyn Solved>
        }));
        Ok(())
    }

    /// Looks for about so many milliseconds. To be called until it is done.
    pub fn step(&mut self, milliseconds: f64) -> Result<MateProgress> {
        let deadline = Instant::now() + Duration::try_from_secs_f64(milliseconds / 1000.0)?;
        let problem = self.problem.as_mut();
        let problem = problem.ok_or_else(|| Refusal::new("there is no problem to solve"))?;
        let progress = problem.go_on(&mut self.solver, &self.signal, deadline);
        if progress.done {
            self.problem = None;
        }
        Ok(progress)
    }

    /// Makes the next step the last.
    pub fn stop(&mut self) {
        self.signal.stop();
    }

    /// Judges a legal move of a problem that asks for a mate within `plies`. The limits hold for
    /// each answer of the other side.
    pub fn judge(
        &mut self,
        game: &Game,
        text: &str,
        plies: u16,
        limits: Option<MateLimits>,
    ) -> Result<MoveJudgement> {
        let limits = limits.unwrap_or_default().into();
        with_game!(game.game().into(), G => judge::<G>(&mut self.solver, game, text, plies, &limits))
    }

    /// The problem that the position poses, if it poses one of at most `plies` with one first move
    /// alone; with `reduced`, every man is taken away that it does not need.
    pub fn problem(
        &mut self,
        game: &Game,
        plies: u16,
        reduced: bool,
        limits: Option<MateLimits>,
    ) -> Result<Option<MateProblem>> {
        let limits = limits.unwrap_or_default().into();
        with_game!(game.game().into(), G => {
            let position = game.of::<G>()?.position();
            let found = self.solver.problem::<G>(position, plies, &limits);
            let found = match reduced {
                true => found.map(|found| self.solver.reduce::<G>(found, &limits)),
                false => found,
            };
            Ok(found.map(MateProblem::from))
        })
    }
}

impl<P: ToString, M: ToString> From<Problem<P, M>> for MateProblem {
    fn from(problem: Problem<P, M>) -> Self {
        Self {
            position: problem.position.to_string(),
            line: problem.line.iter().map(ToString::to_string).collect(),
            nodes: problem.nodes as f64,
        }
    }
}

fn judge<G: Shown>(
    solver: &mut Solver,
    game: &Game,
    text: &str,
    plies: u16,
    limits: &Limits,
) -> Result<MoveJudgement> {
    let game = game.of::<G>()?;
    let mv = game.parse_move(text)?;
    G::check(game.position(), mv)?;
    let (verdict, reply, left) =
        match solver.judge::<G>(game.position(), mv, plies, limits, &Signal::new()) {
            Judgement::Mated => (JudgementName::Mated, None, None),
            Judgement::Correct { answer, left } => {
                (JudgementName::Correct, Some(answer), Some(left))
            }
            Judgement::Slow { answer, left } => (JudgementName::Slow, Some(answer), Some(left)),
            Judgement::Refuted { answer } => (JudgementName::Refuted, Some(answer), None),
            Judgement::NoCheck => (JudgementName::NoCheck, None, None),
            Judgement::Unknown => (JudgementName::Unknown, None, None),
        };
    Ok(MoveJudgement {
        verdict,
        reply: reply.map(|reply| reply.to_string()),
        left: left.map(|left| left as u32),
    })
}
