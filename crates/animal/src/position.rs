//! A position: a board and the number of the move.

use std::fmt;

use keisei_game::Side;

use crate::{Bitboard, Board, HandKind, Move, MoveList, Piece, PieceKind, Square};

/// A position of animal shogi, without its past.
///
/// ```
/// use keisei_animal::Position;
///
/// let position = Position::start();
/// assert_eq!(position.to_string(), "gle/1c1/1C1/ELG b - 1");
/// assert_eq!(position.legal_moves().len(), 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) board: Board,
    /// The number of the next move, from 1.
    pub(crate) move_number: u16,
}

impl Position {
    /// The start: lion, giraffe and elephant at home, the chicks face to face.
    pub fn start() -> Self {
        let mut board = Board::EMPTY;
        let home = [
            (7, PieceKind::Chick),
            (9, PieceKind::Elephant),
            (10, PieceKind::Lion),
            (11, PieceKind::Giraffe),
        ];
        for (index, kind) in home {
            let square = Square::new(index).expect("on the board");
            board.put(Piece { side: Side::First, kind }, square);
            board.put(Piece { side: Side::Second, kind }, square.rotated());
        }
        Self { board, move_number: 1 }
    }

    /// The position with this board at the start of a game.
    pub const fn of_board(board: Board) -> Self {
        Self { board, move_number: 1 }
    }

    /// Everything but the number of the move, in 64 bits.
    #[inline]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The number of the next move, from 1.
    pub const fn move_number(&self) -> u16 {
        self.move_number
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Side {
        self.board.turn()
    }

    /// The piece on `square`.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square)
    }

    /// The squares of one player's pieces of one kind.
    pub fn pieces_of(&self, side: Side, kind: PieceKind) -> Bitboard {
        self.board.kind(kind) & self.board.pieces(side)
    }

    /// How many pieces of `kind` a player holds in hand.
    pub const fn in_hand(&self, side: Side, kind: HandKind) -> u8 {
        self.board.in_hand(side, kind)
    }

    /// All legal moves: none once the game is lost.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        self.board.legal_moves()
    }

    /// Whether `mv` is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.board.is_legal(mv)
    }

    /// `mv` as the rules have it: a chick that reaches the last rank promotes even if the move does
    /// not say so.
    pub fn completed(&self, mv: Move) -> Move {
        match mv {
            Move::Step { from, to, promotes: false } if !self.is_legal(mv) => {
                let promoting = Move::Step { from, to, promotes: true };
                if self.is_legal(promoting) { promoting } else { mv }
            }
            _ => mv,
        }
    }

    /// Plays `mv`, which must be legal.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv} is illegal in {self}");
        self.board.play(mv);
        self.move_number = self.move_number.saturating_add(1);
    }

    /// Whether the lion of the side to move is attacked, or has been lost: caught, or beaten to the
    /// last rank.
    pub fn in_check(&self) -> bool {
        self.board.lion_attacked() || self.board.lost().is_some()
    }

    /// The pieces that attack the lion of the side to move.
    pub fn checkers(&self) -> Bitboard {
        let turn = self.turn();
        let attackers = |lion| self.board.attackers(lion, !turn);
        self.board.lion(turn).map_or(Bitboard::EMPTY, attackers)
    }

    /// A hash of the board. Different boards have different keys.
    #[inline]
    pub const fn key(&self) -> u64 {
        // The last steps of SplitMix64: they spread the bits and can be undone.
        let bits = self.board.bits();
        let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }
}

impl keisei_game::Position for Position {
    type Move = Move;
    type Moves = MoveList;

    #[inline]
    fn turn(&self) -> Side {
        self.turn()
    }

    #[inline]
    fn legal_moves(&self) -> MoveList {
        self.legal_moves()
    }

    #[inline]
    fn count_legal_moves(&self) -> usize {
        self.board.count_legal_moves()
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_legal(mv)
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        self.play_unchecked(mv);
    }

    fn in_check(&self) -> bool {
        self.in_check()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key()
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
