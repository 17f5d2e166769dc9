//! The `position` line of the USI protocol.

use std::str::FromStr;

use keisei_game::{PositionLine, PositionLineError, Rules};

use super::Shogi;

/// Reads `[position] startpos|sfen <SFEN> [moves <move>…]`. The usual rules hold, but no limit of
/// moves: how long a game may last is for whoever sends the line to say.
impl FromStr for Shogi {
    type Err = PositionLineError;

    fn from_str(line: &str) -> Result<Self, PositionLineError> {
        PositionLine::read_strictly::<Self>(line)?.game(Rules::BARE)
    }
}
