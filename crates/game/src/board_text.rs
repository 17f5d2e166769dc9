//! The board that a position's text shows, for those who draw it.

use crate::Side;

/// The squares of the board in SFEN or FEN, row by row from the top left as the first side sees
/// them. A piece is the letter of its kind in upper case, with `+` before it if it is promoted.
///
/// ```
/// use keisei_game::{Side, board_squares};
///
/// let squares = board_squares("gle/1c1/1C1/ELG b - 1");
/// assert_eq!((squares.len(), squares[3].as_ref()), (12, None));
/// assert_eq!(squares[4], Some((Side::Second, "C".to_owned())));
/// ```
pub fn board_squares(text: &str) -> Vec<Option<(Side, String)>> {
    let mut squares = Vec::new();
    let mut plus = "";
    for letter in text.split_whitespace().next().unwrap_or_default().chars() {
        match letter.to_digit(10) {
            Some(empty) => squares.extend((0..empty).map(|_| None)),
            None if letter == '/' => {}
            None if letter == '+' => plus = "+",
            None => {
                let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
                squares.push(Some((side, format!("{plus}{}", letter.to_ascii_uppercase()))));
                plus = "";
            }
        }
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plus_promotes_the_piece_that_follows_and_no_other() {
        let squares = board_squares("1+pP/3 w - 1");
        let piece = |side, kind: &str| Some((side, kind.to_owned()));
        let row = [None, piece(Side::Second, "+P"), piece(Side::First, "P"), None, None, None];
        assert_eq!(squares, row);
    }
}
