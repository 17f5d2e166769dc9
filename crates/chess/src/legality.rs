//! Why a move is illegal.

use cozy_chess::{
    BitBoard, File, Rank, Square, get_between_rays, get_bishop_rays, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_rays,
};

use crate::{Color, Move, Piece, PieceKind, Position};

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The move starts from an empty square.
    #[error("there is no piece on {0}")]
    NoPiece(Square),
    /// The move is made with a piece of the other player.
    #[error("the {} on {square} is {}'s, and it is {}'s turn", .piece.kind, .piece.color, !.piece.color)]
    OpponentsPiece {
        /// Where the piece stands.
        square: Square,
        /// The piece.
        piece: Piece,
    },
    /// The move ends on a piece of the player who makes it.
    #[error("{}'s own {} stands on {square}", .piece.color, .piece.kind)]
    OwnPiece {
        /// Where the piece stands.
        square: Square,
        /// The piece.
        piece: Piece,
    },
    /// The piece does not move that way.
    #[error("a {kind} does not move from {from} to {to}")]
    NotItsMove {
        /// What piece it is.
        kind: PieceKind,
        /// Where it stands.
        from: Square,
        /// Where it should go.
        to: Square,
    },
    /// Another piece is in the way.
    #[error("the {kind} on {from} cannot go to {to}: the piece on {by} is in the way")]
    Blocked {
        /// What piece it is.
        kind: PieceKind,
        /// Where it stands.
        from: Square,
        /// Where it should go.
        to: Square,
        /// The nearest square that is in the way.
        by: Square,
    },
    /// A pawn moves diagonally without capturing.
    #[error("a pawn moves diagonally only to capture, and there is nothing to capture on {0}")]
    NothingToCapture(Square),
    /// A pawn reaches the last rank and does not say what it becomes.
    #[error("a pawn that reaches {0} must be promoted: add q, r, b or n")]
    PromotionMissing(Square),
    /// A promotion of something other than a pawn on the last rank.
    #[error("a {kind} that goes to {to} is not promoted")]
    NoPromotion {
        /// What piece it is.
        kind: PieceKind,
        /// Where it goes.
        to: Square,
    },
    /// The king may not castle.
    #[error("castling is not allowed: {0}")]
    Castling(CastlingBan),
    /// The king could be taken next.
    #[error("the king on {king} would be in check from {attacker}")]
    LeavesKingInCheck {
        /// Where the king stands after the move.
        king: Square,
        /// Where it is attacked from.
        attacker: Square,
    },
}

/// Why castling is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CastlingBan {
    /// King or rook has moved before, or the rook was taken.
    #[error("the king or the rook on {rook} has moved")]
    RightLost {
        /// Where the rook should be.
        rook: Square,
    },
    /// A piece stands between king and rook.
    #[error("the piece on {0} stands between king and rook")]
    Blocked(Square),
    /// The king is in check.
    #[error("the king is in check from {0}")]
    InCheck(Square),
    /// The king would pass or reach an attacked square.
    #[error("the king would come to {square}, which is attacked from {attacker}")]
    Attacked {
        /// The square.
        square: Square,
        /// Where it is attacked from.
        attacker: Square,
    },
}

/// The rule that `mv`, an illegal move of `position`, breaks.
pub(crate) fn diagnose(position: &Position, mv: Move) -> IllegalMove {
    let (from, to) = (mv.from(), mv.to());
    let Some(piece) = position.piece_at(from) else { return IllegalMove::NoPiece(from) };
    if piece.color != position.turn() {
        return IllegalMove::OpponentsPiece { square: from, piece };
    }
    let castles = is_castling_attempt(piece, mv);
    let obstacle = if castles { None } else { obstacle(position, piece, from, to) };
    if let Some(broken) = obstacle.or_else(|| wrong_promotion(piece, mv)) {
        return broken;
    }
    if castles {
        return IllegalMove::Castling(castling_ban(position, piece.color, to));
    }
    // The piece can go there, so that only the king's safety forbids it.
    let victim = match position.en_passant() {
        Some(square) if square == to && piece.kind == PieceKind::Pawn => {
            Square::new(to.file(), from.rank())
        }
        _ => to,
    };
    let occupied = (position.occupied() - from.bitboard() - victim.bitboard()) | to.bitboard();
    let king = if piece.kind == PieceKind::King { to } else { position.king(piece.color) };
    let attackers = position.attackers_past(king, !piece.color, occupied) - victim.bitboard();
    match attackers.next_square() {
        Some(attacker) => IllegalMove::LeavesKingInCheck { king, attacker },
        None => unreachable!("{mv} breaks no rule in {position}"),
    }
}

/// Whether `piece` is a king that moves from its home to where castling would bring it.
fn is_castling_attempt(piece: Piece, mv: Move) -> bool {
    piece.kind == PieceKind::King
        && mv.from() == piece.color.home(File::E)
        && [File::C, File::G].map(|file| piece.color.home(file)).contains(&mv.to())
}

/// Why `piece` cannot get from `from` to `to`, whatever happens to its king.
fn obstacle(position: &Position, piece: Piece, from: Square, to: Square) -> Option<IllegalMove> {
    if let Some(piece) = position.piece_at(to).filter(|other| other.color == piece.color) {
        return Some(IllegalMove::OwnPiece { square: to, piece });
    }
    let kind = piece.kind;
    let occupied = position.occupied();
    let blocked = |way: BitBoard| {
        let nearest = |square: &Square| (*square as i8).abs_diff(from as i8);
        let by = (way & occupied).into_iter().min_by_key(nearest)?;
        Some(IllegalMove::Blocked { kind, from, to, by })
    };
    let reach = match kind {
        PieceKind::Pawn => {
            if get_pawn_attacks(from, piece.color.into()).has(to) {
                let target = position.pieces(!piece.color).has(to);
                let captures = target || position.en_passant() == Some(to);
                return (!captures).then_some(IllegalMove::NothingToCapture(to));
            }
            let advance = cozy_chess::get_pawn_quiets(from, piece.color.into(), BitBoard::EMPTY);
            if advance.has(to) {
                return blocked(get_between_rays(from, to) | to.bitboard());
            }
            BitBoard::EMPTY
        }
        PieceKind::Knight => get_knight_moves(from),
        PieceKind::King => get_king_moves(from),
        PieceKind::Bishop => get_bishop_rays(from),
        PieceKind::Rook => get_rook_rays(from),
        PieceKind::Queen => get_bishop_rays(from) | get_rook_rays(from),
    };
    if reach.has(to) {
        blocked(get_between_rays(from, to))
    } else {
        Some(IllegalMove::NotItsMove { kind, from, to })
    }
}

fn wrong_promotion(piece: Piece, mv: Move) -> Option<IllegalMove> {
    let last_rank = Rank::Eighth.relative_to(piece.color.into());
    let due = piece.kind == PieceKind::Pawn && mv.to().rank() == last_rank;
    match (due, mv.promotion()) {
        (true, None) => Some(IllegalMove::PromotionMissing(mv.to())),
        (false, Some(_)) => Some(IllegalMove::NoPromotion { kind: piece.kind, to: mv.to() }),
        _ => None,
    }
}

fn castling_ban(position: &Position, color: Color, to: Square) -> CastlingBan {
    let king = position.king(color);
    let rights = position.castling(color);
    let short = to > king;
    let rook = color.home(if short { File::H } else { File::A });
    if !(if short { rights.short } else { rights.long }) {
        return CastlingBan::RightLost { rook };
    }
    if let Some(by) = (get_between_rays(king, rook) & position.occupied()).next_square() {
        return CastlingBan::Blocked(by);
    }
    if let Some(attacker) = position.checkers().next_square() {
        return CastlingBan::InCheck(attacker);
    }
    let attack = (get_between_rays(king, to) | to.bitboard()).into_iter().find_map(|square| {
        let attacker = position.attackers_to(square, !color).next_square()?;
        Some(CastlingBan::Attacked { square, attacker })
    });
    attack.expect("castling breaks no rule")
}
