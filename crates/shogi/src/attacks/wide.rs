//! The lines of a slider, all four at once, with AVX-512.
//!
//! Lines to lower numbers are turned into lines to higher numbers by reversing all bits of the
//! board, so that one subtraction finds the first blocker of every line.

// Unsafe: intrinsics. A bishop's attacks take a quarter of the instructions of the plain form.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::lines::{DOWN, DOWN_LEFT, LEFT, RAYS, UP_LEFT, opposite};
use super::sliders::{Blockers, Slider};
use crate::Square;

/// Blockers for processors with AVX-512 (F, BW, DQ, VL) and GFNI. Nothing but
/// [`Blockers::new`] makes one; it must not be called on other processors.
#[derive(Clone, Copy)]
pub(crate) struct Wide {
    /// The occupied squares twice, then twice with all bits reversed.
    occupied: __m512i,
}

/// The four lines of a slider from a square: two to higher numbers, then two to lower numbers with
/// all bits reversed.
#[repr(align(64))]
struct Lines([u128; 4]);

const fn lines(first: usize, second: usize) -> [Lines; Square::COUNT] {
    let mut table = [const { Lines([0; 4]) }; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        table[square] = Lines([
            RAYS[first][square],
            RAYS[second][square],
            RAYS[opposite(first)][square].reverse_bits(),
            RAYS[opposite(second)][square].reverse_bits(),
        ]);
        square += 1;
    }
    table
}

/// The lines of a bishop and of a rook.
static LINES: [[Lines; Square::COUNT]; 2] = [lines(UP_LEFT, DOWN_LEFT), lines(DOWN, LEFT)];

/// `board` with all 128 bits in the opposite order.
#[inline(always)]
unsafe fn reversed(board: __m128i) -> __m128i {
    // The matrix reverses the bits of a byte, the shuffle the bytes.
    const BITS: i64 = 0x8040_2010_0804_0201_u64 as i64;
    // SAFETY: the caller has GFNI and SSSE3.
    unsafe {
        let bytes = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        _mm_gf2p8affine_epi64_epi8::<0>(_mm_shuffle_epi8(board, bytes), _mm_set1_epi64x(BITS))
    }
}

/// The union of both halves.
#[inline(always)]
unsafe fn folded(two: __m256i) -> __m128i {
    // SAFETY: the caller has AVX2.
    unsafe { _mm_or_si128(_mm256_castsi256_si128(two), _mm256_extracti128_si256::<1>(two)) }
}

impl Blockers for Wide {
    #[inline(always)]
    fn new(occupied: u128) -> Self {
        // SAFETY: see `Wide`.
        unsafe {
            let forward = _mm_loadu_si128((&raw const occupied).cast());
            let both = _mm512_castsi256_si512(_mm256_broadcastsi128_si256(forward));
            let backward = _mm256_broadcastsi128_si256(reversed(forward));
            Self { occupied: _mm512_inserti64x4::<1>(both, backward) }
        }
    }

    #[inline(always)]
    fn attacks(self, slider: Slider, square: usize) -> u128 {
        let lines = &LINES[slider as usize][square];
        // SAFETY: see `Wide`; the table's entries are 64 aligned bytes.
        unsafe {
            let lines = _mm512_load_si512((&raw const lines.0).cast());
            let blockers = _mm512_and_si512(lines, self.occupied);
            // Each 128-bit number minus 1: the low half always, the high half if the low is 0.
            let borrow = _mm512_movm_epi64(_mm512_testn_epi64_mask(blockers, blockers));
            let ones = _mm512_set1_epi64(-1);
            let less = _mm512_add_epi64(blockers, _mm512_unpacklo_epi64(ones, borrow));
            // lines & (blockers ^ less)
            let reach = _mm512_ternarylogic_epi64::<0x28>(blockers, less, lines);
            let up = folded(_mm512_castsi512_si256(reach));
            let down = folded(_mm512_extracti64x4_epi64::<1>(reach));
            let all = _mm_or_si128(up, reversed(down));
            let mut bits = 0;
            _mm_storeu_si128((&raw mut bits).cast(), all);
            bits
        }
    }
}
