//! Whether the sizes in a configuration are those of an encoding.

use crate::Encode;
use crate::actions::Actions;

/// Why the sizes in a configuration do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// Another number of planes.
    #[error("input_channels is {found}, but an observation of {game} has {expected} planes")]
    Planes {
        /// The game.
        game: &'static str,
        /// The configured number.
        found: usize,
        /// The right number.
        expected: usize,
    },
    /// 81 × 80 actions.
    #[error(
        "action_space_size is 6480 = 81·80, a number for each pair of squares: that leaves no room \
         for promotions and drops. Use 2187 (compact) or 13527 (full)"
    )]
    PairsOfSquares,
    /// Another number of actions.
    #[error("action_space_size is {found}, but the actions {actions:?} number {expected}")]
    Actions {
        /// The name of the numbering.
        actions: &'static str,
        /// The configured number.
        found: usize,
        /// The right number.
        expected: usize,
    },
}

/// Compares the sizes of a configuration with those of the game's encoding.
pub fn check_sizes<G: Encode, A: Actions<Game = G>>(
    input_channels: usize,
    action_space_size: usize,
) -> Result<(), SizeError> {
    if input_channels != G::PLANES {
        let (game, expected) = (G::NAME, G::PLANES);
        return Err(SizeError::Planes { game, found: input_channels, expected });
    }
    match action_space_size {
        size if size == A::COUNT => Ok(()),
        6480 => Err(SizeError::PairsOfSquares),
        found => Err(SizeError::Actions { actions: A::NAME, found, expected: A::COUNT }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::{Compact, Full};
    use keisei_shogi::Shogi;

    #[test]
    fn the_sizes_of_the_encoding_pass_and_all_others_are_refused_with_the_right_ones() {
        assert_eq!(check_sizes::<Shogi, Compact>(46, 2187), Ok(()));
        assert_eq!(check_sizes::<Shogi, Full>(46, 13_527), Ok(()));
        let message = |planes, actions| {
            check_sizes::<Shogi, Compact>(planes, actions).unwrap_err().to_string()
        };
        assert!(message(45, 2187).contains("is 45, but an observation of shogi has 46 planes"));
        assert!(message(46, 6480).contains("no room for promotions and drops"));
        assert!(message(46, 3159).contains("is 3159, but the actions \"compact\" number 2187"));
    }
}
