//! Where USI and UCI differ.

use keisei_game::Side;

use crate::Protocol;

impl Protocol {
    /// The greeting, which is also the protocol's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Usi => "usi",
            Self::Uci => "uci",
        }
    }

    pub(super) fn new_game(self) -> &'static str {
        match self {
            Self::Usi => "usinewgame",
            Self::Uci => "ucinewgame",
        }
    }

    /// The side that is called Black.
    pub(super) fn black(self) -> Side {
        match self {
            Self::Usi => Side::First,
            Self::Uci => Side::Second,
        }
    }

    /// The answer where no move can be given. UCI has no word for giving up.
    pub(super) fn no_move(self) -> &'static str {
        match self {
            Self::Usi => "bestmove resign",
            Self::Uci => "bestmove (none)",
        }
    }

    /// The distance to a mate that is `plies` away: USI counts plies, UCI moves of the one side.
    pub(super) fn mate_distance(self, plies: i32) -> i32 {
        match self {
            Self::Usi => plies,
            Self::Uci => plies / 2 + plies % 2,
        }
    }

    /// The word for an option that names a file.
    pub(super) fn file_type(self) -> &'static str {
        match self {
            Self::Usi => "filename",
            Self::Uci => "string",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uci_counts_mates_in_moves_and_usi_in_plies() {
        let both =
            |plies| [Protocol::Usi, Protocol::Uci].map(|dialect| dialect.mate_distance(plies));
        assert_eq!(both(1), [1, 1]);
        assert_eq!(both(5), [5, 3]);
        assert_eq!(both(-2), [-2, -1]);
        assert_eq!(both(-4), [-4, -2]);
    }
}
