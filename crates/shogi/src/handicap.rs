//! The usual starts: the even game and the handicaps, in which White lacks pieces and moves first.

use std::fmt;
use std::str::FromStr;

use crate::Position;

/// A start of the game by the pieces that White gives up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Handicap {
    /// 平手: nothing is given; Black moves first.
    #[default]
    None,
    /// 香落ち: the left lance, on 1a.
    Lance,
    /// 右香落ち: the right lance, on 9a.
    RightLance,
    /// 角落ち: the bishop.
    Bishop,
    /// 飛車落ち: the rook.
    Rook,
    /// 飛香落ち: the rook and the left lance.
    RookLance,
    /// 二枚落ち: rook and bishop.
    TwoPiece,
    /// 三枚落ち: rook, bishop and the right lance.
    ThreePiece,
    /// 四枚落ち: rook, bishop and both lances.
    FourPiece,
    /// 五枚落ち: rook, bishop, both lances and the left knight, on 2a.
    FivePiece,
    /// 六枚落ち: rook, bishop, lances and knights.
    SixPiece,
    /// 八枚落ち: rook, bishop, lances, knights and silvers.
    EightPiece,
    /// 十枚落ち: everything but king and pawns.
    TenPiece,
}

/// Name, Japanese name and SFEN of each handicap, in the order of the variants.
const TABLE: [(Handicap, &str, &str, &str); 13] = {
    use Handicap::*;
    [
        (None, "none", "平手", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
        (
            Lance,
            "lance",
            "香落ち",
            "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            RightLance,
            "right-lance",
            "右香落ち",
            "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            Bishop,
            "bishop",
            "角落ち",
            "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (Rook, "rook", "飛車落ち", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        (
            RookLance,
            "rook-lance",
            "飛香落ち",
            "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            TwoPiece,
            "two",
            "二枚落ち",
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            ThreePiece,
            "three",
            "三枚落ち",
            "1nsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            FourPiece,
            "four",
            "四枚落ち",
            "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            FivePiece,
            "five",
            "五枚落ち",
            "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (SixPiece, "six", "六枚落ち", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        (
            EightPiece,
            "eight",
            "八枚落ち",
            "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (TenPiece, "ten", "十枚落ち", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ]
};

impl Handicap {
    /// All of them, the even game first.
    pub const ALL: [Self; 13] = {
        let mut all = [Self::None; 13];
        let mut index = 0;
        while index < 13 {
            all[index] = TABLE[index].0;
            index += 1;
        }
        all
    };

    /// The name on the command line, such as `rook-lance`.
    pub const fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The name in Japanese records, such as 飛香落ち.
    pub const fn japanese(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// The start position as SFEN.
    pub const fn sfen(self) -> &'static str {
        TABLE[self as usize].3
    }

    /// The start position.
    pub fn position(self) -> Position {
        self.sfen().parse().expect("every handicap is a legal position")
    }
}

impl fmt::Display for Handicap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a text names no handicap.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no handicap: none, lance, right-lance, bishop, rook, rook-lance, two, three, four, \
     five, six, eight or ten"
)]
pub struct HandicapParseError(pub String);

impl FromStr for Handicap {
    type Err = HandicapParseError;

    /// Reads the name, in English or Japanese.
    fn from_str(text: &str) -> Result<Self, HandicapParseError> {
        let named = |handicap: &Self| handicap.name() == text || handicap.japanese() == text;
        Self::ALL.into_iter().find(named).ok_or_else(|| HandicapParseError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;

    #[test]
    fn every_handicap_starts_with_white_and_lacks_its_pieces() {
        let missing = [0, 1, 1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10];
        for (handicap, missing) in Handicap::ALL.into_iter().zip(missing) {
            let position = handicap.position();
            assert_eq!(position.pieces(Color::White).len(), 20 - missing, "{handicap}");
            assert_eq!(position.pieces(Color::Black).len(), 20, "{handicap}");
            let first = if missing == 0 { Color::Black } else { Color::White };
            assert_eq!(position.turn(), first, "{handicap}");
            assert!(!position.legal_moves().is_empty());
        }
    }

    #[test]
    fn names_are_read_in_both_languages() {
        for handicap in Handicap::ALL {
            assert_eq!(handicap.to_string().parse(), Ok(handicap));
            assert_eq!(handicap.japanese().parse(), Ok(handicap));
        }
        assert!("pawn".parse::<Handicap>().unwrap_err().to_string().contains("\"pawn\""));
    }
}
