//! How often each move was played in a position and how it scored.

use std::collections::HashMap;

use keisei_game::{Position, Reason, Side};

use crate::{Record, Recorded};

/// Whether a position counts the same with the colours exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sides {
    /// A position with the colours exchanged is another one.
    #[default]
    Apart,
    /// In shogi, a position seen from the other side is the same, and so are its moves. Chess is
    /// not the same game for both sides; there this changes nothing.
    Together,
}

impl Sides {
    /// The position under which `position` is kept, and whether the colours are exchanged for it.
    pub(super) fn folded<G: Recorded>(self, position: &G::Position) -> (G::Position, bool) {
        let folded = (self == Self::Together).then(|| G::fold(position)).flatten();
        let exchanged = folded.is_some();
        (folded.unwrap_or_else(|| position.clone()), exchanged)
    }

    /// The move that goes with a position kept with or without the colours exchanged.
    pub(super) fn fold_move<G: Recorded>(mv: G::Move, exchanged: bool) -> G::Move {
        if exchanged { G::fold_move(mv) } else { mv }
    }
}

/// What became of a move in the games of a collection, from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveStatistics<M> {
    /// The move.
    pub mv: M,
    /// How often it was played.
    pub played: usize,
    /// How many of those games its player won.
    pub wins: usize,
    /// How many were drawn.
    pub draws: usize,
    /// How many its player lost.
    pub losses: usize,
    /// How many were lost on time by either side, among the wins and losses.
    pub timeouts: usize,
}

impl<M> MoveStatistics<M> {
    const fn new(mv: M) -> Self {
        Self { mv, played: 0, wins: 0, draws: 0, losses: 0, timeouts: 0 }
    }

    /// The share of points that the move scored, a draw counting half; `None` without a decided
    /// game.
    pub fn score(&self) -> Option<f64> {
        let decided = self.wins + self.draws + self.losses;
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        (decided > 0).then(|| points / decided as f64)
    }
}

/// A place in a game of the collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Occurrence {
    /// The number of the game, in the order in which games were added.
    pub game: u32,
    /// How many moves were played before.
    pub ply: u32,
}

/// The moves and games of a position.
#[derive(Clone, Debug)]
struct Entry<M> {
    moves: Vec<MoveStatistics<M>>,
    occurrences: Vec<Occurrence>,
}

/// An index of the positions of many games.
#[derive(Clone, Debug)]
pub struct Statistics<G: Recorded> {
    sides: Sides,
    games: u32,
    entries: HashMap<u64, Entry<G::Move>>,
}

impl<G: Recorded> Statistics<G> {
    /// An empty index.
    pub fn new(sides: Sides) -> Self {
        Self { sides, games: 0, entries: HashMap::new() }
    }

    /// How many games were added.
    pub fn games(&self) -> usize {
        self.games as usize
    }

    /// How many different positions there are.
    pub fn positions(&self) -> usize {
        self.entries.len()
    }

    /// Adds the main line of a record and gives back the number of the game.
    pub fn add(&mut self, record: &Record<G>) -> u32 {
        let game = self.games;
        self.games += 1;
        let outcome = record.outcome();
        let mut position = record.start().clone();
        let moves: Vec<_> = record.main_moves().collect();
        for ply in 0..=moves.len() {
            let (kept, exchanged) = self.sides.folded::<G>(&position);
            let entry = self.entries.entry(kept.key());
            let entry =
                entry.or_insert_with(|| Entry { moves: Vec::new(), occurrences: Vec::new() });
            entry.occurrences.push(Occurrence { game, ply: ply as u32 });
            let Some(&mv) = moves.get(ply) else { break };
            let mover: Side = position.turn();
            let kept = Sides::fold_move::<G>(mv, exchanged);
            let place = entry.moves.iter().position(|known| known.mv == kept);
            let place = place.unwrap_or_else(|| {
                entry.moves.push(MoveStatistics::new(kept));
                entry.moves.len() - 1
            });
            let statistics = &mut entry.moves[place];
            statistics.played += 1;
            if let Some(outcome) = outcome {
                match outcome.winner() {
                    None => statistics.draws += 1,
                    Some(winner) if winner == mover => statistics.wins += 1,
                    Some(_) => statistics.losses += 1,
                }
                statistics.timeouts += usize::from(outcome.reason() == Reason::Timeout);
            }
            position.play_unchecked(mv);
        }
        game
    }

    /// The moves played in `position`: the most frequent first, and among equals the best scoring.
    pub fn moves(&self, position: &G::Position) -> Vec<MoveStatistics<G::Move>> {
        let (kept, exchanged) = self.sides.folded::<G>(position);
        let Some(entry) = self.entries.get(&kept.key()) else { return Vec::new() };
        let unfold = |found: &MoveStatistics<G::Move>| MoveStatistics {
            mv: Sides::fold_move::<G>(found.mv, exchanged),
            ..*found
        };
        let mut moves: Vec<_> = entry.moves.iter().map(unfold).collect();
        let score = |found: &MoveStatistics<G::Move>| found.score().unwrap_or(0.0);
        moves.sort_by(|one, two| {
            two.played.cmp(&one.played).then(score(two).total_cmp(&score(one)))
        });
        moves
    }

    /// Where `position` occurred.
    pub fn occurrences(&self, position: &G::Position) -> &[Occurrence] {
        let (kept, _) = self.sides.folded::<G>(position);
        self.entries.get(&kept.key()).map_or(&[], |entry| &entry.occurrences)
    }
}
