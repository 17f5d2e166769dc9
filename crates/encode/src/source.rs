//! Where planes come from: the packed form described, for devices that expand it themselves.

/// What a plane holds, said of the bytes of a packed observation.
///
/// The first bytes are the board, one a square; see each game's `Packed` for the rest.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// 1 on the squares whose byte is this number, 0 elsewhere.
    Piece(u8),
    /// The same number on every square: what `level` makes of the byte at this place.
    Level {
        /// The place of the byte.
        byte: usize,
        /// What it means.
        level: fn(u8) -> f32,
    },
    /// 1 on one square, 0 elsewhere: the byte at this place is the square's place and one more. All
    /// 0 if the byte is.
    Square(usize),
}

impl Source {
    /// Writes the plane of an observation with these `bytes`.
    ///
    /// # Shapes
    ///
    /// `plane`: `[SQUARES]`
    pub fn expand(&self, bytes: &[u8], plane: &mut [f32]) {
        match *self {
            Self::Piece(piece) => {
                for (number, &byte) in plane.iter_mut().zip(bytes) {
                    *number = f32::from(u8::from(byte == piece));
                }
            }
            Self::Level { byte, level } => plane.fill(level(bytes[byte])),
            Self::Square(byte) => {
                plane.fill(0.0);
                if let Some(square) = bytes[byte].checked_sub(1) {
                    plane[usize::from(square)] = 1.0;
                }
            }
        }
    }
}
