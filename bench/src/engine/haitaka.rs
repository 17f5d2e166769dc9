//! haitaka: sets of moves are visited piece by piece, positions are copied and played on.
//!
//! It allows some pawn drops that mate, so a few of its counts are too high. It has no history,
//! hence no repetition.

use std::hint::black_box;

use anyhow::{Result, anyhow};
use haitaka::{Board, Move, Piece, Square};
use keisei_game::{Leaves, SplitMix64};

use super::Engine;

/// More than the 593 moves that a position can have.
const MOST_MOVES: usize = 600;

pub(crate) struct Haitaka {
    start: Board,
}

/// The moves of one position in a fixed array.
struct Moves([Move; MOST_MOVES]);

impl Moves {
    fn new() -> Self {
        let unset = Move::Drop { piece: Piece::Pawn, to: Square::A1 };
        Self([unset; MOST_MOVES])
    }

    fn list(&mut self, board: &Board) -> &[Move] {
        let mut len = 0;
        board.generate_moves(|set| {
            for mv in set {
                self.0[len] = mv;
                len += 1;
            }
            false
        });
        &self.0[..len]
    }
}

impl Haitaka {
    pub(crate) fn new() -> Self {
        Self { start: Board::startpos() }
    }
}

fn bulk(board: &Board, depth: u32, list: &mut Moves) -> u64 {
    if depth == 1 {
        return black_box(list.list(board)).len() as u64;
    }
    each_child(board, |child| bulk(child, depth - 1, list))
}

fn count(board: &Board, depth: u32) -> u64 {
    if depth == 1 {
        let mut nodes = 0;
        board.generate_moves(|set| {
            nodes += set.into_iter().len() as u64;
            false
        });
        return nodes;
    }
    each_child(board, |child| count(child, depth - 1))
}

fn make(board: &Board, depth: u32) -> u64 {
    each_child(board, |child| {
        if depth == 1 {
            // Without this the compiler may leave out the parts of the move that nobody looks at.
            black_box(child);
            1
        } else {
            make(child, depth - 1)
        }
    })
}

fn each_child(board: &Board, mut visit: impl FnMut(&Board) -> u64) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|set| {
        for mv in set {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += visit(&child);
        }
        false
    });
    nodes
}

impl Engine for Haitaka {
    fn name(&self) -> &'static str {
        "haitaka 0.3.2"
    }

    fn set_position(&mut self, sfen: &str) -> Result<()> {
        self.start = Board::from_sfen(sfen).map_err(|e| anyhow!("haitaka refuses {sfen}: {e}"))?;
        Ok(())
    }

    fn perft(&mut self, depth: u32, leaves: Leaves) -> Option<u64> {
        Some(match leaves {
            Leaves::Bulk => bulk(&self.start, depth, &mut Moves::new()),
            Leaves::Count => count(&self.start, depth),
            Leaves::Make => make(&self.start, depth),
        })
    }

    fn playout(&mut self, rng: &mut SplitMix64, limit: usize) -> usize {
        let mut board = self.start.clone();
        let mut moves = Moves::new();
        for ply in 0..limit {
            let Some(mv) = rng.choose(moves.list(&board)) else { return ply };
            board.play_unchecked(mv);
        }
        limit
    }

    fn game(&mut self, _: &mut SplitMix64, _: usize) -> Option<usize> {
        None
    }

    fn is_inexact(&self) -> bool {
        true
    }
}
