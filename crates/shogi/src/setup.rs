//! What lies on the board and in the hands, and its SFEN text. A setup promises nothing.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::{ByColor, Color, Hand, HandKind, Piece, PieceKind, Square};

/// A board and two hands as somebody put them down: perhaps no legal position.
/// [`Position::try_from`](crate::Position) checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands on each square, by [`Square::index`].
    pub board: [Option<Piece>; Square::COUNT],
    /// What each player holds.
    pub hands: ByColor<Hand>,
    /// Who is to move.
    pub turn: Color,
    /// The number of the next move, 1 at the start of a game.
    pub move_number: u16,
}

impl Setup {
    /// An empty board, empty hands, Black to play move 1.
    pub const EMPTY: Self = Self {
        board: [None; Square::COUNT],
        hands: ByColor([Hand::EMPTY; 2]),
        turn: Color::Black,
        move_number: 1,
    };

    /// The piece at `row` and `column` (0 to 8 from the top left), if there is one.
    pub fn get(&self, row: u8, column: u8) -> Option<Piece> {
        Square::at(row, column).and_then(|square| self.board[square.index()])
    }

    /// Puts `piece` on the square at `row` and `column`, or empties it.
    ///
    /// # Panics
    ///
    /// If the square is off the board.
    pub fn set(&mut self, row: u8, column: u8, piece: Option<Piece>) {
        let square = Square::at(row, column)
            .unwrap_or_else(|| panic!("row {row}, column {column} is off the board"));
        self.board[square.index()] = piece;
    }
}

/// Why a text is no SFEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SfenError {
    /// Fewer than three fields.
    #[error("an SFEN has a board, a side and hands, but {0:?} has {1} field(s)")]
    MissingFields(String, usize),
    /// More than four fields.
    #[error("an SFEN ends after the move number, but {0:?} follows")]
    TrailingField(String),
    /// The board has not nine rows.
    #[error("the board has {0} rows instead of 9")]
    RowCount(usize),
    /// A row has not nine squares.
    #[error("row {row} ({text:?}) has {width} squares instead of 9")]
    RowWidth {
        /// The rank letter of the row.
        row: char,
        /// The row as written.
        text: String,
        /// How many squares it describes.
        width: usize,
    },
    /// A character of the board that is no piece.
    #[error("{letter:?} in row {row} is no piece: expected one of PLNSGBRK, a digit or +")]
    UnknownPiece {
        /// The character.
        letter: char,
        /// The rank letter of the row.
        row: char,
    },
    /// A plus before something that does not promote.
    #[error("+{letter} in row {row}: this piece does not promote")]
    Unpromotable {
        /// The letter after the plus; a space if there is none.
        letter: char,
        /// The rank letter of the row.
        row: char,
    },
    /// A side that is neither `b` nor `w`.
    #[error("{0:?} is no side: b or w")]
    Side(String),
    /// A character of the hands that is no piece a hand can hold.
    #[error("{letter:?} at place {place} of the hands {text:?} is no piece a hand can hold")]
    HandPiece {
        /// The character.
        letter: char,
        /// Where it stands, from 1.
        place: usize,
        /// The hands as written.
        text: String,
    },
    /// A hand count of 0, a count without a piece, or more pieces than a set has.
    #[error("bad count of {piece:?} in the hands {text:?}: at least 1, at most what a set has")]
    HandCount {
        /// The piece letter; a space if the count ends the text.
        piece: char,
        /// The hands as written.
        text: String,
    },
    /// A move number that is no number.
    #[error("{0:?} is no move number")]
    MoveNumber(String),
}

impl FromStr for Setup {
    type Err = SfenError;

    /// Reads an SFEN. The move number may be left out.
    fn from_str(text: &str) -> Result<Self, SfenError> {
        let mut fields = text.split_ascii_whitespace();
        let (Some(board), Some(turn), Some(hands)) = (fields.next(), fields.next(), fields.next())
        else {
            let count = text.split_ascii_whitespace().count();
            return Err(SfenError::MissingFields(text.to_owned(), count));
        };
        let move_number = match fields.next() {
            None => 1,
            Some(number) => number.parse().map_err(|_| SfenError::MoveNumber(number.to_owned()))?,
        };
        if let Some(rest) = fields.next() {
            return Err(SfenError::TrailingField(rest.to_owned()));
        }
        let turn = match turn {
            "b" => Color::Black,
            "w" => Color::White,
            other => return Err(SfenError::Side(other.to_owned())),
        };
        Ok(Self { board: read_board(board)?, hands: read_hands(hands)?, turn, move_number })
    }
}

fn read_board(text: &str) -> Result<[Option<Piece>; Square::COUNT], SfenError> {
    let rows = text.split('/').count();
    if rows != 9 {
        return Err(SfenError::RowCount(rows));
    }
    let mut board = [None; Square::COUNT];
    for (row, text) in (0..9).zip(text.split('/')) {
        let name = (b'a' + row) as char;
        let mut width: usize = 0;
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if let Some(empty) = letter.to_digit(10).filter(|&digit| digit > 0) {
                width += empty as usize;
                continue;
            }
            let promoted = letter == '+';
            let letter = if promoted { letters.next().unwrap_or(' ') } else { letter };
            let unknown = SfenError::UnknownPiece { letter, row: name };
            let kind = PieceKind::from_letter(letter).ok_or(unknown)?;
            let kind = if promoted {
                kind.promoted().ok_or(SfenError::Unpromotable { letter, row: name })?
            } else {
                kind
            };
            let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
            if let Some(square) = u8::try_from(width).ok().and_then(|c| Square::at(row, c)) {
                board[square.index()] = Some(Piece::new(color, kind));
            }
            width += 1;
        }
        if width != 9 {
            return Err(SfenError::RowWidth { row: name, text: text.to_owned(), width });
        }
    }
    Ok(board)
}

fn read_hands(text: &str) -> Result<ByColor<Hand>, SfenError> {
    let mut hands = ByColor([Hand::EMPTY; 2]);
    if text == "-" {
        return Ok(hands);
    }
    let count_error = |piece| SfenError::HandCount { piece, text: text.to_owned() };
    let mut count = None;
    for (index, letter) in text.chars().enumerate() {
        if let Some(digit) = letter.to_digit(10) {
            // Two digits hold every count of a set; more would overflow sooner or later.
            count = Some(count.unwrap_or(0) * 10 + digit as u8).filter(|&count| count < 25);
            if count.is_none_or(|count| count == 0) {
                return Err(count_error(letter));
            }
            continue;
        }
        let kind =
            PieceKind::from_letter(letter).and_then(PieceKind::in_hand).ok_or_else(|| {
                SfenError::HandPiece { letter, place: index + 1, text: text.to_owned() }
            })?;
        let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
        let total = hands[color].count(kind) + count.take().unwrap_or(1);
        if total > kind.total() {
            return Err(count_error(letter));
        }
        hands[color] = hands[color].with(kind, total);
    }
    match count {
        None => Ok(hands),
        Some(_) => Err(count_error(' ')),
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..9 {
            if row > 0 {
                f.write_char('/')?;
            }
            let mut empty = 0;
            for column in 0..9 {
                match self.get(row, column) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        empty = 0;
                        write!(f, "{piece}")?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
        }
        let turn = if self.turn == Color::Black { 'b' } else { 'w' };
        write!(f, " {turn} ")?;
        if self.hands.0.iter().all(|hand| hand.is_empty()) {
            f.write_char('-')?;
        }
        for color in Color::ALL {
            for kind in HandKind::ALL.into_iter().rev() {
                let piece = Piece::new(color, kind.kind());
                match self.hands[color].count(kind) {
                    0 => {}
                    1 => write!(f, "{piece}")?,
                    count => write!(f, "{count}{piece}")?,
                }
            }
        }
        write!(f, " {}", self.move_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<Setup>().unwrap_err().to_string()
    }

    #[test]
    fn sfens_round_trip_with_promoted_pieces_and_hands() {
        for text in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
            "9/9/9/9/9/9/9/9/9 w 2R2B4G4S4N4L18P 65535",
        ] {
            assert_eq!(text.parse::<Setup>().unwrap().to_string(), text);
        }
        let short: Setup = "9/9/9/9/9/9/9/9/9 b -".parse().unwrap();
        assert_eq!(short, Setup::EMPTY);
    }

    #[test]
    fn pieces_are_read_and_set_by_row_and_column() {
        let mut setup = Setup::EMPTY;
        let tokin = Piece::new(Color::White, PieceKind::Tokin);
        setup.set(6, 2, Some(tokin));
        assert_eq!(setup.get(6, 2), Some(tokin));
        assert_eq!(setup.to_string(), "9/9/9/9/9/9/2+p6/9/9 b - 1");
        setup.set(6, 2, None);
        assert_eq!(setup, Setup::EMPTY);
    }

    #[test]
    fn a_bad_sfen_is_refused_with_the_reason_and_the_place() {
        assert!(refused("9/9/9 b").contains("2 field(s)"));
        assert!(refused("9/9/9/9/9/9/9/9 b - 1").contains("8 rows"));
        assert!(refused("9/9/9/8/9/9/9/9/9 b - 1").contains("row d (\"8\") has 8 squares"));
        assert!(refused("9/9/9/ppppppppppp/9/9/9/9/9 b - 1").contains("11 squares"));
        assert!(refused("9/9/9/4x4/9/9/9/9/9 b - 1").contains("'x' in row d"));
        assert!(refused("9/9/9/4+g4/9/9/9/9/9 b - 1").contains("+g in row d"));
        assert!(refused("9/9/9/8+/9/9/9/9/9 b - 1").contains("row d"));
        assert!(refused("9/9/9/9/9/9/9/9/9 x - 1").contains("\"x\" is no side"));
        assert!(refused("9/9/9/9/9/9/9/9/9 b 2Kp 1").contains("'K' at place 2"));
        assert!(refused("9/9/9/9/9/9/9/9/9 b 3R 1").contains("count of 'R'"));
        assert!(refused("9/9/9/9/9/9/9/9/9 b P2 1").contains("bad count"));
        assert!(refused("9/9/9/9/9/9/9/9/9 b 0P 1").contains("bad count"));
        assert!(refused("9/9/9/9/9/9/9/9/9 b - x").contains("\"x\" is no move number"));
        assert!(refused("9/9/9/9/9/9/9/9/9 b - 1 2").contains("\"2\" follows"));
    }
}
