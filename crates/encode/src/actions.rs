//! Moves as numbers.

use keisei_game::{Game, Position, Side};

use crate::Encode;

/// A numbering of a game's moves, as a network's policy output lists them.
///
/// Legal moves of one position never share a number. Numbers are those of the side to move: a move
/// and the same move seen from the other side have the same number.
pub trait Actions: Copy + Send + Sync + 'static {
    /// The game.
    type Game: Encode;

    /// The name in configurations.
    const NAME: &'static str;

    /// How many numbers there are.
    const COUNT: usize;

    /// How many 64-bit words a mask with one bit an action has.
    const MASK_WORDS: usize = Self::COUNT.div_ceil(64);

    /// The number of `mv` when `turn` makes it, below [`Actions::COUNT`].
    fn index(turn: Side, mv: <Self::Game as Game>::Move) -> usize;

    /// The number of the same action in a left–right mirror.
    fn mirrored(index: usize) -> usize;

    /// Where the action stands in a policy head that gives planes laid out like those of an
    /// observation: plane × squares + square. `None` if the numbering is not made of planes.
    fn cell(index: usize) -> Option<usize>;

    /// The legal move numbered `index` in `position`, if there is one.
    fn find(
        position: &<Self::Game as Game>::Position,
        index: usize,
    ) -> Option<<Self::Game as Game>::Move> {
        let turn = position.turn();
        let moves = position.legal_moves();
        moves.as_ref().iter().copied().find(|&mv| Self::index(turn, mv) == index)
    }
}

/// Something that is done with one of a game's numberings: see [`Encode::with_actions`].
pub trait ForActions<G: Encode> {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<A: Actions<Game = G>>(self) -> Self::Output;
}

/// The legal moves of `position` with their numbers.
pub fn legal_actions<A: Actions>(
    position: &<A::Game as Game>::Position,
) -> Vec<(usize, <A::Game as Game>::Move)> {
    let turn = position.turn();
    position.legal_moves().as_ref().iter().map(|&mv| (A::index(turn, mv), mv)).collect()
}
