//! Perpetual check: a repetition that one side forced by checking all the while.

use keisei_game::Game;

use super::Shogi;
use crate::Color;

impl Shogi {
    /// The side all of whose moves gave check since the first occurrence of the current position.
    /// If both sides did nothing but give check, neither is to blame.
    pub(super) fn perpetual_checker(&self) -> Option<Color> {
        let key = self.position.key();
        let first = self.keys.iter().position(|&earlier| earlier == key)?;
        let mut position = self.start;
        let mut always_checked = [true; 2];
        for (ply, &mv) in self.moves().iter().enumerate() {
            let mover = position.turn();
            position.play_unchecked(mv);
            if ply >= first {
                always_checked[mover as usize] &= position.in_check();
            }
        }
        match always_checked {
            [true, false] => Some(Color::Black),
            [false, true] => Some(Color::White),
            _ => None,
        }
    }
}
