//! Weights in half the bytes: IEEE 754 binary16, in which networks are shipped.

use safetensors::{Dtype, SafeTensors};

use crate::learner::StateError;
use crate::weights::{Header, OPTIMISER, Stored};

/// The weights file `bytes` with every number rounded to 16 bits, without the optimiser's memory.
/// It is read wherever the file itself is, and computed like any other.
pub fn in_half_precision(bytes: &[u8]) -> Result<Vec<u8>, StateError> {
    let header = Header::read(bytes)?;
    let file =
        SafeTensors::deserialize(bytes).map_err(|error| StateError::Format(error.to_string()))?;
    let mut tensors = Vec::new();
    for (name, view) in file.tensors() {
        if name.starts_with(OPTIMISER) {
            continue;
        }
        let wrong = |problem: String| StateError::Tensor { name: name.clone(), problem };
        let data = match view.dtype() {
            Dtype::F16 => view.data().to_vec(),
            Dtype::F32 => {
                let (numbers, _) = view.data().as_chunks();
                let mut data = Vec::with_capacity(2 * numbers.len());
                for number in numbers.iter().map(|&number| f32::from_le_bytes(number)) {
                    let half = from_f32(number)
                        .ok_or_else(|| wrong(format!("has {number}, too large for 16 bits")))?;
                    data.extend(half.to_le_bytes());
                }
                data
            }
            other => return Err(wrong(format!("is of type {other:?}, but F32 is needed"))),
        };
        let shape = view.shape().to_vec();
        tensors.push(Stored { name, dtype: "F16", shape, data });
    }
    tensors.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(header.write_stored(&tensors))
}

/// The number that the bits of a half stand for.
pub(crate) fn to_f32(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let (exponent, fraction) = (u32::from(half >> 10) & 0x1f, u32::from(half) & 0x3ff);
    let magnitude = match (exponent, fraction) {
        // Below the smallest exponent, halves are multiples of 2⁻²⁴.
        (0, _) => return f32::from_bits(sign | (fraction as f32 / 16_777_216.0).to_bits()),
        (0x1f, _) => 0x7f80_0000 | (fraction << 13),
        _ => ((exponent + 127 - 15) << 23) | (fraction << 13),
    };
    f32::from_bits(sign | magnitude)
}

/// The half nearest to `number`, the even one of two: none for what is not finite or rounds to
/// infinity.
fn from_f32(number: f32) -> Option<u16> {
    let sign = (number.to_bits() >> 16) as u16 & 0x8000;
    let magnitude = number.abs();
    if !magnitude.is_finite() {
        return None;
    }
    // Halves of one exponent lie evenly, those below 2⁻¹⁴ as far apart as those of 2⁻¹⁴.
    let exponent = ((magnitude.to_bits() >> 23) as i32 - 127).max(-14);
    let steps = (f64::from(magnitude) * 2_f64.powi(10 - exponent)).round_ties_even() as u16;
    // Rounded up to 2048 steps, a number is the first of the next exponent, whose bits follow.
    let bits = match steps {
        0..1024 => steps,
        _ => ((exponent + 15) as u16) * 1024 + (steps - 1024),
    };
    (bits < 0x7c00).then_some(sign | bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finite_half_comes_back_and_known_ones_have_their_values() {
        for half in 0..=u16::MAX {
            let number = to_f32(half);
            let finite = half & 0x7c00 != 0x7c00;
            assert_eq!(number.is_finite(), finite, "{half:#x}");
            assert_eq!(from_f32(number), finite.then_some(half), "{half:#x}");
        }
        for (half, number) in
            [(0x3c00, 1.0), (0xc000, -2.0), (0x7bff, 65504.0), (0x0001, 5.960_464_5e-8)]
        {
            assert_eq!(to_f32(half), number);
        }
    }

    #[test]
    fn numbers_between_halves_go_to_the_nearest_and_ties_to_the_even_one() {
        let mut halves = (0..0x7c00_u16).zip(1..0x7c00);
        assert!(halves.all(|(below, above)| {
            let (low, high) = (to_f32(below), to_f32(above));
            let even = if below % 2 == 0 { below } else { above };
            from_f32(low + (high - low) * 0.5) == Some(even)
                && from_f32(low + (high - low) * 0.375) == Some(below)
                && from_f32(low + (high - low) * 0.625) == Some(above)
        }));
        for number in [65520.0, f32::INFINITY, f32::NAN] {
            assert_eq!(from_f32(number), None);
        }
    }
}
