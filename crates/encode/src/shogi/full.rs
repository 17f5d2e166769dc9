//! The 13,527 actions of shogi: by origin, destination and promotion, and the drops.

use keisei_game::Side;
use keisei_shogi::{Color, HandKind, Move, Origin, Shogi, Square};

use crate::actions::Actions;

/// The numbering with 13,527 actions: 81 × 80 pairs of squares, the same pairs with promotion, and
/// 7 × 81 drops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

const SQUARES: usize = Square::COUNT;
const PAIRS: usize = SQUARES * (SQUARES - 1);
const DROPS: usize = 2 * PAIRS;

impl Full {
    /// The move numbered `index` as the mover sees the board, or `None` past the last one.
    pub fn seen_move(index: usize) -> Option<Move> {
        let square = |index: usize| Square::new(index as u8);
        if index >= DROPS {
            let (kind, to) = ((index - DROPS) / SQUARES, (index - DROPS) % SQUARES);
            return HandKind::ALL.get(kind).and_then(|&kind| Some(Move::drop(kind, square(to)?)));
        }
        let (from, skipped) = (index % PAIRS / (SQUARES - 1), index % (SQUARES - 1));
        // Destinations from the origin on are numbered as if the origin were not there.
        let to = if skipped < from { skipped } else { skipped + 1 };
        Some(Move::new(square(from)?, square(to)?, index >= PAIRS))
    }

    /// The number of `mv` as the mover sees the board.
    fn index_of(mv: Move) -> usize {
        let to = mv.to().index();
        match mv.origin() {
            Origin::Board(from) => {
                let from = from.index();
                let skipped = if to < from { to } else { to - 1 };
                from * (SQUARES - 1) + skipped + if mv.promotes() { PAIRS } else { 0 }
            }
            Origin::Hand(kind) => DROPS + kind as usize * SQUARES + to,
        }
    }
}

impl Actions for Full {
    type Game = Shogi;

    const NAME: &'static str = "full";
    const COUNT: usize = DROPS + HandKind::ALL.len() * SQUARES;

    #[inline]
    fn index(turn: Side, mv: Move) -> usize {
        Self::index_of(match Color::from(turn) {
            Color::Black => mv,
            Color::White => mv.rotated(),
        })
    }

    fn cell(_: usize) -> Option<usize> {
        None
    }

    fn mirrored(index: usize) -> usize {
        Self::seen_move(index).map_or(index, |mv| Self::index_of(mv.mirrored()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_moves_are_inverse_tables_of_13527_entries() {
        assert_eq!(Full::COUNT, 13_527);
        for index in 0..Full::COUNT {
            let mv = Full::seen_move(index).unwrap();
            assert_eq!(Full::index_of(mv), index);
            assert_eq!(Full::mirrored(Full::mirrored(index)), index);
        }
        assert_eq!(Full::seen_move(Full::COUNT), None);
    }
}
