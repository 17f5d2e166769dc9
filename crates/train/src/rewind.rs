//! The last moves of finished games, for episodes to begin among them.
//!
//! A game from the start is hundreds of moves long before anything is won, so a beginner meets
//! almost no rewards. A few moves before a mate they are near. How far back episodes begin grows
//! while the values keep up.

use std::collections::VecDeque;

use keisei_game::{Game, Outcome, Reason, Rules, SplitMix64};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::config::Rewind;
use crate::random::{Purpose, stream};

/// The last moves of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastMoves<M> {
    /// The position they begin from, in the game's notation.
    pub base: String,
    /// The moves to the end.
    pub moves: Vec<M>,
}

impl<M> LastMoves<M> {
    /// The last moves of `game`, as many as episodes may go back; `None` unless its end is kept.
    pub fn of<G: Game<Move = M>>(game: &G, settings: &Rewind) -> Option<Self> {
        let kept = |outcome: Outcome| {
            let stalemate = outcome == Outcome::draw(Reason::NoMoves);
            outcome.winner().is_some() || (settings.keep_stalemates && stalemate)
        };
        game.outcome().filter(|&outcome| kept(outcome))?;
        let mut base = game.clone();
        let mut moves: Vec<M> = (0..settings.depth_max).map_while(|_| base.undo()).collect();
        moves.reverse();
        Some(Self { base: base.notation(), moves })
    }

    /// As text: the base, and the moves.
    pub(crate) fn to_text(&self) -> (String, String)
    where
        M: ToString,
    {
        let moves: Vec<_> = self.moves.iter().map(ToString::to_string).collect();
        (self.base.clone(), moves.join(" "))
    }

    /// What [`LastMoves::to_text`] wrote, or what is wrong with it.
    pub(crate) fn from_text<G: Game<Move = M>>(base: &str, moves: &str) -> Result<Self, String>
    where
        M: Copy,
    {
        let start = base.parse().map_err(|error: G::PositionError| error.to_string())?;
        let mut game = G::with_rules(start, Rules::LEARNING);
        for text in moves.split_whitespace() {
            let mv = game.parse_move(text).map_err(|error| error.to_string())?;
            game.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(Self { base: base.to_owned(), moves: game.moves().to_vec() })
    }

    /// The game `depth` moves before its end.
    fn rewound<G: Game<Move = M>>(&self, depth: usize) -> Result<G, G::PositionError>
    where
        M: Copy,
    {
        let mut game = G::with_rules(self.base.parse()?, Rules::LEARNING);
        for &mv in &self.moves[..self.moves.len() - depth] {
            game.play_unchecked(mv);
        }
        Ok(game)
    }
}

/// The ends of games that are kept. When it is full, the oldest goes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring<M> {
    kept: VecDeque<LastMoves<M>>,
    capacity: usize,
    /// How far back episodes begin, at most.
    depth: usize,
    /// Moves that count towards the next move further back.
    growth: u64,
}

impl<M: Copy> Ring<M> {
    /// An empty ring.
    pub fn new(settings: &Rewind) -> Self {
        let &Rewind { capacity, depth, .. } = settings;
        Self { kept: VecDeque::new(), capacity, depth, growth: 0 }
    }

    /// A ring filled by random games of at most `limit` moves.
    pub fn seeded<G: Game<Move = M>>(settings: &Rewind, seed: u64, limit: usize) -> Self
    where
        M: Send,
    {
        let play = |number: usize| {
            let mut game = G::new_with(Rules::LEARNING);
            let seed = stream(seed, Purpose::Seeding, number as u64, 0).next_u64();
            keisei_game::random_game(&mut game, seed, limit);
            LastMoves::of(&game, settings)
        };
        let ends: Vec<_> = (0..settings.seed_games).into_par_iter().map(play).collect();
        let mut ring = Self::new(settings);
        ends.into_iter().flatten().for_each(|end| ring.push(end));
        ring
    }

    /// How many games are kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// How far back episodes begin, at most.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Some game, some moves before its end; and how many.
    pub fn draw<G: Game<Move = M>>(&self, rng: &mut SplitMix64) -> Option<(G, usize)> {
        let end = (!self.is_empty()).then(|| &self.kept[rng.below(self.len())])?;
        let depth = 1 + rng.below(self.depth.min(end.moves.len()));
        Some((end.rewound(depth).expect("kept positions are positions"), depth))
    }

    /// Keeps the end of a game.
    pub fn push(&mut self, end: LastMoves<M>) {
        if self.kept.len() == self.capacity {
            self.kept.pop_front();
        }
        self.kept.push_back(end);
    }

    /// Takes in that so many `moves` were learned from: if the values explain enough of the returns
    /// and enough of the games from kept positions had a winner, they count towards going further
    /// back. Moves are counted, not updates, so that the size of a rollout does not matter.
    pub fn grow(
        &mut self,
        settings: &Rewind,
        moves: u64,
        explained_variance: f64,
        decisive: Option<f64>,
    ) {
        let values_keep_up = explained_variance > settings.grow_above_explained_variance;
        let games_end = decisive.is_some_and(|share| share > settings.grow_above_decisive);
        if values_keep_up && games_end {
            self.growth += moves;
            let further = (self.growth / settings.grow_moves) as usize;
            self.growth %= settings.grow_moves;
            self.depth = (self.depth + further).min(settings.depth_max.max(self.depth));
        }
    }
}

/// A ring as text, for a checkpoint.
#[derive(Serialize, Deserialize)]
pub(crate) struct RingState {
    depth: usize,
    #[serde(default)]
    growth: u64,
    /// The base and the moves of each kept game.
    lines: Vec<(String, String)>,
}

impl RingState {
    pub(crate) fn of<M: ToString>(ring: &Ring<M>) -> Self {
        let lines = ring.kept.iter().map(LastMoves::to_text).collect();
        Self { depth: ring.depth, growth: ring.growth, lines }
    }

    /// The ring, or what is wrong with the text.
    pub(crate) fn ring<G: Game>(&self, settings: &Rewind) -> Result<Ring<G::Move>, String> {
        let end = |(base, moves): &(String, String)| LastMoves::from_text::<G>(base, moves);
        // The settings may have room for fewer games than were stored: the newest stay.
        let &Self { depth, growth, ref lines } = self;
        let newest = &lines[lines.len().saturating_sub(settings.capacity)..];
        let kept: Result<Vec<_>, String> = newest.par_iter().map(end).collect();
        Ok(Ring { kept: kept?.into(), depth, growth, ..Ring::new(settings) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_chess::Chess;
    use keisei_shogi::{Move, Shogi};

    fn settings() -> Rewind {
        Rewind { capacity: 5, depth: 4, depth_max: 6, ..Rewind::default() }
    }

    /// A random game that somebody won.
    fn decisive_game() -> Shogi {
        let played = |seed| {
            let mut game = Shogi::new_with(Rules::LEARNING);
            keisei_game::random_game(&mut game, seed, 500);
            game
        };
        let won = |game: &Shogi| game.outcome().and_then(Outcome::winner).is_some();
        (0..).map(played).find(won).unwrap()
    }

    #[test]
    fn the_last_moves_lead_to_the_end_of_its_game() {
        let game = decisive_game();
        let end = LastMoves::of(&game, &settings()).unwrap();
        assert_eq!(end.moves, game.moves()[game.ply() - 6..]);
        let last: Shogi = end.rewound(0).unwrap();
        assert_eq!(last.position().key(), game.position().key());
        let all = Rewind { depth_max: 10_000, ..settings() };
        assert_eq!(LastMoves::of(&game, &all).unwrap().moves, game.moves());
        assert_eq!(LastMoves::of(&Shogi::new(), &settings()), None, "nobody has won");
    }

    #[test]
    fn stalemates_are_kept_where_that_is_asked_for() {
        let mut game =
            Chess::with_rules("k7/8/1K6/8/8/8/2Q5/8 w - - 0 1".parse().unwrap(), Rules::LEARNING);
        game.play(game.parse_move("c2c7").unwrap()).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::draw(Reason::NoMoves)));
        assert_eq!(LastMoves::of(&game, &settings()), None);
        let settings = Rewind { keep_stalemates: true, ..settings() };
        assert_eq!(LastMoves::of(&game, &settings).unwrap().moves, game.moves());
    }

    #[test]
    fn episodes_begin_at_every_depth_up_to_the_present_one() {
        let game = decisive_game();
        let mut ring = Ring::new(&settings());
        ring.push(LastMoves::of(&game, &settings()).unwrap());
        let mut counts = [0; 7];
        for seed in 0..400 {
            let (drawn, depth) = ring.draw::<Shogi>(&mut SplitMix64::new(seed)).unwrap();
            counts[depth] += 1;
            assert!(drawn.outcome().is_none());
            let mut replayed = drawn.clone();
            for &mv in &game.moves()[game.ply() - depth..] {
                replayed.play(mv).unwrap();
            }
            assert_eq!(replayed.position().key(), game.position().key());
        }
        assert!(counts[1..=4].iter().all(|&count| count > 60), "{counts:?}");
        assert_eq!((counts[0], counts[5] + counts[6]), (0, 0));
        assert!(Ring::<Move>::new(&settings()).draw::<Shogi>(&mut SplitMix64::new(0)).is_none());
    }

    #[test]
    fn a_game_that_was_rewound_can_be_rewound_beyond_where_it_began() {
        let game = decisive_game();
        let end = LastMoves::of(&game, &settings()).unwrap();
        let mut again: Shogi = end.rewound(2).unwrap();
        for &mv in &game.moves()[game.ply() - 2..] {
            again.play(mv).unwrap();
        }
        assert_eq!(LastMoves::of(&again, &settings()), Some(end));
    }

    #[test]
    fn a_full_ring_forgets_its_oldest_first() {
        let mut ring = Ring::<Move>::new(&settings());
        for number in 0..8 {
            ring.push(LastMoves { base: number.to_string(), moves: Vec::new() });
        }
        let bases: Vec<_> = ring.kept.iter().map(|end| end.base.as_str()).collect();
        assert_eq!(bases, ["3", "4", "5", "6", "7"]);
    }

    #[test]
    fn a_ring_that_is_restored_with_less_room_keeps_its_newest_games_and_grows_no_more() {
        let settings = Rewind { capacity: 1000, seed_games: 20, ..settings() };
        let ring = Ring::seeded::<Shogi>(&settings, 1, 500);
        let smaller = Rewind { capacity: 3, ..settings };
        let mut restored = RingState::of(&ring).ring::<Shogi>(&smaller).unwrap();
        assert_eq!(restored.kept, ring.kept.range(ring.len() - 3..).cloned().collect::<Vec<_>>());
        restored.push(ring.kept[0].clone());
        assert_eq!(restored.len(), 3);
    }

    #[test]
    fn the_depth_grows_only_while_values_keep_up_and_games_are_decided() {
        let settings = Rewind { grow_moves: 100, ..settings() };
        let mut ring = Ring::<Move>::new(&settings);
        ring.grow(&settings, 100, 0.2, Some(0.9));
        ring.grow(&settings, 100, 0.9, Some(0.4));
        ring.grow(&settings, 100, 0.9, None);
        ring.grow(&settings, 100, f64::NAN, Some(0.9));
        assert_eq!(ring.depth(), 4);
        ring.grow(&settings, 100, 0.31, Some(0.51));
        assert_eq!(ring.depth(), 5);
        (0..9).for_each(|_| ring.grow(&settings, 100, 0.31, Some(0.51)));
        assert_eq!(ring.depth(), 6, "and not past its limit");
    }

    #[test]
    fn the_depth_grows_by_moves_whatever_the_size_of_a_rollout() {
        let settings = Rewind { grow_moves: 100, depth_max: 50, ..settings() };
        for size in [10, 30, 100, 600] {
            let mut ring = Ring::<Move>::new(&settings);
            (0..600 / size).for_each(|_| ring.grow(&settings, size, 0.9, Some(0.9)));
            assert_eq!(ring.depth(), 4 + 6, "in rollouts of {size} moves");
        }
    }

    #[test]
    fn seeding_gives_the_same_games_each_time_and_other_ones_for_another_seed() {
        let settings = Rewind { capacity: 1000, seed_games: 20, ..settings() };
        let ring = Ring::seeded::<Shogi>(&settings, 1, 500);
        assert!((5..=20).contains(&ring.len()), "{}", ring.len());
        assert_eq!(ring, Ring::seeded::<Shogi>(&settings, 1, 500));
        assert_ne!(ring, Ring::seeded::<Shogi>(&settings, 2, 500));
        let restored = RingState::of(&ring).ring::<Shogi>(&settings);
        assert_eq!(restored, Ok(ring));
    }
}
