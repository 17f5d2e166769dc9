//! The 4,672 actions of chess: by origin and the way the piece goes, as AlphaZero numbered them.

use keisei_chess::{Chess, Color, Move, PieceKind, Square};
use keisei_game::Side;

use super::place;
use crate::actions::Actions;

/// The numbering with 4,672 actions: by origin and the way the piece goes.
///
/// 73 planes of 64 squares, all as the mover sees the board: Black's ranks are counted from the
/// other side, files stay. The number of an action is plane × 64 + origin, and origins count like
/// the squares of an observation, row by row from the top left.
///
/// | planes | actions |
/// |---|---|
/// | 0–55 | like a queen: 7 × direction + distance − 1, the directions clockwise from straight ahead: N NE E SE S SW W NW |
/// | 56–63 | like a knight, clockwise: NNE ENE ESE SSE SSW WSW WNW NNW |
/// | 64–72 | a pawn becomes a knight (64–66), a bishop (67–69), a rook (70–72): capturing to the left, straight ahead, capturing to the right |
///
/// A pawn that becomes a queen goes like a queen, and so does a castling king: two squares E or W.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaZero;

const SQUARES: usize = 64;
const JUMPS: usize = 56;
const UNDERPROMOTIONS: usize = 64;
const PLANES: usize = 73;

/// The eight directions and the eight jumps as (files to the right, ranks up).
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// What a pawn can become besides a queen.
const LESSER: [PieceKind; 3] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook];

impl AlphaZero {
    /// The move numbered `index` as the mover sees the board, or `None` if it would leave the
    /// board. A pawn that becomes a queen is not told apart from other pieces: no promotion is set.
    pub fn seen_move(index: usize) -> Option<Move> {
        let plane = index / SQUARES;
        let from = Square::index(index % SQUARES).flip_rank();
        match plane {
            0..JUMPS => {
                let ((files, ranks), distance) = (STEPS[plane / 7], (plane % 7 + 1) as i8);
                reach(from, files * distance, ranks * distance)
            }
            JUMPS..UNDERPROMOTIONS => {
                let (files, ranks) = LEAPS[plane - JUMPS];
                reach(from, files, ranks)
            }
            UNDERPROMOTIONS..PLANES => {
                let (kind, side) = ((plane - UNDERPROMOTIONS) / 3, (plane - UNDERPROMOTIONS) % 3);
                let mv = reach(from, side as i8 - 1, 1)?;
                let last_rank = mv.to() as usize >= Square::A8 as usize;
                mv.promoting(LESSER[kind]).filter(|_| last_rank)
            }
            _ => None,
        }
    }

    /// The number of `mv` as the mover sees the board.
    #[inline]
    fn index_of(mv: Move) -> usize {
        match mv.promotion() {
            None | Some(PieceKind::Queen) => NUMBERS[mv.from() as usize][mv.to() as usize].into(),
            Some(kind) => {
                let side = 1 + mv.to().file() as usize - mv.from().file() as usize;
                let kind = kind as usize - PieceKind::Knight as usize;
                (UNDERPROMOTIONS + 3 * kind + side) * SQUARES + place(Color::White, mv.from())
            }
        }
    }
}

/// The move that goes so far, unless it leaves the board.
fn reach(from: Square, files: i8, ranks: i8) -> Option<Move> {
    Some(Move::new(from, from.try_offset(files, ranks)?))
}

/// The number of each pair of squares that a queen or a knight joins. Other pairs have the number
/// 0; no legal move joins them.
static NUMBERS: [[u16; SQUARES]; SQUARES] = {
    let mut numbers = [[0; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut way = 0;
        while way < 8 {
            let mut distance = 1;
            while distance <= 7 {
                let (files, ranks) = STEPS[way];
                let plane = 7 * way + distance as usize - 1;
                enter(&mut numbers, from, (files * distance, ranks * distance), plane);
                distance += 1;
            }
            enter(&mut numbers, from, LEAPS[way], JUMPS + way);
            way += 1;
        }
        from += 1;
    }
    numbers
};

const fn enter(
    numbers: &mut [[u16; SQUARES]; SQUARES],
    from: usize,
    (files, ranks): (i8, i8),
    plane: usize,
) {
    let from = Square::index_const(from);
    if let Some(to) = from.try_offset(files, ranks) {
        let number = plane * SQUARES + place(Color::White, from);
        numbers[from as usize][to as usize] = number as u16;
    }
}

impl Actions for AlphaZero {
    type Game = Chess;

    const NAME: &'static str = "alphazero";
    const COUNT: usize = PLANES * SQUARES;

    #[inline]
    fn index(turn: Side, mv: Move) -> usize {
        Self::index_of(match Color::from(turn) {
            Color::White => mv,
            Color::Black => mv.flipped(),
        })
    }

    fn mirrored(index: usize) -> usize {
        let (plane, origin) = (index / SQUARES, index % SQUARES);
        let plane = match plane {
            0..JUMPS => (8 - plane / 7) % 8 * 7 + plane % 7,
            JUMPS..UNDERPROMOTIONS => JUMPS + UNDERPROMOTIONS - 1 - plane,
            _ => plane + 2 - 2 * ((plane - UNDERPROMOTIONS) % 3),
        };
        plane * SQUARES + (origin ^ 7)
    }

    fn cell(index: usize) -> Option<usize> {
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_moves_are_inverse_tables_of_4672_entries_of_which_1858_stay_on_the_board() {
        assert_eq!(AlphaZero::COUNT, 4672);
        let on_board: Vec<_> =
            (0..AlphaZero::COUNT).filter(|&i| AlphaZero::seen_move(i).is_some()).collect();
        // 1456 queen's moves, 336 knight's moves, and 22 ways to promote to each of three pieces.
        assert_eq!(on_board.len(), 1456 + 336 + 3 * 22);
        for index in on_board {
            let mv = AlphaZero::seen_move(index).unwrap();
            assert_eq!(AlphaZero::index_of(mv), index, "{mv}");
        }
        assert_eq!(AlphaZero::seen_move(AlphaZero::COUNT), None);
    }

    #[test]
    fn a_mirror_twice_is_no_mirror() {
        for index in 0..AlphaZero::COUNT {
            assert!(AlphaZero::mirrored(index) < AlphaZero::COUNT);
            assert_eq!(AlphaZero::mirrored(AlphaZero::mirrored(index)), index);
        }
    }
}
