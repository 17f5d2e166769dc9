//! The 132 actions of animal shogi: by destination and the direction of arrival.

use keisei_animal::{Animal, HandKind, Move, Square};
use keisei_game::Side;

use super::seen_by;
use crate::actions::Actions;

/// The numbering with 132 actions: by destination and the direction of arrival.
///
/// Every piece goes one step, so a destination and a direction name its origin, and a chick has no
/// choice whether it promotes. 11 planes of 12 squares, all as the mover sees the board; the number
/// of an action is plane × 12 + destination, and destinations count like the squares of an
/// observation, row by row from the top left.
///
/// | planes | actions |
/// |---|---|
/// | 0–2 | arrive moving up left, up, up right |
/// | 3, 4 | left, right |
/// | 5–7 | down left, down, down right |
/// | 8–10 | drop a chick, elephant, giraffe |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrivals;

const SQUARES: usize = Square::COUNT;
const DIRECTIONS: usize = 8;
/// The planes in a mirror.
const MIRRORED: [usize; DIRECTIONS + HandKind::ALL.len()] = [2, 1, 0, 4, 3, 7, 6, 5, 8, 9, 10];

/// The plane of a step between neighbouring squares.
const fn direction(from: Square, to: Square) -> usize {
    let down = to.row() + 1 - from.row();
    let right = to.column() + 1 - from.column();
    // Nine neighbours, less the square itself.
    let neighbour = 3 * down + right;
    if neighbour < 4 { neighbour } else { neighbour - 1 }
}

impl Actions for Arrivals {
    type Game = Animal;

    const NAME: &'static str = "arrivals";
    const COUNT: usize = MIRRORED.len() * SQUARES;

    #[inline]
    fn index(turn: Side, mv: Move) -> usize {
        let to = seen_by(turn, mv.to());
        let plane = match mv {
            Move::Step { from, .. } => direction(seen_by(turn, from), to),
            Move::Drop { kind, .. } => DIRECTIONS + kind as usize - 1,
        };
        plane * SQUARES + to.index()
    }

    fn mirrored(index: usize) -> usize {
        let (plane, square) = (index / SQUARES, index % SQUARES);
        let (row, column) = (square / Square::FILES, square % Square::FILES);
        MIRRORED[plane] * SQUARES + row * Square::FILES + Square::FILES - 1 - column
    }

    fn cell(index: usize) -> Option<usize> {
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_numbered_as_the_table_says() {
        assert_eq!(Arrivals::COUNT, 132);
        let number = |side, text: &str| Arrivals::index(side, text.parse().unwrap());
        assert_eq!(number(Side::First, "2c2b"), 12 + 4, "up to the second row, middle column");
        assert_eq!(number(Side::Second, "2b2c"), 12 + 4, "the same for the other side");
        assert_eq!(number(Side::First, "2d3c"), 6, "up left");
        assert_eq!(number(Side::First, "1a2b"), 5 * 12 + 4, "down left");
        assert_eq!(number(Side::First, "C*3a"), 8 * 12);
        assert_eq!(number(Side::Second, "G*3a"), 10 * 12 + 11);
    }

    #[test]
    fn a_mirror_turns_left_into_right() {
        for index in 0..Arrivals::COUNT {
            assert_eq!(Arrivals::mirrored(Arrivals::mirrored(index)), index);
        }
        let number = |text: &str| Arrivals::index(Side::First, text.parse().unwrap());
        assert_eq!(Arrivals::mirrored(number("2d3c")), number("2d1c"));
        assert_eq!(Arrivals::mirrored(number("E*3a")), number("E*1a"));
    }
}
