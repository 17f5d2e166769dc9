//! The 2187 actions of shogi: by destination and the direction of arrival.

use keisei_game::Side;
use keisei_shogi::{Color, HandKind, Move, Origin, Shogi, Square};

use super::{place, seen_by};
use crate::actions::Actions;

/// The numbering with 2187 actions: by destination and the direction of arrival.
///
/// A legal move over the board is given by where it arrives and from which side: only the first
/// piece on a line can arrive along it, so no two legal moves collide. 27 planes of 81 squares:
/// ten directions, the same ten with promotion, seven drops. The order is dlshogi's, so that
/// networks and data can be exchanged:
///
/// | planes | actions |
/// |---|---|
/// | 0–9 | arrive moving up, up left, up right, left, right, down, down left, down right, and by a knight's jump to the left, to the right |
/// | 10–19 | the same with promotion |
/// | 20–26 | drop a pawn, lance, knight, silver, bishop, rook, gold |
///
/// The number of an action is plane × 81 + destination, as the mover sees the board. Destinations
/// count down the files from the right, 1a to 9i: unlike the squares of an observation, which are
/// read row by row. [`Actions::cell`] leads from one to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compact;

const DIRECTIONS: usize = 10;
const DROPS: usize = 2 * DIRECTIONS;
const SQUARES: usize = Square::COUNT;

/// The kinds in the order of their planes: gold comes last.
const DROP_ORDER: [HandKind; 7] = [
    HandKind::Pawn,
    HandKind::Lance,
    HandKind::Knight,
    HandKind::Silver,
    HandKind::Bishop,
    HandKind::Rook,
    HandKind::Gold,
];

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
            plane => DROP_ORDER.get(plane - DROPS).map(|&kind| Spec::Drop { kind, to }),
        }
    }

    /// What `mv` says when `color` makes it.
    const fn spec_of(color: Color, mv: Move) -> Spec {
        let to = seen_by(color, mv.to());
        match mv.origin() {
            Origin::Board(from) => {
                let arrival = Arrival::between(seen_by(color, from), to);
                Spec::Arrive { arrival, promote: mv.promotes(), to }
            }
            Origin::Hand(kind) => Spec::Drop { kind, to },
        }
    }

    /// The number of the action that says `spec`.
    pub const fn index_of(spec: Spec) -> usize {
        let (plane, to) = match spec {
            Spec::Arrive { arrival, promote, to } => {
                (arrival as usize + if promote { DIRECTIONS } else { 0 }, to)
            }
            Spec::Drop { kind, to } => {
                let mut plane = DROPS;
                while DROP_ORDER[plane - DROPS] as u8 != kind as u8 {
                    plane += 1;
                }
                (plane, to)
            }
        };
        plane * SQUARES + to.index()
    }
}

/// The number of every move by colour and packed bits: to look it up takes a fifth of the time of
/// working it out.
static NUMBERS: [[u16; 1 << 16]; 2] = {
    let mut numbers = [[0; 1 << 16]; 2];
    let mut to = 0;
    while let Some(target) = Square::new(to) {
        let mut from = 0;
        while let Some(origin) = Square::new(from) {
            enter(&mut numbers, Move::new(origin, target, false));
            enter(&mut numbers, Move::new(origin, target, true));
            from += 1;
        }
        let mut kind = 0;
        while kind < HandKind::ALL.len() {
            enter(&mut numbers, Move::drop(HandKind::ALL[kind], target));
            kind += 1;
        }
        to += 1;
    }
    numbers
};

const fn enter(numbers: &mut [[u16; 1 << 16]; 2], mv: Move) {
    let (ours, theirs) = (Compact::spec_of(Color::Black, mv), Compact::spec_of(Color::White, mv));
    numbers[0][mv.bits() as usize] = Compact::index_of(ours) as u16;
    numbers[1][mv.bits() as usize] = Compact::index_of(theirs) as u16;
}

impl Actions for Compact {
    type Game = Shogi;

    const NAME: &'static str = "compact";
    const COUNT: usize = (DROPS + HandKind::ALL.len()) * SQUARES;

    #[inline]
    fn index(turn: Side, mv: Move) -> usize {
        usize::from(NUMBERS[Color::from(turn) as usize][usize::from(mv.bits())])
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

    fn cell(index: usize) -> Option<usize> {
        let (plane, to) = (index / SQUARES, Square::new((index % SQUARES) as u8)?);
        Some(plane * SQUARES + place(to))
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
