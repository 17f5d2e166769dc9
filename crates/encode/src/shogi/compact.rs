//! The 2187 actions of shogi: by destination and the direction of arrival.
//!
//! A legal move over the board is given by where it arrives and from which side: only the first
//! piece on a line can arrive along it, so no two legal moves collide. 27 planes of 81 squares:
//! ten directions, the same ten with promotion, seven drops. The order is dlshogi's, so that
//! networks and data can be exchanged; squares count down the files from the right.

use keisei_game::Side;
use keisei_shogi::{Color, HandKind, Move, Shogi, Square};

use super::seen_by;
use crate::actions::Actions;

/// The numbering with 2187 actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compact;

const DIRECTIONS: usize = 10;
const DROPS: usize = 2 * DIRECTIONS;
const SQUARES: usize = Square::COUNT;

/// The direction in which a piece moves, as its player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Arrival {
    /// Straight ahead.
    Up,
    /// Ahead and to the left.
    UpLeft,
    /// Ahead and to the right.
    UpRight,
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Straight back.
    Down,
    /// Back and to the left.
    DownLeft,
    /// Back and to the right.
    DownRight,
    /// A knight's jump to the left.
    JumpLeft,
    /// A knight's jump to the right.
    JumpRight,
}

use Arrival::{Down, DownLeft, DownRight, JumpLeft, JumpRight, Left, Right, Up, UpLeft, UpRight};

impl Arrival {
    const ALL: [Self; DIRECTIONS] =
        [Up, UpLeft, UpRight, Left, Right, Down, DownLeft, DownRight, JumpLeft, JumpRight];

    /// The direction from one square to another. Squares that no piece joins give some direction
    /// too; no legal move has it.
    const fn between(from: Square, to: Square) -> Self {
        let down = to.row() as i8 - from.row() as i8;
        let right = to.column() as i8 - from.column() as i8;
        match (down, right) {
            (-2, -1) => JumpLeft,
            (-2, 1) => JumpRight,
            (..0, 0) => Up,
            (..0, ..0) => UpLeft,
            (..0, 1..) => UpRight,
            (0, ..0) => Left,
            (0, _) => Right,
            (_, 0) => Down,
            (_, ..0) => DownLeft,
            (_, 1..) => DownRight,
        }
    }

    const fn mirrored(self) -> Self {
        match self {
            Up => Up,
            UpLeft => UpRight,
            UpRight => UpLeft,
            Left => Right,
            Right => Left,
            Down => Down,
            DownLeft => DownRight,
            DownRight => DownLeft,
            JumpLeft => JumpRight,
            JumpRight => JumpLeft,
        }
    }
}

/// What an action says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spec {
    /// A piece arrives on `to` in the direction `arrival`.
    Arrive {
        /// The direction.
        arrival: Arrival,
        /// Whether it promotes.
        promote: bool,
        /// The destination, as the mover sees the board.
        to: Square,
    },
    /// A piece is dropped.
    Drop {
        /// The piece.
        kind: HandKind,
        /// The destination, as the mover sees the board.
        to: Square,
    },
}

impl Compact {
    /// What the action numbered `index` says, or `None` past the last one.
    pub fn spec(index: usize) -> Option<Spec> {
        let to = Square::new((index % SQUARES) as u8)?;
        match index / SQUARES {
            plane if plane < DROPS => Some(Spec::Arrive {
                arrival: Arrival::ALL[plane % DIRECTIONS],
                promote: plane >= DIRECTIONS,
                to,
            }),
            plane => HandKind::ALL.get(plane - DROPS).map(|&kind| Spec::Drop { kind, to }),
        }
    }

    /// The number of the action that says `spec`.
    pub const fn index_of(spec: Spec) -> usize {
        let (plane, to) = match spec {
            Spec::Arrive { arrival, promote, to } => {
                (arrival as usize + if promote { DIRECTIONS } else { 0 }, to)
            }
            Spec::Drop { kind, to } => (DROPS + kind as usize, to),
        };
        plane * SQUARES + to.index()
    }
}

/// The direction between each pair of squares.
static ARRIVAL: [[Arrival; SQUARES]; SQUARES] = {
    let mut table = [[Up; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            if let (Some(a), Some(b)) = (Square::new(from as u8), Square::new(to as u8)) {
                table[from][to] = Arrival::between(a, b);
            }
            to += 1;
        }
        from += 1;
    }
    table
};

impl Actions for Compact {
    type Game = Shogi;

    const NAME: &'static str = "compact";
    const COUNT: usize = (DROPS + HandKind::ALL.len()) * SQUARES;

    #[inline]
    fn index(turn: Side, mv: Move) -> usize {
        let color = Color::from(turn);
        let to = seen_by(color, mv.to());
        Self::index_of(match (mv.from(), mv.dropped()) {
            (Some(from), _) => {
                let arrival = ARRIVAL[seen_by(color, from).index()][to.index()];
                Spec::Arrive { arrival, promote: mv.promotes(), to }
            }
            (None, Some(kind)) => Spec::Drop { kind, to },
            (None, None) => unreachable!("a move is a drop or comes from a square"),
        })
    }

    fn mirrored(index: usize) -> usize {
        Self::spec(index).map_or(index, |spec| {
            Self::index_of(match spec {
                Spec::Arrive { arrival, promote, to } => {
                    Spec::Arrive { arrival: arrival.mirrored(), promote, to: to.mirrored() }
                }
                Spec::Drop { kind, to } => Spec::Drop { kind, to: to.mirrored() },
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_specs_are_inverse_tables_of_2187_entries() {
        assert_eq!(Compact::COUNT, 2187);
        for index in 0..Compact::COUNT {
            let spec = Compact::spec(index).unwrap();
            assert_eq!(Compact::index_of(spec), index);
            assert_eq!(Compact::mirrored(Compact::mirrored(index)), index);
        }
        assert_eq!(Compact::spec(Compact::COUNT), None);
    }

    #[test]
    fn a_rook_three_squares_ahead_arrives_from_below() {
        let mv: Move = "2h2e".parse().unwrap();
        let to = "2e".parse().unwrap();
        let expected = Spec::Arrive { arrival: Up, promote: false, to };
        assert_eq!(Compact::spec(Compact::index(Side::First, mv)), Some(expected));
    }
}
