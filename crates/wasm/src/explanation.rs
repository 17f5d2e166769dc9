//! Why something was refused, as data: a client says it in the language of its reader.

use std::error::Error;

use keisei_records::notation::MoveTextError;
use keisei_records::{Problem, ReadError, TextError};
use serde::Serialize;
use tsify::Tsify;

use crate::board::Side;

/// A refusal: what is wrong, and with which pieces and squares.
#[derive(Clone, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi)]
pub struct Explanation {
    pub code: RefusalCode,
    /// Where the problem is.
    pub square: Option<String>,
    /// Where a move goes to.
    pub to: Option<String>,
    /// The square of the piece that forbids it.
    pub by: Option<String>,
    /// The kind of the piece, as boards name it.
    pub kind: Option<String>,
    pub side: Option<Side>,
    pub count: Option<u32>,
}

/// What can be wrong with moves, positions and records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum RefusalCode {
    NotAMove,
    NoSuchMove,
    Ambiguous,
    GameOver,
    NoPiece,
    OpponentsPiece,
    OwnPiece,
    Unreachable,
    Blocked,
    NothingToCapture,
    NoPromotion,
    MustPromote,
    NotInHand,
    Occupied,
    DeadDrop,
    TwoPawns,
    DropPawnMate,
    StillInCheck,
    ExposesKing,
    KingIntoCheck,
    CastlingRightLost,
    CastlingBlocked,
    CastlingInCheck,
    CastlingAttacked,
    NotAPosition,
    NoKing,
    ManyKings,
    KingsTouch,
    DeadPiece,
    ManyPieces,
    ManyPawns,
    OpponentInCheck,
    ManyCheckers,
    CastlingRight,
    EnPassant,
    UnknownFormat,
    UnknownEncoding,
    RecordMove,
    RecordPosition,
    RecordText,
}

use RefusalCode as Code;

impl From<Code> for Explanation {
    fn from(code: Code) -> Self {
        Self { code, square: None, to: None, by: None, kind: None, side: None, count: None }
    }
}

impl Code {
    fn alone(self) -> Explanation {
        self.into()
    }

    fn at(self, square: impl ToString) -> Explanation {
        self.alone().square(square)
    }

    fn of(self, kind: impl ToString) -> Explanation {
        self.alone().kind(kind)
    }
}

impl Explanation {
    fn square(self, square: impl ToString) -> Self {
        Self { square: Some(square.to_string()), ..self }
    }

    fn to(self, to: impl ToString) -> Self {
        Self { to: Some(to.to_string()), ..self }
    }

    fn by(self, by: impl ToString) -> Self {
        Self { by: Some(by.to_string()), ..self }
    }

    fn kind(self, kind: impl ToString) -> Self {
        Self { kind: Some(kind.to_string()), ..self }
    }

    fn side(self, side: keisei_game::Side) -> Self {
        Self { side: Some(side.into()), ..self }
    }

    fn count(self, count: impl TryInto<u32>) -> Self {
        Self { count: count.try_into().ok(), ..self }
    }

    /// What `error` says, if it is one that people cause.
    pub(crate) fn of(error: &(dyn Error + 'static)) -> Option<Self> {
        if let Some(error) = error.downcast_ref() {
            return text(error);
        }
        if let Some(error) = error.downcast_ref() {
            return Some(move_text(error));
        }
        shogi::any(error).or_else(|| chess::any(error)).or_else(|| animal::any(error))
    }

    /// What is wrong in a file; the error itself says where.
    pub(crate) fn of_record(ReadError { problem, .. }: &ReadError) -> Self {
        match problem {
            Problem::Encoding => Code::UnknownEncoding.alone(),
            Problem::Format => Code::UnknownFormat.alone(),
            Problem::Illegal { ply, .. } | Problem::Move { ply, .. } => {
                Code::RecordMove.alone().count(*ply)
            }
            Problem::Position(_) => Code::RecordPosition.alone(),
            _ => Code::RecordText.alone(),
        }
    }
}

fn text(error: &TextError) -> Option<Explanation> {
    match error {
        TextError::San(error) => Some(chess::san(error)),
        TextError::Illegal(rule) => Some(chess::rule(rule)),
        TextError::NoMove { error: Some(error), .. } => Some(move_text(error)),
        TextError::NoMove { error: None, .. } => Some(Code::NotAMove.alone()),
        _ => None,
    }
}

fn move_text(error: &MoveTextError) -> Explanation {
    match error {
        MoveTextError::NotAMove | MoveTextError::NothingBefore => Code::NotAMove.alone(),
        MoveTextError::EmptySquare(square) => Code::NoPiece.at(square),
        MoveTextError::OtherPiece { .. } | MoveTextError::Undroppable(_) => {
            Code::NoSuchMove.alone()
        }
        MoveTextError::Nobody { kind, to } => Code::NoSuchMove.of(shogi::symbol(*kind)).to(to),
        MoveTextError::Ambiguous { kind, to, .. } => {
            Code::Ambiguous.of(shogi::symbol(*kind)).to(to)
        }
        MoveTextError::Illegal(rule) => shogi::rule(rule),
    }
}

mod shogi {
    use keisei_shogi::{
        Color, IllegalMove, MoveError, MoveParseError, Piece, PieceKind, PositionError, SetupError,
    };

    use super::{Code, Error, Explanation};

    pub(super) fn any(error: &(dyn Error + 'static)) -> Option<Explanation> {
        if let Some(error) = error.downcast_ref() {
            return Some(match error {
                MoveError::GameOver(_) => Code::GameOver.alone(),
                MoveError::Illegal { rule: broken, .. } => rule(broken),
                MoveError::Text(_) => Code::NotAMove.alone(),
            });
        }
        if let Some(error) = error.downcast_ref() {
            return Some(match error {
                PositionError::Sfen(_) => Code::NotAPosition.alone(),
                PositionError::Setup(error) => setup(error),
            });
        }
        if error.is::<MoveParseError>() {
            return Some(Code::NotAMove.alone());
        }
        error.downcast_ref().map(rule)
    }

    pub(super) fn symbol(kind: PieceKind) -> String {
        Piece::new(Color::Black, kind).symbol()
    }

    pub(super) fn rule(rule: &IllegalMove) -> Explanation {
        use IllegalMove::*;
        match *rule {
            NoPiece(square) => Code::NoPiece.at(square),
            NotYours { from, kind, .. } => Code::OpponentsPiece.at(from).kind(symbol(kind)),
            OwnPiece { to, kind } => Code::OwnPiece.at(to).kind(symbol(kind)),
            Unreachable { kind, from, to } => Code::Unreachable.at(from).kind(symbol(kind)).to(to),
            Blocked { kind, from, to, blocker } => {
                Code::Blocked.at(from).kind(symbol(kind)).to(to).by(blocker)
            }
            Unpromotable(kind) => Code::NoPromotion.of(symbol(kind)),
            OutsideZone { from, to } => Code::NoPromotion.at(from).to(to),
            MustPromote { kind, to } => Code::MustPromote.at(to).kind(symbol(kind)),
            NotInHand(kind) => Code::NotInHand.of(symbol(kind.kind())),
            DropOnPiece(square) => Code::Occupied.at(square),
            DeadDrop { kind, to } => Code::DeadDrop.at(to).kind(symbol(kind)),
            TwoPawns { to, pawn } => Code::TwoPawns.at(to).by(pawn),
            DropPawnMate(square) => Code::DropPawnMate.at(square),
            StillInCheck(checker) => Code::StillInCheck.alone().by(checker),
            ExposesKing(attacker) => Code::ExposesKing.alone().by(attacker),
            KingIntoCheck { to, attacker } => Code::KingIntoCheck.at(to).by(attacker),
        }
    }

    fn setup(error: &SetupError) -> Explanation {
        use SetupError::*;
        match *error {
            NoKing => Code::NoKing.alone(),
            TwoKings { color, first, second } => {
                Code::ManyKings.at(first).by(second).side(color.into())
            }
            TwoPawns { color, first, second, .. } => {
                Code::TwoPawns.at(first).by(second).side(color.into())
            }
            DeadPiece { color, kind, square } => {
                Code::DeadPiece.at(square).kind(symbol(kind)).side(color.into())
            }
            TooMany { kind, count, .. } => Code::ManyPieces.of(symbol(kind)).count(count),
            OpponentInCheck { color, king, checker } => {
                Code::OpponentInCheck.at(king).by(checker).side(color.into())
            }
            TooManyCheckers { count, .. } => Code::ManyCheckers.alone().count(count),
        }
    }
}

mod chess {
    use keisei_chess::{
        CastlingBan, IllegalMove, MoveError, MoveParseError, PositionError, SanError, SetupError,
    };

    use super::{Code, Error, Explanation};

    pub(super) fn any(error: &(dyn Error + 'static)) -> Option<Explanation> {
        if let Some(error) = error.downcast_ref() {
            return Some(match error {
                MoveError::GameOver(_) => Code::GameOver.alone(),
                MoveError::Illegal { rule: broken, .. } => rule(broken),
                MoveError::Text(_) => Code::NotAMove.alone(),
            });
        }
        if let Some(error) = error.downcast_ref() {
            return Some(match error {
                PositionError::Fen(_) => Code::NotAPosition.alone(),
                PositionError::Setup(error) => setup(error),
            });
        }
        if error.is::<MoveParseError>() {
            return Some(Code::NotAMove.alone());
        }
        error.downcast_ref().map(rule)
    }

    pub(super) fn san(error: &SanError) -> Explanation {
        match error {
            SanError::Syntax(_) => Code::NotAMove.alone(),
            SanError::NoSuchPiece { kind, .. } => Code::NoSuchMove.of(kind.letter()),
            SanError::Illegal { rule: broken, .. } => rule(broken),
            SanError::Ambiguous { kind, .. } => Code::Ambiguous.of(kind.letter()),
            SanError::NothingToCapture { square, .. } => Code::NothingToCapture.at(square),
        }
    }

    pub(super) fn rule(rule: &IllegalMove) -> Explanation {
        use IllegalMove::*;
        match *rule {
            NoPiece(square) => Code::NoPiece.at(square),
            OpponentsPiece { square, piece } => {
                Code::OpponentsPiece.at(square).kind(piece.kind.letter())
            }
            OwnPiece { square, piece } => Code::OwnPiece.at(square).kind(piece.kind.letter()),
            NotItsMove { kind, from, to } => Code::Unreachable.at(from).kind(kind.letter()).to(to),
            Blocked { kind, from, to, by } => {
                Code::Blocked.at(from).kind(kind.letter()).to(to).by(by)
            }
            NothingToCapture(square) => Code::NothingToCapture.at(square),
            PromotionMissing(square) => Code::MustPromote.at(square).kind('P'),
            NoPromotion { kind, to } => Code::NoPromotion.of(kind.letter()).to(to),
            Castling(ban) => match ban {
                CastlingBan::RightLost { rook } => Code::CastlingRightLost.at(rook),
                CastlingBan::Blocked(square) => Code::CastlingBlocked.alone().by(square),
                CastlingBan::InCheck(attacker) => Code::CastlingInCheck.alone().by(attacker),
                CastlingBan::Attacked { square, attacker } => {
                    Code::CastlingAttacked.at(square).by(attacker)
                }
            },
            LeavesKingInCheck { king, attacker } => Code::ExposesKing.at(king).by(attacker),
        }
    }

    fn setup(error: &SetupError) -> Explanation {
        use SetupError::*;
        match *error {
            MissingKing(color) => Code::NoKing.alone().side(color.into()),
            ManyKings { color, count } => Code::ManyKings.alone().side(color.into()).count(count),
            KingsTouch { white, black } => Code::KingsTouch.at(white).by(black),
            PawnOnEdge(square) => Code::DeadPiece.at(square).kind('P'),
            ManyPieces { color, count } => Code::ManyPieces.alone().side(color.into()).count(count),
            ManyPawns { color, .. } => Code::ManyPawns.alone().side(color.into()),
            OpponentInCheck { turn, king, attacker } => {
                Code::OpponentInCheck.at(king).by(attacker).side(turn.into())
            }
            ManyCheckers { king, count } => Code::ManyCheckers.at(king).count(count),
            CastlingRight { color, missing, square } => {
                Code::CastlingRight.at(square).kind(missing.letter()).side(color.into())
            }
            EnPassantRank { square, .. }
            | EnPassantPawn { square, .. }
            | EnPassantBlocked { square, .. }
            | EnPassantCheck { square, .. } => Code::EnPassant.at(square),
            MoveNumberZero => Code::NotAPosition.alone(),
        }
    }
}

mod animal {
    use keisei_animal::{IllegalMove, MoveError, MoveParseError, PositionError};

    use super::{Code, Error, Explanation};

    pub(super) fn any(error: &(dyn Error + 'static)) -> Option<Explanation> {
        if let Some(error) = error.downcast_ref() {
            return Some(match error {
                MoveError::GameOver(_) => Code::GameOver.alone(),
                MoveError::Illegal { rule: broken, .. } => rule(broken),
                MoveError::Text(_) => Code::NotAMove.alone(),
            });
        }
        if let Some(error) = error.downcast_ref() {
            return Some(match error {
                PositionError::ManyPieces { letter, count } => {
                    Code::ManyPieces.of(letter.to_ascii_uppercase()).count(*count)
                }
                PositionError::ManyLions(side) => Code::ManyKings.alone().side(*side),
                PositionError::MissingLion(side) => Code::NoKing.alone().side(*side),
                _ => Code::NotAPosition.alone(),
            });
        }
        if error.is::<MoveParseError>() {
            return Some(Code::NotAMove.alone());
        }
        error.downcast_ref().map(rule)
    }

    fn rule(rule: &IllegalMove) -> Explanation {
        use IllegalMove::*;
        match *rule {
            GameOver => Code::GameOver.alone(),
            NoPiece { square, .. } => Code::NoPiece.at(square),
            Reach { kind, from, to } => Code::Unreachable.at(from).kind(kind.letters()).to(to),
            Occupied(square) => Code::Occupied.at(square),
            NotInHand(kind) => Code::NotInHand.of(kind.kind().letters()),
            Promotion => Code::NoPromotion.alone(),
        }
    }
}
