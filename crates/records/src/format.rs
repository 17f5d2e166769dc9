//! The record formats, and which of them a file is in.

use std::fmt;
use std::str::FromStr;

use crate::formats::{csa, sfenx, usi};

/// A record format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Kakinoki's KIF: one move a line, with its origin.
    Kif,
    /// KI2: moves as books print them.
    Ki2,
    /// The Computer Shogi Association's format.
    Csa,
    /// The JSON kifu format.
    Jkf,
    /// USI or UCI `position` lines, one game a line.
    Usi,
    /// SFENX positions, or the list of nodes of the program that uses them.
    Sfenx,
    /// Portable Game Notation, for chess.
    Pgn,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 7] =
        [Self::Kif, Self::Ki2, Self::Csa, Self::Jkf, Self::Usi, Self::Sfenx, Self::Pgn];

    /// The format of files with this extension, in any case and with or without a dot.
    pub fn from_extension(extension: &str) -> Option<Self> {
        Some(match extension.trim_start_matches('.').to_ascii_lowercase().as_str() {
            "kif" | "kifu" | "kifx" => Self::Kif,
            "ki2" | "ki2u" => Self::Ki2,
            "csa" => Self::Csa,
            "jkf" | "json" => Self::Jkf,
            "usi" | "sfen" | "uci" | "fen" | "epd" => Self::Usi,
            "sfenx" => Self::Sfenx,
            "pgn" => Self::Pgn,
            _ => return None,
        })
    }

    /// The usual extension, without a dot: for KIF and KI2 that of UTF-8 files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Kif => "kifu",
            Self::Ki2 => "ki2u",
            Self::Csa => "csa",
            Self::Jkf => "jkf",
            Self::Usi => "usi",
            Self::Sfenx => "sfenx",
            Self::Pgn => "pgn",
        }
    }

    /// The format that `text` is written in, judged by its first telling line.
    pub fn detect(text: &str) -> Option<Self> {
        let opening = text.trim_start();
        if opening.starts_with('{') {
            return Some(Self::Jkf);
        }
        if let Some(inside) = opening.strip_prefix('[') {
            let list = inside.trim_start().starts_with(['{', ']']);
            return Some(if list { Self::Sfenx } else { Self::Pgn });
        }
        let lines = || text.lines().map(str::trim);
        // Headers, a diagram or an ending alone can be KIF or KI2, which read them alike.
        let japanese = |line: &str| line.starts_with("まで") || line.contains('：');
        lines().find_map(detect_line).or_else(|| lines().any(japanese).then_some(Self::Ki2))
    }
}

/// The format in which `line` can stand, if it tells.
fn detect_line(line: &str) -> Option<Format> {
    let first = line.split_whitespace().next()?;
    let marks = ['▲', '△', '▼', '▽', '☗', '☖'];
    if line.starts_with(marks) {
        return Some(Format::Ki2);
    }
    if csa::is_telling(line) {
        return Some(Format::Csa);
    }
    if line.starts_with("手数--") || line.starts_with("#KIF") {
        return Some(Format::Kif);
    }
    if line.starts_with(['%', ';', '{']) || first.starts_with("1.") {
        return Some(Format::Pgn);
    }
    if usi::is_telling(line) {
        return Some(Format::Usi);
    }
    if sfenx::is_telling(line) {
        return Some(Format::Sfenx);
    }
    let numbered = first.chars().all(|c| c.is_ascii_digit());
    let japanese = |c: char| "１２３４５６７８９同".contains(c) || marks.contains(&c);
    let second = line[first.len()..].trim_start();
    (numbered && (second.starts_with(japanese) || !second.is_ascii())).then_some(Format::Kif)
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Kif => "KIF",
            Self::Ki2 => "KI2",
            Self::Csa => "CSA",
            Self::Jkf => "JKF",
            Self::Usi => "USI",
            Self::Sfenx => "SFENX",
            Self::Pgn => "PGN",
        })
    }
}

/// Why a text names no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no record format: kif, ki2, csa, jkf, usi, sfenx or pgn")]
pub struct FormatParseError(pub String);

impl FromStr for Format {
    type Err = FormatParseError;

    fn from_str(text: &str) -> Result<Self, FormatParseError> {
        Self::from_extension(text).ok_or_else(|| FormatParseError(text.to_owned()))
    }
}
