//! Whether the sizes in a configuration are those of an encoding.

use keisei_game::Game;

use crate::{Actions, Encode, ForActions};

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
    /// A number for each pair of squares.
    #[error(
        "action_space_size is {found} = {squares}·{}, a number for each pair of squares: that \
         leaves no room for promotions and drops. The actions {actions:?} number {expected}",
        squares - 1
    )]
    PairsOfSquares {
        /// The name of the numbering.
        actions: &'static str,
        /// How many squares the board has.
        squares: usize,
        /// The configured number.
        found: usize,
        /// The right number.
        expected: usize,
    },
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

/// Compares the sizes of a configuration with those of the encoding.
pub fn check_sizes<A: Actions>(
    input_channels: usize,
    action_space_size: usize,
) -> Result<(), SizeError> {
    let (game, planes, squares) = (A::Game::NAME, A::Game::PLANES, A::Game::SQUARES);
    if input_channels != planes {
        return Err(SizeError::Planes { game, found: input_channels, expected: planes });
    }
    let (actions, found, expected) = (A::NAME, action_space_size, A::COUNT);
    if found == expected {
        Ok(())
    } else if found == squares * (squares - 1) {
        Err(SizeError::PairsOfSquares { actions, squares, found, expected })
    } else {
        Err(SizeError::Actions { actions, found, expected })
    }
}

/// Compares the sizes of a configuration with those of the game, by whichever numbering of its
/// moves has that many actions.
pub fn check_sizes_of<G: Encode>(
    input_channels: usize,
    action_space_size: usize,
) -> Result<(), SizeError> {
    struct Check {
        input_channels: usize,
        action_space_size: usize,
    }
    impl<G: Encode> ForActions<G> for Check {
        type Output = Result<(), SizeError>;

        fn visit<A: Actions<Game = G>>(self) -> Self::Output {
            check_sizes::<A>(self.input_channels, self.action_space_size)
        }
    }
    G::with_actions(action_space_size, Check { input_channels, action_space_size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::AlphaZero;
    use crate::shogi::{Compact, Full};
    use keisei_chess::Chess;
    use keisei_shogi::Shogi;

    #[test]
    fn the_sizes_of_the_encoding_pass_and_all_others_are_refused_with_the_right_ones() {
        assert_eq!(check_sizes::<Compact>(46, 2187), Ok(()));
        assert_eq!(check_sizes::<Full>(46, 13_527), Ok(()));
        assert_eq!(check_sizes::<AlphaZero>(21, 4672), Ok(()));
        assert_eq!(check_sizes_of::<Shogi>(46, 2187), Ok(()));
        assert_eq!(check_sizes_of::<Shogi>(46, 13_527), Ok(()));
        assert!(check_sizes_of::<Shogi>(46, 4672).is_err());
        assert!(check_sizes_of::<Chess>(46, 2187).is_err());
        let message =
            |planes, actions| check_sizes::<Compact>(planes, actions).unwrap_err().to_string();
        assert!(message(45, 2187).contains("is 45, but an observation of shogi has 46 planes"));
        assert!(message(46, 3159).contains("is 3159, but the actions \"compact\" number 2187"));
        let pairs = message(46, 6480);
        assert!(pairs.contains("is 6480 = 81·80"), "{pairs}");
        assert!(pairs.contains("no room for promotions and drops"), "{pairs}");
        assert!(pairs.contains("number 2187"), "{pairs}");
    }
}
