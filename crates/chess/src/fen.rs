//! FEN: a position in one line of text.

use std::fmt::{self, Write};
use std::str::FromStr;

use cozy_chess::{File, Rank, Square};
use keisei_game::BySide;

use crate::setup::SQUARES;
use crate::{BOARD_SIZE, CastlingRights, Color, Piece, Position, Setup, SetupError};

/// Why a text is no FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text ends too early.
    #[error("the FEN ends before the {0}")]
    MissingField(&'static str),
    /// There are more than six fields.
    #[error("{0:?} follows the last field of the FEN, the move number")]
    ExtraField(String),
    /// The board is not made of eight ranks.
    #[error("the board {board:?} has {count} ranks instead of 8")]
    RankCount {
        /// The first field.
        board: String,
        /// How many ranks it has.
        count: usize,
    },
    /// A rank is not made of eight squares.
    #[error("rank {rank} of the board, {text:?}, has {count} squares instead of 8")]
    RankLength {
        /// The number of the rank.
        rank: Rank,
        /// What is written for it.
        text: String,
        /// How many squares that is.
        count: u32,
    },
    /// A character that stands for no piece and no number of empty squares.
    #[error(
        "{letter:?} in rank {rank} of the board is neither a piece (pnbrqk, PNBRQK) nor 1 to 8"
    )]
    UnknownPiece {
        /// The number of the rank.
        rank: Rank,
        /// The character.
        letter: char,
    },
    /// The second field is not a player.
    #[error("the side to move is {0:?}; write w or b")]
    Turn(String),
    /// The third field is not a set of castling rights.
    #[error("the castling rights are {0:?}; write - or some of KQkq, each once")]
    Castling(String),
    /// The fourth field is not a square.
    #[error("the en-passant square is {0:?}; write - or a square such as e3")]
    EnPassant(String),
    /// The fifth field is not a number.
    #[error("the halfmove clock is {0:?}; write a number from 0 to 65535")]
    HalfmoveClock(String),
    /// The sixth field is not a number.
    #[error("the move number is {0:?}; write a number from 1 to 65535")]
    MoveNumber(String),
}

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// It is no FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// It is a FEN of something that is no position of chess.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FromStr for Setup {
    type Err = FenError;

    /// Reads a FEN. The two numbers at its end may be left out together, as in EPD; they are then
    /// 0 and 1.
    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut fields = text.split_whitespace();
        let mut field = |name| fields.next().ok_or(FenError::MissingField(name));
        let mut setup = Self {
            board: read_board(field("board")?)?,
            turn: read_turn(field("side to move")?)?,
            castling: read_castling(field("castling rights")?)?,
            en_passant: read_en_passant(field("en-passant square")?)?,
            ..Self::EMPTY
        };
        if let Some(clock) = fields.next() {
            let bad = |_| FenError::HalfmoveClock(clock.to_owned());
            setup.halfmove_clock = clock.parse().map_err(bad)?;
            let number = fields.next().ok_or(FenError::MissingField("move number"))?;
            let bad = |_| FenError::MoveNumber(number.to_owned());
            setup.move_number = number.parse().map_err(bad)?;
        }
        match fields.next() {
            Some(extra) => Err(FenError::ExtraField(extra.to_owned())),
            None => Ok(setup),
        }
    }
}

fn read_board(text: &str) -> Result<[Option<Piece>; SQUARES], FenError> {
    let count = text.split('/').count();
    if count != Rank::NUM {
        return Err(FenError::RankCount { board: text.to_owned(), count });
    }
    let mut board = [None; SQUARES];
    for (row, &rank) in text.split('/').zip(Rank::ALL.iter().rev()) {
        let mut count = 0;
        for letter in row.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                count += empty;
                continue;
            }
            let unknown = FenError::UnknownPiece { rank, letter };
            let piece = Piece::from_letter(letter).ok_or(unknown)?;
            if let Some(file) = File::try_index(count as usize) {
                board[Square::new(file, rank) as usize] = Some(piece);
            }
            count += 1;
        }
        if count != File::NUM as u32 {
            return Err(FenError::RankLength { rank, text: row.to_owned(), count });
        }
    }
    Ok(board)
}

fn read_turn(text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::Turn(text.to_owned())),
    }
}

fn read_castling(text: &str) -> Result<BySide<CastlingRights>, FenError> {
    let mut rights = BySide::<CastlingRights>::default();
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let right = match letter {
            'K' => &mut rights[Color::White].short,
            'Q' => &mut rights[Color::White].long,
            'k' => &mut rights[Color::Black].short,
            'q' => &mut rights[Color::Black].long,
            _ => return Err(FenError::Castling(text.to_owned())),
        };
        if std::mem::replace(right, true) {
            return Err(FenError::Castling(text.to_owned()));
        }
    }
    Ok(rights)
}

fn read_en_passant(text: &str) -> Result<Option<Square>, FenError> {
    match text {
        "-" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| FenError::EnPassant(text.to_owned())),
    }
}

impl Setup {
    /// A setup from the board alone: the first field of a FEN, whatever follows it. White is to
    /// move, and nobody may castle.
    pub fn from_board_fen(text: &str) -> Result<Self, FenError> {
        let board = text.split_whitespace().next().ok_or(FenError::MissingField("board"))?;
        Ok(Self { board: read_board(board)?, ..Self::EMPTY })
    }

    /// The board alone, as the first field of a FEN has it.
    pub fn board_fen(&self) -> String {
        BoardFen(self).to_string()
    }
}

/// The first field of a FEN.
struct BoardFen<'a>(&'a Setup);

impl fmt::Display for BoardFen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.0.board.chunks(BOARD_SIZE).rev().enumerate() {
            if index > 0 {
                f.write_char('/')?;
            }
            for run in row.chunk_by(|one, two| one.is_none() && two.is_none()) {
                match run {
                    [Some(piece)] => write!(f, "{piece}")?,
                    empty => write!(f, "{}", empty.len())?,
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", BoardFen(self))?;
        f.write_str(if self.turn == Color::White { " w " } else { " b " })?;
        let [white, black] = self.castling.0;
        let rights = [(white.short, 'K'), (white.long, 'Q'), (black.short, 'k'), (black.long, 'q')];
        if rights.iter().all(|&(has, _)| !has) {
            f.write_char('-')?;
        }
        for (_, letter) in rights.into_iter().filter(|&(has, _)| has) {
            f.write_char(letter)?;
        }
        match self.en_passant {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmove_clock, self.move_number)
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        Ok(text.parse::<Setup>()?.try_into()?)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.setup().fmt(f)
    }
}
