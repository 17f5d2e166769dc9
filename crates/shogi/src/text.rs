//! The board as text.

use std::fmt::Write;

use keisei_game::BoardStyle;

use crate::{Color, Hand, HandKind, Position, Square};

/// The side to move, the hands, the board and how many moves were played: letters with capitals for
/// Black and `+` for a promoted piece, or kanji with `v` before White's pieces.
pub(crate) fn game(position: &Position, moves: usize, style: BoardStyle) -> String {
    match style {
        BoardStyle::Ascii => ascii(position, moves),
        BoardStyle::Kanji => kanji(position, moves),
    }
}

const RULE: &str = "+---------------------------+";

fn ascii(position: &Position, moves: usize) -> String {
    let turn = match position.turn() {
        Color::Black => "Black (Sente)",
        Color::White => "White (Gote)",
    };
    let hand = |color| {
        let hand = position.hand(color);
        let pieces =
            hand.kinds().map(|kind| format!("{}x{}", kind.kind().letter(), hand.count(kind)));
        let text = pieces.collect::<Vec<_>>().join(" ");
        if text.is_empty() { "none".to_owned() } else { text }
    };
    let cell = |square| position.piece_at(square).map_or(".".to_owned(), |piece| piece.to_string());
    let mut text = format!("Player to move: {turn}\nGote Hand: {}\n", hand(Color::White));
    text += "  9  8  7  6  5  4  3  2  1\n";
    text += RULE;
    for row in 0..9 {
        let cells = row_squares(row).map(|square| format!("{:>2} ", cell(square)));
        let _ = write!(text, "\n|{}| P{}", cells.collect::<String>(), row + 1);
    }
    let _ = write!(text, "\n{RULE}\nSente Hand: {}\nMove Count: {moves}\n", hand(Color::Black));
    text
}

fn kanji(position: &Position, moves: usize) -> String {
    let cell = |square| match position.piece_at(square) {
        None => " ・".to_owned(),
        Some(piece) => {
            let side = if piece.color == Color::White { 'v' } else { ' ' };
            format!("{side}{}", piece.kind.kanji())
        }
    };
    let mut text = format!("後手の持駒：{}\n", kanji_hand(position.hand(Color::White)));
    text += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n";
    text += RULE;
    for (row, name) in (0..9).zip("一二三四五六七八九".chars()) {
        let _ = write!(text, "\n|{}|{name}", row_squares(row).map(cell).collect::<String>());
    }
    let turn = if position.turn() == Color::Black { "先手番" } else { "後手番" };
    let hand = kanji_hand(position.hand(Color::Black));
    let _ = write!(text, "\n{RULE}\n先手の持駒：{hand}\n手数＝{moves}\n{turn}\n");
    text
}

/// The squares of a row from file 9 to file 1.
fn row_squares(row: u8) -> impl Iterator<Item = Square> {
    (0..9).filter_map(move |column| Square::at(row, column))
}

/// A hand as Japanese records write it, strongest pieces first: `飛　金二　歩十一`.
fn kanji_hand(hand: Hand) -> String {
    let pieces = HandKind::ALL.into_iter().rev().filter(|&kind| hand.has(kind)).map(|kind| {
        let name = kind.kind().kanji();
        match hand.count(kind) {
            1 => name.to_string(),
            count => format!("{name}{}", kanji_number(count)),
        }
    });
    let text = pieces.collect::<Vec<_>>().join("　");
    if text.is_empty() { "なし".to_owned() } else { text }
}

/// A number from 1 to 19 in kanji.
fn kanji_number(number: u8) -> String {
    let digit = |n| "〇一二三四五六七八九".chars().nth(usize::from(n)).unwrap_or('〇');
    match number {
        0..=9 => digit(number).to_string(),
        10 => "十".to_owned(),
        _ => format!("十{}", digit(number - 10)),
    }
}
