//! rsshogi: moves are played and undone on one position with a stack of states.
//!
//! Its lists hold 32-bit moves (`Move32`) or 16-bit ones (`Move`). Playing wants the former, so
//! inner nodes list those; leaves list whichever is faster, the 16-bit ones. Playing a move always
//! looks back through the game for a repetition, also when nobody asks: its playouts and its games
//! do the same work.
#![allow(unsafe_code, reason = "the undo that rsshogi's own perft uses is marked unsafe")]

use anyhow::Result;
use keisei_game::{Leaves, SplitMix64};
use rsshogi::board::perft::compute_perft;
use rsshogi::board::{self, Move32List, Position, generate_legal_all_move32};
use rsshogi::types::{Move32, RepetitionState};

use super::Engine;

pub(crate) struct Rsshogi {
    start: Position,
    work: Position,
}

impl Rsshogi {
    pub(crate) fn new() -> Self {
        board::init();
        let start = board::hirate_position();
        Self { work: start.clone(), start }
    }

    fn make(&mut self, depth: u32) -> u64 {
        let mut lists: Vec<_> = (0..depth).map(|_| Move32List::new()).collect();
        make(&mut self.work, &mut lists)
    }

    fn play(&mut self, rng: &mut SplitMix64, limit: usize, ends: fn(&Position) -> bool) -> usize {
        self.work.clone_from(&self.start);
        let mut moves = Move32List::new();
        for ply in 0..limit {
            generate_legal_all_move32(&self.work, &mut moves);
            let Some(mv): Option<Move32> = rng.choose(&moves) else { return ply };
            self.work.apply_move32(mv);
            if ends(&self.work) {
                return ply + 1;
            }
        }
        limit
    }
}

/// Perft as deep as there are `lists`, with every leaf played.
fn make(position: &mut Position, lists: &mut [Move32List]) -> u64 {
    let Some((moves, deeper)) = lists.split_last_mut() else { return 1 };
    generate_legal_all_move32(position, moves);
    let mut nodes = 0;
    for &mv in moves.iter() {
        position.apply_move32(mv);
        nodes += make(position, deeper);
        // SAFETY: `mv` is the move applied last: the calls below have undone theirs. rsshogi's own
        // perft undoes its moves so; the checked undo is slower, which would be unfair to it.
        unsafe { position.undo_move32_unchecked(mv) };
    }
    nodes
}

impl Engine for Rsshogi {
    fn name(&self) -> &'static str {
        "rsshogi 1.7.3"
    }

    fn set_position(&mut self, sfen: &str) -> Result<()> {
        self.start = board::position_from_sfen(sfen)?;
        self.start.init_stack();
        Ok(())
    }

    fn perft(&mut self, depth: u32, leaves: Leaves) -> Option<u64> {
        self.work.clone_from(&self.start);
        match leaves {
            Leaves::Bulk => Some(compute_perft(&mut self.work, depth as u8)),
            Leaves::Make => Some(self.make(depth)),
            Leaves::Count => None,
        }
    }

    fn playout(&mut self, rng: &mut SplitMix64, limit: usize) -> usize {
        self.play(rng, limit, |_| false)
    }

    fn game(&mut self, rng: &mut SplitMix64, limit: usize) -> Option<usize> {
        use RepetitionState::{Draw, Lose, Win};
        let repeated = |position: &Position| {
            position.is_repetition(3) && matches!(position.repetition_state(), Draw | Lose | Win)
        };
        Some(self.play(rng, limit, repeated))
    }
}
