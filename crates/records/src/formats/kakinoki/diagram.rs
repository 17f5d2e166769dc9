//! Diagrams of positions, as BOD, KIF and KI2 draw them.

use keisei_shogi::{Color, Hand, HandKind, Piece, PieceKind, Position, Square};

use crate::notation::{rank_digit, rank_number};
use crate::scan::Cursor;
use crate::{Problem, ReadError};

/// Reads `|v香v桂 ・ … |一`.
pub(super) fn read_rank(mut cursor: Cursor<'_>) -> Result<[Option<Piece>; 9], ReadError> {
    cursor.eat("|");
    let mut rank = [None; 9];
    for place in &mut rank {
        let at = cursor;
        let owner = cursor.bump();
        let piece = cursor.bump();
        *place = match (owner, piece) {
            (Some(' ' | 'v' | '^' | 'V'), Some('・')) => None,
            (Some(owner @ (' ' | '^' | 'v' | 'V')), Some(name)) => {
                let kind = PieceKind::from_kanji(name);
                let kind = kind.ok_or_else(|| at.error(Problem::Unknown("piece")))?;
                let white = matches!(owner, 'v' | 'V');
                Some(Piece::new(if white { Color::White } else { Color::Black }, kind))
            }
            _ => return Err(at.error(Problem::Expected("a piece or ・"))),
        };
    }
    if cursor.eat("|") { Ok(rank) } else { Err(cursor.error(Problem::Expected("|"))) }
}

/// Reads `飛　金二　歩十三`, with or without spaces, or `なし`.
pub(super) fn read_hand(mut cursor: Cursor<'_>) -> Result<Hand, ReadError> {
    let mut hand = Hand::EMPTY;
    if cursor.rest().trim() == "なし" {
        return Ok(hand);
    }
    while !cursor.skip_spaces().is_done() {
        let at = cursor;
        let kind = cursor.take(PieceKind::from_kanji).filter(|kind| !kind.is_promoted());
        let kind = kind.and_then(PieceKind::in_hand);
        let kind = kind.ok_or_else(|| at.error(Problem::Expected("a piece in hand")))?;
        let count = hand.count(kind).saturating_add(read_count(&mut cursor));
        if count > kind.total() {
            return Err(at.error(Problem::Expected("no more pieces than a set has")));
        }
        hand = hand.with(kind, count);
    }
    Ok(hand)
}

/// Takes a count in kanji or digits, 1 if there is none.
fn read_count(cursor: &mut Cursor<'_>) -> u8 {
    let ten = if cursor.eat("十") { Some(10) } else { None };
    let digit = cursor.take(rank_number);
    match (ten, digit) {
        // Digits may be two: 歩13.
        (None, Some(one)) => cursor.take(digit_or_zero).map_or(one, |two| one * 10 + two),
        (None, None) => 1,
        (Some(ten), one) => ten + one.unwrap_or(0),
    }
}

fn digit_or_zero(digit: char) -> Option<u8> {
    matches!(digit, '0' | '０').then_some(0).or_else(|| rank_number(digit))
}

/// Draws the position with both hands and the side to move.
pub(super) fn write(position: &Position) -> String {
    let mut text = format!("後手の持駒：{}\n", write_hand(position.hand(Color::White)));
    let edge = "+---------------------------+\n";
    text.push_str("  ９ ８ ７ ６ ５ ４ ３ ２ １\n");
    text.push_str(edge);
    for row in 0..9 {
        text.push('|');
        for column in 0..9 {
            let square = Square::at(row, column).expect("nine rows of nine columns");
            match position.piece_at(square) {
                None => text.push_str(" ・"),
                Some(piece) => {
                    text.push(if piece.color == Color::Black { ' ' } else { 'v' });
                    text.push(piece.kind.kanji());
                }
            }
        }
        text.extend(['|', rank_digit(row + 1), '\n']);
    }
    text.push_str(edge);
    text.push_str(&format!("先手の持駒：{}\n", write_hand(position.hand(Color::Black))));
    text.push_str(if position.turn() == Color::Black { "先手番\n" } else { "後手番\n" });
    if position.move_number() > 1 {
        text.push_str(&format!("手数＝{}  まで\n", position.move_number() - 1));
    }
    text
}

fn write_hand(hand: Hand) -> String {
    if hand.is_empty() {
        return "なし".to_owned();
    }
    let mut text = String::new();
    for kind in HandKind::ALL.into_iter().rev() {
        let count = hand.count(kind);
        if count == 0 {
            continue;
        }
        text.push(kind.kind().kanji());
        if count >= 10 {
            text.push('十');
        }
        if count > 1 && count != 10 {
            text.push(rank_digit(count % 10));
        }
        text.push('　');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_read_with_and_without_spaces_and_in_any_digits() {
        let spaced = read_hand(Cursor::new("飛　金二　歩十三　")).unwrap();
        assert_eq!(spaced.count(HandKind::Gold), 2);
        assert_eq!(spaced.count(HandKind::Pawn), 13);
        assert_eq!(read_hand(Cursor::new("飛金二歩十三")).unwrap(), spaced);
        assert_eq!(read_hand(Cursor::new("飛 金2 歩13")).unwrap(), spaced);
        assert_eq!(read_hand(Cursor::new("なし")).unwrap(), Hand::EMPTY);
        assert_eq!(read_hand(Cursor::new(&write_hand(spaced))).unwrap(), spaced);
        let full = Hand::EMPTY.with(HandKind::Pawn, 18).with(HandKind::Lance, 4);
        assert_eq!(read_hand(Cursor::new(&write_hand(full))).unwrap(), full);
        let ten = Hand::EMPTY.with(HandKind::Pawn, 10);
        assert_eq!(read_hand(Cursor::new(&write_hand(ten))).unwrap(), ten);
    }

    #[test]
    fn a_hand_with_more_than_a_set_has_or_with_a_king_is_refused() {
        assert!(read_hand(Cursor::new("飛三")).is_err());
        assert!(read_hand(Cursor::new("玉")).is_err());
        assert!(read_hand(Cursor::new("と")).is_err());
    }

    #[test]
    fn a_rank_is_nine_squares_between_bars() {
        let rank = read_rank(Cursor::new("|v香 ・ ・ ・ ・ ・ ・ ・ 龍|一")).unwrap();
        assert_eq!(rank[0], Some(Piece::new(Color::White, PieceKind::Lance)));
        assert_eq!(rank[8], Some(Piece::new(Color::Black, PieceKind::Dragon)));
        let error = read_rank(Cursor::new("|v香 ・ x")).unwrap_err();
        assert_eq!((error.column, error.problem), (6, Problem::Unknown("piece")));
        assert!(read_rank(Cursor::new("|v香|一")).is_err());
    }
}
