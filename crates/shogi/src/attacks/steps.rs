//! Tables of the single steps of every piece, one for each colour.
//!
//! Both colours are generated from their own vectors; nothing is mirrored at a lookup. Pieces that
//! step alike share a table: kings, horses and dragons those of both colours, and everything that
//! moves as a gold that of its colour. The twelve tables take 12 × 81 × 16 bytes = 15,552 bytes.

use crate::{Bitboard, Color, PieceKind, Square};

/// The squares reached by one step, by square.
pub type Steps = [Bitboard; Square::COUNT];

/// How a piece moves in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// Rows down the board; negative is towards rank a.
    pub r: i8,
    /// Columns to the right, towards file 1.
    pub c: i8,
    /// Whether the piece goes on in this direction until it is blocked.
    pub slide: bool,
}

const fn step(r: i8, c: i8) -> Vector {
    Vector { r, c, slide: false }
}

const fn slide(r: i8, c: i8) -> Vector {
    Vector { r, c, slide: true }
}

const BLACK_PAWN: &[Vector] = &[step(-1, 0)];
const WHITE_PAWN: &[Vector] = &[step(1, 0)];
const BLACK_LANCE: &[Vector] = &[slide(-1, 0)];
const WHITE_LANCE: &[Vector] = &[slide(1, 0)];
const BLACK_KNIGHT: &[Vector] = &[step(-2, -1), step(-2, 1)];
const WHITE_KNIGHT: &[Vector] = &[step(2, -1), step(2, 1)];
const BLACK_SILVER: &[Vector] = &[step(-1, -1), step(-1, 0), step(-1, 1), step(1, -1), step(1, 1)];
const WHITE_SILVER: &[Vector] = &[step(1, -1), step(1, 0), step(1, 1), step(-1, -1), step(-1, 1)];
const BLACK_GOLD: &[Vector] =
    &[step(-1, -1), step(-1, 0), step(-1, 1), step(0, -1), step(0, 1), step(1, 0)];
const WHITE_GOLD: &[Vector] =
    &[step(1, -1), step(1, 0), step(1, 1), step(0, -1), step(0, 1), step(-1, 0)];
const BISHOP: &[Vector] = &[slide(-1, -1), slide(-1, 1), slide(1, -1), slide(1, 1)];
const ROOK: &[Vector] = &[slide(-1, 0), slide(0, -1), slide(0, 1), slide(1, 0)];
const KING: &[Vector] = &[
    step(-1, -1),
    step(-1, 0),
    step(-1, 1),
    step(0, -1),
    step(0, 1),
    step(1, -1),
    step(1, 0),
    step(1, 1),
];
const HORSE: &[Vector] = &[
    slide(-1, -1),
    slide(-1, 1),
    slide(1, -1),
    slide(1, 1),
    step(-1, 0),
    step(0, -1),
    step(0, 1),
    step(1, 0),
];
const DRAGON: &[Vector] = &[
    slide(-1, 0),
    slide(0, -1),
    slide(0, 1),
    slide(1, 0),
    step(-1, -1),
    step(-1, 1),
    step(1, -1),
    step(1, 1),
];

/// The directions in which a piece of `kind` moves when `color` has it.
pub const fn vectors(color: Color, kind: PieceKind) -> &'static [Vector] {
    use PieceKind::*;
    match (kind, color) {
        (Pawn, Color::Black) => BLACK_PAWN,
        (Pawn, Color::White) => WHITE_PAWN,
        (Lance, Color::Black) => BLACK_LANCE,
        (Lance, Color::White) => WHITE_LANCE,
        (Knight, Color::Black) => BLACK_KNIGHT,
        (Knight, Color::White) => WHITE_KNIGHT,
        (Silver, Color::Black) => BLACK_SILVER,
        (Silver, Color::White) => WHITE_SILVER,
        (Gold | Tokin | PromotedLance | PromotedKnight | PromotedSilver, Color::Black) => {
            BLACK_GOLD
        }
        (Gold | Tokin | PromotedLance | PromotedKnight | PromotedSilver, Color::White) => {
            WHITE_GOLD
        }
        (Bishop, _) => BISHOP,
        (Rook, _) => ROOK,
        (King, _) => KING,
        (Horse, _) => HORSE,
        (Dragon, _) => DRAGON,
    }
}

const fn step_table(vectors: &[Vector]) -> Steps {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut bits = 0;
        let mut v = 0;
        while v < vectors.len() {
            let Vector { r, c, slide } = vectors[v];
            if !slide && let Some(to) = Square::from_index(index as u8).offset(r, c) {
                bits |= 1 << to.index();
            }
            v += 1;
        }
        table[index] = Bitboard::from_bits(bits);
        index += 1;
    }
    table
}

/// The kinds that step each in a way of their own, with the colours that do.
const DISTINCT: [(Color, PieceKind); 12] = {
    use PieceKind::*;
    [
        (Color::Black, Pawn),
        (Color::White, Pawn),
        (Color::Black, Knight),
        (Color::White, Knight),
        (Color::Black, Silver),
        (Color::White, Silver),
        (Color::Black, Gold),
        (Color::White, Gold),
        (Color::Black, King),
        (Color::Black, Horse),
        (Color::Black, Dragon),
        // Lances, bishops and rooks have no steps.
        (Color::Black, Rook),
    ]
};

static TABLES: [Steps; DISTINCT.len()] = {
    let mut tables = [[Bitboard::EMPTY; Square::COUNT]; DISTINCT.len()];
    let mut index = 0;
    while index < DISTINCT.len() {
        let (color, kind) = DISTINCT[index];
        tables[index] = step_table(vectors(color, kind));
        index += 1;
    }
    tables
};

/// The number of the table of each kind, by colour.
const TABLE_OF: [[u8; 14]; 2] = {
    let mut numbers = [[0; 14]; 2];
    let mut kind = 0;
    while kind < 14 {
        use PieceKind::*;
        // Both colours' tables lie side by side, Black's first.
        let (black, by_color) = match PieceKind::ALL[kind] {
            Pawn => (0, 1),
            Knight => (2, 1),
            Silver => (4, 1),
            Gold | Tokin | PromotedLance | PromotedKnight | PromotedSilver => (6, 1),
            King => (8, 0),
            Horse => (9, 0),
            Dragon => (10, 0),
            Lance | Bishop | Rook => (11, 0),
        };
        numbers[0][kind] = black;
        numbers[1][kind] = black + by_color;
        kind += 1;
    }
    numbers
};

/// The steps of `kind` for `color` from every square. Sliding directions are not in it: a lance, a
/// bishop and a rook have no steps, a horse has its four straight ones, a dragon its four diagonal
/// ones.
#[inline(always)]
pub const fn steps(color: Color, kind: PieceKind) -> &'static Steps {
    &TABLES[TABLE_OF[color as usize][kind as usize] as usize]
}

/// The squares one step of `kind` away from `square` for `color`.
#[inline]
pub fn step_attacks(color: Color, kind: PieceKind, square: Square) -> Bitboard {
    steps(color, kind)[square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use PieceKind::*;

    fn squares(names: &str) -> Bitboard {
        names.split(' ').map(|name| name.parse::<Square>().unwrap()).collect()
    }

    fn attacked(color: Color, kind: PieceKind, from: &str) -> Bitboard {
        step_attacks(color, kind, from.parse().unwrap())
    }

    #[test]
    fn knights_jump_two_rows_ahead_for_their_own_colour() {
        assert_eq!(attacked(Color::Black, Knight, "5e"), squares("4c 6c"));
        assert_eq!(attacked(Color::White, Knight, "5e"), squares("4g 6g"));
        assert_eq!(attacked(Color::Black, Knight, "1c"), squares("2a"));
        assert_eq!(attacked(Color::Black, Knight, "5b"), Bitboard::EMPTY);
        assert_eq!(attacked(Color::White, Knight, "5h"), Bitboard::EMPTY);
    }

    #[test]
    fn golds_and_everything_that_moves_as_gold_have_six_steps() {
        for kind in [Gold, Tokin, PromotedLance, PromotedKnight, PromotedSilver] {
            assert_eq!(attacked(Color::Black, kind, "5e"), squares("4d 5d 6d 4e 6e 5f"), "{kind}");
            assert_eq!(attacked(Color::White, kind, "5e"), squares("4f 5f 6f 4e 6e 5d"), "{kind}");
        }
        assert_eq!(attacked(Color::White, Gold, "6a"), squares("5a 7a 5b 6b 7b"));
    }

    #[test]
    fn silvers_have_five_steps() {
        assert_eq!(attacked(Color::Black, Silver, "5e"), squares("4d 5d 6d 4f 6f"));
        assert_eq!(attacked(Color::White, Silver, "5e"), squares("4f 5f 6f 4d 6d"));
    }

    #[test]
    fn kings_horses_and_dragons_step_alike_for_both_colours() {
        for kind in [King, Horse, Dragon, Bishop, Rook] {
            let [black, white] = Color::ALL.map(|color| steps(color, kind));
            assert!(std::ptr::eq(black, white), "{kind}: one table for both");
        }
        for kind in [Tokin, PromotedLance, PromotedKnight, PromotedSilver] {
            assert!(std::ptr::eq(steps(Color::White, kind), steps(Color::White, Gold)), "{kind}");
        }
        assert_eq!(attacked(Color::Black, King, "5e").len(), 8);
        assert_eq!(attacked(Color::Black, Horse, "5e"), squares("5d 4e 6e 5f"));
        assert_eq!(attacked(Color::Black, Dragon, "5e"), squares("4d 6d 4f 6f"));
    }

    #[test]
    fn whites_table_is_blacks_seen_from_the_other_side() {
        for kind in PieceKind::ALL {
            for square in Square::all() {
                let rotated: Bitboard = step_attacks(Color::Black, kind, square)
                    .into_iter()
                    .map(Square::rotated)
                    .collect();
                assert_eq!(step_attacks(Color::White, kind, square.rotated()), rotated);
            }
        }
    }

    #[test]
    fn vectors_have_the_counts_of_the_rules() {
        let count = |kind| {
            let v = vectors(Color::Black, kind);
            (v.iter().filter(|v| !v.slide).count(), v.iter().filter(|v| v.slide).count())
        };
        assert_eq!(
            [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King].map(count),
            [(1, 0), (0, 1), (2, 0), (5, 0), (6, 0), (0, 4), (0, 4), (8, 0)]
        );
        assert_eq!([Horse, Dragon].map(count), [(4, 4), (4, 4)]);
    }

    #[test]
    fn every_kind_has_the_table_of_its_vectors_and_no_two_tables_are_equal() {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                assert_eq!(*steps(color, kind), step_table(vectors(color, kind)), "{kind}");
            }
        }
        for (index, table) in TABLES.iter().enumerate() {
            assert!(!TABLES[..index].contains(table), "table {index}");
        }
        assert_eq!(size_of_val(&TABLES), 15_552);
    }
}
