//! What a client has to know of each game before it draws one.

mod animal;
mod chess;
mod shogi;

use keisei_engine::{Arena, Protocol};
use keisei_game::Outcome;
use keisei_games::with_game;
use keisei_records::Recorded;
use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::rules::Declaration;
use crate::tree::Format;

/// A game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
#[tsify(into_wasm_abi, from_wasm_abi)]
pub enum GameName {
    Shogi,
    Chess,
    Animal,
}

impl From<keisei_games::GameName> for GameName {
    fn from(name: keisei_games::GameName) -> Self {
        match name {
            keisei_games::GameName::Shogi => Self::Shogi,
            keisei_games::GameName::Chess => Self::Chess,
            keisei_games::GameName::Animal => Self::Animal,
        }
    }
}

impl From<GameName> for keisei_games::GameName {
    fn from(name: GameName) -> Self {
        match name {
            GameName::Shogi => Self::Shogi,
            GameName::Chess => Self::Chess,
            GameName::Animal => Self::Animal,
        }
    }
}

/// How moves are written for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
#[tsify(into_wasm_abi, from_wasm_abi)]
pub enum NotationStyle {
    /// ☗７六歩
    Japanese,
    /// P-7f
    Western,
    /// ７六歩(77)
    Kif,
    /// 7g7f, or e2e4
    Usi,
    /// Nf3
    San,
}

/// A game that can be shown in a browser.
pub(crate) trait Shown: Arena + Recorded {
    /// How many rows the board has.
    const ROWS: usize;
    /// All kinds of pieces, the most valuable first.
    const KINDS: &'static [&'static str];
    /// The kind that is in check.
    const KING: &'static str;
    /// Whether captured pieces go into the hand.
    const HAS_HANDS: bool;
    /// The ways in which moves are written, the usual one first.
    const NOTATIONS: &'static [NotationStyle];

    /// The names of the columns, from the left as the first side sees them.
    fn files() -> Vec<String>;

    /// The names of the rows, from the top as the first side sees them.
    fn ranks() -> Vec<String>;

    /// The name of a kind of piece in English.
    fn kind_name(kind: &str) -> &'static str;

    /// How many pieces of a kind a set has, both sides together; promoted pieces count as nothing.
    fn total(kind: &str) -> u32;

    /// The kind that `mv` takes.
    fn captured_by(position: &Self::Position, mv: Self::Move) -> Option<String>;

    /// The squares of the pieces that give check.
    fn checkers_of(position: &Self::Position) -> Vec<String>;

    /// A legal move as people write it. `previous` is the move before.
    fn spell(
        position: &Self::Position,
        mv: Self::Move,
        previous: Option<Self::Move>,
        style: NotationStyle,
    ) -> String;

    /// What a declaration of the side to move would count, where the game has declarations.
    fn declaration_of(&self) -> Option<Declaration> {
        None
    }

    /// The named handicaps.
    fn handicaps() -> Vec<Handicap> {
        Vec::new()
    }

    /// The names of all squares, row by row from the top left.
    fn square_names() -> Vec<String> {
        let files = Self::files();
        let rows = Self::ranks().into_iter();
        rows.flat_map(|rank| {
            files.iter().map(move |file| format!("{file}{rank}")).collect::<Vec<_>>()
        })
        .collect()
    }
}

/// What a client knows of a game.
#[derive(Clone, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi)]
pub struct GameInfo {
    pub game: GameName,
    pub rows: u32,
    pub columns: u32,
    /// Row by row from the top left, as the first side sees the board.
    pub square_names: Vec<String>,
    /// From left to right.
    pub files: Vec<String>,
    /// From top to bottom.
    pub ranks: Vec<String>,
    /// The standard start.
    pub start: String,
    pub protocol: ProtocolName,
    /// The word for a position's text.
    pub position_notation: String,
    /// What the first and the second side are called: black and white, or white and black.
    pub colors: [String; 2],
    /// The most valuable first.
    pub pieces: Vec<PieceInfo>,
    /// The usual one first.
    pub notations: Vec<NotationStyle>,
    /// The formats that hold its records, the usual one first.
    pub formats: Vec<Format>,
    pub has_hands: bool,
    pub has_declaration: bool,
    pub handicaps: Vec<Handicap>,
    /// How moves are typed, in English.
    pub move_help: String,
    /// How many hundredths of a pawn multiply the odds of winning by e.
    pub score_scale: f32,
}

/// The protocol of a game's engines.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum ProtocolName {
    Usi,
    Uci,
}

/// A kind of piece.
#[derive(Clone, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PieceInfo {
    pub kind: String,
    /// In English.
    pub name: String,
    /// What it becomes when it is promoted, where there is no choice.
    pub promoted: Option<String>,
    /// Whether a hand can hold it.
    pub in_hand: bool,
    /// How many a set has; 0 for promoted pieces.
    pub total: u32,
}

/// A handicap.
#[derive(Clone, Debug, Serialize, Tsify)]
pub struct Handicap {
    pub name: String,
    pub japanese: String,
    /// The start. The giver moves first.
    pub position: String,
}

/// The names of all games.
#[wasm_bindgen(js_name = gameNames)]
pub fn game_names() -> Vec<GameName> {
    keisei_games::GameName::ALL.iter().map(|&name| name.into()).collect()
}

/// What a client knows of `game`.
#[wasm_bindgen(js_name = gameInfo)]
pub fn game_info(game: GameName) -> GameInfo {
    with_game!(game.into(), G => info::<G>())
}

fn info<G: Shown>() -> GameInfo {
    let piece = |&kind: &&str| {
        let promoted = format!("+{kind}");
        PieceInfo {
            kind: kind.to_owned(),
            name: G::kind_name(kind).to_owned(),
            promoted: G::KINDS.contains(&promoted.as_str()).then_some(promoted),
            in_hand: G::HAS_HANDS && kind != G::KING && !kind.starts_with('+'),
            total: G::total(kind),
        }
    };
    let mut formats = keisei_records::Format::holding::<G>();
    formats.sort_by_key(|&format| format != G::FORMAT);
    GameInfo {
        game: G::GAME.into(),
        rows: G::ROWS as u32,
        columns: G::COLUMNS as u32,
        square_names: G::square_names(),
        files: G::files(),
        ranks: G::ranks(),
        start: G::start_position().to_string(),
        protocol: match G::PROTOCOL {
            Protocol::Usi => ProtocolName::Usi,
            Protocol::Uci => ProtocolName::Uci,
        },
        position_notation: G::NOTATION.to_owned(),
        colors: keisei_game::Side::ALL.map(|side| G::color(side).to_owned()),
        pieces: G::KINDS.iter().map(piece).collect(),
        notations: G::NOTATIONS.to_vec(),
        formats: formats.into_iter().map(Format::from).collect(),
        has_hands: G::HAS_HANDS,
        has_declaration: G::ENTERING_KING,
        handicaps: G::handicaps(),
        move_help: G::MOVE_HELP.to_owned(),
        score_scale: G::SCORE_SCALE,
    }
}

/// The text of an outcome in the words of the game: its colours.
pub(crate) fn outcome_text<G: Shown>(outcome: Outcome) -> String {
    match outcome.winner() {
        Some(side) => format!("{} wins by {}", G::color(side), outcome.reason()),
        None => format!("draw by {}", outcome.reason()),
    }
}
