//! Walking through a game with a player.

use keisei_engine::search::win_rate_of;
use keisei_engine::{Answer, Arena, Limits, Player, PlayerError, Protocol, Report, Score, Signal};
use keisei_game::{Game, Outcome, Position, Rules, Side};
use keisei_records::{Evaluation, Evaluator, Mate, NodeId, Record, Recorded};

use crate::Judged;

/// What is thought of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion<M> {
    /// The chance of the first side to win, from 0 to 1.
    pub chance: f64,
    /// The score and the best line. There is none where the game is over.
    pub evaluation: Option<Evaluation<M>>,
}

/// What a player thinks of a game.
#[derive(Clone, Debug)]
pub struct Analysis<M> {
    /// The opinions of the start and of the position after each move. There are fewer if the
    /// analysis was stopped.
    pub opinions: Vec<Opinion<M>>,
    /// The moves between those positions.
    pub moves: Vec<Judged<M>>,
}

/// Why a game cannot be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The player failed.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The player chooses moves but does not say how good they are.
    #[error("{0} does not evaluate positions, so it cannot analyse them")]
    Silent(String),
}

/// Lets `player` think about every position of the main line, each within `limits`. Each opinion is
/// also told to `seen`. When `signal` says stop, the position at hand is left out and the analysis
/// ends with what there is.
pub fn analyze<G: Arena + Recorded>(
    record: &Record<G>,
    player: &mut dyn Player<G>,
    limits: &Limits,
    signal: &Signal,
    mut seen: impl FnMut(&Opinion<G::Move>),
) -> Result<Analysis<G::Move>, AnalysisError> {
    let line: Vec<_> =
        record.main_line().filter_map(|id| Some((id, record.node(id).mv()?))).collect();
    let mut analysis = Analysis { opinions: Vec::new(), moves: Vec::new() };
    let mut game: G = game_at(record.start().clone());
    player.new_game()?;
    for ply in 0..=line.len() {
        if let Some(&(_, mv)) = ply.checked_sub(1).and_then(|before| line.get(before)) {
            game = after(game, mv);
        }
        let opinion = opinion(&game, ply == line.len(), player, limits, signal);
        // A player that was cut short, or that ended with the signal, has no say.
        if signal.stopped() {
            break;
        }
        let opinion = opinion?;
        seen(&opinion);
        if let (Some(before), Some(&step)) =
            (analysis.opinions.last(), line.get(ply.wrapping_sub(1)))
        {
            let side = !game.turn();
            analysis.moves.push(judge(step, ply, side, before, opinion.chance));
        }
        analysis.opinions.push(opinion);
    }
    Ok(analysis)
}

/// A game that begins at `position`.
fn game_at<G: Game>(position: G::Position) -> G {
    G::with_rules(position, Rules::between_programs(None))
}

/// The game after `mv`. A record may go on where the rules end a game; then a new game begins.
fn after<G: Game>(mut game: G, mv: G::Move) -> G {
    if game.outcome().is_none() {
        game.play_unchecked(mv);
        return game;
    }
    let mut position = game.position().clone();
    position.play_unchecked(mv);
    game_at(position)
}

/// What the rules or the player say of `game`.
fn opinion<G: Arena + Recorded>(
    game: &G,
    is_last: bool,
    player: &mut dyn Player<G>,
    limits: &Limits,
    signal: &Signal,
) -> Result<Opinion<G::Move>, AnalysisError> {
    // A repetition ends the game only where the record ends too.
    let anew = if is_last || game.outcome().is_none() {
        None
    } else {
        Some(game_at(game.position().clone()))
    };
    let game: &G = anew.as_ref().unwrap_or(game);
    if let Some(outcome) = game.outcome() {
        return Ok(Opinion { chance: chance_after(outcome), evaluation: None });
    }
    let mut last: Option<Report<G::Move>> = None;
    let answer = player.think(game, limits, signal, &mut |report| {
        if report.line == 1 {
            last = Some(report.clone());
        }
    })?;
    let (turn, name) = (game.turn(), player.name());
    let certain = |chance| Opinion { chance: from_first(turn, chance), evaluation: None };
    match (last, answer) {
        (_, Answer::Win) => Ok(certain(1.0)),
        (None, Answer::Resign) => Ok(certain(0.0)),
        (None, Answer::Play { .. }) => Err(AnalysisError::Silent(name.to_owned())),
        (Some(mut report), answer) => {
            if let (true, Answer::Play { mv, .. }) = (report.moves.is_empty(), answer) {
                report.moves.push(mv);
            }
            let chance =
                f64::from(report.win_rate.unwrap_or_else(|| win_rate_of::<G>(report.score)));
            let evaluation = Some(evaluation::<G>(report, turn, name));
            Ok(Opinion { chance: from_first(turn, chance), evaluation })
        }
    }
}

/// The opinion of `report` as records keep it.
fn evaluation<G: Arena>(report: Report<G::Move>, turn: Side, engine: &str) -> Evaluation<G::Move> {
    let (centipawns, mate) = match report.score {
        Score::Centipawns(score) if turn == Side::First => (Some(score), None),
        Score::Centipawns(score) => (Some(-score), None),
        Score::Mate(plies) => {
            let winner = if plies > 0 { turn } else { !turn };
            let distance = match G::PROTOCOL {
                Protocol::Usi => plies.unsigned_abs(),
                Protocol::Uci => plies.unsigned_abs().div_ceil(2),
            };
            (None, Some(Mate { winner, distance: Some(distance) }))
        }
    };
    Evaluation {
        by: Evaluator::Analysis,
        centipawns,
        mate,
        line: report.moves,
        depth: Some(report.depth),
        nodes: Some(report.nodes),
        engine: Some(engine.to_owned()),
    }
}

fn judge<M: Copy>(
    (node, played): (NodeId, M),
    ply: usize,
    side: Side,
    before: &Opinion<M>,
    after: f64,
) -> Judged<M> {
    let best = before.evaluation.as_ref().map_or_else(Vec::new, |found| found.line.clone());
    let (before, after) = (from_first(side, before.chance), from_first(side, after));
    Judged { node, ply, side, played, best, before, after }
}

/// The chance of the first side if `side` has `chance`, and the other way round.
fn from_first(side: Side, chance: f64) -> f64 {
    if side == Side::First { chance } else { 1.0 - chance }
}

/// The chance of the first side once the game is over.
fn chance_after(outcome: Outcome) -> f64 {
    outcome.winner().map_or(0.5, |winner| from_first(winner, 1.0))
}
