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

/// What a declaration by the side to move is worth in `position`; `extra` points are added to its
/// own.
pub(crate) fn evaluate(
    position: &Position,
    rule: DeclarationRule,
    extra: u32,
) -> Result<Outcome, DeclarationError> {
    let color = position.turn();
    let (win, draw) = match (rule, color) {
        (DeclarationRule::Off, _) => return Err(DeclarationError::Off),
        (DeclarationRule::Points27, Color::Black) => (28, 28),
        (DeclarationRule::Points27, Color::White) => (27, 27),
        (DeclarationRule::Points24, _) => (31, 24),
    };
    if !position.king(color).is_some_and(|king| zone(color).has(king)) {
        return Err(DeclarationError::KingOutside);
    }
    if position.in_check() {
        return Err(DeclarationError::InCheck);
    }
    let entered = (position.pieces(color) & zone(color)).len() - 1;
    if entered < 10 {
        return Err(DeclarationError::TooFewPieces(entered));
    }
    match points(position, color) + extra {
        points if points >= win => Ok(Outcome::win(color.into(), Reason::Declaration)),
        points if points >= draw => Ok(Outcome::draw(Reason::Declaration)),
        points => Err(DeclarationError::TooFewPoints { points, needed: draw }),
    }
}
