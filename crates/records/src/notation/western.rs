//! Western notation: P-7f, Bx2b+, G6i-5h, P*5e.

use keisei_shogi::{Move, Piece, Position};

use super::{NotationError, Rivals, moved_kind, rivals};

/// The move in Western notation: the piece, its square where another of its kind could go the same
/// way, `-`, `x` for a capture or `*` for a drop, the destination, and `+` or `=` where promotion
/// is taken or declined.
pub fn western(position: &Position, mv: Move) -> Result<String, NotationError> {
    let kind = moved_kind(position, mv)?;
    let name = Piece::new(keisei_shogi::Color::Black, kind).symbol();
    let to = mv.to();
    let Some(from) = mv.from() else { return Ok(format!("{name}*{to}")) };
    let origin = if rivals(position, mv, kind, Rivals::Legal).is_empty() {
        String::new()
    } else {
        from.to_string()
    };
    let link = if position.piece_at(to).is_some() { 'x' } else { '-' };
    let zone = |row: u8| position.turn().relative_row(row) < 3;
    let could = kind.promoted().is_some() && (zone(from.row()) || zone(to.row()));
    let promotion = match (mv.promotes(), could) {
        (true, _) => "+",
        (false, true) => "=",
        (false, false) => "",
    };
    Ok(format!("{name}{origin}{link}{to}{promotion}"))
}
