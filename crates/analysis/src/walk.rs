//! Walking through a game with a player.

use keisei_engine::search::win_rate_of;
use keisei_engine::{Answer, Arena, Limits, Player, PlayerError, Report, Signal};
use keisei_game::{Game, Outcome, Position, Rules, Side};
use keisei_records::{Evaluation, Evaluator, NodeId, Record, Recorded};

use crate::{Judged, evaluation};

/// What is thought of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion<M> {
    /// The chance of the first side to win, from 0 to 1.
    pub chance: f64,
    /// The score and the best line. There is none where the game is over.
    pub evaluation: Option<Evaluation<M>>,
}

/// What a player thinks of a game.
#[derive(Debug)]
pub struct Analysis<M> {
    /// The opinions of the start and of the position after each move: `None` where the player said
    /// nothing within its limits. There are fewer if the analysis ended early.
    pub opinions: Vec<Option<Opinion<M>>>,
    /// The moves with an opinion before and after them.
    pub moves: Vec<Judged<M>>,
    /// What ended the analysis early, if the player failed.
    pub failure: Option<PlayerError>,
}

impl<M> Analysis<M> {
    /// How many positions were evaluated.
    pub fn evaluated(&self) -> usize {
        self.opinions.iter().flatten().count()
    }

    /// The positions that the player was asked about in vain, by the number of moves before them.
    pub fn silent(&self) -> impl Iterator<Item = usize> {
        let opinions = self.opinions.iter().enumerate();
        opinions.filter(|(_, opinion)| opinion.is_none()).map(|(ply, _)| ply)
    }
}

/// Why a game cannot be analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The player failed before it had evaluated anything.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The player chose moves but never said how good they are.
    #[error(
        "{0} evaluated no position: it does not evaluate at all, or its limits are too tight for it"
    )]
    Silent(String),
}

/// Lets `player` think about every position of the main line, each within `limits`, and tells
/// `progress` after each. When `signal` says stop, the position at hand is left out and the analysis
/// ends with what there is; so it does when the player fails.
pub fn analyze<G: Arena + Recorded>(
    record: &Record<G>,
    player: &mut dyn Player<G>,
    limits: &Limits,
    signal: &Signal,
    mut progress: impl FnMut(),
) -> Result<Analysis<G::Move>, AnalysisError> {
    let line: Vec<_> =
        record.main_line().filter_map(|id| Some((id, record.node(id).mv()?))).collect();
    let mut analysis = Analysis { opinions: Vec::new(), moves: Vec::new(), failure: None };
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
        let opinion = match opinion {
            Err(failure) if analysis.evaluated() > 0 => {
                analysis.failure = Some(failure);
                break;
            }
            opinion => opinion?,
        };
        progress();
        if let (Some(Some(before)), Some(after), Some(&step)) =
            (analysis.opinions.last(), &opinion, line.get(ply.wrapping_sub(1)))
        {
            let side = !game.turn();
            analysis.moves.push(judge(step, ply, side, before, after.chance));
        }
        analysis.opinions.push(opinion);
    }
    let evaluates = |opinion: &Opinion<G::Move>| opinion.evaluation.is_some();
    let unheard =
        analysis.silent().next().is_some() && !analysis.opinions.iter().flatten().any(evaluates);
    if unheard && !signal.stopped() {
        return Err(AnalysisError::Silent(player.name().to_owned()));
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

/// What the rules or the player say of `game`, if anything.
fn opinion<G: Arena + Recorded>(
    game: &G,
    is_last: bool,
    player: &mut dyn Player<G>,
    limits: &Limits,
    signal: &Signal,
) -> Result<Option<Opinion<G::Move>>, PlayerError> {
    // A repetition ends the game only where the record ends too.
    let anew = if is_last || game.outcome().is_none() {
        None
    } else {
        Some(game_at(game.position().clone()))
    };
    let game: &G = anew.as_ref().unwrap_or(game);
    if let Some(outcome) = game.outcome() {
        return Ok(Some(Opinion { chance: chance_after(outcome), evaluation: None }));
    }
    let mut last: Option<Report<G::Move>> = None;
    let answer = player.think(game, limits, signal, &mut |report| {
        if report.line == 1 {
            last = Some(report.clone());
        }
    })?;
    let turn = game.turn();
    let certain = |chance| Some(Opinion { chance: from_first(turn, chance), evaluation: None });
    Ok(match (last, answer) {
        (_, Answer::Win) => certain(1.0),
        (None, Answer::Resign) => certain(0.0),
        (None, Answer::Play { .. }) => None,
        (Some(mut report), answer) => {
            if let (true, Answer::Play { mv, .. }) = (report.moves.is_empty(), answer) {
                report.moves.push(mv);
            }
            let chance =
                f64::from(report.win_rate.unwrap_or_else(|| win_rate_of::<G>(report.score)));
            let found = evaluation::<G>(&report, turn, Evaluator::Analysis);
            let engine = Some(player.name().to_owned());
            let evaluation = Some(Evaluation { engine, ..found });
            Some(Opinion { chance: from_first(turn, chance), evaluation })
        }
    })
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
