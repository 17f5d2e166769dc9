//! SFENX: a compact position text, and the list of nodes in which a game is kept with it.
//!
//! A position is 81 squares from file 1 to file 9, rank by rank without separators, and two hands
//! of four letters each: `lnsgkgsnl1b5r1ppppppppp999PPPPPPPPP1R5B1LNSGKGSNL aaaaaaaa`. Promoted
//! pieces have letters of their own (T V U M H D). It does not say who is to move.
//!
//! A game is a JSON list of nodes, each with its `sfenx`, the `move` that led to it (`7g7f`,
//! `resign`, `timeout`), whether Black is to move (`isSente`), the node before (`prev`), its main
//! continuation (`next`) and the next variation beside it (`br_next`, round and round).

mod nodes;

use keisei_shogi::{ByColor, Color, Hand, HandKind, Piece, PieceKind, Position, Setup, Shogi};

use crate::builder::Budget;
use crate::scan::Cursor;
use crate::{Limits, Problem, ReadError, Record};

pub use nodes::write;

/// The letters of the kinds, unpromoted and promoted, in the order of [`PieceKind`].
const LETTERS: &[u8; 14] = b"PLNSGBRKTVUMHD";

/// Whether `line` is a position.
pub(crate) fn is_telling(line: &str) -> bool {
    read_setup(Cursor::new(line)).is_ok()
}

/// Reads an SFENX file: positions, or a list of nodes.
pub fn read(text: &str) -> Result<Vec<Record<Shogi>>, ReadError> {
    read_within(text, Limits::default())
}

/// Reads as [`read`] does, with limits of your own.
pub fn read_within(text: &str, limits: Limits) -> Result<Vec<Record<Shogi>>, ReadError> {
    if text.trim_start().starts_with('[') {
        return Ok(vec![nodes::read(text, limits)?]);
    }
    let lines = Cursor::lines(text).filter(|line| !line.rest().trim().is_empty());
    let budget = Budget::new(limits);
    let record = |line: Cursor<'_>| {
        budget.spend_record().map_err(|problem| line.error(problem))?;
        Ok(Record::from_position(read_position(line, Color::Black)?))
    };
    lines.map(record).collect()
}

/// Reads an SFENX position, in which `turn` is to move.
pub fn parse_position(text: &str, turn: Color) -> Result<Position, ReadError> {
    read_position(Cursor::new(text), turn)
}

fn read_position(line: Cursor<'_>, turn: Color) -> Result<Position, ReadError> {
    let setup = Setup { turn, ..read_setup(line)? };
    Position::try_from(setup).map_err(|error| line.error(Problem::Position(error.to_string())))
}

fn read_setup(mut line: Cursor<'_>) -> Result<Setup, ReadError> {
    let mut setup = Setup::EMPTY;
    let mut square = 0;
    line.skip_spaces();
    while square < 81 {
        let at = line;
        match line.bump() {
            Some(digit @ '1'..='9') => square += digit as u8 - b'0',
            Some(letter) => {
                let upper = letter.to_ascii_uppercase();
                let kind = LETTERS.iter().position(|&known| char::from(known) == upper);
                let kind = kind.ok_or_else(|| at.error(Problem::Unknown("piece")))?;
                let color = if letter == upper { Color::Black } else { Color::White };
                let piece = Piece::new(color, PieceKind::ALL[kind]);
                setup.set(square / 9, 8 - square % 9, Some(piece));
                square += 1;
            }
            None => return Err(at.error(Problem::Expected("81 squares"))),
        }
    }
    if square != 81 || line.peek() != Some(' ') {
        return Err(line.error(Problem::Expected("81 squares and a space")));
    }
    line.skip_spaces();
    setup.hands = ByColor([read_hand(&mut line)?, read_hand(&mut line)?]);
    if line.skip_spaces().is_done() {
        Ok(setup)
    } else {
        Err(line.error(Problem::Expected("the end of the position")))
    }
}

/// The kinds that each of the four letters of a hand counts: ones, and fives.
const PAIRS: [(HandKind, Option<HandKind>); 4] = [
    (HandKind::Pawn, None),
    (HandKind::Lance, Some(HandKind::Knight)),
    (HandKind::Silver, Some(HandKind::Gold)),
    (HandKind::Bishop, Some(HandKind::Rook)),
];

fn read_hand(line: &mut Cursor<'_>) -> Result<Hand, ReadError> {
    let mut hand = Hand::EMPTY;
    for (ones, fives) in PAIRS {
        let at = *line;
        let letter = line.take(|c| c.is_ascii_lowercase().then(|| c as u8 - b'a'));
        let number = letter.ok_or_else(|| at.error(Problem::Expected("a letter a to z")))?;
        let (one, five) = match fives {
            None => (number, 0),
            Some(_) => (number % 5, number / 5),
        };
        let five_fits = fives.is_none_or(|kind| five <= kind.total());
        if one > ones.total() || !five_fits {
            return Err(at.error(Problem::Expected("no more pieces than a set has")));
        }
        hand = hand.with(ones, one);
        if let Some(kind) = fives {
            hand = hand.with(kind, five);
        }
    }
    Ok(hand)
}

/// The SFENX text of a position. It does not say who is to move.
pub fn position_text(position: &Position) -> String {
    let setup = position.setup();
    let mut text = String::new();
    for row in 0..9 {
        let mut empty = 0;
        for column in (0..9).rev() {
            match setup.get(row, column) {
                None => empty += 1,
                Some(piece) => {
                    push_empty(&mut text, &mut empty);
                    let letter = char::from(LETTERS[piece.kind as usize]);
                    let white = piece.color == Color::White;
                    text.push(if white { letter.to_ascii_lowercase() } else { letter });
                }
            }
        }
        push_empty(&mut text, &mut empty);
    }
    text.push(' ');
    for color in Color::ALL {
        let hand = position.hand(color);
        for (ones, fives) in PAIRS {
            let number = hand.count(ones) + 5 * fives.map_or(0, |kind| hand.count(kind));
            text.push(char::from(b'a' + number));
        }
    }
    text
}

fn push_empty(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "lnsgkgsnl1b5r1ppppppppp999PPPPPPPPP1R5B1LNSGKGSNL aaaaaaaa";

    #[test]
    fn the_start_position_is_written_and_read() {
        assert_eq!(position_text(&Position::start()), START);
        assert_eq!(parse_position(START, Color::Black).unwrap(), Position::start());
    }

    #[test]
    fn promoted_pieces_and_full_hands_survive() {
        for sfen in [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/+p+l+n+s+b+r3/9/9/9/9/9/+P+L+N+S+B+R3/4K4 b - 1",
            "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
            "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1",
        ] {
            let position: Position = sfen.parse().unwrap();
            let text = position_text(&position);
            assert_eq!(parse_position(&text, position.turn()).unwrap(), position, "{text}");
        }
    }

    #[test]
    fn a_text_that_is_no_position_is_refused_where_it_goes_wrong() {
        let column = |text: &str| parse_position(text, Color::Black).unwrap_err().column;
        assert_eq!(column("lnsgkgsnx"), 9);
        assert_eq!(column("lnsg"), 5);
        assert_eq!(column(&START.replace(" a", " ?")), 51);
        assert_eq!(column(&START.replace(" aaaa", " aaaz")), 54);
        assert_eq!(column(&START.replace("LNSGKGSNL ", "LNSGKGSN2 ")), 50);
        assert_eq!(column(&format!("{START} b")), 60);
    }
}
