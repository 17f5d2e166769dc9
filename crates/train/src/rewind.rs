//! The last moves of decisive games, for episodes to begin among them.
//!
//! A game from the start is hundreds of moves long before anything is won, so a beginner meets
//! almost no rewards. A few moves before a mate they are near. How far back episodes begin grows
//! while the values keep up.

use std::collections::VecDeque;

use keisei_game::{Game, Outcome, Rules, SplitMix64};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::config::Rewind;
use crate::random::{Purpose, stream};

/// The last moves of a game that somebody won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// The position they begin from, in the game's notation.
    pub base: String,
    /// The moves to the end.
    pub moves: Vec<M>,
}

impl<M> Line<M> {
    /// The last moves of `game`, at most `length` of them; `None` unless somebody won.
    pub fn of<G: Game<Move = M>>(game: &G, length: usize) -> Option<Self> {
        game.outcome().and_then(Outcome::winner)?;
        let mut base = game.clone();
        let mut moves: Vec<M> = (0..length).map_while(|_| base.undo()).collect();
        moves.reverse();
        Some(Self { base: base.notation(), moves })
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

/// The lines that are kept. When it is full, the oldest goes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring<M> {
    lines: VecDeque<Line<M>>,
    capacity: usize,
    /// How far back episodes begin, at most.
    depth: usize,
}

impl<M: Copy> Ring<M> {
    /// An empty ring.
    pub fn new(settings: &Rewind) -> Self {
        let &Rewind { capacity, depth, .. } = settings;
        Self { lines: VecDeque::new(), capacity, depth }
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
            Line::of(&game, settings.depth_max)
        };
        let lines: Vec<_> = (0..settings.seed_games).into_par_iter().map(play).collect();
        let mut ring = Self::new(settings);
        lines.into_iter().flatten().for_each(|line| ring.push(line));
        ring
    }

    /// How many lines are kept.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// How far back episodes begin, at most.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Some game, some moves before its end; and how many.
    pub fn draw<G: Game<Move = M>>(&self, rng: &mut SplitMix64) -> Option<(G, usize)> {
        let line = (!self.is_empty()).then(|| &self.lines[rng.below(self.len())])?;
        let depth = 1 + rng.below(self.depth.min(line.moves.len()));
        Some((line.rewound(depth).expect("kept positions are positions"), depth))
    }

    /// Keeps a line.
    pub fn push(&mut self, line: Line<M>) {
        if self.lines.len() == self.capacity {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    /// Goes one move further back if the values explain enough of the returns and enough of the
    /// games from kept positions had a winner.
    pub fn grow(&mut self, settings: &Rewind, explained_variance: f64, decisive: Option<f64>) {
        let values_keep_up = explained_variance > settings.grow_above_explained_variance;
        let games_end = decisive.is_some_and(|share| share > settings.grow_above_decisive);
        if values_keep_up && games_end && self.depth < settings.depth_max {
            self.depth += 1;
        }
    }
}

/// A ring as text, for a checkpoint.
#[derive(Serialize, Deserialize)]
pub(crate) struct RingState {
    depth: usize,
    /// The base and the moves of each line.
    lines: Vec<(String, String)>,
}

impl RingState {
    pub(crate) fn of<M: ToString>(ring: &Ring<M>) -> Self {
        let text = |line: &Line<M>| {
            let moves: Vec<_> = line.moves.iter().map(ToString::to_string).collect();
            (line.base.clone(), moves.join(" "))
        };
        Self { depth: ring.depth, lines: ring.lines.iter().map(text).collect() }
    }

    /// The ring, or what is wrong with the text.
    pub(crate) fn ring<G: Game>(&self, settings: &Rewind) -> Result<Ring<G::Move>, String> {
        let line = |(base, moves): &(String, String)| {
            let mut game = G::with_rules(
                base.parse().map_err(|error: G::PositionError| error.to_string())?,
                Rules::LEARNING,
            );
            for text in moves.split_whitespace() {
                let mv = game.parse_move(text).map_err(|error| error.to_string())?;
                game.play(mv).map_err(|error| error.to_string())?;
            }
            Ok(Line { base: base.clone(), moves: game.moves().to_vec() })
        };
        let lines: Result<Vec<_>, String> = self.lines.par_iter().map(line).collect();
        Ok(Ring { lines: lines?.into(), depth: self.depth, ..Ring::new(settings) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn a_line_leads_to_the_end_of_its_game() {
        let game = decisive_game();
        let line = Line::of(&game, 6).unwrap();
        assert_eq!(line.moves, game.moves()[game.ply() - 6..]);
        let end: Shogi = line.rewound(0).unwrap();
        assert_eq!(end.position().key(), game.position().key());
        assert_eq!(Line::of(&game, 10_000).unwrap().moves, game.moves());
        assert_eq!(Line::of(&Shogi::new(), 6), None, "nobody has won");
    }

    #[test]
    fn episodes_begin_at_every_depth_up_to_the_present_one() {
        let game = decisive_game();
        let mut ring = Ring::new(&settings());
        ring.push(Line::of(&game, 6).unwrap());
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
        let line = Line::of(&game, 6).unwrap();
        let mut again: Shogi = line.rewound(2).unwrap();
        for &mv in &game.moves()[game.ply() - 2..] {
            again.play(mv).unwrap();
        }
        assert_eq!(Line::of(&again, 6), Some(line));
    }

    #[test]
    fn a_full_ring_forgets_its_oldest_first() {
        let mut ring = Ring::<Move>::new(&settings());
        for number in 0..8 {
            ring.push(Line { base: number.to_string(), moves: Vec::new() });
        }
        let bases: Vec<_> = ring.lines.iter().map(|line| line.base.as_str()).collect();
        assert_eq!(bases, ["3", "4", "5", "6", "7"]);
    }

    #[test]
    fn the_depth_grows_only_while_values_keep_up_and_games_are_decided() {
        let settings = settings();
        let mut ring = Ring::<Move>::new(&settings);
        ring.grow(&settings, 0.2, Some(0.9));
        ring.grow(&settings, 0.9, Some(0.4));
        ring.grow(&settings, 0.9, None);
        ring.grow(&settings, f64::NAN, Some(0.9));
        assert_eq!(ring.depth(), 4);
        (0..9).for_each(|_| ring.grow(&settings, 0.31, Some(0.51)));
        assert_eq!(ring.depth(), 6, "and not past its limit");
    }

    #[test]
    fn seeding_gives_the_same_lines_each_time_and_other_ones_for_another_seed() {
        let settings = Rewind { capacity: 1000, seed_games: 20, ..settings() };
        let ring = Ring::seeded::<Shogi>(&settings, 1, 500);
        assert!((5..=20).contains(&ring.len()), "{}", ring.len());
        assert_eq!(ring, Ring::seeded::<Shogi>(&settings, 1, 500));
        assert_ne!(ring, Ring::seeded::<Shogi>(&settings, 2, 500));
        let restored = RingState::of(&ring).ring::<Shogi>(&settings);
        assert_eq!(restored, Ok(ring));
    }
}
