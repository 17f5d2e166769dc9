//! Winning by an entered king: points and their conditions.

use keisei_game::{DeclarationRule, Outcome, Reason};

use crate::{Bitboard, Color, HandKind, PieceKind, Position};

/// Why a declaration does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclarationError {
    /// The rule is not played.
    #[error("declarations are not allowed by the rules of this game")]
    Off,
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The king has not entered.
    #[error("the king is not in the three far rows")]
    KingOutside,
    /// The king is in check.
    #[error("the king is in check")]
    InCheck,
    /// Fewer than ten pieces have entered with the king.
    #[error("{0} pieces stand in the three far rows besides the king: 10 are needed")]
    TooFewPieces(usize),
    /// Not enough points.
    #[error("{points} points: {needed} are needed")]
    TooFewPoints {
        /// The points counted.
        points: u32,
        /// The points that would do.
        needed: u32,
    },
}

/// The points of a piece: 5 for a rook or a bishop, 1 for every other piece, kings none.
const fn value(kind: PieceKind) -> u32 {
    match kind.unpromoted() {
        PieceKind::Rook | PieceKind::Bishop => 5,
        PieceKind::King => 0,
        _ => 1,
    }
}

/// The points of `color`: its pieces in the three far rows and in hand.
pub(crate) fn points(position: &Position, color: Color) -> u32 {
    let entered = (position.pieces(color) & zone(color))
        .into_iter()
        .filter_map(|square| position.piece_at(square))
        .map(|piece| value(piece.kind));
    let hand = position.hand(color);
    let held = HandKind::ALL.map(|kind| u32::from(hand.count(kind)) * value(kind.kind()));
    entered.sum::<u32>() + held.iter().sum::<u32>()
}

/// The points of the pieces that a start position lacks. The giver of a handicap counts them as
/// its own.
pub(crate) fn missing_points(start: &Position) -> u32 {
    const ALL: u32 = 2 * 5 + 2 * 5 + 4 * 4 + 18;
    let on_board = start.occupied().into_iter().filter_map(|square| start.piece_at(square));
    let held = Color::ALL.map(|color| {
        let hand = start.hand(color);
        HandKind::ALL
            .map(|kind| u32::from(hand.count(kind)) * value(kind.kind()))
            .iter()
            .sum::<u32>()
    });
    ALL - on_board.map(|piece| value(piece.kind)).sum::<u32>() - held.iter().sum::<u32>()
}

/// The three rows in which `color` promotes.
fn zone(color: Color) -> Bitboard {
    let rows = match color {
        Color::Black => [0, 1, 2],
        Color::White => [6, 7, 8],
    };
    rows.map(Bitboard::row).into_iter().fold(Bitboard::EMPTY, |zone, row| zone | row)
}

/// What counts in a declaration by the side to move, as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The side that would declare.
    pub color: Color,
    /// Whether its king stands in the three far rows.
    pub king_entered: bool,
    /// Whether its king is in check.
    pub in_check: bool,
    /// How many of its pieces stand in the three far rows besides the king.
    pub entered: usize,
    /// Its points.
    pub points: u32,
    /// The points that win.
    pub points_to_win: u32,
    /// The points that draw: those that win, where nothing less is worth anything.
    pub points_to_draw: u32,
}

impl Declaration {
    /// How many pieces have to stand in the three far rows besides the king.
    pub const ENTERED_NEEDED: usize = 10;

    /// The account of the side to move in `position`, with `extra` points added to its own; `None`
    /// where declarations are not played.
    pub(crate) fn new(position: &Position, rule: DeclarationRule, extra: u32) -> Option<Self> {
        let color = position.turn();
        let (points_to_win, points_to_draw) = match (rule, color) {
            (DeclarationRule::Off, _) => return None,
            (DeclarationRule::Points27, Color::Black) => (28, 28),
            (DeclarationRule::Points27, Color::White) => (27, 27),
            (DeclarationRule::Points24, _) => (31, 24),
        };
        let king_entered = position.king(color).is_some_and(|king| zone(color).has(king));
        Some(Self {
            color,
            king_entered,
            in_check: position.in_check(),
            entered: (position.pieces(color) & zone(color)).len() - usize::from(king_entered),
            points: points(position, color) + extra,
            points_to_win,
            points_to_draw,
        })
    }

    /// What it is worth, or the first condition that is missing.
    pub fn outcome(&self) -> Result<Outcome, DeclarationError> {
        if !self.king_entered {
            return Err(DeclarationError::KingOutside);
        }
        if self.in_check {
            return Err(DeclarationError::InCheck);
        }
        if self.entered < Self::ENTERED_NEEDED {
            return Err(DeclarationError::TooFewPieces(self.entered));
        }
        match self.points {
            points if points >= self.points_to_win => {
                Ok(Outcome::win(self.color.into(), Reason::Declaration))
            }
            points if points >= self.points_to_draw => Ok(Outcome::draw(Reason::Declaration)),
            points => Err(DeclarationError::TooFewPoints { points, needed: self.points_to_draw }),
        }
    }
}
