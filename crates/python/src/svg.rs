//! Positions as pictures.

use std::fmt::Write as _;

use keisei_game::{Position as _, Side, board_squares};

use crate::games::Exposed;

/// The side of a square, in pixels of the picture.
const SQUARE: usize = 44;
/// The room beside a board for hands and names.
const MARGIN: usize = 24;

/// What is drawn for a piece.
fn symbol(game: &str, side: Side, piece: &str) -> &'static str {
    let chess = match (side, piece) {
        (Side::First, "K") => "♔",
        (Side::First, "Q") => "♕",
        (Side::First, "R") => "♖",
        (Side::First, "B") => "♗",
        (Side::First, "N") => "♘",
        (Side::First, _) => "♙",
        (Side::Second, "K") => "♚",
        (Side::Second, "Q") => "♛",
        (Side::Second, "R") => "♜",
        (Side::Second, "B") => "♝",
        (Side::Second, "N") => "♞",
        (Side::Second, _) => "♟",
    };
    match (game, piece) {
        ("chess", _) => chess,
        ("animal", "L") => "獅",
        ("animal", "G") => "麒",
        ("animal", "E") => "象",
        ("animal", "C") => "雛",
        ("animal", _) => "鶏",
        (_, "K") => "玉",
        (_, "R") => "飛",
        (_, "B") => "角",
        (_, "G") => "金",
        (_, "S") => "銀",
        (_, "N") => "桂",
        (_, "L") => "香",
        (_, "P") => "歩",
        (_, "+R") => "龍",
        (_, "+B") => "馬",
        (_, "+S") => "全",
        (_, "+N") => "圭",
        (_, "+L") => "杏",
        _ => "と",
    }
}

/// What `side` holds, in a line.
fn hand<G: Exposed>(game: &G, side: Side) -> String {
    let mut line = String::new();
    for (kind, count) in game.hand(side).into_iter().rev() {
        line += symbol(G::NAME, side, &kind.to_string());
        if count > 1 {
            line += &count.to_string();
        }
    }
    line
}

/// The squares of the last move, for a mark.
fn marked<G: Exposed>(game: &G) -> Vec<String> {
    let last = game.moves().last().map(ToString::to_string).unwrap_or_default();
    [last.get(..2), last.get(2..4)].into_iter().flatten().map(str::to_owned).collect()
}

/// The names of the columns from the left and of the rows from the top.
fn names<G: Exposed>() -> (Vec<String>, Vec<String>) {
    let (rows, columns) = (G::SQUARES / G::COLUMNS, G::COLUMNS);
    let letters = |count: usize| ('a'..).take(count).map(String::from).collect::<Vec<_>>();
    let numbers = |count: usize| (1..=count).rev().map(|n| n.to_string()).collect::<Vec<_>>();
    match G::NAME {
        "chess" => (letters(columns), numbers(rows)),
        _ => (numbers(columns), letters(rows)),
    }
}

/// The position of `game`, as the side that opens sees it.
pub(crate) fn drawing<G: Exposed>(game: &G) -> String {
    let columns = G::COLUMNS;
    let rows = G::SQUARES / columns;
    let (width, height) = (columns * SQUARE + 2 * MARGIN, rows * SQUARE + 4 * MARGIN);
    let (files, ranks) = names::<G>();
    let marked = marked(game);
    let chess = G::NAME == "chess";
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"serif\" text-anchor=\"middle\">\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
    );
    // Writing into a string cannot fail.
    let mut text = |x: usize, y: usize, size: usize, turned: bool, content: &str| {
        let turn =
            if turned { format!(" transform=\"rotate(180 {x} {y})\"") } else { String::new() };
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" dominant-baseline=\"central\"{turn}>\
             {content}</text>"
        );
    };
    let middle = width / 2;
    text(middle, MARGIN / 2, 18, true, &hand(game, Side::Second));
    text(middle, height - MARGIN / 2, 18, false, &hand(game, Side::First));
    for (column, name) in files.iter().enumerate() {
        let y = if chess { height - 3 * MARGIN / 2 } else { 3 * MARGIN / 2 };
        text(MARGIN + column * SQUARE + SQUARE / 2, y, 12, false, name);
    }
    for (row, name) in ranks.iter().enumerate() {
        let x = if chess { MARGIN / 2 } else { width - MARGIN / 2 };
        text(x, 2 * MARGIN + row * SQUARE + SQUARE / 2, 12, false, name);
    }
    let squares = board_squares(&game.position().to_string());
    let checked = game.position().in_check().then(|| game.turn());
    for (place, piece) in squares.iter().enumerate() {
        let (row, column) = (place / columns, place % columns);
        let (x, y) = (MARGIN + column * SQUARE, 2 * MARGIN + row * SQUARE);
        let name = format!("{}{}", files[column], ranks[row]);
        let king = |(side, piece): &(Side, String)| {
            Some(*side) == checked && (piece == "K" || (G::NAME == "animal" && piece == "L"))
        };
        let color = match (piece.as_ref().is_some_and(king), marked.contains(&name)) {
            (true, _) => "#f4a08c",
            (false, true) => "#f7d774",
            (false, false) if chess && (row + column) % 2 == 1 => "#b58863",
            (false, false) => "#f3e1bb",
        };
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{color}\" \
             stroke=\"#6b5432\"/>"
        );
        if let Some((side, piece)) = piece {
            let (x, y) = (x + SQUARE / 2, y + SQUARE / 2);
            let turned = *side == Side::Second && !chess;
            let turn =
                if turned { format!(" transform=\"rotate(180 {x} {y})\"") } else { String::new() };
            let red = if piece.starts_with('+') { " fill=\"#b3261e\"" } else { "" };
            let _ = write!(
                out,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"30\" dominant-baseline=\"central\"{red}{turn}>\
                 {}</text>",
                symbol(G::NAME, *side, piece)
            );
        }
    }
    out + "</svg>"
}
