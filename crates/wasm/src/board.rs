//! What a client draws: pieces on squares, hands, moves from square to square.
//!
//! Everything is taken from the texts that the games write themselves. SFEN and FEN have a board
//! row by row from the top left as the first side sees it, and squares are numbered the same way
//! here, from 0.

use keisei_game::{Position as _, board_squares};
use serde::{Deserialize, Serialize};
use tsify::Tsify;

use crate::games::{GameName, Shown};

/// Who opens the game from its standard start: black in shogi, white in chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
#[tsify(into_wasm_abi, from_wasm_abi)]
pub enum Side {
    First,
    Second,
}

impl From<keisei_game::Side> for Side {
    fn from(side: keisei_game::Side) -> Self {
        match side {
            keisei_game::Side::First => Self::First,
            keisei_game::Side::Second => Self::Second,
        }
    }
}

impl From<Side> for keisei_game::Side {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

/// A piece on a square. Its kind is the letter of SFEN or FEN in upper case, with `+` before it if
/// it is promoted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
pub struct Piece {
    pub side: Side,
    pub kind: String,
}

/// Pieces of a kind in a hand, or off the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
pub struct HandPiece {
    pub kind: String,
    pub count: u32,
}

/// A position as it is drawn.
#[derive(Clone, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi)]
pub struct BoardData {
    pub game: GameName,
    /// The position as SFEN or FEN.
    pub position: String,
    pub turn: Side,
    /// Row by row from the top left, as the first side sees the board.
    pub squares: Vec<Option<Piece>>,
    /// What the first and the second side hold, the most valuable first.
    pub hands: [Vec<HandPiece>; 2],
    /// In chess: what the first and the second side have lost since the start.
    pub captured: [Vec<HandPiece>; 2],
    /// The king that is in check.
    pub check: Option<u32>,
    /// The pieces that give the check.
    pub checkers: Vec<u32>,
    pub last_move: Option<MoveParts>,
    pub move_number: u32,
}

/// A move as it is shown on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi)]
pub struct MoveParts {
    /// The move as USI or UCI writes it, which is how moves are given back to the package.
    #[serde(rename = "move")]
    pub text: String,
    /// Where it begins; null for a drop.
    pub from: Option<u32>,
    /// The kind that is dropped; null for a move on the board.
    pub drop: Option<String>,
    pub to: u32,
    /// The kind that the piece becomes, if it is promoted.
    pub promotion: Option<String>,
    /// The piece that moves, before it is promoted.
    pub piece: Piece,
    /// The piece that is taken.
    pub captured: Option<Piece>,
}

/// The squares of a board in a position's text.
pub(crate) fn squares(text: &str) -> Vec<Option<Piece>> {
    let piece = |(side, kind): (keisei_game::Side, String)| Piece { side: side.into(), kind };
    board_squares(text).into_iter().map(|square| square.map(piece)).collect()
}

/// The hands in a position's text, in the order in which they are written.
pub(crate) fn hands<G: Shown>(text: &str) -> [Vec<HandPiece>; 2] {
    let mut hands = [Vec::new(), Vec::new()];
    let field = text.split_whitespace().nth(2).filter(|_| G::HAS_HANDS);
    let mut count = 0;
    for letter in field.unwrap_or_default().chars().filter(|&letter| letter != '-') {
        match letter.to_digit(10) {
            Some(digit) => count = 10 * count + digit,
            None => {
                let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
                let kind = letter.to_ascii_uppercase().to_string();
                hands[side as usize].push(HandPiece { kind, count: count.max(1) });
                count = 0;
            }
        }
    }
    hands
}

/// The number of the square called `name`.
pub(crate) fn square<G: Shown>(name: &str) -> u32 {
    let place = G::square_names().iter().position(|square| square == name);
    place.expect("games write squares of their own board") as u32
}

/// `mv`, which is legal in `position`, taken apart.
pub(crate) fn parts<G: Shown>(position: &G::Position, mv: G::Move) -> MoveParts {
    parts_on::<G>(position, &squares(&position.to_string()), mv)
}

/// All legal moves of `position` taken apart.
pub(crate) fn all_parts<G: Shown>(position: &G::Position) -> Vec<MoveParts> {
    let squares = squares(&position.to_string());
    let moves = position.legal_moves();
    moves.as_ref().iter().map(|&mv| parts_on::<G>(position, &squares, mv)).collect()
}

fn parts_on<G: Shown>(position: &G::Position, squares: &[Option<Piece>], mv: G::Move) -> MoveParts {
    let text = mv.to_string();
    let to = square::<G>(&text[2..4]);
    if let Some((kind, _)) = text.split_once('*') {
        let piece = Piece { side: position.turn().into(), kind: kind.to_owned() };
        let drop = Some(piece.kind.clone());
        return MoveParts { from: None, drop, to, promotion: None, piece, captured: None, text };
    }
    let from = square::<G>(&text[..2]);
    let piece = squares[from as usize].clone().expect("a legal move begins at a piece");
    let promotion = match &text[4..] {
        "" => None,
        "+" => Some(format!("+{}", piece.kind)),
        kind => Some(kind.to_ascii_uppercase()),
    };
    let captured =
        G::captured_by(position, mv).map(|kind| Piece { side: (!position.turn()).into(), kind });
    MoveParts { from: Some(from), drop: None, to, promotion, piece, captured, text }
}

/// The current position of `game`.
pub(crate) fn board<G: Shown>(game: &G) -> BoardData {
    let last = game.moves().last().map(|&mv| {
        let mut before = game.clone();
        before.undo();
        parts::<G>(before.position(), mv)
    });
    position_board::<G>(game.position(), game.start(), last)
}

/// `position`, which the move `last_move` led to, in a game that began at `start`.
pub(crate) fn position_board<G: Shown>(
    position: &G::Position,
    start: &G::Position,
    last_move: Option<MoveParts>,
) -> BoardData {
    let text = position.to_string();
    let squares = squares(&text);
    let turn = position.turn().into();
    let is_king = |piece: &Option<Piece>| {
        piece.as_ref().is_some_and(|piece| piece.side == turn && piece.kind == G::KING)
    };
    let checked = position.in_check();
    let king = squares.iter().position(is_king).filter(|_| checked).map(|square| square as u32);
    let captured = if G::HAS_HANDS {
        [Vec::new(), Vec::new()]
    } else {
        captured::<G>(&self::squares(&start.to_string()), &squares)
    };
    let number = text.split_whitespace().last().and_then(|number| number.parse().ok());
    BoardData {
        game: G::GAME.into(),
        turn,
        hands: hands::<G>(&text),
        captured,
        check: king,
        checkers: G::checkers_of(position).iter().map(|name| square::<G>(name)).collect(),
        last_move,
        move_number: number.unwrap_or(1),
        squares,
        position: text,
    }
}

/// What each side has lost. A promoted piece that is on the board stands for the pawn that it was.
fn captured<G: Shown>(start: &[Option<Piece>], now: &[Option<Piece>]) -> [Vec<HandPiece>; 2] {
    let count = |squares: &[Option<Piece>], side: Side, kind: &str| {
        let is = |piece: &&Piece| piece.side == side && piece.kind == kind;
        squares.iter().flatten().filter(is).count() as i32
    };
    [Side::First, Side::Second].map(|side| {
        let lost = |kind: &str| count(start, side, kind) - count(now, side, kind);
        let promoted: i32 = G::KINDS.iter().map(|kind| (-lost(kind)).max(0)).sum();
        let mut list = Vec::new();
        for kind in G::KINDS {
            let pawns = if *kind == "P" { promoted } else { 0 };
            let count = u32::try_from(lost(kind) - pawns).unwrap_or(0);
            if count > 0 {
                list.push(HandPiece { kind: (*kind).to_owned(), count });
            }
        }
        list
    })
}
