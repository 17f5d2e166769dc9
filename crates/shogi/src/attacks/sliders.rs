//! Attacks of the sliding pieces, from the lines of a square and the squares that block them.
//!
//! On a line to higher numbers the lowest blocker ends the attack: `b ^ (b − 1)` covers it and
//! everything before it. On a line to lower numbers the same trick works in a board whose bytes
//! are reversed, because two squares of such a line (8 or more apart) never share a byte; files,
//! whose squares are neighbours, are scanned from their highest blocker instead.

use super::lines::{DOWN, DOWN_LEFT, LEFT, RAYS, UP_LEFT, opposite};
use crate::{Bitboard, Color, Square};

/// `ray` leads to higher numbers: up to and including its first blocker.
#[inline(always)]
const fn upward(ray: u128, occupied: u128) -> u128 {
    let blockers = ray & occupied;
    ray & (blockers ^ blockers.wrapping_sub(1))
}

/// The squares attacked on the file of `square` towards rank a.
#[inline(always)]
fn file_up(square: usize, occupied: u128) -> u128 {
    // The nine squares of a file as a word of their own, rank a lowest.
    let (start, row) = (square - square % 9, square % 9);
    let before = (1 << row) - 1;
    let blockers = (occupied >> start) as u32 & before;
    // With no blocker the scan stops at the edge square, which is part of the line.
    let reached = 31 - (blockers | 1).leading_zeros();
    u128::from(before & (!0 << reached)) << start
}

#[inline(always)]
pub(crate) fn lance(color: Color, square: usize, occupied: u128) -> u128 {
    match color {
        Color::Black => file_up(square, occupied),
        Color::White => upward(RAYS[DOWN][square], occupied),
    }
}

/// A piece that slides in four directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slider {
    /// Diagonally: bishop and horse.
    Bishop,
    /// Straight: rook and dragon.
    Rook,
}

/// Occupied squares, prepared for looking along the lines of sliders.
pub(crate) trait Blockers: Copy {
    fn new(occupied: u128) -> Self;

    /// The squares that `slider` attacks from `square`.
    fn attacks(self, slider: Slider, square: usize) -> u128;
}

/// Blockers for any processor.
#[derive(Clone, Copy)]
pub(crate) struct Plain {
    occupied: u128,
    reversed: u128,
}

impl Plain {
    /// `ray` leads to higher numbers.
    #[inline(always)]
    const fn upward(self, ray: u128) -> u128 {
        upward(ray, self.occupied)
    }

    /// `ray` leads to lower numbers and its squares are at least 8 apart.
    #[inline(always)]
    const fn downward(self, ray: u128) -> u128 {
        upward(ray.swap_bytes(), self.reversed).swap_bytes()
    }
}

impl Blockers for Plain {
    #[inline(always)]
    fn new(occupied: u128) -> Self {
        Self { occupied, reversed: occupied.swap_bytes() }
    }

    #[inline(always)]
    fn attacks(self, slider: Slider, square: usize) -> u128 {
        match slider {
            Slider::Bishop => {
                self.upward(RAYS[UP_LEFT][square])
                    | self.upward(RAYS[DOWN_LEFT][square])
                    | self.downward(RAYS[opposite(UP_LEFT)][square])
                    | self.downward(RAYS[opposite(DOWN_LEFT)][square])
            }
            Slider::Rook => {
                self.upward(RAYS[DOWN][square])
                    | self.upward(RAYS[LEFT][square])
                    | self.downward(RAYS[opposite(LEFT)][square])
                    | file_up(square, self.occupied)
            }
        }
    }
}

/// The squares a lance of `color` attacks from `square`.
pub fn lance_attacks(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard::from_bits(lance(color, square.index(), occupied.bits()))
}

/// The squares a bishop attacks from `square`.
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard::from_bits(Plain::new(occupied.bits()).attacks(Slider::Bishop, square.index()))
}

/// The squares a rook attacks from `square`.
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard::from_bits(Plain::new(occupied.bits()).attacks(Slider::Rook, square.index()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PieceKind;
    use crate::attacks::{attacks, vectors};
    use keisei_game::SplitMix64;

    /// The rule itself: walk each direction until a piece or the edge.
    fn walked(color: Color, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for vector in vectors(color, kind) {
            let mut at = square;
            while let Some(next) = at.offset(vector.r, vector.c) {
                reached |= next.into();
                at = next;
                if !vector.slide || occupied.has(next) {
                    break;
                }
            }
        }
        reached
    }

    #[test]
    fn every_piece_attacks_what_a_walk_along_its_vectors_reaches() {
        let mut rng = SplitMix64::new(7);
        let mut random = || u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        for round in 0..300 {
            // From crowded to nearly empty boards, and the empty one.
            let occupied = (0..round % 6).fold(!0, |bits, _| bits & random());
            let occupied = if round == 0 { 0 } else { occupied };
            let occupied = Bitboard::from_bits(occupied);
            for square in Square::all() {
                for kind in PieceKind::ALL {
                    for color in Color::ALL {
                        assert_eq!(
                            attacks(color, kind, square, occupied),
                            walked(color, kind, square, occupied),
                            "{color} {kind} on {square}\n{occupied}"
                        );
                    }
                }
            }
        }
    }
}
