#![doc = include_str!("../README.md")]

mod actions;
pub mod animal;
mod attack_planes;
mod batch;
mod bytes;
pub mod chess;
mod env;
pub mod shogi;
mod sizes;
mod source;
mod view;

pub use actions::{Actions, ForActions, legal_actions};
pub use batch::expand_batch;
pub use bytes::BytePlanes;
pub use env::{
    ActionError, Begun, Episode, Finished, Observation, Restart, Results, Snapshot, Standard,
    VecEnv,
};
pub use sizes::{SizeError, check_sizes, check_sizes_of};
pub use source::{AttackBoard, Direction, PieceMoves, Pieces, Source};
pub use view::{Ports, View};

use std::fmt::Debug;

use keisei_game::Game;

/// The version of all encodings here. It changes when a plane, an action or a packed byte changes
/// its meaning, because networks trained with another version cannot be used any more.
pub const VERSION: u32 = 1;

/// A game that a network can look at.
pub trait Encode: Game {
    /// The numbering of moves that networks use unless told otherwise.
    type Actions: Actions<Game = Self>;

    /// Calls `visitor` with the numbering that has `count` numbers, or with the usual one if none
    /// has.
    fn with_actions<V: ForActions<Self>>(_count: usize, visitor: V) -> V::Output {
        visitor.visit::<Self::Actions>()
    }

    /// How many planes an observation has.
    const PLANES: usize;

    /// How many squares a plane has.
    const SQUARES: usize;

    /// How many squares a row of a plane has.
    const COLUMNS: usize;

    /// The most legal moves a position has.
    const MAX_MOVES: usize;

    /// An observation in its compact form.
    type Packed: Copy + Debug + Default + PartialEq + Send + Sync + AsRef<[u8]> + 'static;

    /// What the side to move sees now.
    fn pack(&self) -> Self::Packed;

    /// Writes the planes of an observation, one after the other, each row by row from the top left
    /// as the side to move sees the board.
    ///
    /// # Shapes
    ///
    /// `planes`: `[PLANES, SQUARES]`
    ///
    /// # Panics
    ///
    /// If `planes` has another length.
    fn expand(packed: &Self::Packed, planes: &mut [f32]);

    /// Where each plane comes from in the packed form: the same planes as [`Encode::expand`] gives.
    /// None of them shows attacks, which only views beside this one do.
    fn sources() -> Vec<Source>;

    /// Another view than the game's own planes by its name, if the game has one of that name.
    fn view(_name: &str) -> Option<View<Self>> {
        None
    }

    /// The bytes of an observation that some view shows. Observations that are alike there are the
    /// same to a network.
    fn shown(packed: &Self::Packed) -> &[u8] {
        packed.as_ref()
    }

    /// The observation in a left–right mirror, or `None` if the rules are not the same there.
    fn mirrored(packed: &Self::Packed) -> Option<Self::Packed>;

    /// The planes of the current position.
    fn planes(&self) -> Vec<f32> {
        let mut planes = vec![0.0; Self::PLANES * Self::SQUARES];
        Self::expand(&self.pack(), &mut planes);
        planes
    }
}
