//! Views: which planes a network is shown of a packed observation.

use crate::{AttackBoard, Encode, PieceMoves, Source};

/// A way to show observations of a game to a network. All views read the same packed form, so
/// whoever plays, learns or searches need not know which one a network has.
pub struct View<G: Encode> {
    /// How many planes there are.
    pub planes: usize,
    /// Writes the planes, as [`Encode::expand`] does.
    pub expand: fn(&G::Packed, &mut [f32]),
    /// Where a square of the game's own planes lies in a plane of this view.
    pub square: fn(usize) -> usize,
    /// Where each plane comes from in the packed form, if that can be said of each alone.
    pub sources: Option<fn() -> Vec<Source>>,
    /// How pieces attack, if there are planes of attacks among the sources: by the bytes that stand
    /// for them in the packed form, of which the first is 1.
    pub moves: Option<fn() -> Vec<PieceMoves>>,
    /// What programs that run a network with this view call its inputs and outputs.
    pub ports: Ports,
}

/// The inputs and outputs of a network, by their names outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    /// The inputs, each with how many of the planes it takes.
    pub inputs: &'static [(&'static str, usize)],
    /// The logits of all actions.
    pub policy: &'static str,
    /// The value for the side to move.
    pub value: &'static str,
    /// Whether the value is the chance to win, from 0 to 1, rather than from −1 to 1.
    pub value_is_chance: bool,
}

impl<G: Encode> View<G> {
    /// The game's own planes.
    pub fn own() -> Self {
        Self {
            planes: G::PLANES,
            expand: G::expand,
            square: |square| square,
            sources: Some(G::sources),
            moves: None,
            ports: Ports {
                inputs: const { &[("planes", G::PLANES)] },
                policy: "policy",
                value: "value",
                value_is_chance: false,
            },
        }
    }

    /// The board whose attacks the sources show.
    pub fn attack_board(&self) -> AttackBoard {
        match self.moves {
            Some(moves) => AttackBoard { columns: G::COLUMNS, moves: moves() },
            None => AttackBoard::UNSEEN,
        }
    }
}

impl<G: Encode> Clone for View<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Encode> Copy for View<G> {}

impl<G: Encode> std::fmt::Debug for View<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View").field("planes", &self.planes).field("ports", &self.ports).finish()
    }
}
