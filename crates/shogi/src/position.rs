//! A legal position of shogi, without its past.

mod checks;
mod legality;
mod play;
mod validate;

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use keisei_game::Side;

pub use legality::IllegalMove;
pub use play::Undo;
pub use validate::SetupError;

use crate::attacks;
use crate::attacks::lines::{BISHOP_LINES, ROOK_LINES, between};
use crate::movegen::{self, MoveList, MoveSet};
use crate::setup::{Setup, SfenError};
use crate::{Bitboard, ByColor, Color, Hand, Move, Piece, PieceKind, Square, zobrist};

/// How a piece moves. Kinds that move alike share a set of squares in a position; a horse and a
/// dragon are in two of them, their sliding one and [`Shape::King`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Pawn,
    Lance,
    Knight,
    Silver,
    /// Gold and the four kinds that promote to its moves.
    Gold,
    /// Bishop and horse.
    Bishop,
    /// Rook and dragon.
    Rook,
    /// King, horse and dragon: every step to a neighbour.
    King,
}

impl Shape {
    pub(crate) const COUNT: usize = 8;

    /// The shape of each kind, horses and dragons by how they slide.
    pub(crate) const OF: [Self; 14] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Gold,
        Self::Bishop,
        Self::Rook,
        Self::King,
        Self::Gold,
        Self::Gold,
        Self::Gold,
        Self::Gold,
        Self::Bishop,
        Self::Rook,
    ];
}

/// What stands on a square, in one byte: the kind, 16 for White, 255 for nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell(u8);

impl Cell {
    pub(crate) const EMPTY: Self = Self(255);

    #[inline]
    pub(crate) const fn new(color: Color, kind: PieceKind) -> Self {
        Self((color as u8) << 4 | kind as u8)
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == Self::EMPTY.0
    }

    /// The kind of the piece. Only for a square that is not empty.
    #[inline]
    pub(crate) const fn kind(self) -> PieceKind {
        PieceKind::ALL[(self.0 & 15) as usize]
    }

    /// The shape of the piece. Only for a square that is not empty.
    #[inline]
    pub(crate) const fn shape(self) -> Shape {
        /// [`Shape::OF`] for every number four bits can hold.
        const OF_BITS: [Shape; 16] = {
            let mut table = [Shape::King; 16];
            let mut kind = 0;
            while kind < 14 {
                table[kind] = Shape::OF[kind];
                kind += 1;
            }
            table
        };
        OF_BITS[(self.0 & 15) as usize]
    }

    /// Whether the piece is promoted. Only for a square that is not empty.
    #[inline]
    pub(crate) const fn is_promoted(self) -> bool {
        self.0 & 8 != 0
    }

    pub(crate) fn piece(self) -> Option<Piece> {
        let color = if self.0 & 16 == 0 { Color::Black } else { Color::White };
        (!self.is_empty()).then(|| Piece::new(color, self.kind()))
    }
}

/// A legal position: board, hands and the side to move.
///
/// It is a plain value of 272 bytes. Checks and pins are not stored; generating moves works them
/// out once. A king may be missing on one side, as in mate problems.
///
/// ```
/// use keisei_shogi::Position;
///
/// let mut position = Position::start();
/// assert_eq!(position.legal_moves().len(), 30);
/// position.play("7g7f".parse()?)?;
/// assert_eq!(
///     position.to_string(),
///     "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The squares of each shape, both colours together.
    pub(crate) shapes: [u128; Shape::COUNT],
    /// The squares of each colour.
    pub(crate) colors: [u128; 2],
    pub(crate) board: [Cell; Square::COUNT],
    /// The square of each king, or `NO_KING`.
    pub(crate) kings: [u8; 2],
    turn: Color,
    pub(crate) hands: ByColor<Hand>,
    key: u64,
    move_number: u16,
}

/// Stands for a missing king where a square number is expected.
pub(crate) const NO_KING: u8 = 255;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

impl Position {
    /// The standard start of an even game.
    pub fn start() -> Self {
        START.parse().expect("the start position is legal")
    }

    /// The board, hands and turn as plain data.
    pub fn setup(&self) -> Setup {
        Setup {
            board: self.board.map(Cell::piece),
            hands: self.hands,
            turn: self.turn,
            move_number: self.move_number,
        }
    }

    /// Who is to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The number of the next move.
    #[inline]
    pub fn move_number(&self) -> u16 {
        self.move_number
    }

    /// A hash of board, hands and turn: what the repetition rule compares.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// A hash of board and turn alone: positions that differ only in what is held share it.
    pub fn board_key(&self) -> u64 {
        let held = |color: Color| {
            let hand = self.hands[color];
            hand.kinds()
                .fold(0, move |key, kind| key ^ zobrist::hand(color, kind, hand.count(kind)))
        };
        self.key ^ held(Color::Black) ^ held(Color::White)
    }

    /// What stands on `square`.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()].piece()
    }

    /// What `color` holds in hand.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color]
    }

    /// Where the king of `color` stands, if it has one.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        Square::new(self.kings[color as usize])
    }

    /// All squares with a piece.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        Bitboard::from_bits(self.colors[0] | self.colors[1])
    }

    /// The squares with a piece of `color`.
    #[inline]
    pub fn pieces(&self, color: Color) -> Bitboard {
        Bitboard::from_bits(self.colors[color as usize])
    }

    /// The squares with a piece of exactly this colour and kind.
    pub fn pieces_of(&self, color: Color, kind: PieceKind) -> Bitboard {
        let alike = self.of_shape(color, Shape::OF[kind as usize]);
        let cell = Cell::new(color, kind);
        Bitboard::from_bits(alike)
            .into_iter()
            .filter(|square| self.board[square.index()] == cell)
            .collect()
    }

    #[inline]
    pub(crate) fn of_shape(&self, color: Color, shape: Shape) -> u128 {
        self.shapes[shape as usize] & self.colors[color as usize]
    }

    /// The pieces of `color` that attack `square`.
    pub fn attackers_to(&self, square: Square, color: Color) -> Bitboard {
        self.attackers_through(square, color, self.occupied())
    }

    /// The pieces of `color` that attack `square` when `occupied` squares block lines.
    pub(crate) fn attackers_through(
        &self,
        square: Square,
        color: Color,
        occupied: Bitboard,
    ) -> Bitboard {
        // A piece attacks a square exactly when the same piece of the other colour, put on the
        // square, attacks the piece.
        let seen = |kind| attacks::attacks(!color, kind, square, occupied).bits();
        let of = |shape| self.of_shape(color, shape);
        Bitboard::from_bits(
            seen(PieceKind::Pawn) & of(Shape::Pawn)
                | seen(PieceKind::Lance) & of(Shape::Lance)
                | seen(PieceKind::Knight) & of(Shape::Knight)
                | seen(PieceKind::Silver) & of(Shape::Silver)
                | seen(PieceKind::Gold) & of(Shape::Gold)
                | seen(PieceKind::Bishop) & of(Shape::Bishop)
                | seen(PieceKind::Rook) & of(Shape::Rook)
                | seen(PieceKind::King) & of(Shape::King),
        )
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.checkers_of(self.turn)
    }

    /// The pieces that attack the king of `color`.
    pub(crate) fn checkers_of(&self, color: Color) -> Bitboard {
        self.king(color).map_or(Bitboard::EMPTY, |king| self.attackers_to(king, !color))
    }

    /// Whether the king of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Whether the king of `color` is attacked.
    pub fn is_in_check(&self, color: Color) -> bool {
        !self.checkers_of(color).is_empty()
    }

    /// Whether the side to move is in check and has no legal move.
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_moves()
    }

    /// The pieces of `color` that shield its king from a slider and may only move on that line.
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.shields(color) & self.pieces(color)
    }

    /// The pieces of either colour that stand alone between the king of `color` and a slider of
    /// the other side.
    fn shields(&self, color: Color) -> Bitboard {
        let Some(king) = self.king(color) else { return Bitboard::EMPTY };
        let ahead = attacks::lance_attacks(color, king, Bitboard::EMPTY).bits();
        let snipers = self.of_shape(!color, Shape::Rook) & ROOK_LINES[king.index()]
            | self.of_shape(!color, Shape::Bishop) & BISHOP_LINES[king.index()]
            | self.of_shape(!color, Shape::Lance) & ahead;
        let occupied = self.occupied().bits();
        let shields = Bitboard::from_bits(snipers)
            .into_iter()
            .map(|sniper| between(king.index(), sniper.index()) & occupied);
        let alone = shields.filter(|shield| shield.count_ones() == 1).fold(0, |set, s| set | s);
        Bitboard::from_bits(alone)
    }

    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        movegen::legal_moves(self)
    }

    /// Hands the legal moves to `visitor` in sets: those of one piece together, and all drops of one
    /// kind. It goes on until the visitor breaks.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use keisei_shogi::{Bitboard, Position};
    ///
    /// // Every square that some piece can go to.
    /// let mut reached = Bitboard::EMPTY;
    /// let _ = Position::start().visit_legal_moves(|set| {
    ///     reached |= set.to;
    ///     ControlFlow::<()>::Continue(())
    /// });
    /// assert_eq!(reached.len(), 16);
    /// ```
    pub fn visit_legal_moves<B>(
        &self,
        visitor: impl FnMut(MoveSet) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        movegen::visit_sets(self, visitor)
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        movegen::count(self)
    }

    /// Whether there is a legal move.
    #[inline]
    pub fn has_legal_moves(&self) -> bool {
        movegen::any(self)
    }

    /// The legal moves that capture.
    pub fn legal_captures(&self) -> MoveList {
        movegen::legal_captures(self)
    }

    /// The legal moves that do not capture, drops among them.
    pub fn legal_quiets(&self) -> MoveList {
        movegen::legal_quiets(self)
    }

    /// Whether a piece of `kind` that goes from `from` to `to` may promote, and whether it must.
    pub fn promotion(color: Color, kind: PieceKind, from: Square, to: Square) -> Promotion {
        let (from, to) = (color.relative_row(from.row()), color.relative_row(to.row()));
        if kind.promoted().is_none() || (from > 2 && to > 2) {
            Promotion::No
        } else if is_dead_row(kind, to) {
            Promotion::Must
        } else {
            Promotion::May
        }
    }
}

/// Whether a move may, must or cannot promote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// The piece does not promote, or the move does not touch the promotion zone.
    No,
    /// The player chooses.
    May,
    /// The piece could never move again unpromoted.
    Must,
}

/// Whether an unpromoted piece of `kind` could never move from a row, counted from its player's
/// far side.
pub(crate) const fn is_dead_row(kind: PieceKind, relative_row: u8) -> bool {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => relative_row == 0,
        PieceKind::Knight => relative_row <= 1,
        _ => false,
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::start()
    }
}

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The text is no SFEN.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// The SFEN shows something that cannot be on a board.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(sfen: &str) -> Result<Self, PositionError> {
        Ok(Self::try_from(sfen.parse::<Setup>()?)?)
    }
}

/// The SFEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.setup(), f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self}, key {:016x})", self.key)
    }
}

impl keisei_game::Position for Position {
    type Move = Move;
    type Moves = MoveList;

    #[inline]
    fn turn(&self) -> Side {
        self.turn.into()
    }

    #[inline]
    fn legal_moves(&self) -> MoveList {
        movegen::legal_moves(self)
    }

    #[inline]
    fn count_legal_moves(&self) -> usize {
        movegen::count(self)
    }

    #[inline]
    fn has_legal_moves(&self) -> bool {
        movegen::any(self)
    }

    fn is_legal(&self, mv: Move) -> bool {
        Position::is_legal(self, mv)
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        Position::play_unchecked(self, mv);
    }

    fn in_check(&self) -> bool {
        Position::in_check(self)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn mating_moves(&self) -> Vec<Move> {
        let has_answer = |mv: &Move| {
            let mut next = *self;
            next.play_unchecked(*mv);
            movegen::any(&next)
        };
        self.legal_checks().iter().copied().filter(|mv| !has_answer(mv)).collect()
    }
}
