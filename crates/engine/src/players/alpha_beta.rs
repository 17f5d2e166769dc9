//! The alpha-beta player: looks a fixed number of plies ahead and counts material.

mod search;

use keisei_game::{Outcome, Side, SplitMix64};

use super::no_moves;
use crate::{Answer, Arena, Limits, Player, PlayerError, Report, Score, Signal};
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
}

/// A move of the root with its principal variation.
struct RootMove<M> {
    score: i32,
    variation: Vec<M>,
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
        if limits.may_declare(game) {
            return Ok(Answer::Win);
        }
        let mut moves = limits.root_moves(game.position());
        self.rng.shuffle(&mut moves);
        if moves.is_empty() {
            return Err(no_moves(&self.name));
        }
        let mut search = Search::new(game, self.quiescence, limits, signal);
        let mut best: Option<RootMove<G::Move>> = None;
        for depth in 1..=limits.depth.map_or(self.depth, |limit| limit.clamp(1, self.depth)) {
            let (found, finished) = match best_move(game, &moves, depth, &mut search) {
                Ok(found) => (found, true),
                // An unfinished look says nothing of the moves it did not reach, but it is better
                // than none.
                Err(found) if best.is_none() => (found, false),
                Err(_) => break,
            };
            let RootMove { score, variation } = best.insert(found);
            report(&Report {
                line: 1,
                depth,
                selective_depth: None,
                score: told(*score),
                win_rate: None,
                nodes: search.nodes(),
                time: search.elapsed(),
                hash_full: None,
                moves: variation.clone(),
            });
            // The best so far comes first: what follows is then soon refuted.
            if let Some(place) = moves.iter().position(|&mv| mv == variation[0]) {
                moves[..=place].rotate_right(1);
            }
            if !finished || score.abs() >= MATE - depth as i32 {
                break;
            }
        }
        let RootMove { variation, .. } = best.expect("one ply is always looked at");
        Ok(Answer::Play { mv: variation[0], ponder: variation.get(1).copied() })
    }
}

/// The best of `moves`, seen `depth` plies deep; of equals, the first. The error of a search that
/// is stopped is the best of those that it came to, or the first of all as things stand.
fn best_move<G: Arena>(
    game: &G,
    moves: &[G::Move],
    depth: u32,
    search: &mut Search<'_, G>,
) -> Result<RootMove<G::Move>, RootMove<G::Move>> {
    let mut best = RootMove { score: -MATE, variation: Vec::new() };
    for &mv in moves {
        let mut variation = Vec::new();
        // Only here is the past known, so only here are repetitions and other ends by the rules.
        let mut next = game.clone();
        next.play_unchecked(mv);
        let score = match next.outcome() {
            Some(outcome) => Ok(worth(outcome, game.turn(), 1)),
            None => search.first_move(mv, depth - 1, best.score, &mut variation),
        };
        match score {
            Ok(score) if score > best.score || best.variation.is_empty() => {
                variation.insert(0, mv);
                best = RootMove { score, variation };
            }
            Ok(_) => {}
            Err(Stopped) if best.variation.is_empty() => {
                let score = G::material(game.position());
                return Err(RootMove { score, variation: vec![mv] });
            }
            Err(Stopped) => return Err(best),
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

/// A score as it is told.
fn told(value: i32) -> Score {
    const FAR: i32 = 1000;
    if value > MATE - FAR {
        Score::Mate(MATE - value)
    } else if value < FAR - MATE {
        Score::Mate(-MATE - value)
    } else {
        Score::Centipawns(value)
    }
}
