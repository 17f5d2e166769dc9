//! The same generator compiled for several generations of processors.

// Unsafe: a function compiled for processor features may only be called where they are.
#![allow(unsafe_code)]

use super::list::{MoveList, Room};
use super::sink::{Counter, Writer};
use super::visit;
use crate::Position;
use crate::attacks::Plain;

/// What a processor can do, by rising speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "other processors have one tier")
)]
pub(super) enum Tier {
    /// Whatever the program was compiled for.
    Plain = 1,
    /// Bit counting and bit scanning instructions, in every x86 processor since 2013.
    Modern,
    /// AVX-512 with byte compression, and GFNI.
    Wide,
}

#[inline]
pub(super) fn list(position: &Position, onto: u128) -> MoveList {
    list_on(Tier::detect(), position, onto)
}

/// Counts the legal moves onto `onto`, or stops once `ENOUGH` are found.
#[inline]
pub(super) fn count<const ENOUGH: u32>(position: &Position, onto: u128) -> usize {
    count_on::<ENOUGH>(Tier::detect(), position, onto)
}

/// The legal moves onto `onto`, by the code of `tier`, which this processor must have.
#[inline]
pub(super) fn list_on(tier: Tier, position: &Position, onto: u128) -> MoveList {
    debug_assert!(tier <= Tier::detect());
    // SAFETY: the sinks write sets without a gap and ask for room before each; the processor has the
    // tier.
    unsafe {
        MoveList::written(|room| match tier {
            Tier::Plain => plain_list(position, onto, room),
            #[cfg(target_arch = "x86_64")]
            Tier::Modern => x86::modern_list(position, onto, room),
            #[cfg(target_arch = "x86_64")]
            Tier::Wide => x86::wide_list(position, onto, room),
            #[cfg(not(target_arch = "x86_64"))]
            _ => plain_list(position, onto, room),
        })
    }
}

/// Like [`count`], by the code of `tier`, which this processor must have.
#[inline]
pub(super) fn count_on<const ENOUGH: u32>(tier: Tier, position: &Position, onto: u128) -> usize {
    debug_assert!(tier <= Tier::detect());
    match tier {
        Tier::Plain => plain_count::<ENOUGH>(position, onto),
        // SAFETY: the processor has the tier.
        #[cfg(target_arch = "x86_64")]
        Tier::Modern => unsafe { x86::modern_count::<ENOUGH>(position, onto) },
        // SAFETY: the processor has the tier.
        #[cfg(target_arch = "x86_64")]
        Tier::Wide => unsafe { x86::wide_count::<ENOUGH>(position, onto) },
        #[cfg(not(target_arch = "x86_64"))]
        _ => plain_count::<ENOUGH>(position, onto),
    }
}

#[inline(always)]
fn plain_list(position: &Position, onto: u128, room: Room) -> Room {
    let mut writer = Writer(room);
    visit::<Plain, _>(position, onto, &mut writer);
    writer.0
}

#[inline(always)]
fn plain_count<const ENOUGH: u32>(position: &Position, onto: u128) -> usize {
    let mut counter = Counter::<ENOUGH>::default();
    visit::<Plain, _>(position, onto, &mut counter);
    counter.count()
}

#[cfg(not(target_arch = "x86_64"))]
impl Tier {
    #[inline(always)]
    pub(super) const fn detect() -> Self {
        Self::Plain
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::super::wide::WideWriter;
    use super::{Counter, Position, Room, Tier, plain_count, plain_list, visit};
    use crate::attacks::Wide;

    impl Tier {
        /// The best tier of this processor.
        #[inline(always)]
        pub(in super::super) fn detect() -> Self {
            if cfg!(all(
                target_feature = "avx512f",
                target_feature = "avx512bw",
                target_feature = "avx512dq",
                target_feature = "avx512vl",
                target_feature = "avx512vbmi2",
                target_feature = "gfni"
            )) {
                return Self::Wide;
            }
            // One load instead of a test for each feature.
            static DETECTED: AtomicU8 = AtomicU8::new(0);
            match DETECTED.load(Ordering::Relaxed) {
                0 => {
                    let tier = ask_processor();
                    DETECTED.store(tier as u8, Ordering::Relaxed);
                    tier
                }
                1 => Self::Plain,
                2 => Self::Modern,
                _ => Self::Wide,
            }
        }
    }

    #[cold]
    fn ask_processor() -> Tier {
        let modern = is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        let wide = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("gfni");
        match (modern, wide) {
            (true, true) => Tier::Wide,
            (true, false) => Tier::Modern,
            (false, _) => Tier::Plain,
        }
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    pub(super) fn modern_list(position: &Position, onto: u128, room: Room) -> Room {
        plain_list(position, onto, room)
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    pub(super) fn modern_count<const ENOUGH: u32>(position: &Position, onto: u128) -> usize {
        plain_count::<ENOUGH>(position, onto)
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,gfni")]
    pub(super) fn wide_list(position: &Position, onto: u128, room: Room) -> Room {
        let mut writer = WideWriter(room);
        visit::<Wide, _>(position, onto, &mut writer);
        writer.0
    }

    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,gfni")]
    pub(super) fn wide_count<const ENOUGH: u32>(position: &Position, onto: u128) -> usize {
        let mut counter = Counter::<ENOUGH>::default();
        visit::<Wide, _>(position, onto, &mut counter);
        counter.count()
    }
}
