//! The alpha-beta player: looks a fixed number of plies ahead and counts material.

mod budget;
mod search;

use keisei_game::{Outcome, Side, SplitMix64};

use super::{hold, no_moves};
use crate::{Answer, Arena, Limits, Player, PlayerError, Report, Score, Signal};
use budget::Budget;
use search::{MATE, Search, Stopped};

/// Looks `depth` plies ahead for material and mate; of equal moves it makes any. It declares a win
/// when the rules let it, and never resigns.
#[derive(Clone, Debug)]
pub struct AlphaBeta {
    name: String,
    depth: u32,
    quiescence: bool,
    rng: SplitMix64,
}

impl AlphaBeta {
    /// A player that looks `depth` plies ahead, at least one, and whose choices between equals are
    /// a function of `seed`.
    pub fn new(depth: u32, seed: u64) -> Self {
        let depth = depth.max(1);
        let rng = SplitMix64::new(seed);
        Self { name: format!("ab:{depth}"), depth, quiescence: false, rng }
    }

    /// The same player, but where it would stop looking it first follows captures and promotions
    /// to their end.
    pub fn with_quiescence(self) -> Self {
        Self { name: format!("ab:{},quiescence", self.depth), quiescence: true, ..self }
    }

    /// The legal moves in random order.
    fn shuffled<M: Copy>(&mut self, mut moves: Vec<M>) -> Vec<M> {
        for last in (1..moves.len()).rev() {
            moves.swap(last, self.rng.below(last + 1));
        }
        moves
    }
}

/// A first move with what follows it.
struct Line<M> {
    score: i32,
    moves: Vec<M>,
}

impl<G: Arena> Player<G> for AlphaBeta {
    fn name(&self) -> &str {
        &self.name
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        if game.can_declare_win() {
            hold(limits, signal);
            return Ok(Answer::Win);
        }
        let mut moves = self.shuffled(game.legal_moves());
        let first = *moves.first().ok_or_else(|| no_moves(&self.name))?;
        let mut best = Line { score: 0, moves: vec![first] };
        let budget = Budget::new(limits, signal, game);
        let mut search = Search::new(game, self.quiescence, &budget);
        for depth in 1..=limits.depth.map_or(self.depth, |limit| limit.clamp(1, self.depth)) {
            // An unfinished look says nothing of the moves it did not reach.
            let Ok(line) = best_line(game, &moves, depth, &mut search) else { break };
            best = line;
            report(&Report {
                line: 1,
                depth,
                selective_depth: None,
                score: score(best.score),
                win_rate: None,
                nodes: search.nodes(),
                time: budget.elapsed(),
                hash_full: None,
                moves: best.moves.clone(),
            });
            // The best so far comes first: what follows is then soon refuted.
            if let Some(place) = moves.iter().position(|&mv| mv == best.moves[0]) {
                moves[..=place].rotate_right(1);
            }
            if best.score.abs() >= MATE - depth as i32 {
                break;
            }
        }
        hold(limits, signal);
        Ok(Answer::Play { mv: best.moves[0], ponder: best.moves.get(1).copied() })
    }
}

/// The best of `moves`, seen `depth` plies deep; of equals, the first.
fn best_line<G: Arena>(
    game: &G,
    moves: &[G::Move],
    depth: u32,
    search: &mut Search<'_, G>,
) -> Result<Line<G::Move>, Stopped> {
    let mut best = Line { score: -MATE, moves: Vec::new() };
    for &mv in moves {
        let mut replies = Vec::new();
        // Only here is the past known, so only here are repetitions and other ends by the rules.
        let mut next = game.clone();
        next.play_unchecked(mv);
        let score = match next.outcome() {
            Some(outcome) => worth(outcome, game.turn(), 1),
            None => search.first_move(mv, depth - 1, best.score, &mut replies)?,
        };
        if best.moves.is_empty() || score > best.score {
            replies.insert(0, mv);
            best = Line { score, moves: replies };
        }
    }
    Ok(best)
}

/// What an outcome that is `plies` away is worth to `side`.
fn worth(outcome: Outcome, side: Side, plies: i32) -> i32 {
    match outcome.winner() {
        None => 0,
        Some(winner) if winner == side => MATE - plies,
        Some(_) => plies - MATE,
    }
}

fn score(value: i32) -> Score {
    const FAR: i32 = 1000;
    if value > MATE - FAR {
        Score::Mate(MATE - value)
    } else if value < FAR - MATE {
        Score::Mate(-MATE - value)
    } else {
        Score::Centipawns(value)
    }
}
