//! A board as anyone may set it up, and the check that makes it a position.

use cozy_chess::{BitBoard, BoardBuilder, CastleRights, File, Rank, Square};
use keisei_game::BySide;

use crate::attacks::attackers;
use crate::{BOARD_SIZE, Color, Piece, PieceKind};

/// How many squares a board has.
pub(crate) const SQUARES: usize = BOARD_SIZE * BOARD_SIZE;

/// Which ways one player may still castle, as far as king and rooks have not moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CastlingRights {
    /// To the king's side, with the rook of the h-file.
    pub short: bool,
    /// To the queen's side, with the rook of the a-file.
    pub long: bool,
}

/// What a FEN says: pieces on squares, whose turn it is, and so on. Anything may be set; only
/// `Position::try_from` checks that it can be played.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The piece on each square: a1, b1, … h8.
    pub board: [Option<Piece>; SQUARES],
    /// The player to move.
    pub turn: Color,
    /// The castling rights of each player.
    pub castling: BySide<CastlingRights>,
    /// The square that a pawn has just jumped over.
    pub en_passant: Option<Square>,
    /// Moves of either player since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, from 1, going up after Black's moves.
    pub move_number: u16,
}

/// Why a setup is no position of chess.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A player without a king.
    #[error("{0} has no king")]
    MissingKing(Color),
    /// A player with several kings.
    #[error("{color} has {count} kings")]
    ManyKings {
        /// Whose kings they are.
        color: Color,
        /// How many there are.
        count: u32,
    },
    /// Two kings side by side.
    #[error("the kings on {white} and {black} stand side by side")]
    KingsTouch {
        /// White's king.
        white: Square,
        /// Black's king.
        black: Square,
    },
    /// A pawn where it would have been promoted, or behind where it starts.
    #[error("a pawn cannot stand on {0}, on the first or last rank")]
    PawnOnEdge(Square),
    /// More pieces than a player has.
    #[error("{color} has {count} pieces; a player has 16")]
    ManyPieces {
        /// Whose pieces they are.
        color: Color,
        /// How many there are.
        count: u32,
    },
    /// More pawns, and pieces that must have been pawns, than a player has pawns.
    #[error("{color}'s pawns ({pawns}) and promoted pieces ({promoted}) are more than 8")]
    ManyPawns {
        /// Whose pawns they are.
        color: Color,
        /// The pawns on the board.
        pawns: u32,
        /// The pieces beyond those of the start.
        promoted: u32,
    },
    /// The player who is not to move is in check.
    #[error("it is {turn}'s turn, yet the piece on {attacker} already attacks the king on {king}")]
    OpponentInCheck {
        /// The player to move.
        turn: Color,
        /// The king that could be taken.
        king: Square,
        /// Where a piece attacks it from.
        attacker: Square,
    },
    /// More pieces give check than one move can make attack a king.
    #[error(
        "{count} pieces give check to the king on {king}; one move gives check with two at most"
    )]
    ManyCheckers {
        /// The king in check.
        king: Square,
        /// How many pieces attack it.
        count: u32,
    },
    /// A castling right without king or rook at home.
    #[error("{color} cannot have a castling right: no {missing} on {square}")]
    CastlingRight {
        /// Whose right it is.
        color: Color,
        /// The piece that is not at home.
        missing: PieceKind,
        /// Its home.
        square: Square,
    },
    /// An en-passant square on a rank that no pawn of the opponent jumps over.
    #[error("{square} cannot be an en-passant square with {turn} to move: wrong rank")]
    EnPassantRank {
        /// The square.
        square: Square,
        /// The player to move.
        turn: Color,
    },
    /// An en-passant square without the pawn that jumped over it.
    #[error("{square} cannot be an en-passant square: {color} has no pawn on {pawn}")]
    EnPassantPawn {
        /// The square.
        square: Square,
        /// Who should have the pawn.
        color: Color,
        /// Where it should be.
        pawn: Square,
    },
    /// A pawn cannot have jumped: something stands where it came from or passed.
    #[error("{square} cannot be an en-passant square: {blocker} is occupied")]
    EnPassantBlocked {
        /// The square.
        square: Square,
        /// The occupied square.
        blocker: Square,
    },
    /// A king in check by a piece that must have attacked it before the pawn jumped.
    #[error("{square} cannot be an en-passant square: {attacker} gave check before the pawn moved")]
    EnPassantCheck {
        /// The square.
        square: Square,
        /// Where the check comes from.
        attacker: Square,
    },
    /// Moves are numbered from 1.
    #[error("the move number is 0; moves are numbered from 1")]
    MoveNumberZero,
}

impl Setup {
    /// A board without pieces, White to move.
    pub const EMPTY: Self = Self {
        board: [None; SQUARES],
        turn: Color::White,
        castling: BySide([CastlingRights { short: false, long: false }; 2]),
        en_passant: None,
        halfmove_clock: 0,
        move_number: 1,
    };

    /// The setup with `piece` on `square`.
    #[must_use]
    pub const fn with(mut self, square: Square, piece: Piece) -> Self {
        self.board[square as usize] = Some(piece);
        self
    }

    /// The same setup with the colours exchanged and the board turned upside down.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let swap = |piece: Piece| Piece::new(!piece.color, piece.kind);
        let [white, black] = self.castling.0;
        Self {
            board: Square::ALL.map(|to| self.board[to.flip_rank() as usize].map(swap)),
            turn: !self.turn,
            castling: BySide([black, white]),
            en_passant: self.en_passant.map(Square::flip_rank),
            ..self.clone()
        }
    }

    /// The squares of one player's pieces of one kind.
    fn squares_of(&self, color: Color, kind: PieceKind) -> BitBoard {
        let piece = Some(Piece::new(color, kind));
        Square::ALL.into_iter().filter(|&square| self.board[square as usize] == piece).collect()
    }

    fn occupied(&self) -> BitBoard {
        Square::ALL.into_iter().filter(|&square| self.board[square as usize].is_some()).collect()
    }

    fn attackers(&self, square: Square, by: Color, occupied: BitBoard) -> BitBoard {
        attackers(square, by, occupied, |kind| self.squares_of(by, kind))
    }

    /// Whether this is a position of chess.
    pub fn check(&self) -> Result<(), SetupError> {
        let kings = BySide([self.check_king(Color::White)?, self.check_king(Color::Black)?]);
        Color::ALL.into_iter().try_for_each(|color| self.check_material(color))?;
        let (own, other) = (kings[self.turn], kings[!self.turn]);
        if cozy_chess::get_king_moves(own).has(other) {
            let [white, black] = kings.0;
            return Err(SetupError::KingsTouch { white, black });
        }
        if let Some(attacker) = self.attackers(other, self.turn, self.occupied()).next_square() {
            return Err(SetupError::OpponentInCheck { turn: self.turn, king: other, attacker });
        }
        let count = self.attackers(own, !self.turn, self.occupied()).len();
        if count > 2 {
            return Err(SetupError::ManyCheckers { king: own, count });
        }
        Color::ALL.into_iter().try_for_each(|color| self.check_castling(color))?;
        if let Some(square) = self.en_passant {
            self.check_en_passant(square, own)?;
        }
        if self.move_number == 0 { Err(SetupError::MoveNumberZero) } else { Ok(()) }
    }

    fn check_king(&self, color: Color) -> Result<Square, SetupError> {
        let kings = self.squares_of(color, PieceKind::King);
        match (kings.len(), kings.next_square()) {
            (1, Some(king)) => Ok(king),
            (0, _) => Err(SetupError::MissingKing(color)),
            (count, _) => Err(SetupError::ManyKings { color, count }),
        }
    }

    fn check_material(&self, color: Color) -> Result<(), SetupError> {
        let squares = |kind| self.squares_of(color, kind);
        let edge = Rank::First.bitboard() | Rank::Eighth.bitboard();
        if let Some(square) = (squares(PieceKind::Pawn) & edge).next_square() {
            return Err(SetupError::PawnOnEdge(square));
        }
        let count = PieceKind::ALL.map(|kind| squares(kind).len());
        let pieces = count.iter().sum();
        if pieces > 16 {
            return Err(SetupError::ManyPieces { color, count: pieces });
        }
        let [pawns, knights, bishops, rooks, queens, _] = count;
        let promoted = knights.saturating_sub(2)
            + bishops.saturating_sub(2)
            + rooks.saturating_sub(2)
            + queens.saturating_sub(1);
        if pawns + promoted > 8 {
            return Err(SetupError::ManyPawns { color, pawns, promoted });
        }
        Ok(())
    }

    fn check_castling(&self, color: Color) -> Result<(), SetupError> {
        let CastlingRights { short, long } = self.castling[color];
        let homes = [
            (short || long, File::E, PieceKind::King),
            (short, File::H, PieceKind::Rook),
            (long, File::A, PieceKind::Rook),
        ];
        for (needed, file, missing) in homes {
            let square = color.home(file);
            if needed && self.board[square as usize] != Some(Piece::new(color, missing)) {
                return Err(SetupError::CastlingRight { color, missing, square });
            }
        }
        Ok(())
    }

    fn check_en_passant(&self, square: Square, king: Square) -> Result<(), SetupError> {
        let color = !self.turn;
        let rank = |rank: Rank| Square::new(square.file(), rank.relative_to(color.into()));
        let (origin, pawn) = (rank(Rank::Second), rank(Rank::Fourth));
        if square != rank(Rank::Third) {
            return Err(SetupError::EnPassantRank { square, turn: self.turn });
        }
        if !self.squares_of(color, PieceKind::Pawn).has(pawn) {
            return Err(SetupError::EnPassantPawn { square, color, pawn });
        }
        let occupied = self.occupied();
        if let Some(blocker) = [origin, square].into_iter().find(|&square| occupied.has(square)) {
            return Err(SetupError::EnPassantBlocked { square, blocker });
        }
        let before = occupied ^ origin.bitboard() ^ pawn.bitboard();
        let checkers = self.attackers(king, color, before) - pawn.bitboard();
        match checkers.next_square() {
            Some(attacker) => Err(SetupError::EnPassantCheck { square, attacker }),
            None => Ok(()),
        }
    }

    /// The board as cozy-chess builds it, with a clock that stops at 100.
    pub(crate) fn builder(&self) -> BoardBuilder {
        let rights = |CastlingRights { short, long }: CastlingRights| CastleRights {
            short: short.then_some(File::H),
            long: long.then_some(File::A),
        };
        BoardBuilder {
            board: self
                .board
                .map(|piece| piece.map(|piece| (piece.kind.into(), piece.color.into()))),
            side_to_move: self.turn.into(),
            castle_rights: self.castling.0.map(rights),
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock.min(100) as u8,
            fullmove_number: self.move_number,
        }
    }
}
