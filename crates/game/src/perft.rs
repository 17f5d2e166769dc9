//! Counting the leaves of the tree of legal moves.

use crate::Position;

/// What is done at the last ply of a [`perft`]. All three give the same count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Leaves {
    /// List the moves of the last ply and take the length of the list.
    #[default]
    Bulk,
    /// Count the moves of the last ply without listing them.
    Count,
    /// Play every move of the last ply.
    Make,
}

/// The number of move sequences of length `depth` from `position`.
pub fn perft<P: Position>(position: &P, depth: u32, leaves: Leaves) -> u64 {
    match (depth, leaves) {
        (0, _) => 1,
        (1, Leaves::Bulk) => position.legal_moves().as_ref().len() as u64,
        (1, Leaves::Count) => position.count_legal_moves() as u64,
        _ => divide(position, depth, leaves).map(|(_, nodes)| nodes).sum(),
    }
}

/// The [`perft`] of each legal move of `position`: they add up to the perft of the position. A
/// depth of 0 has no moves to divide.
pub fn divide<P: Position>(
    position: &P,
    depth: u32,
    leaves: Leaves,
) -> impl Iterator<Item = (P::Move, u64)> {
    let moves = (depth > 0).then(|| position.legal_moves());
    let mut next = 0;
    std::iter::from_fn(move || {
        let mv = *moves.as_ref()?.as_ref().get(next)?;
        next += 1;
        let mut child = position.clone();
        child.play_unchecked(mv);
        Some((mv, perft(&child, depth - 1, leaves)))
    })
}
