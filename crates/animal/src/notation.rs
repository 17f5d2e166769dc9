//! Positions as text, in the manner of SFEN: `gle/1c1/1C1/ELG b - 1`.

use std::fmt::{self, Write};
use std::str::FromStr;

use keisei_game::Side;

use crate::{Board, HandKind, Piece, PieceKind, Position, Square};

/// Why a text is no position of animal shogi.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Words are missing or too many.
    #[error("a position is a board, a side, hands and perhaps a number; this has {0} words")]
    Words(usize),
    /// Another number of ranks than four.
    #[error("the board has {0} ranks; there are 4")]
    Ranks(usize),
    /// A rank that is too short or too long.
    #[error("rank {rank:?} has {found} squares; there are 3")]
    Files {
        /// The rank as it was written.
        rank: String,
        /// How many squares it has.
        found: usize,
    },
    /// A letter that is no piece.
    #[error("{0:?} is no piece: l, g, e, c or +c")]
    Piece(String),
    /// A side other than `b` and `w`.
    #[error("the side to move is {0:?}: write b or w")]
    Side(String),
    /// Hands that cannot be read.
    #[error("{0:?} are no hands: write - or letters with their numbers before them")]
    Hands(String),
    /// The number of the move is no number from 1.
    #[error("the move number is {0:?}; moves are numbered from 1")]
    MoveNumber(String),
    /// More pieces than there are.
    #[error("{count} pieces {letter:?}; there are 2")]
    ManyPieces {
        /// The letter of the kind.
        letter: char,
        /// How many there are on the board and in the hands.
        count: usize,
    },
    /// A player with two lions.
    #[error("the {0} player has two lions")]
    ManyLions(Side),
    /// A player without a lion who is not to move: the lion of the side to move may just have been
    /// caught.
    #[error("the {0} player has no lion")]
    MissingLion(Side),
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (ranks, side, hands, number) = match words[..] {
            [ranks, side, hands] => (ranks, side, hands, "1"),
            [ranks, side, hands, number] => (ranks, side, hands, number),
            _ => return Err(PositionError::Words(words.len())),
        };
        let mut board = Board::EMPTY;
        read_ranks(&mut board, ranks)?;
        match side {
            "b" => {}
            "w" => board.pass_turn(),
            _ => return Err(PositionError::Side(side.to_owned())),
        }
        read_hands(&mut board, hands)?;
        check(board)?;
        let move_number = number.parse().ok().filter(|&number| number > 0);
        let move_number =
            move_number.ok_or_else(|| PositionError::MoveNumber(number.to_owned()))?;
        Ok(Self { board, move_number })
    }
}

fn read_ranks(board: &mut Board, text: &str) -> Result<(), PositionError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != Square::RANKS {
        return Err(PositionError::Ranks(ranks.len()));
    }
    let mut squares = Square::all();
    for rank in ranks {
        let cells = read_rank(rank)?;
        if cells.len() != Square::FILES {
            return Err(PositionError::Files { rank: rank.to_owned(), found: cells.len() });
        }
        for (cell, square) in cells.into_iter().zip(squares.by_ref()) {
            if let Some(piece) = cell {
                if piece.kind == PieceKind::Lion && board.lion(piece.side).is_some() {
                    return Err(PositionError::ManyLions(piece.side));
                }
                board.put(piece, square);
            }
        }
    }
    Ok(())
}

fn read_rank(rank: &str) -> Result<Vec<Option<Piece>>, PositionError> {
    let mut cells = Vec::new();
    let mut letters = rank.chars();
    while let Some(letter) = letters.next() {
        if let Some(empty @ 1..=3) = letter.to_digit(10) {
            cells.extend(vec![None; empty as usize]);
            continue;
        }
        let mut text = String::from(letter);
        if letter == '+' {
            text.extend(letters.next());
        }
        let capitals = text.to_ascii_uppercase();
        let kind = PieceKind::ALL.into_iter().find(|kind| kind.letters() == capitals);
        let side = if capitals == text { Side::First } else { Side::Second };
        let kind = kind.ok_or(PositionError::Piece(text))?;
        cells.push(Some(Piece { side, kind }));
    }
    Ok(cells)
}

fn read_hands(board: &mut Board, text: &str) -> Result<(), PositionError> {
    if text == "-" {
        return Ok(());
    }
    let bad = || PositionError::Hands(text.to_owned());
    let mut letters = text.chars();
    while let Some(mut letter) = letters.next() {
        let mut count = 1;
        if let Some(number) = letter.to_digit(10) {
            count = number as u8;
            letter = letters.next().ok_or_else(bad)?;
        }
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        let kind = HandKind::from_letter(letter.to_ascii_uppercase()).ok_or_else(bad)?;
        if !(1..=2).contains(&count) || board.in_hand(side, kind) > 0 {
            return Err(bad());
        }
        board.set_hand(side, kind, count);
    }
    Ok(())
}

/// Whether the pieces are those of a set, and both lions are there or one has just been caught.
fn check(board: Board) -> Result<(), PositionError> {
    for hand_kind in HandKind::ALL {
        let of_kind = |kind: &PieceKind| kind.in_hand() == Some(hand_kind);
        let on_board: usize =
            PieceKind::ALL.into_iter().filter(of_kind).map(|kind| board.kind(kind).len()).sum();
        let held = Side::ALL.map(|side| usize::from(board.in_hand(side, hand_kind)));
        let count = on_board + held[0] + held[1];
        if count > 2 {
            return Err(PositionError::ManyPieces { letter: hand_kind.letter(), count });
        }
    }
    let waiting = !board.turn();
    if board.lion(waiting).is_none() {
        return Err(PositionError::MissingLion(waiting));
    }
    Ok(())
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..Square::RANKS {
            if row > 0 {
                f.write_char('/')?;
            }
            let mut empty = 0;
            for square in Square::all().filter(|square| square.row() == row) {
                match self.piece_at(square) {
                    None => empty += 1,
                    Some(piece) => {
                        write_empty(f, empty)?;
                        empty = 0;
                        write!(f, "{piece}")?;
                    }
                }
            }
            write_empty(f, empty)?;
        }
        let side = if self.turn() == Side::First { 'b' } else { 'w' };
        write!(f, " {side} {} {}", self.hands_text(), self.move_number)
    }
}

fn write_empty(f: &mut fmt::Formatter<'_>, count: usize) -> fmt::Result {
    if count > 0 { write!(f, "{count}") } else { Ok(()) }
}

impl Position {
    /// Both hands as SFEN has them, the most valuable pieces first.
    fn hands_text(&self) -> String {
        let mut text = String::new();
        for side in Side::ALL {
            for kind in HandKind::ALL.into_iter().rev() {
                let piece = Piece { side, kind: kind.kind() };
                match self.in_hand(side, kind) {
                    0 => {}
                    1 => text += &piece.to_string(),
                    count => text += &format!("{count}{piece}"),
                }
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }
}
