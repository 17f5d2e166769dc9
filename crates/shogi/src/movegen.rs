//! Legal moves, generated as sets and never filtered one by one.
//!
//! One body ([`generate`]) works out checks and pins once and hands *sets* of legal moves to a
//! [`Sink`]: a list writes them down, a counter only counts them.

mod generate;
mod list;
mod sink;
mod window;

pub(crate) use generate::is_drop_pawn_mate;
pub use list::{MAX_MOVES, MoveList};

use crate::{Bitboard, Color, Position};
use generate::{Black, White, generate};
use sink::{Counter, Sink};

/// Visits the legal moves that arrive on a square of `onto`.
#[inline(always)]
fn visit<S: Sink>(position: &Position, onto: u128, sink: &mut S) {
    match position.turn() {
        Color::Black => generate::<Black, S>(position, onto, sink),
        Color::White => generate::<White, S>(position, onto, sink),
    }
}

#[inline]
pub(crate) fn legal_moves(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    visit(position, Bitboard::FULL.bits(), &mut list);
    list
}

pub(crate) fn legal_captures(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    visit(position, position.pieces(!position.turn()).bits(), &mut list);
    list
}

pub(crate) fn legal_quiets(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    visit(position, (!position.occupied()).bits(), &mut list);
    list
}

#[inline]
pub(crate) fn count(position: &Position) -> usize {
    let mut counter = Counter::default();
    visit(position, Bitboard::FULL.bits(), &mut counter);
    counter.count()
}
