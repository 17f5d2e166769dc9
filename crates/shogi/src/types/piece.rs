//! Pieces: their kinds, their promotions and their letters.

use std::fmt;

use super::Color;

/// A kind of piece. The kind alone says whether a piece is promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// 歩
    Pawn = 0,
    /// 香
    Lance = 1,
    /// 桂
    Knight = 2,
    /// 銀
    Silver = 3,
    /// 金
    Gold = 4,
    /// 角
    Bishop = 5,
    /// 飛
    Rook = 6,
    /// 玉
    King = 7,
    /// と, a promoted pawn
    Tokin = 8,
    /// 杏, a promoted lance
    PromotedLance = 9,
    /// 圭, a promoted knight
    PromotedKnight = 10,
    /// 全, a promoted silver
    PromotedSilver = 11,
    /// 馬, a promoted bishop
    Horse = 12,
    /// 龍, a promoted rook
    Dragon = 13,
}

use PieceKind::{
    Bishop, Dragon, Gold, Horse, King, Knight, Lance, Pawn, PromotedKnight, PromotedLance,
    PromotedSilver, Rook, Silver, Tokin,
};

impl PieceKind {
    /// All kinds in the order of their numbers.
    pub const ALL: [Self; 14] = [
        Pawn,
        Lance,
        Knight,
        Silver,
        Gold,
        Bishop,
        Rook,
        King,
        Tokin,
        PromotedLance,
        PromotedKnight,
        PromotedSilver,
        Horse,
        Dragon,
    ];

    /// The kind numbered `index`, or `None` if there is none.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 14 { Some(Self::ALL[index as usize]) } else { None }
    }

    /// Whether this is a promoted kind.
    pub const fn is_promoted(self) -> bool {
        self as u8 >= Tokin as u8
    }

    /// What this kind promotes to: `None` for gold, king and promoted kinds.
    pub const fn promoted(self) -> Option<Self> {
        Some(match self {
            Pawn => Tokin,
            Lance => PromotedLance,
            Knight => PromotedKnight,
            Silver => PromotedSilver,
            Bishop => Horse,
            Rook => Dragon,
            Gold | King | Tokin | PromotedLance | PromotedKnight | PromotedSilver | Horse
            | Dragon => return None,
        })
    }

    /// What this kind was before its promotion; an unpromoted kind is unchanged.
    pub const fn unpromoted(self) -> Self {
        match self {
            Tokin => Pawn,
            PromotedLance => Lance,
            PromotedKnight => Knight,
            PromotedSilver => Silver,
            Horse => Bishop,
            Dragon => Rook,
            _ => self,
        }
    }

    /// What a captured piece of this kind becomes in the hand. Kings are never held.
    pub const fn in_hand(self) -> Option<HandKind> {
        Some(match self.unpromoted() {
            Pawn => HandKind::Pawn,
            Lance => HandKind::Lance,
            Knight => HandKind::Knight,
            Silver => HandKind::Silver,
            Gold => HandKind::Gold,
            Bishop => HandKind::Bishop,
            Rook => HandKind::Rook,
            _ => return None,
        })
    }

    /// Whether the piece slides in some direction, as its [vectors](crate::attacks::vectors) say:
    /// lance, bishop, rook, horse and dragon.
    pub const fn is_slider(self) -> bool {
        let vectors = crate::attacks::vectors(Color::Black, self);
        let mut index = 0;
        while index < vectors.len() {
            if vectors[index].slide {
                return true;
            }
            index += 1;
        }
        false
    }

    /// The letter of the unpromoted kind, as Black's pieces are written.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Pawn => 'P',
            Lance => 'L',
            Knight => 'N',
            Silver => 'S',
            Gold => 'G',
            Bishop => 'B',
            Rook => 'R',
            _ => 'K',
        }
    }

    /// The unpromoted kind written as `letter` in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Pawn,
            'L' => Lance,
            'N' => Knight,
            'S' => Silver,
            'G' => Gold,
            'B' => Bishop,
            'R' => Rook,
            'K' => King,
            _ => return None,
        })
    }

    /// The one-character Japanese name: 歩 香 桂 銀 金 角 飛 玉 と 杏 圭 全 馬 龍.
    pub const fn kanji(self) -> char {
        match self {
            Pawn => '歩',
            Lance => '香',
            Knight => '桂',
            Silver => '銀',
            Gold => '金',
            Bishop => '角',
            Rook => '飛',
            King => '玉',
            Tokin => 'と',
            PromotedLance => '杏',
            PromotedKnight => '圭',
            PromotedSilver => '全',
            Horse => '馬',
            Dragon => '龍',
        }
    }

    /// The kind with this one-character Japanese name; 王 and 竜 are read too.
    pub const fn from_kanji(kanji: char) -> Option<Self> {
        Some(match kanji {
            '歩' => Pawn,
            '香' => Lance,
            '桂' => Knight,
            '銀' => Silver,
            '金' => Gold,
            '角' => Bishop,
            '飛' => Rook,
            '玉' | '王' => King,
            'と' => Tokin,
            '杏' => PromotedLance,
            '圭' => PromotedKnight,
            '全' => PromotedSilver,
            '馬' => Horse,
            '龍' | '竜' => Dragon,
            _ => return None,
        })
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Pawn => "pawn",
            Lance => "lance",
            Knight => "knight",
            Silver => "silver",
            Gold => "gold",
            Bishop => "bishop",
            Rook => "rook",
            King => "king",
            Tokin => "tokin",
            PromotedLance => "promoted lance",
            PromotedKnight => "promoted knight",
            PromotedSilver => "promoted silver",
            Horse => "horse",
            Dragon => "dragon",
        })
    }
}

/// The seven kinds a hand can hold. No king, nothing promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum HandKind {
    /// 歩
    Pawn = 0,
    /// 香
    Lance = 1,
    /// 桂
    Knight = 2,
    /// 銀
    Silver = 3,
    /// 金
    Gold = 4,
    /// 角
    Bishop = 5,
    /// 飛
    Rook = 6,
}

impl HandKind {
    /// All seven, pawn first.
    pub const ALL: [Self; 7] =
        [Self::Pawn, Self::Lance, Self::Knight, Self::Silver, Self::Gold, Self::Bishop, Self::Rook];

    /// How many pieces of this kind a shogi set has.
    pub const fn total(self) -> u8 {
        match self {
            Self::Pawn => 18,
            Self::Lance | Self::Knight | Self::Silver | Self::Gold => 4,
            Self::Bishop | Self::Rook => 2,
        }
    }

    /// The kind of the piece once it is dropped.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        PieceKind::ALL[self as usize]
    }
}

/// A piece of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Whose piece it is.
    pub color: Color,
    /// What piece it is.
    pub kind: PieceKind,
}

impl Piece {
    /// A piece of `kind` for `color`.
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self { color, kind }
    }

    /// Whether the piece is promoted: a property of its kind.
    pub const fn is_promoted(self) -> bool {
        self.kind.is_promoted()
    }

    /// The piece as SFEN writes it: `P`, `+P`, `p`, `+p`.
    pub fn symbol(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.color {
            Color::Black => self.kind.letter(),
            Color::White => self.kind.letter().to_ascii_lowercase(),
        };
        write!(f, "{}{letter}", if self.is_promoted() { "+" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bitboard, Square};

    #[test]
    fn kinds_8_to_13_and_no_others_are_promoted() {
        for kind in PieceKind::ALL {
            assert_eq!(kind.is_promoted(), (8..=13).contains(&(kind as u8)), "{kind}");
            assert_eq!(Piece::new(Color::White, kind).is_promoted(), kind.is_promoted());
            assert_eq!(PieceKind::new(kind as u8), Some(kind));
        }
        assert_eq!(PieceKind::new(14), None);
    }

    #[test]
    fn promotion_maps_0_1_2_3_5_6_to_8_9_10_11_12_13_and_back() {
        let pairs = PieceKind::ALL.map(|kind| kind.promoted().map(|p| (kind as u8, p as u8)));
        let pairs: Vec<_> = pairs.into_iter().flatten().collect();
        assert_eq!(pairs, [(0, 8), (1, 9), (2, 10), (3, 11), (5, 12), (6, 13)]);
        for kind in PieceKind::ALL {
            match kind.promoted() {
                Some(promoted) => assert_eq!(promoted.unpromoted(), kind),
                None => assert!(kind.is_promoted() || kind.unpromoted() == kind),
            }
        }
    }

    #[test]
    fn every_captured_kind_goes_to_hand_unpromoted_and_a_king_never() {
        let hand = PieceKind::ALL.map(|kind| kind.in_hand().map(|hand| hand as u8));
        let expected = [0, 1, 2, 3, 4, 5, 6, 99, 0, 1, 2, 3, 5, 6];
        assert_eq!(hand, expected.map(|index| (index != 99).then_some(index)));
        for kind in HandKind::ALL {
            assert_eq!(kind.kind().in_hand(), Some(kind));
        }
    }

    #[test]
    fn symbols_show_promotion_by_a_plus_and_colour_by_case() {
        for (kind, letter) in PieceKind::ALL.into_iter().zip("PLNSGBRKPLNSBR".chars()) {
            let plus = if kind as u8 >= 8 { "+" } else { "" };
            assert_eq!(Piece::new(Color::Black, kind).symbol(), format!("{plus}{letter}"));
            let lower = letter.to_ascii_lowercase();
            assert_eq!(Piece::new(Color::White, kind).symbol(), format!("{plus}{lower}"));
            assert_eq!(PieceKind::from_letter(letter), Some(kind.unpromoted()));
            assert_eq!(PieceKind::from_letter(lower), Some(kind.unpromoted()));
        }
        assert_eq!(PieceKind::from_letter('x'), None);
    }

    #[test]
    fn the_sliding_kinds_are_lance_bishop_rook_horse_and_dragon() {
        let sliders: Vec<_> = PieceKind::ALL.into_iter().filter(|kind| kind.is_slider()).collect();
        assert_eq!(sliders, [Lance, Bishop, Rook, Horse, Dragon]);
        // A slider is what a piece in its way stops.
        let center = Square::at(4, 4).unwrap();
        for kind in PieceKind::ALL {
            let attacks = |occupied| crate::attacks::attacks(Color::Black, kind, center, occupied);
            let stopped = attacks(Bitboard::FULL) != attacks(Bitboard::EMPTY);
            assert_eq!(kind.is_slider(), stopped, "{kind}");
        }
    }

    #[test]
    fn kanji_name_every_kind_and_both_forms_of_dragon_and_king_are_read() {
        let kanji: String = PieceKind::ALL.map(PieceKind::kanji).iter().collect();
        assert_eq!(kanji, "歩香桂銀金角飛玉と杏圭全馬龍");
        for kind in PieceKind::ALL {
            assert_eq!(PieceKind::from_kanji(kind.kanji()), Some(kind));
        }
        assert_eq!(PieceKind::from_kanji('竜'), Some(Dragon));
        assert_eq!(PieceKind::from_kanji('王'), Some(King));
    }
}
