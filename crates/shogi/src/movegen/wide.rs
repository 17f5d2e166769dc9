//! Writing sets of moves with AVX-512: a set of squares becomes its square numbers in one
//! instruction (`vpcompressb`), sixteen bits a move in a few more, without a loop.

// Unsafe: intrinsics, and writing into an uninitialised list. A list of 300 moves takes about a
// third of the time it takes a loop.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::list::Room;
use super::sink::{DropSquares, MAX_PAWNS, PROMOTE, Sink, drop_origin};
#[cfg(doc)]
use super::tier::Tier;
use crate::{Hand, HandKind};

/// Writes moves with AVX-512. It may only be used on a processor of [`Tier::Wide`].
pub(super) struct WideWriter(pub(super) Room);

/// The numbers 0 to 63.
static COUNTING: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut n = 0;
    while n < 64 {
        numbers[n] = n as u8;
        n += 1;
    }
    numbers
};

/// The numbers of the bits of `bits`, lowest first, in the low bytes.
#[inline(always)]
fn numbers(bits: u64) -> __m512i {
    // SAFETY: the processor has AVX-512 (see `WideWriter`); the table has 64 bytes.
    unsafe { _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(COUNTING.as_ptr().cast())) }
}

impl WideWriter {
    /// Writes the moves `base + i` for the bits of `bits`, 32 at most.
    ///
    /// # Safety
    ///
    /// There must be room for 32 moves: see [`Room::check`].
    #[inline(always)]
    unsafe fn push_32(&mut self, bits: u64, base: u16) {
        // SAFETY: AVX-512 is there; 32 moves are written, of which those beyond the count are
        // slack.
        unsafe {
            let moves = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(numbers(bits)));
            let moves = _mm512_add_epi16(moves, _mm512_set1_epi16(base as i16));
            _mm512_storeu_si512(self.0.next.cast(), moves);
            self.0.next = self.0.next.add(bits.count_ones() as usize);
        }
    }

    /// Writes the moves `base + i` for the bits of `bits`, 8 at most.
    ///
    /// # Safety
    ///
    /// There must be room for 8 moves.
    #[inline(always)]
    unsafe fn push_8(&mut self, bits: u64, base: u16) {
        // SAFETY: as in `push_32`.
        unsafe {
            let moves = _mm_cvtepu8_epi16(_mm512_castsi512_si128(numbers(bits)));
            let moves = _mm_add_epi16(moves, _mm_set1_epi16(base as i16));
            _mm_storeu_si128(self.0.next.cast(), moves);
            self.0.next = self.0.next.add(bits.count_ones() as usize);
        }
    }

    /// Writes pawn moves to the squares `start + i` of `bits`, 16 at most.
    ///
    /// # Safety
    ///
    /// There must be room for 16 moves.
    #[inline(always)]
    unsafe fn push_pawns(&mut self, bits: u64, start: i16, back: i16, flags: u16) {
        // SAFETY: as in `push_32`.
        unsafe {
            let to = _mm256_cvtepu8_epi16(_mm512_castsi512_si128(numbers(bits)));
            let both = _mm256_add_epi16(to, _mm256_slli_epi16::<7>(to));
            let rest = (start + ((start + back) << 7)).wrapping_add(flags as i16);
            let moves = _mm256_add_epi16(both, _mm256_set1_epi16(rest));
            _mm256_storeu_si256(self.0.next.cast(), moves);
            self.0.next = self.0.next.add(bits.count_ones() as usize);
        }
    }

    /// Writes the drops of each of `kinds` on `squares`.
    #[inline(always)]
    fn push_drops<'a>(&mut self, squares: u128, kinds: impl Iterator<Item = &'a HandKind>) {
        let (low, high) = (squares as u64, (squares >> 64) as u64);
        let (low_count, high_count) = (low.count_ones() as usize, high.count_ones() as usize);
        // SAFETY: AVX-512 is there, and there is room for the drops of each kind; the two halves of
        // the board are written one after the other, the slack of each under what comes next.
        unsafe {
            let low = numbers(low);
            let first = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(low));
            let second = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(low));
            let high = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(numbers(high)));
            for &kind in kinds {
                self.0.check_for(low_count + high_count);
                let origin = drop_origin(kind);
                let base = _mm512_set1_epi16(origin as i16);
                let above = _mm512_set1_epi16((origin + 64) as i16);
                _mm512_storeu_si512(self.0.next.cast(), _mm512_add_epi16(first, base));
                if low_count > 32 {
                    _mm512_storeu_si512(self.0.next.add(32).cast(), _mm512_add_epi16(second, base));
                }
                self.0.next = self.0.next.add(low_count);
                _mm512_storeu_si512(self.0.next.cast(), _mm512_add_epi16(high, above));
                self.0.next = self.0.next.add(high_count);
            }
        }
    }
}

impl Sink for WideWriter {
    #[inline(always)]
    fn steps(&mut self, squares: u64, base: u16) {
        self.0.check();
        // SAFETY: there is room for another set, and a set of steps has at most 8.
        unsafe { self.push_8(squares, base) };
    }

    #[inline(always)]
    fn slides(&mut self, squares: u128, base: u16) {
        self.0.check();
        // SAFETY: there is room for another set. No slider reaches more than 20 squares, so that
        // both halves end within 20 + 32 moves.
        unsafe {
            self.push_32(squares as u64, base);
            self.push_32((squares >> 64) as u64, base + 64);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, squares: u128, back: i16, promote: bool) {
        let flags = if promote { PROMOTE } else { 0 };
        assert!(squares.count_ones() <= MAX_PAWNS, "two pawns on a file");
        self.0.check();
        // SAFETY: there is room for another set, and this one has at most nine moves.
        unsafe {
            self.push_pawns(squares as u64, 0, back, flags);
            self.push_pawns((squares >> 64) as u64, 64, back, flags);
        }
    }

    #[inline(always)]
    fn drops(&mut self, hand: Hand, squares: &DropSquares) {
        for (squares, kinds) in squares.by_kind() {
            if kinds.iter().any(|&kind| hand.has(kind)) {
                self.push_drops(squares, kinds.iter().filter(|&&kind| hand.has(kind)));
            }
        }
    }
}
