//! Moves as CSA writes them: `+7776FU`, `-0055KA`.

use keisei_shogi::{Color, Move, Position, Square};

use crate::Problem;
use crate::notation::{MoveTextError, csa_kind, csa_name, moved_kind};

/// Whether `line` begins with a move.
pub(super) fn is_move(line: &str) -> bool {
    matches!(line.as_bytes(), [b'+' | b'-', digits @ .., ]
        if digits.len() >= 6
            && digits[..4].iter().all(u8::is_ascii_digit)
            && digits[4..6].iter().all(u8::is_ascii_uppercase))
}

/// The square written as two digits: `None` for `00`, the hand.
pub(super) fn parse_square(file: u8, rank: u8) -> Option<Option<Square>> {
    match (file, rank) {
        (b'0', b'0') => Some(None),
        (b'1'..=b'9', b'1'..=b'9') => Some(Square::at(rank - b'1', b'9' - file)),
        _ => None,
    }
}

pub(super) fn square_digits(square: Square) -> String {
    format!("{}{}", square.file(), square.row() + 1)
}

/// Why a text is no move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It is not written like one.
    #[error("a move is written like +7776FU")]
    Form,
    /// It is a move of the other side.
    #[error("the other side is to move")]
    Side,
    /// The piece is not there, or cannot do it.
    #[error(transparent)]
    Piece(MoveTextError),
    /// The rules forbid it.
    #[error(transparent)]
    Illegal(keisei_shogi::IllegalMove),
}

impl MoveError {
    /// The problem with the move at `ply`.
    pub(crate) fn at(self, ply: usize) -> Problem {
        match self {
            Self::Form => Problem::Expected("a move such as +7776FU"),
            Self::Side => Problem::Contradiction("the side to move"),
            Self::Piece(error) => Problem::Move { ply, error },
            Self::Illegal(error) => Problem::Illegal { ply, rule: error.to_string() },
        }
    }
}

/// Reads a move of `position`. It may still be illegal.
pub(crate) fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let &[sign, from_file, from_rank, to_file, to_rank, _, _] = text.as_bytes() else {
        return Err(MoveError::Form);
    };
    let kind = text.get(5..).and_then(csa_kind);
    let squares = (parse_square(from_file, from_rank), parse_square(to_file, to_rank));
    let (Some(kind), (Some(from), Some(Some(to)))) = (kind, squares) else {
        return Err(MoveError::Form);
    };
    let color = match sign {
        b'+' => Color::Black,
        b'-' => Color::White,
        _ => return Err(MoveError::Form),
    };
    if color != position.turn() {
        return Err(MoveError::Side);
    }
    let wrong = MoveError::Piece;
    let Some(from) = from else {
        let dropped = kind.in_hand().filter(|_| !kind.is_promoted());
        return match dropped {
            Some(dropped) => Ok(Move::drop(dropped, to)),
            None => Err(wrong(MoveTextError::Undroppable(kind))),
        };
    };
    let piece = position.piece_at(from).ok_or(wrong(MoveTextError::EmptySquare(from)))?;
    let promotes = piece.kind != kind;
    if promotes && piece.kind.promoted() != Some(kind) {
        let (square, found, named) = (from, piece.kind, kind);
        return Err(wrong(MoveTextError::OtherPiece { square, found, named }));
    }
    Ok(Move::new(from, to, promotes))
}

/// Reads a legal move of `position`.
///
/// # Errors
///
/// If the text is no move, or one that the rules forbid.
pub fn read_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let mv = parse_move(position, text)?;
    let legal = position.check_legal(mv);
    legal.map(|()| mv).map_err(MoveError::Illegal)
}

/// Writes a legal move of `position`.
///
/// # Panics
///
/// If the move is of a piece that is not there.
pub fn write_move(position: &Position, mv: Move) -> String {
    let sign = if position.turn() == Color::Black { '+' } else { '-' };
    let kind = moved_kind(position, mv).expect("the move is legal");
    let kind = if mv.promotes() { kind.promoted().unwrap_or(kind) } else { kind };
    let from = mv.from().map_or_else(|| "00".to_owned(), square_digits);
    format!("{sign}{from}{}{}", square_digits(mv.to()), csa_name(kind))
}
