//! Pseudo-legal moves: how the pieces of one colour move, whoever is to move and whatever happens to
//! the king.

use cozy_chess::{
    BitBoard, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_pawn_quiets, get_rook_moves,
};

use crate::{Color, Move, PieceKind, Position};

impl Position {
    /// The moves of `color`'s pieces that would be legal if kings could be taken: own pieces and
    /// the edge of the board stop them, an attacked king does not. Castling is not among them, and
    /// en passant is only for the player to move. Pieces are looked at one by one as the moves are
    /// asked for.
    ///
    /// ```
    /// use keisei_chess::{Color, Position};
    ///
    /// let position = Position::start();
    /// assert_eq!(position.pseudo_legal_moves(Color::White).count(), 20);
    /// assert_eq!(position.pseudo_legal_moves(Color::Black).count(), 20);
    /// ```
    pub fn pseudo_legal_moves(&self, color: Color) -> impl Iterator<Item = Move> {
        let own = self.pieces(color);
        PieceKind::ALL.into_iter().flat_map(move |kind| {
            self.pieces_of(color, kind).into_iter().flat_map(move |from| {
                let reached = self.reached(color, kind, from) & !own;
                reached.into_iter().flat_map(move |to| arrivals(color, kind, from, to))
            })
        })
    }

    /// Whether some piece of the other side could take the king of `color` at its next move.
    pub fn king_is_vulnerable(&self, color: Color) -> bool {
        let king = self.king(color);
        self.pseudo_legal_moves(!color).any(|mv| mv.to() == king)
    }

    fn reached(&self, color: Color, kind: PieceKind, from: Square) -> BitBoard {
        let occupied = self.occupied();
        match kind {
            PieceKind::Pawn => {
                let en_passant = self.en_passant().filter(|_| color == self.turn());
                let taken =
                    self.pieces(!color) | en_passant.map_or(BitBoard::EMPTY, Square::bitboard);
                get_pawn_quiets(from, color.into(), occupied)
                    | get_pawn_attacks(from, color.into()) & taken
            }
            PieceKind::Knight => get_knight_moves(from),
            PieceKind::Bishop => get_bishop_moves(from, occupied),
            PieceKind::Rook => get_rook_moves(from, occupied),
            PieceKind::Queen => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
            PieceKind::King => get_king_moves(from),
        }
    }
}

/// The moves to `to`: four for a pawn that arrives on its last rank, otherwise one.
fn arrivals(color: Color, kind: PieceKind, from: Square, to: Square) -> impl Iterator<Item = Move> {
    let promotes = kind == PieceKind::Pawn && to.rank() == Rank::Eighth.relative_to(color.into());
    let plain = Move::new(from, to);
    let promotions = if promotes { &PieceKind::PROMOTIONS[..] } else { &[] };
    let promoting = promotions.iter().filter_map(move |&kind| plain.promoting(kind));
    (!promotes).then_some(plain).into_iter().chain(promoting)
}
