//! What a network must know of a game.

use keisei_encode::{Actions, Encode};

/// The sizes that a game's encoding gives its network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// How many planes an observation has.
    pub(crate) planes: usize,
    /// How many squares a side of the board has.
    pub(crate) side: usize,
    /// How many actions there are.
    pub(crate) actions: usize,
}

impl Sizes {
    /// The sizes of a game and a numbering of its actions.
    ///
    /// # Panics
    ///
    /// If the board is no square.
    pub(crate) fn of<A: Actions>() -> Self {
        let squares = <A::Game as Encode>::SQUARES;
        let side = squares.isqrt();
        assert_eq!(side * side, squares, "a network needs a square board");
        Self { planes: <A::Game as Encode>::PLANES, side, actions: A::COUNT }
    }

    /// How many squares the board has.
    pub(crate) const fn squares(&self) -> usize {
        self.side * self.side
    }
}
