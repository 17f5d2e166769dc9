//! The characters of Japanese notation: digits, ranks, piece names.

use keisei_shogi::{Color, PieceKind, Square};

/// How Japanese notation is spelled. The default is ☗７六歩 with 龍 and 玉.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Spelling {
    /// The mark of the mover.
    pub mark: SideMark,
    /// The rank of the destination.
    pub rank: RankForm,
    /// The promoted rook.
    pub dragon: DragonForm,
    /// The king.
    pub king: KingForm,
    /// Which other pieces make marks necessary.
    pub rivals: Rivals,
}

/// Which other pieces of the same kind make a move ambiguous.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rivals {
    /// Those that could legally go to the same square. A pinned piece is no rival.
    #[default]
    Legal,
    /// Those that attack the same square, even if a rule forbids the move. Many programs read and
    /// write moves so; a file for them needs the marks.
    Attacking,
}

/// The mark of the mover before a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SideMark {
    /// ☗ and ☖, the shapes of pieces.
    #[default]
    Pieces,
    /// ▲ and △, which every Japanese character set has.
    Triangles,
    /// No mark.
    None,
}

/// The rank of a destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RankForm {
    /// ７六
    #[default]
    Kanji,
    /// ７６
    Digits,
}

/// The character of the promoted rook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DragonForm {
    /// 龍
    #[default]
    Traditional,
    /// 竜
    Simplified,
}

/// The character of the king.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KingForm {
    /// 玉
    #[default]
    Jewel,
    /// 王
    King,
}

impl Spelling {
    /// As programs expect moves in files: ▲ and △, and marks also against rivals that a rule keeps
    /// from moving.
    pub const FOR_FILES: Self = Self {
        mark: SideMark::Triangles,
        rank: RankForm::Kanji,
        dragon: DragonForm::Traditional,
        king: KingForm::Jewel,
        rivals: Rivals::Attacking,
    };

    /// The mark of `color`.
    pub const fn mark_of(self, color: Color) -> &'static str {
        match (self.mark, color) {
            (SideMark::Pieces, Color::Black) => "☗",
            (SideMark::Pieces, Color::White) => "☖",
            (SideMark::Triangles, Color::Black) => "▲",
            (SideMark::Triangles, Color::White) => "△",
            (SideMark::None, _) => "",
        }
    }

    /// The name of `kind` in a move: 成香, 成桂 and 成銀 where a board has 杏, 圭 and 全.
    pub const fn name(self, kind: PieceKind) -> &'static str {
        match kind {
            PieceKind::Pawn => "歩",
            PieceKind::Lance => "香",
            PieceKind::Knight => "桂",
            PieceKind::Silver => "銀",
            PieceKind::Gold => "金",
            PieceKind::Bishop => "角",
            PieceKind::Rook => "飛",
            PieceKind::King => match self.king {
                KingForm::Jewel => "玉",
                KingForm::King => "王",
            },
            PieceKind::Tokin => "と",
            PieceKind::PromotedLance => "成香",
            PieceKind::PromotedKnight => "成桂",
            PieceKind::PromotedSilver => "成銀",
            PieceKind::Horse => "馬",
            PieceKind::Dragon => match self.dragon {
                DragonForm::Traditional => "龍",
                DragonForm::Simplified => "竜",
            },
        }
    }

    /// A board or a move that was written with 龍 and 玉, with this dragon and this king instead.
    pub fn respell(self, text: &str) -> String {
        let dragon = self.name(PieceKind::Dragon);
        text.replace('龍', dragon).replace('玉', self.name(PieceKind::King))
    }

    /// The square as a destination: ７六.
    pub fn square(self, square: Square) -> String {
        let rank = match self.rank {
            RankForm::Kanji => rank_digit(square.row() + 1),
            RankForm::Digits => file_digit(square.row() + 1),
        };
        [file_digit(square.file()), rank].into_iter().collect()
    }
}

const FULL_WIDTH: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// 1 to 9 in full width.
pub(crate) const fn file_digit(number: u8) -> char {
    FULL_WIDTH[number as usize - 1]
}

/// 1 to 9 in kanji.
pub(crate) const fn rank_digit(number: u8) -> char {
    KANJI[number as usize - 1]
}

/// 1 to 9 in full width, kanji or ASCII.
pub(crate) fn rank_number(digit: char) -> Option<u8> {
    let place = |digits: &[char; 9]| digits.iter().position(|&d| d == digit);
    let place = match digit {
        '1'..='9' => return Some(digit as u8 - b'0'),
        _ => place(&FULL_WIDTH).or_else(|| place(&KANJI))?,
    };
    Some(place as u8 + 1)
}

const CSA_NAMES: [&str; 14] =
    ["FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"];

/// The name of `kind` in CSA and JKF files.
pub(crate) const fn csa_name(kind: PieceKind) -> &'static str {
    CSA_NAMES[kind as usize]
}

/// The kind that CSA and JKF files call `name`.
pub(crate) fn csa_kind(name: &str) -> Option<PieceKind> {
    let place = CSA_NAMES.iter().position(|&known| known == name)?;
    Some(PieceKind::ALL[place])
}
