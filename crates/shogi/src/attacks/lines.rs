//! The eight lines from a square, and what lies between two squares of a line.

use crate::{Bitboard, Square};

/// How many directions a line can take.
const DIRECTIONS: usize = 8;

/// The eight directions as (rows, columns). The first four lead to higher square numbers, the last
/// four are their opposites, in the same order.
const OFFSETS: [(i8, i8); DIRECTIONS] =
    [(1, 0), (0, -1), (-1, -1), (1, -1), (-1, 0), (0, 1), (1, 1), (-1, 1)];

/// Down the file (towards rank i), to higher square numbers.
pub(crate) const DOWN: usize = 0;
/// Along the row towards file 9, to higher square numbers.
pub(crate) const LEFT: usize = 1;
/// The diagonal up and to the left, to higher square numbers.
pub(crate) const UP_LEFT: usize = 2;
/// The diagonal down and to the left, to higher square numbers.
pub(crate) const DOWN_LEFT: usize = 3;

/// The direction opposite to `direction`.
pub(crate) const fn opposite(direction: usize) -> usize {
    (direction + 4) % DIRECTIONS
}

/// The squares of the line from a square to the edge, the square itself left out, by direction.
pub(crate) static RAYS: [[u128; Square::COUNT]; DIRECTIONS] = {
    let mut rays = [[0; Square::COUNT]; DIRECTIONS];
    let mut direction = 0;
    while direction < DIRECTIONS {
        let (r, c) = OFFSETS[direction];
        let mut index = 0;
        while index < Square::COUNT {
            let mut square = Square::from_index(index as u8);
            while let Some(next) = square.offset(r, c) {
                rays[direction][index] |= 1 << next.index();
                square = next;
            }
            index += 1;
        }
        direction += 1;
    }
    rays
};

const fn union(directions: [usize; 4]) -> [u128; Square::COUNT] {
    let mut sets = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut i = 0;
        while i < directions.len() {
            sets[index] |= RAYS[directions[i]][index];
            i += 1;
        }
        index += 1;
    }
    sets
}

/// The squares a rook attacks on an empty board.
pub(crate) static ROOK_LINES: [u128; Square::COUNT] =
    union([DOWN, LEFT, opposite(DOWN), opposite(LEFT)]);

/// The squares a bishop attacks on an empty board.
pub(crate) static BISHOP_LINES: [u128; Square::COUNT] =
    union([UP_LEFT, DOWN_LEFT, opposite(UP_LEFT), opposite(DOWN_LEFT)]);

/// The direction from one square to another, or 8 where no line joins them.
static DIRECTION: [[u8; Square::COUNT]; Square::COUNT] = {
    let mut table = [[DIRECTIONS as u8; Square::COUNT]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut direction = 0;
        while direction < DIRECTIONS {
            let mut ray = RAYS[direction][from];
            while ray != 0 {
                table[from][ray.trailing_zeros() as usize] = direction as u8;
                ray &= ray - 1;
            }
            direction += 1;
        }
        from += 1;
    }
    table
};

/// The whole line from `from` through `through` to the edge, or nothing where no line joins them.
#[inline]
pub(crate) fn ray_through(from: usize, through: usize) -> u128 {
    RAYS.get(DIRECTION[from][through] as usize).map_or(0, |rays| rays[from])
}

/// The squares strictly between two squares of a line, or nothing where no line joins them.
#[inline]
pub(crate) fn between(from: usize, to: usize) -> u128 {
    match RAYS.get(DIRECTION[from][to] as usize) {
        Some(rays) => rays[from] ^ rays[to] ^ 1 << to,
        None => 0,
    }
}

/// The squares strictly between `from` and `to`: none if they are not on one line.
pub(crate) fn squares_between(from: Square, to: Square) -> Bitboard {
    Bitboard::from_bits(between(from.index(), to.index()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_four_directions_lead_to_higher_numbers_and_the_others_back() {
        for (direction, rays) in RAYS.iter().enumerate() {
            for (from, &ray) in rays.iter().enumerate() {
                let higher = ray >> from;
                assert!(if direction < 4 { higher << from == ray } else { higher == 0 });
            }
            let (r, c) = OFFSETS[direction];
            assert_eq!(OFFSETS[opposite(direction)], (-r, -c));
        }
    }

    #[test]
    fn between_is_symmetric_and_excludes_both_ends() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let names = |set: Bitboard| set.into_iter().map(|s| s.to_string()).collect::<Vec<_>>();
        assert_eq!(names(squares_between(square("5a"), square("5d"))), ["5b", "5c"]);
        assert_eq!(names(squares_between(square("1i"), square("4f"))), ["2h", "3g"]);
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(squares_between(a, b), squares_between(b, a));
                assert!(!squares_between(a, b).has(a) && !squares_between(a, b).has(b));
            }
        }
        assert!(squares_between(square("5e"), square("4c")).is_empty());
        assert_eq!(ray_through(square("5e").index(), square("5d").index()).count_ones(), 4);
    }
}
