//! Planes of bytes: a quarter of the memory, for learners that keep many observations.

use crate::{Encode, Source};

/// Writes the planes of a game as bytes: 255 times the numbers of [`Encode::expand`], rounded, and
/// 255 for whatever is more than 1.
#[derive(Clone, Debug)]
pub struct BytePlanes {
    squares: usize,
    planes: usize,
    /// The plane of each number that stands for a piece.
    pieces: Vec<Option<usize>>,
    levels: Vec<Level>,
    /// Planes with 1 on one square, and the byte that names it.
    marks: Vec<(usize, usize)>,
}

/// A plane that is the same everywhere.
#[derive(Clone, Debug)]
struct Level {
    plane: usize,
    byte: usize,
    /// What each value of the byte means.
    meaning: Vec<u8>,
}

impl BytePlanes {
    /// The planes of `G`.
    pub fn of<G: Encode>() -> Self {
        let mut planes = Self {
            squares: G::SQUARES,
            planes: G::PLANES,
            pieces: vec![None; 1 << 8],
            levels: Vec::new(),
            marks: Vec::new(),
        };
        for (plane, source) in G::sources().into_iter().enumerate() {
            match source {
                Source::Piece(piece) => planes.pieces[usize::from(piece)] = Some(plane),
                Source::Level { byte, level } => {
                    let scaled = |value| (255.0 * level(value)).round().clamp(0.0, 255.0) as u8;
                    let meaning = (0..=u8::MAX).map(scaled).collect();
                    planes.levels.push(Level { plane, byte, meaning });
                }
                Source::Square(byte) => planes.marks.push((plane, byte)),
                Source::Attack { .. } | Source::Attacked { .. } => {
                    unreachable!("only views beside a game's own show attacks")
                }
            }
        }
        planes
    }

    /// Writes the planes of a packed observation.
    ///
    /// # Shapes
    ///
    /// `planes`: `[PLANES, SQUARES]`
    ///
    /// # Panics
    ///
    /// If `planes` has another length.
    pub fn expand(&self, packed: &[u8], planes: &mut [u8]) {
        assert_eq!(planes.len(), self.planes * self.squares, "{} planes", self.planes);
        planes.fill(0);
        for (square, &piece) in packed[..self.squares].iter().enumerate() {
            if let Some(plane) = self.pieces[usize::from(piece)] {
                planes[plane * self.squares + square] = u8::MAX;
            }
        }
        for level in &self.levels {
            let value = level.meaning[usize::from(packed[level.byte])];
            if value != 0 {
                planes[level.plane * self.squares..][..self.squares].fill(value);
            }
        }
        for &(plane, byte) in &self.marks {
            if let Some(square) = packed[byte].checked_sub(1) {
                planes[plane * self.squares + usize::from(square)] = u8::MAX;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_animal::Animal;
    use keisei_chess::Chess;
    use keisei_game::random_game;
    use keisei_shogi::Shogi;

    fn same_as_floats<G: Encode>() {
        let planes = BytePlanes::of::<G>();
        let mut bytes = vec![0; G::PLANES * G::SQUARES];
        for seed in 0..50 {
            let mut game = G::new();
            random_game(&mut game, seed, 10 + 3 * seed as usize);
            planes.expand(game.pack().as_ref(), &mut bytes);
            for (byte, number) in bytes.iter().zip(game.planes()) {
                assert_eq!(f32::from(*byte), (255.0 * number).round().min(255.0));
            }
        }
    }

    #[test]
    fn bytes_are_the_numbers_of_the_planes_times_255() {
        same_as_floats::<Shogi>();
        same_as_floats::<Chess>();
        same_as_floats::<Animal>();
    }
}
