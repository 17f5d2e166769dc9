//! The position editor: boards that need not be legal yet.

use keisei_games::with_game;
use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::board::{HandPiece, Piece, Side, hands, squares};
use crate::error::{Refusal, Result};
use crate::games::{GameName, Shown};

/// What lies on a board and in the hands, whether or not that is legal.
#[derive(Clone, Debug, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi, from_wasm_abi)]
pub struct Setup {
    /// Row by row from the top left, as the first side sees the board.
    pub squares: Vec<Option<Piece>>,
    pub hands: [Vec<HandPiece>; 2],
    pub turn: Side,
    /// Chess: the rights to castle as FEN writes them, `KQkq` or `-`.
    pub castling: String,
    /// Chess: the square that a pawn has just jumped over, or `-`.
    pub en_passant: String,
    pub move_number: u32,
}

/// The setup as SFEN or FEN. Nothing is checked but that it can be written.
#[wasm_bindgen(js_name = setupText)]
pub fn setup_text(game: GameName, setup: Setup) -> Result<String> {
    with_game!(game.into(), G => text::<G>(&setup))
}

/// The setup in a text, of which the pieces and the size of the board are checked, and not whether
/// it is legal.
#[wasm_bindgen(js_name = readSetup)]
pub fn read_setup(game: GameName, text: &str) -> Result<Setup> {
    with_game!(game.into(), G => read::<G>(text))
}

/// Throws what keeps a text from being a legal position of the game.
#[wasm_bindgen(js_name = checkPosition)]
pub fn check_position(game: GameName, text: &str) -> Result<()> {
    with_game!(game.into(), G => check::<G>(text))
}

fn check<G: Shown>(text: &str) -> Result<()> {
    G::from_notation(text)?;
    Ok(())
}

fn text<G: Shown>(setup: &Setup) -> Result<String> {
    let letters = |piece: &Piece| {
        if !G::KINDS.contains(&piece.kind.as_str()) {
            return Err(Refusal::no_position(&format!(
                "{:?} is no piece of {}",
                piece.kind,
                G::NAME
            )));
        }
        Ok(match piece.side {
            Side::First => piece.kind.clone(),
            Side::Second => piece.kind.to_ascii_lowercase(),
        })
    };
    if setup.squares.len() != G::ROWS * G::COLUMNS {
        let (found, needed) = (setup.squares.len(), G::ROWS * G::COLUMNS);
        return Err(Refusal::no_position(&format!(
            "{found} squares: a board of {} has {needed}",
            G::NAME
        )));
    }
    let mut rows = Vec::new();
    for row in setup.squares.chunks(G::COLUMNS) {
        let mut written = String::new();
        for run in row.chunk_by(|one, two| one.is_none() && two.is_none()) {
            match run {
                [Some(piece)] => written += &letters(piece)?,
                empty => written += &empty.len().to_string(),
            }
        }
        rows.push(written);
    }
    let first_is_black = G::color(keisei_game::Side::First) == "black";
    let turn = if (setup.turn == Side::First) == first_is_black { 'b' } else { 'w' };
    let board = rows.join("/");
    if !G::HAS_HANDS {
        let Setup { castling, en_passant, move_number, .. } = setup;
        return Ok(format!("{board} {turn} {castling} {en_passant} 0 {move_number}"));
    }
    let mut held = String::new();
    for (side, hand) in [Side::First, Side::Second].into_iter().zip(&setup.hands) {
        // In the order in which SFEN wants them.
        for kind in G::KINDS {
            let count: u32 = hand.iter().filter(|one| one.kind == *kind).map(|one| one.count).sum();
            let letter = letters(&Piece { side, kind: (*kind).to_owned() })?;
            match count {
                0 => {}
                1 => held += &letter,
                _ => held += &format!("{count}{letter}"),
            }
        }
    }
    let held = if held.is_empty() { "-" } else { &held };
    Ok(format!("{board} {turn} {held} {}", setup.move_number))
}

fn read<G: Shown>(text: &str) -> Result<Setup> {
    let text =
        if text.trim().is_empty() { G::start_position().to_string() } else { text.to_owned() };
    let fields: Vec<_> = text.split_whitespace().collect();
    let first_is_black = G::color(keisei_game::Side::First) == "black";
    let black = fields.get(1) == Some(&"b");
    let field = |place: usize| match G::HAS_HANDS {
        true => "-".to_owned(),
        false => fields.get(place).copied().unwrap_or("-").to_owned(),
    };
    let setup = Setup {
        squares: squares(&text),
        hands: hands::<G>(&text),
        turn: if black == first_is_black { Side::First } else { Side::Second },
        castling: field(2),
        en_passant: field(3),
        move_number: fields.last().and_then(|number| number.parse().ok()).unwrap_or(1),
    };
    // What can be written again was understood.
    self::text::<G>(&setup)?;
    Ok(setup)
}
