//! The usual starts of shogi records, as KIF and JKF name them.

use keisei_shogi::{Color, Position, Square};

/// A start position with a name.
pub(super) struct Preset {
    /// The name after 手合割 in KIF and KI2.
    pub(super) kif: &'static str,
    /// The name in JKF.
    pub(super) jkf: &'static str,
    /// The squares, file and rank, from which White's pieces are removed.
    removed: &'static [(u8, u8)],
}

const fn preset(kif: &'static str, jkf: &'static str, removed: &'static [(u8, u8)]) -> Preset {
    Preset { kif, jkf, removed }
}

const PRESETS: [Preset; 16] = [
    preset("平手", "HIRATE", &[]),
    preset("香落ち", "KY", &[(1, 1)]),
    preset("右香落ち", "KY_R", &[(9, 1)]),
    preset("角落ち", "KA", &[(2, 2)]),
    preset("飛車落ち", "HI", &[(8, 2)]),
    preset("飛香落ち", "HIKY", &[(8, 2), (1, 1)]),
    preset("二枚落ち", "2", &[(8, 2), (2, 2)]),
    preset("三枚落ち", "3", &[(8, 2), (2, 2), (9, 1)]),
    preset("四枚落ち", "4", &[(8, 2), (2, 2), (1, 1), (9, 1)]),
    preset("五枚落ち", "5", &[(8, 2), (2, 2), (8, 1), (1, 1), (9, 1)]),
    preset("左五枚落ち", "5_L", &[(8, 2), (2, 2), (2, 1), (1, 1), (9, 1)]),
    preset("六枚落ち", "6", &[(8, 2), (2, 2), (2, 1), (8, 1), (1, 1), (9, 1)]),
    preset("左七枚落ち", "7_L", &[(8, 2), (2, 2), (3, 1), (2, 1), (8, 1), (1, 1), (9, 1)]),
    preset("右七枚落ち", "7_R", &[(8, 2), (2, 2), (7, 1), (2, 1), (8, 1), (1, 1), (9, 1)]),
    preset("八枚落ち", "8", &[(8, 2), (2, 2), (3, 1), (7, 1), (2, 1), (8, 1), (1, 1), (9, 1)]),
    preset(
        "十枚落ち",
        "10",
        &[(8, 2), (2, 2), (4, 1), (6, 1), (3, 1), (7, 1), (2, 1), (8, 1), (1, 1), (9, 1)],
    ),
];

impl Preset {
    /// The preset that `wanted` picks.
    pub(super) fn find(wanted: impl Fn(&Self) -> bool) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| wanted(preset))
    }

    /// The preset that `position` is, if it is one.
    pub(super) fn of(position: &Position) -> Option<&'static Self> {
        Self::find(|preset| preset.position() == *position)
    }

    /// The start position. White, who gives the handicap, moves first.
    pub(super) fn position(&self) -> Position {
        let mut setup = Position::start().setup();
        for &(file, rank) in self.removed {
            let square = Square::at(rank - 1, 9 - file).expect("presets name squares of the board");
            setup.board[square.index()] = None;
        }
        if self.is_handicap() {
            setup.turn = Color::White;
        }
        Position::try_from(setup).expect("presets are legal positions")
    }

    /// Whether pieces are removed.
    pub(super) fn is_handicap(&self) -> bool {
        !self.removed.is_empty()
    }

    /// The removed squares, file and rank.
    pub(super) fn removed(&self) -> impl Iterator<Item = Square> {
        self.removed.iter().filter_map(|&(file, rank)| Square::at(rank - 1, 9 - file))
    }
}

/// The title of a player in a game from `preset`: 下手 and 上手 in a handicap game. Other keys of
/// headers are their own titles.
pub(super) fn player_title<'a>(key: &'a str, preset: Option<&Preset>) -> &'a str {
    match key {
        "先手" if preset.is_some_and(Preset::is_handicap) => "下手",
        "後手" if preset.is_some_and(Preset::is_handicap) => "上手",
        key => key,
    }
}

/// The key under which the player of `title` is kept.
pub(super) fn player_key(title: &str) -> &str {
    match title {
        "下手" => "先手",
        "上手" => "後手",
        title => title,
    }
}
