//! Vector instructions for products of 16-bit integers.
//!
//! Integer sums are exact, so all of them give the same numbers. Where the processor has an
//! instruction that multiplies pairs and adds them to a sum (VNNI), the compiler makes one of the
//! two that are written here.

use pulp::{NullaryFnOnce, Scalar128b, Simd, cast};

/// Vectors with products of pairs.
pub(super) trait PairProducts: Simd {
    /// Adds to each sum the product of a pair of numbers of `a` with a pair of `b`.
    fn add_pairs(self, sums: Self::i32s, a: Self::i16s, b: Self::i16s) -> Self::i32s;

    /// The nearest `f32` of each number.
    fn to_f32s(self, numbers: Self::i32s) -> Self::f32s;
}

/// Something to do with vectors.
pub(super) trait Work {
    fn run<V: PairProducts>(self, vectors: V);
}

/// The kinds of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    /// 512 bits, with VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    /// 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 128 bits of WebAssembly.
    #[cfg(target_arch = "wasm32")]
    Simd128,
    /// Whatever the compiler makes of plain code: on 64-bit ARM, NEON.
    Portable,
}

impl Tier {
    /// All kinds, the fastest first.
    pub(crate) const ALL: &[Self] = &[
        #[cfg(target_arch = "x86_64")]
        Self::Avx512Vnni,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(target_arch = "wasm32")]
        Self::Simd128,
        Self::Portable,
    ];

    /// Does `work`, or hands it back if the processor does not have these instructions.
    #[inline(always)]
    fn run<W: Work>(self, work: W) -> Result<(), W> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vnni => {
                let (Some(vnni), Some(vectors)) = (Vnni::try_new(), pulp::x86::V4::try_new())
                else {
                    return Err(work);
                };
                vnni.vectorize(Run { work, vectors });
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                let Some(vectors) = pulp::x86::V4::try_new() else { return Err(work) };
                vectors.vectorize(Run { work, vectors });
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                let Some(vectors) = pulp::x86::V3::try_new() else { return Err(work) };
                vectors.vectorize(Run { work, vectors });
            }
            #[cfg(target_arch = "wasm32")]
            Self::Simd128 => {
                let Some(vectors) = pulp::wasm::Simd128::try_new() else { return Err(work) };
                vectors.vectorize(Run { work, vectors });
            }
            Self::Portable => work.run(Scalar128b),
        }
        Ok(())
    }
}

/// Does `work` with the fastest vectors that this processor has.
pub(super) fn dispatch<W: Work>(mut work: W) {
    #[cfg(test)]
    if let Some(tier) = forced::TIER.get() {
        let done = tier.run(work);
        assert!(done.is_ok(), "this processor has no {tier:?}");
        return;
    }
    for tier in Tier::ALL {
        match tier.run(work) {
            Ok(()) => return,
            Err(back) => work = back,
        }
    }
}

/// Work that is compiled for the instructions it is done with.
struct Run<W, V> {
    work: W,
    vectors: V,
}

impl<W: Work, V: PairProducts> NullaryFnOnce for Run<W, V> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.work.run(self.vectors);
    }
}

#[cfg(target_arch = "x86_64")]
pulp::simd_type! {
    /// AVX-512 with VNNI.
    struct Vnni {
        sse: "sse",
        sse2: "sse2",
        fxsr: "fxsr",
        sse3: "sse3",
        ssse3: "ssse3",
        sse4_1: "sse4.1",
        sse4_2: "sse4.2",
        popcnt: "popcnt",
        avx: "avx",
        avx2: "avx2",
        bmi1: "bmi1",
        bmi2: "bmi2",
        fma: "fma",
        lzcnt: "lzcnt",
        avx512f: "avx512f",
        avx512bw: "avx512bw",
        avx512cd: "avx512cd",
        avx512dq: "avx512dq",
        avx512vl: "avx512vl",
        avx512vnni: "avx512vnni",
    }
}

#[cfg(target_arch = "x86_64")]
impl PairProducts for pulp::x86::V4 {
    #[inline(always)]
    fn add_pairs(self, sums: Self::i32s, a: Self::i16s, b: Self::i16s) -> Self::i32s {
        self.add_i32s(sums, self.multiply_wrapping_add_adjacent_i16x32(a, b))
    }

    #[inline(always)]
    fn to_f32s(self, numbers: Self::i32s) -> Self::f32s {
        self.convert_i32x16_to_f32x16(numbers)
    }
}

#[cfg(target_arch = "x86_64")]
impl PairProducts for pulp::x86::V3 {
    #[inline(always)]
    fn add_pairs(self, sums: Self::i32s, a: Self::i16s, b: Self::i16s) -> Self::i32s {
        self.add_i32s(sums, self.multiply_wrapping_add_adjacent_i16x16(a, b))
    }

    #[inline(always)]
    fn to_f32s(self, numbers: Self::i32s) -> Self::f32s {
        self.convert_i32x8_to_f32x8(numbers)
    }
}

#[cfg(target_arch = "wasm32")]
impl PairProducts for pulp::wasm::Simd128 {
    #[inline(always)]
    fn add_pairs(self, sums: Self::i32s, a: Self::i16s, b: Self::i16s) -> Self::i32s {
        self.add_i32s(sums, cast(self.simd128.i32x4_dot_i16x8(cast(a), cast(b))))
    }

    #[inline(always)]
    fn to_f32s(self, numbers: Self::i32s) -> Self::f32s {
        cast(self.simd128.f32x4_convert_i32x4(cast(numbers)))
    }
}

impl PairProducts for Scalar128b {
    #[inline(always)]
    fn add_pairs(self, sums: Self::i32s, a: Self::i16s, b: Self::i16s) -> Self::i32s {
        let (mut sums, a, b): ([i32; 4], [[i16; 2]; 4], [[i16; 2]; 4]) =
            (cast(sums), cast(a), cast(b));
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            let [first, second] = [0, 1].map(|i| i32::from(a[i]) * i32::from(b[i]));
            *sum = sum.wrapping_add(first.wrapping_add(second));
        }
        cast(sums)
    }

    #[inline(always)]
    fn to_f32s(self, numbers: Self::i32s) -> Self::f32s {
        let numbers: [i32; 4] = cast(numbers);
        cast(numbers.map(|number| number as f32))
    }
}

/// Lets tests choose the instructions of a thread.
#[cfg(test)]
pub(crate) mod forced {
    use std::cell::Cell;

    use super::Tier;

    thread_local! {
        pub(crate) static TIER: Cell<Option<Tier>> = const { Cell::new(None) };
    }

    /// Whether this processor has the instructions.
    pub(crate) fn is_here(tier: Tier) -> bool {
        struct Nothing;
        impl super::Work for Nothing {
            fn run<V: super::PairProducts>(self, _: V) {}
        }
        tier.run(Nothing).is_ok()
    }
}
