//! Positions shortly before the end of decisive games, for episodes to begin at.
//!
//! A game from the start is hundreds of moves long before anything is won, so a beginner meets
//! almost no rewards. From a position a few moves before a mate they are near. How far back
//! positions are taken grows while the values keep up.

use keisei_game::{Game, Outcome, SplitMix64};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::config::Rewind;
use crate::game::Trained;
use crate::random::{Purpose, stream};

/// A position and how many moves before its game's end it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The position in the game's notation.
    pub position: String,
    /// The number of moves to the end.
    pub depth: usize,
}

/// The kept positions. When it is full, the oldest go first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ring {
    kept: Vec<Kept>,
    capacity: usize,
    /// Where the next one goes once it is full.
    next: usize,
    /// How far back positions are taken, at most.
    depth: usize,
    positions_per_game: usize,
}

impl Ring {
    /// An empty ring.
    pub fn new(settings: &Rewind) -> Self {
        Self {
            kept: Vec::new(),
            capacity: settings.capacity,
            next: 0,
            depth: settings.depth,
            positions_per_game: settings.positions_per_game,
        }
    }

    /// A ring filled by random games of at most `limit` moves.
    pub fn seeded<G: Trained>(settings: &Rewind, seed: u64, limit: usize) -> Self {
        let mut ring = Self::new(settings);
        let play = |number: usize| {
            let mut game = G::fresh();
            let mut rng = stream(seed, Purpose::Seeding, number as u64, 0);
            keisei_game::random_game(&mut game, rng.next_u64(), limit);
            ring.positions_of(&game, &mut rng)
        };
        let found: Vec<_> = (0..settings.seed_games).into_par_iter().map(play).collect();
        found.into_iter().flatten().for_each(|kept| ring.push(kept));
        ring
    }

    /// How many positions are kept.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// How far back positions are taken, at most.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// One of the positions.
    pub fn draw(&self, rng: &mut SplitMix64) -> Option<&Kept> {
        (!self.is_empty()).then(|| &self.kept[rng.below(self.kept.len())])
    }

    /// Positions of a finished game worth keeping, at different depths; none unless somebody won.
    pub fn positions_of<G: Game>(&self, game: &G, rng: &mut SplitMix64) -> Vec<Kept> {
        if game.outcome().and_then(Outcome::winner).is_none() {
            return Vec::new();
        }
        let deepest = self.depth.min(game.ply());
        let mut depths: Vec<_> = (1..=deepest).collect();
        crate::random::shuffle(rng, &mut depths);
        depths.truncate(self.positions_per_game);
        depths.sort_unstable();
        let mut earlier = game.clone();
        let mut undone = 0;
        let kept_at = |depth: usize| {
            for _ in undone..depth {
                earlier.undo();
            }
            undone = depth;
            Kept { position: earlier.notation(), depth }
        };
        depths.into_iter().map(kept_at).collect()
    }

    /// Keeps a position.
    pub fn push(&mut self, kept: Kept) {
        if self.kept.len() < self.capacity {
            self.kept.push(kept);
        } else {
            self.kept[self.next] = kept;
            self.next = (self.next + 1) % self.capacity;
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_shogi::Shogi;

    fn settings() -> Rewind {
        Rewind { capacity: 5, positions_per_game: 3, depth: 4, depth_max: 6, ..Rewind::default() }
    }

    /// The shortest mates: a pawn in front of the king is taken by a supported gold.
    fn decisive_game() -> Shogi {
        (0..)
            .map(|seed| {
                let mut game = Shogi::new();
                keisei_game::random_game(&mut game, seed, 500);
                game
            })
            .find(|game| game.outcome().and_then(Outcome::winner).is_some())
            .unwrap()
    }

    #[test]
    fn kept_positions_lie_the_stated_number_of_moves_before_the_end() {
        let game = decisive_game();
        let ring = Ring::new(&settings());
        for seed in 0..20 {
            let kept = ring.positions_of(&game, &mut SplitMix64::new(seed));
            assert_eq!(kept.len(), 3);
            let mut depths = Vec::new();
            for Kept { position, depth } in kept {
                let mut replayed = Shogi::from_notation(&position).unwrap();
                for &mv in &game.moves()[game.ply() - depth..] {
                    assert!(replayed.outcome().is_none());
                    replayed.play(mv).unwrap();
                }
                assert_eq!(replayed.position().key(), game.position().key());
                depths.push(depth);
            }
            assert!(depths.is_sorted() && depths[0] >= 1 && depths[2] <= 4, "{depths:?}");
            depths.dedup();
            assert_eq!(depths.len(), 3);
        }
    }

    #[test]
    fn a_game_shorter_than_the_depth_is_kept_from_its_start_on_and_a_draw_not_at_all() {
        let game = decisive_game();
        let ring = Ring::new(&settings());
        let mut before = game.clone();
        before.undo();
        before.undo();
        let mut short = Shogi::from_notation(&before.notation()).unwrap();
        for &mv in &game.moves()[game.ply() - 2..] {
            short.play(mv).unwrap();
        }
        let kept = ring.positions_of(&short, &mut SplitMix64::new(1));
        assert_eq!(kept.iter().map(|kept| kept.depth).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(ring.positions_of(&Shogi::new(), &mut SplitMix64::new(1)), []);
    }

    #[test]
    fn a_full_ring_forgets_its_oldest_first() {
        let mut ring = Ring::new(&settings());
        for depth in 0..8 {
            ring.push(Kept { position: String::new(), depth });
        }
        let mut depths: Vec<_> = ring.kept.iter().map(|kept| kept.depth).collect();
        depths.sort_unstable();
        assert_eq!(depths, [3, 4, 5, 6, 7]);
    }

    #[test]
    fn the_depth_grows_only_while_values_keep_up_and_games_are_decided() {
        let settings = settings();
        let mut ring = Ring::new(&settings);
        ring.grow(&settings, 0.2, Some(0.9));
        ring.grow(&settings, 0.9, Some(0.4));
        ring.grow(&settings, 0.9, None);
        ring.grow(&settings, f64::NAN, Some(0.9));
        assert_eq!(ring.depth(), 4);
        (0..9).for_each(|_| ring.grow(&settings, 0.31, Some(0.51)));
        assert_eq!(ring.depth(), 6, "and not past its limit");
    }

    #[test]
    fn seeding_gives_the_same_positions_each_time_and_other_ones_for_another_seed() {
        let settings = Rewind { capacity: 1000, seed_games: 20, ..settings() };
        let ring = Ring::seeded::<Shogi>(&settings, 1, 500);
        assert!(ring.len() > 10, "{}", ring.len());
        assert_eq!(ring, Ring::seeded::<Shogi>(&settings, 1, 500));
        assert_ne!(ring, Ring::seeded::<Shogi>(&settings, 2, 500));
        for kept in &ring.kept {
            assert!(Shogi::unlimited(&kept.position).unwrap().outcome().is_none());
        }
    }
}
