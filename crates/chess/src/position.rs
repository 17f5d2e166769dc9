//! A position: what lies on the board, and which moves are legal.

use arrayvec::ArrayVec;
use cozy_chess::{BitBoard, Board, File, Rank, Square};
use keisei_game::{BySide, Outcome, Reason, Side};

use crate::attacks::attackers;
use crate::legality::{IllegalMove, diagnose};
use crate::{CastlingRights, Color, Move, Piece, PieceKind, Setup, SetupError};

/// How many files and how many ranks a board has.
pub const BOARD_SIZE: usize = 8;

/// No position has more legal moves: those of nine queens, two rooks, two bishops, two knights and
/// a king that may castle both ways, as if none of them were in the way of another.
const MAX_MOVES: usize = 9 * 27 + 2 * 14 + 2 * 13 + 2 * 8 + 8 + 2;

/// The legal moves of a position, kept on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// The first and the last rank, where pawns are promoted.
const EDGE: BitBoard = BitBoard(Rank::First.bitboard().0 | Rank::Eighth.bitboard().0);

/// A position of chess, valid by construction and without a past.
///
/// Displayed and parsed as FEN. The en-passant square is there after every double step of a pawn,
/// as FEN asks for; it counts in [`key`](Self::key) only if a pawn can really capture there.
///
/// ```
/// use keisei_chess::Position;
///
/// let mut position = Position::start();
/// position.play("e2e4".parse()?)?;
/// assert_eq!(
///     position.to_string(),
///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    /// How far the halfmove clock is past 100, where the clock of the board stops.
    past_hundred: u16,
}

impl Position {
    /// The position that a game starts from.
    pub fn start() -> Self {
        Self::default()
    }

    /// The position as a setup that can be changed.
    pub fn setup(&self) -> Setup {
        Setup {
            board: Square::ALL.map(|square| self.piece_at(square)),
            turn: self.turn(),
            castling: BySide(Color::ALL.map(|color| self.castling(color))),
            en_passant: self.en_passant(),
            halfmove_clock: self.halfmove_clock(),
            move_number: self.move_number(),
        }
    }

    /// The player to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.board.side_to_move().into()
    }

    /// The piece on `square`.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = self.board.color_on(square)?.into();
        Some(Piece::new(color, self.board.piece_on(square)?.into()))
    }

    /// The board as the [`Piece::id`]s of its squares, rank 1 first, a-file first; 0 is empty.
    pub fn piece_ids(&self) -> [[u8; BOARD_SIZE]; BOARD_SIZE] {
        Rank::ALL.map(|rank| {
            File::ALL.map(|file| self.piece_at(Square::new(file, rank)).map_or(0, Piece::id))
        })
    }

    /// Where the king of `color` stands.
    pub fn king(&self, color: Color) -> Square {
        self.board.king(color.into())
    }

    /// All occupied squares.
    pub fn occupied(&self) -> BitBoard {
        self.board.occupied()
    }

    /// The squares of all pieces of `color`.
    pub fn pieces(&self, color: Color) -> BitBoard {
        self.board.colors(color.into())
    }

    /// The squares of the pieces of `color` that are of `kind`.
    pub fn pieces_of(&self, color: Color, kind: PieceKind) -> BitBoard {
        self.board.colored_pieces(color.into(), kind.into())
    }

    /// Whether such a piece is still on the board.
    pub fn has(&self, piece: Piece) -> bool {
        !self.pieces_of(piece.color, piece.kind).is_empty()
    }

    /// The pieces that are still on the board, each once, White's first, pawn to king.
    pub fn pieces_present(&self) -> impl Iterator<Item = Piece> {
        Piece::all().filter(|&piece| self.has(piece))
    }

    /// Which ways `color` may still castle, as far as king and rooks have not moved.
    pub fn castling(&self, color: Color) -> CastlingRights {
        let rights = self.board.castle_rights(color.into());
        CastlingRights { short: rights.short.is_some(), long: rights.long.is_some() }
    }

    /// The square that a pawn has just jumped over.
    pub fn en_passant(&self) -> Option<Square> {
        let rank = Rank::Sixth.relative_to(self.board.side_to_move());
        self.board.en_passant().map(|file| Square::new(file, rank))
    }

    /// Moves of either player since the last capture or pawn move; it stays at 65,535.
    pub fn halfmove_clock(&self) -> u16 {
        u16::from(self.board.halfmove_clock()) + self.past_hundred
    }

    /// The number of the move, going up after Black's moves; it stays at 65,535.
    pub fn move_number(&self) -> u16 {
        self.board.fullmove_number()
    }

    /// The pieces that give check to the player to move.
    pub fn checkers(&self) -> BitBoard {
        self.board.checkers()
    }

    /// Whether the king of the player to move could be taken if that player passed.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// The pieces of `by` that attack `square`.
    pub fn attackers_to(&self, square: Square, by: Color) -> BitBoard {
        self.attackers_past(square, by, self.occupied())
    }

    /// The pieces of `by` that attack `square` if only `occupied` stands in the way.
    pub(crate) fn attackers_past(&self, square: Square, by: Color, occupied: BitBoard) -> BitBoard {
        attackers(square, by, occupied, |kind| self.pieces_of(by, kind))
    }

    /// All legal moves, pawns' first and the king's last.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.list_moves(&mut list);
        list
    }

    /// Writes all legal moves to `list`, an empty list. Apart from [`Self::legal_moves`] because
    /// the list is then filled where the caller wants it, not copied there.
    fn list_moves(&self, list: &mut MoveList) {
        let own = self.board.colors(self.board.side_to_move());
        self.board.generate_moves(|moves| {
            let mut plain = moves.to;
            if moves.piece == cozy_chess::Piece::Pawn && !(plain & EDGE).is_empty() {
                list_promotions(list, moves.from, plain & EDGE);
                plain -= EDGE;
            }
            if moves.piece == cozy_chess::Piece::King && !(plain & own).is_empty() {
                list_castling(list, moves.from, plain & own);
                plain -= own;
            }
            for to in plain {
                list.push(Move::new(moves.from, to));
            }
            false
        });
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut count = 0;
        self.board.generate_moves(|moves| {
            count += moves.to.len() as usize;
            if moves.piece == cozy_chess::Piece::Pawn && !(moves.to & EDGE).is_empty() {
                // A pawn has one move for each piece that it can become.
                count += 3 * (moves.to & EDGE).len() as usize;
            }
            false
        });
        count
    }

    /// Whether the player to move has a legal move.
    pub fn has_legal_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }

    /// Whether `mv` is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        // cozy-chess takes a king's step onto its own rook for castling.
        !self.pieces(self.turn()).has(mv.to()) && self.board.is_legal(self.cozy_move(mv))
    }

    /// Whether `mv` is legal here, or else the rule it breaks.
    pub fn check_legal(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.is_legal(mv) { Ok(()) } else { Err(diagnose(self, mv)) }
    }

    /// Plays `mv`, or says which rule it breaks and changes nothing.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check_legal(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays `mv`, which must be legal here.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        let clock = self.board.halfmove_clock();
        self.board.play_unchecked(self.cozy_move(mv));
        self.count_past_hundred(clock);
    }

    /// The position with the turn passed to the opponent, or `None` in check.
    pub fn pass(&self) -> Option<Self> {
        let mut passed = Self { board: self.board.null_move()?, ..*self };
        passed.count_past_hundred(self.board.halfmove_clock());
        Some(passed)
    }

    /// Counts on where the clock of the board, which was at `before`, cannot.
    #[inline]
    fn count_past_hundred(&mut self, before: u8) {
        if before == 100 {
            let stands = self.board.halfmove_clock() == 100;
            self.past_hundred =
                if stands { (self.past_hundred + 1).min(u16::MAX - 100) } else { 0 };
        }
    }

    /// What the board alone decides: checkmate, stalemate, or too few pieces for either side to
    /// give mate.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_moves() {
            let mate = Outcome::win((!self.turn()).into(), Reason::Checkmate);
            return Some(if self.in_check() { mate } else { Outcome::draw(Reason::NoMoves) });
        }
        self.is_dead().then_some(Outcome::draw(Reason::InsufficientMaterial))
    }

    /// Whether no sequence of moves leads to mate because there are too few pieces: bare kings,
    /// a single knight or bishop, or any bishops that all stand on squares of one colour.
    fn is_dead(&self) -> bool {
        let kind = |kind: PieceKind| self.board.pieces(kind.into());
        let (knights, bishops) = (kind(PieceKind::Knight), kind(PieceKind::Bishop));
        if self.occupied() != kind(PieceKind::King) | knights | bishops {
            return false;
        }
        let one_colour =
            bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES);
        (knights | bishops).len() <= 1 || knights.is_empty() && one_colour
    }

    /// Whether `mv` is a king's move of two squares along a rank: castling, if it is legal.
    #[inline]
    pub fn is_castling(&self, mv: Move) -> bool {
        let (from, to) = (mv.from() as u8, mv.to() as u8);
        // Not `&&`: its branches would be guessed wrong too often.
        (from.abs_diff(to) == 2)
            & (from ^ to < 8)
            & self.board.pieces(cozy_chess::Piece::King).has(mv.from())
    }

    /// The piece that `mv`, a legal move, captures, also en passant.
    pub fn captured_by(&self, mv: Move) -> Option<Piece> {
        let mover = self.piece_at(mv.from())?;
        if mover.kind == PieceKind::Pawn && self.en_passant() == Some(mv.to()) {
            return Some(Piece::new(!mover.color, PieceKind::Pawn));
        }
        self.piece_at(mv.to())
    }

    /// `mv` as this crate writes it: castling given as the king taking its own rook (`e1h1`)
    /// becomes the king's move of two squares (`e1g1`). Other moves stay as they are.
    pub fn canonical(&self, mv: Move) -> Move {
        let color = self.turn();
        let takes_rook = mv.from() == self.king(color)
            && mv.from() == color.home(File::E)
            && [File::A, File::H].map(|file| color.home(file)).contains(&mv.to())
            && self.pieces_of(color, PieceKind::Rook).has(mv.to());
        if takes_rook && mv.promotion().is_none() { castling_move(mv.from(), mv.to()) } else { mv }
    }

    /// A hash of everything that makes two positions the same for the repetition rule: pieces,
    /// turn, castling rights, and the en-passant square if a pawn can capture there.
    #[inline]
    pub fn key(&self) -> u64 {
        if self.can_capture_en_passant() { self.board.hash() } else { self.board.hash_without_ep() }
    }

    /// Whether a pawn can capture en passant. (`Board::same_position` asks this of any piece beside
    /// the pawn, so that a bishop which can go to the square counts there too.)
    fn can_capture_en_passant(&self) -> bool {
        self.en_passant().is_some_and(|square| {
            let pawns = self.board.pieces(cozy_chess::Piece::Pawn);
            self.board.generate_moves_for(pawns, |moves| moves.to.has(square))
        })
    }

    /// `mv` as cozy-chess writes it: castling is the king taking its own rook.
    #[inline]
    fn cozy_move(&self, mv: Move) -> cozy_chess::Move {
        let (from, mut to) = (mv.from(), mv.to());
        if self.is_castling(mv) {
            to = castling_rook(from, to);
        }
        cozy_chess::Move { from, to, promotion: mv.promotion().map(Into::into) }
    }
}

// Promotion and castling are rare. Marked cold, they stay out of the code for the other moves,
// which is then short enough to be inlined for each kind of piece.

#[cold]
fn list_promotions(list: &mut MoveList, from: Square, last_rank: BitBoard) {
    for to in last_rank {
        let promoting = |kind| Move::new(from, to).promoting(kind);
        list.extend(PieceKind::PROMOTIONS.into_iter().filter_map(promoting));
    }
}

#[cold]
fn list_castling(list: &mut MoveList, king: Square, rooks: BitBoard) {
    list.extend(rooks.into_iter().map(|rook| castling_move(king, rook)));
}

/// The rook that castles with a king that goes from `from` to `to`.
#[cold]
fn castling_rook(from: Square, to: Square) -> Square {
    Square::new(if to > from { File::H } else { File::A }, from.rank())
}

/// The move of a king on `king` that castles with the rook on `rook`.
fn castling_move(king: Square, rook: Square) -> Move {
    Move::new(king, Square::new(if rook > king { File::G } else { File::C }, king.rank()))
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Self, SetupError> {
        setup.check()?;
        let board = setup.builder().build().expect("a checked setup can be built");
        Ok(Self { board, past_hundred: setup.halfmove_clock.saturating_sub(100) })
    }
}

impl keisei_game::Position for Position {
    type Move = Move;
    type Moves = MoveList;

    fn turn(&self) -> Side {
        self.turn().into()
    }

    #[inline]
    fn legal_moves(&self) -> MoveList {
        self.legal_moves()
    }

    #[inline]
    fn count_legal_moves(&self) -> usize {
        self.count_legal_moves()
    }

    fn has_legal_moves(&self) -> bool {
        self.has_legal_moves()
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

    fn key(&self) -> u64 {
        self.key()
    }
}
