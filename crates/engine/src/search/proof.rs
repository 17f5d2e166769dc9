//! What is known of a node for certain.

/// Whether the side to move wins or loses by force, and in how many plies.
///
/// Two bytes, because every node of a tree has one: 0 for nothing known, otherwise the plies plus
/// one, negative for a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Proof(i16);

impl Proof {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self(0);

    const MOST_PLIES: u16 = i16::MAX as u16 - 1;

    /// The side to move wins in so many plies.
    pub(super) fn win(plies: u16) -> Self {
        Self(plies.min(Self::MOST_PLIES) as i16 + 1)
    }

    /// The side to move loses in so many plies: 0 if the game is over.
    pub(super) fn loss(plies: u16) -> Self {
        Self(-(plies.min(Self::MOST_PLIES) as i16) - 1)
    }

    pub(super) fn is_known(self) -> bool {
        self.0 != 0
    }

    pub(super) fn is_win(self) -> bool {
        self.0 > 0
    }

    pub(super) fn is_loss(self) -> bool {
        self.0 < 0
    }

    /// How many plies the win or the loss takes.
    pub(super) fn plies(self) -> u16 {
        self.0.unsigned_abs().saturating_sub(1)
    }

    /// 1 for a win, −1 for a loss, 0 for nothing known.
    pub(super) fn value(self) -> f32 {
        f32::from(self.0.signum())
    }

    /// What a node is whose moves lead to `children`; `None` stands for a move without a node.
    ///
    /// One lost child wins, by the shortest way. If all children are won, the node is lost, by the
    /// longest way.
    pub(super) fn from_children(children: impl Iterator<Item = Option<Self>>) -> Self {
        let (mut quickest, mut longest, mut all_won) = (None, 0, true);
        for child in children {
            let child = child.unwrap_or(Self::UNKNOWN);
            if child.is_loss() {
                quickest = Some(quickest.unwrap_or(u16::MAX).min(child.plies()));
            }
            all_won &= child.is_win();
            longest = longest.max(child.plies());
        }
        match quickest {
            Some(plies) => Self::win(plies + 1),
            None if all_won => Self::loss(longest + 1),
            None => Self::UNKNOWN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(children: &[Option<Proof>]) -> Proof {
        Proof::from_children(children.iter().copied())
    }

    #[test]
    fn the_shortest_win_and_the_longest_loss_are_kept() {
        let (lost, mated) = (Some(Proof::loss(4)), Some(Proof::loss(0)));
        assert_eq!(of(&[None, lost, mated]), Proof::win(1));
        assert_eq!(of(&[Some(Proof::win(1)), Some(Proof::win(3))]), Proof::loss(4));
    }

    #[test]
    fn a_move_that_nobody_tried_leaves_a_loss_open() {
        assert_eq!(of(&[Some(Proof::win(1)), None]), Proof::UNKNOWN);
        assert_eq!(of(&[Some(Proof::win(1)), Some(Proof::UNKNOWN)]), Proof::UNKNOWN);
    }

    #[test]
    fn plies_and_values_are_read_back() {
        for plies in [0, 1, 2, 31, 1000] {
            assert_eq!(Proof::win(plies).plies(), plies);
            assert_eq!(Proof::loss(plies).plies(), plies);
            assert_eq!(Proof::win(plies).value(), 1.0);
            assert_eq!(Proof::loss(plies).value(), -1.0);
        }
        assert_eq!(Proof::UNKNOWN.value(), 0.0);
    }
}
