//! Random games for the tests, and what they are compared with.

mod animal;
mod chess;
mod shogi;

use std::collections::HashMap;

use keisei_encode::Encode;
use keisei_game::{Game, SplitMix64};

/// A game with everything that its encoding is compared with.
pub(crate) trait Sample: Encode {
    /// Positions to begin from.
    const STARTS: &'static [&'static str];
    /// The plane that says whose turn it is, and its byte in a packed observation.
    const TURN: (usize, usize);

    /// All that the repetition rule compares, as text.
    fn identity(&self) -> String;

    /// The planes written square by square, with no regard for speed. The position occurred
    /// `earlier` times before.
    fn plain_planes(&self, earlier: usize) -> Vec<f32>;

    /// A game from the current position in a left–right mirror, if the rules are the same there.
    fn mirrored_start(&self) -> Option<Self>;
    /// A move in a left–right mirror.
    fn mirrored_move(mv: Self::Move) -> Self::Move;

    /// A game from the current position with the players exchanged.
    fn exchanged_start(&self) -> Self;
    /// A move with the players exchanged.
    fn exchanged_move(mv: Self::Move) -> Self::Move;
}

/// Plays `games` random games of at most `plies` moves and shows every position with the number of
/// its earlier occurrences. Every second game shuffles pieces to and fro, so that it repeats. The
/// games depend on the seed alone, not on the order in which moves are listed.
pub(crate) fn walk<G: Sample>(
    seed: u64,
    games: usize,
    plies: usize,
    mut show: impl FnMut(&G, usize),
) {
    let mut rng = SplitMix64::new(seed);
    for number in 0..games {
        let mut game = start::<G>(number / 2 % G::STARTS.len());
        let shuffles = if number % 2 == 0 { 0 } else { 70 };
        let mut seen = HashMap::new();
        for _ in 0..=plies {
            let times = seen.entry(game.identity()).or_insert(0);
            show(&game, *times);
            *times += 1;
            let Some(mv) = random_move(&game, &mut rng, shuffles) else { break };
            game.play_unchecked(mv);
        }
    }
}

/// A new game from one of the starts.
pub(crate) fn start<G: Sample>(index: usize) -> G {
    let text = G::STARTS[index];
    G::from_notation(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A legal move: with `shuffles` per cent the way back of the mover's last move, if there is one.
pub(crate) fn random_move<G: Game>(
    game: &G,
    rng: &mut SplitMix64,
    shuffles: usize,
) -> Option<G::Move> {
    if game.outcome().is_some() {
        return None;
    }
    let back = way_back(game).filter(|_| rng.below(100) < shuffles);
    back.or_else(|| {
        let mut moves = game.legal_moves();
        moves.sort_by_cached_key(ToString::to_string);
        rng.choose(&moves)
    })
}

fn way_back<G: Game>(game: &G) -> Option<G::Move> {
    let [.., own, _] = game.moves() else { return None };
    let text = own.to_string();
    game.parse_move(&format!("{}{}", text.get(2..4)?, text.get(0..2)?)).ok()
}

/// Plays moves as the engine protocol writes them; every one must be legal.
pub(crate) fn played<G: Game>(mut game: G, moves: &str) -> G {
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        game.play(mv).unwrap_or_else(|error| panic!("{error}"));
    }
    game
}

/// A game from a position and moves.
pub(crate) fn game<G: Game>(position: &str, moves: &str) -> G {
    let game = G::from_notation(position).unwrap_or_else(|error| panic!("{position}: {error}"));
    played(game, moves)
}

/// The planes of a position, to be looked at one by one.
pub(crate) struct View<G> {
    planes: Vec<f32>,
    game: std::marker::PhantomData<G>,
}

impl<G: Sample> View<G> {
    pub(crate) fn of(game: &G) -> Self {
        Self { planes: game.planes(), game: std::marker::PhantomData }
    }

    /// The numbers of a plane.
    pub(crate) fn plane(&self, plane: usize) -> &[f32] {
        &self.planes[plane * G::SQUARES..][..G::SQUARES]
    }

    /// The rows and columns with a 1. Everything else must be 0.
    pub(crate) fn ones(&self, plane: usize) -> Vec<(usize, usize)> {
        let plane = self.plane(plane);
        assert!(plane.iter().all(|&number| number == 0.0 || number == 1.0), "{plane:?}");
        let places = (0..G::SQUARES).filter(|&place| plane[place] == 1.0);
        places.map(|place| (place / G::COLUMNS, place % G::COLUMNS)).collect()
    }

    /// The number that fills the plane.
    pub(crate) fn constant(&self, plane: usize) -> f32 {
        let numbers = self.plane(plane);
        assert!(numbers.iter().all(|&number| number == numbers[0]), "plane {plane}: {numbers:?}");
        numbers[0]
    }

    /// The numbers that fill the planes.
    pub(crate) fn constants(&self, planes: std::ops::Range<usize>) -> Vec<f32> {
        planes.map(|plane| self.constant(plane)).collect()
    }

    /// The places of the pieces in each of the planes that has one.
    pub(crate) fn pieces(
        &self,
        planes: std::ops::Range<usize>,
    ) -> Vec<(usize, Vec<(usize, usize)>)> {
        let all = planes.map(|plane| (plane, self.ones(plane)));
        all.filter(|(_, places)| !places.is_empty()).collect()
    }
}
