//! Legal moves visited as sets, for callers that want no list.

use std::ops::ControlFlow;

use super::sink::{DropSquares, PROMOTE, Sink, drop_origin, each_square, origin};
use super::visit;
use crate::attacks::Plain;
use crate::{Bitboard, Hand, Move, Origin, Position};

/// Legal moves of one piece, all of which promote or none, or all drops of one kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveSet {
    /// Where the piece comes from.
    pub origin: Origin,
    /// Where it may go.
    pub to: Bitboard,
    /// Whether it promotes.
    pub promote: bool,
}

impl MoveSet {
    /// How many moves there are.
    pub const fn len(self) -> usize {
        self.to.len()
    }

    /// Whether there is none. Sets that are visited have moves.
    pub const fn is_empty(self) -> bool {
        self.to.is_empty()
    }

    /// The moves one by one.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        self.to.into_iter().map(move |to| match self.origin {
            Origin::Board(from) => Move::new(from, to, self.promote),
            Origin::Hand(kind) => Move::drop(kind, to),
        })
    }
}

/// Hands each set to `visitor` until it breaks.
pub(crate) fn visit_sets<B>(
    position: &Position,
    visitor: impl FnMut(MoveSet) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut sets = Sets { visitor, state: ControlFlow::Continue(()) };
    visit::<Plain, _>(position, Bitboard::FULL.bits(), &mut sets);
    sets.state
}

struct Sets<B, V> {
    visitor: V,
    state: ControlFlow<B>,
}

impl<B, V: FnMut(MoveSet) -> ControlFlow<B>> Sets<B, V> {
    /// The set of moves `base + square`, as sinks are given them.
    fn hand_over(&mut self, squares: u128, base: u16) {
        if squares != 0 && self.state.is_continue() {
            let any = Move::from_bits(base).expect("a base is the move to the first square");
            let to = Bitboard::from_bits(squares);
            let set = MoveSet { origin: any.origin(), to, promote: any.promotes() };
            self.state = (self.visitor)(set);
        }
    }
}

impl<B, V: FnMut(MoveSet) -> ControlFlow<B>> Sink for Sets<B, V> {
    fn steps(&mut self, squares: u64, base: u16) {
        // The base of a window is the move to its first square.
        let start = base & 0x7f;
        self.hand_over(u128::from(squares) << start, base - start);
    }

    fn slides(&mut self, squares: u128, base: u16) {
        self.hand_over(squares, base);
    }

    fn pawns(&mut self, squares: u128, back: i16, promote: bool) {
        for to in each_square(squares) {
            let from = to.wrapping_add_signed(back as isize);
            self.hand_over(1 << to, origin(from) + if promote { PROMOTE } else { 0 });
        }
    }

    fn drops(&mut self, hand: Hand, squares: &DropSquares) {
        for (squares, kinds) in squares.by_kind() {
            for &kind in kinds.iter().filter(|&&kind| hand.has(kind)) {
                self.hand_over(squares, drop_origin(kind));
            }
        }
    }

    fn has_enough(&self) -> bool {
        self.state.is_break()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::{Game, SplitMix64, random_game};

    #[test]
    fn the_sets_hold_the_legal_moves_each_once_and_no_set_is_empty() {
        let mut rng = SplitMix64::new(3);
        for _ in 0..if cfg!(miri) { 2 } else { 200 } {
            let mut game = crate::Shogi::new();
            random_game(&mut game, rng.next_u64(), 120);
            let mut moves = Vec::new();
            let flow = visit_sets(game.position(), |set| {
                assert!(!set.is_empty());
                assert_eq!(set.moves().count(), set.len());
                moves.extend(set.moves());
                ControlFlow::<()>::Continue(())
            });
            assert!(flow.is_continue());
            let mut listed = game.position().legal_moves().to_vec();
            listed.sort_unstable();
            moves.sort_unstable();
            assert_eq!(moves, listed, "{}", game.notation());
        }
    }

    #[test]
    fn a_visitor_that_breaks_is_not_called_again() {
        let mut calls = 0;
        let flow = visit_sets(&Position::start(), |set| {
            calls += 1;
            if calls == 3 { ControlFlow::Break(set) } else { ControlFlow::Continue(()) }
        });
        assert!(flow.is_break());
        assert_eq!(calls, 3);
    }
}
