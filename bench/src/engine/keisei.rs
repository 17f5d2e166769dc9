//! Keisei itself: positions are copied and played on, by the perft that every game shares.
//!
//! A move keeps board, hands and key; checks and pins are left to the generator of the next moves,
//! where the peers work them out with each move. So a made leaf costs Keisei less than them, and
//! its listed leaf bears more: the playouts show the sum.

use std::hint::black_box;

use anyhow::Result;
use keisei_game::{Game, Leaves, Side, SplitMix64, perft};
use keisei_shogi::{Move, MoveList, Position, Rules, Shogi};

use super::Engine;

pub(crate) struct Keisei {
    start: Position,
}

impl Keisei {
    pub(crate) fn new() -> Self {
        Self { start: Position::start() }
    }
}

/// A position whose moves and successors somebody looks at, so that the compiler cannot leave out
/// what a mere count would not need.
#[derive(Clone)]
struct Seen(Position);

impl keisei_game::Position for Seen {
    type Move = Move;
    type Moves = MoveList;

    fn turn(&self) -> Side {
        self.0.turn().into()
    }

    #[inline]
    fn legal_moves(&self) -> MoveList {
        let moves = self.0.legal_moves();
        black_box(&moves);
        moves
    }

    #[inline]
    fn count_legal_moves(&self) -> usize {
        self.0.count_legal_moves()
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        self.0.play_unchecked(mv);
        black_box(&mut self.0);
    }

    fn in_check(&self) -> bool {
        self.0.in_check()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }
}

impl Engine for Keisei {
    fn name(&self) -> &'static str {
        "keisei"
    }

    fn set_position(&mut self, sfen: &str) -> Result<()> {
        self.start = sfen.parse()?;
        Ok(())
    }

    fn perft(&mut self, depth: u32, leaves: Leaves) -> Option<u64> {
        Some(perft(&Seen(self.start), depth, leaves))
    }

    fn playout(&mut self, rng: &mut SplitMix64, limit: usize) -> usize {
        let mut position = self.start;
        for ply in 0..limit {
            let Some(mv) = rng.choose(&position.legal_moves()) else { return ply };
            position.play_unchecked(mv);
        }
        limit
    }

    fn game(&mut self, rng: &mut SplitMix64, limit: usize) -> Option<usize> {
        let rules = Rules { move_limit: Some(limit), ..Shogi::RULES };
        let mut game = Shogi::with_rules(self.start, rules);
        while game.outcome().is_none() {
            let Some(mv) = rng.choose(&game.position().legal_moves()) else { break };
            game.play_unchecked(mv);
        }
        Some(game.ply())
    }
}
