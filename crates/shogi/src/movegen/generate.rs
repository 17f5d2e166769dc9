//! The one body of move generation.

use super::sink::{DropSquares, PROMOTE, Sink, each_bit, each_square, origin};
use super::window::{
    Window, WindowSteps, Windows, board_rows, window_files, window_rows, window_steps,
};
use crate::attacks::lines::{BISHOP_LINES, DOWN, RAYS, ROOK_LINES, between, opposite, ray_through};
use crate::attacks::{self, Blockers, Plain, Slider};
use crate::position::{NO_KING, Shape};
use crate::{Bitboard, Color, HandKind, PieceKind, Position, Square};

/// The side to move, known to the compiler.
pub(super) trait Mover {
    /// The opponent.
    type Other: Mover;
    /// The colour.
    const US: Color;
    /// The rows counted from the far side, as patterns for [`board_rows`]: the last row, the last
    /// two, the last three (the promotion zone).
    const FAR_ROWS: [u64; 3];
    /// From a pawn's destination to its origin.
    const BACK: i16;
    /// The direction ahead, as an index into the lines.
    const AHEAD: usize;

    /// One row ahead, in a word of squares none of which is on the last row.
    fn ahead(squares: u64) -> u64;
    /// One row back, in a word of squares none of which is on the first row.
    fn back(squares: u64) -> u64;
    /// One row ahead for a whole board.
    fn board_ahead(squares: u128) -> u128;
    /// The squares that a lance attacks on its `file` ahead (a window's word).
    fn lance(file: u64, occupied: u64) -> u64;
}

pub(super) struct Black;
pub(super) struct White;

impl Mover for Black {
    type Other = White;
    const US: Color = Color::Black;
    const FAR_ROWS: [u64; 3] = [0b1, 0b11, 0b111];
    const BACK: i16 = 1;
    const AHEAD: usize = opposite(DOWN);

    #[inline(always)]
    fn ahead(squares: u64) -> u64 {
        squares >> 1
    }

    #[inline(always)]
    fn back(squares: u64) -> u64 {
        squares << 1
    }

    #[inline(always)]
    fn board_ahead(squares: u128) -> u128 {
        squares >> 1
    }

    #[inline(always)]
    fn lance(file: u64, occupied: u64) -> u64 {
        // The highest blocker ends the line; with none, bit 0 stands for the edge.
        let reached = 63 - (file & occupied | 1).leading_zeros();
        file & (!0 << reached)
    }
}

impl Mover for White {
    type Other = Black;
    const US: Color = Color::White;
    const FAR_ROWS: [u64; 3] = [0b1 << 8, 0b11 << 7, 0b111 << 6];
    const BACK: i16 = -1;
    const AHEAD: usize = DOWN;

    #[inline(always)]
    fn ahead(squares: u64) -> u64 {
        squares << 1
    }

    #[inline(always)]
    fn back(squares: u64) -> u64 {
        squares >> 1
    }

    #[inline(always)]
    fn board_ahead(squares: u128) -> u128 {
        squares << 1
    }

    #[inline(always)]
    fn lance(file: u64, occupied: u64) -> u64 {
        let blockers = file & occupied;
        file & (blockers ^ blockers.wrapping_sub(1))
    }
}

static KING: WindowSteps = window_steps(PieceKind::King)[0];
static FILE_AHEAD: [[u64; 63]; 2] = [window_files(Color::Black), window_files(Color::White)];

/// The row of each square: a table, because a division takes longer.
static ROW: [u8; Square::COUNT] = {
    let mut rows = [0; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        rows[square] = (square % 9) as u8;
        square += 1;
    }
    rows
};

/// What a lance or a stepping piece can do from a square, in the window around it.
#[derive(Clone, Copy)]
struct Walk {
    /// The squares it reaches on an empty board.
    steps: u64,
    /// Where it may arrive unpromoted.
    staying: u64,
    /// Where it may promote.
    promoting: u64,
    /// Its move to the first square of the window.
    base: u16,
}

/// The walks of lance, knight, silver and gold, by colour, shape and square.
static WALKS: [[[Walk; Square::COUNT]; 5]; 2] = {
    const NONE: Walk = Walk { steps: 0, staying: 0, promoting: 0, base: 0 };
    const KINDS: [PieceKind; 5] =
        [PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight, PieceKind::Silver, PieceKind::Gold];
    let mut table = [[[NONE; Square::COUNT]; 5]; 2];
    let mut color = 0;
    while color < 2 {
        let far_rows = if color == 0 { Black::FAR_ROWS } else { White::FAR_ROWS };
        let mut shape = 1;
        while shape < 5 {
            let kind = KINDS[shape];
            let mut square = 0;
            while square < Square::COUNT {
                let window = Window::around(square);
                let steps = match kind {
                    PieceKind::Lance => FILE_AHEAD[color][square - window.start() as usize],
                    _ => window_steps(kind)[color][square],
                };
                let dead = match kind {
                    PieceKind::Lance => window_rows(far_rows[0]),
                    PieceKind::Knight => window_rows(far_rows[1]),
                    _ => 0,
                };
                let promoting = match kind {
                    PieceKind::Gold => 0,
                    _ if board_rows(far_rows[2] as u128) >> square & 1 != 0 => !0,
                    _ => window_rows(far_rows[2]),
                };
                let base = origin(square) + window.start();
                table[color][shape][square] = Walk { steps, staying: !dead, promoting, base };
                square += 1;
            }
            shape += 1;
        }
        color += 1;
    }
    table
};

/// Hands every legal move that arrives on a square of `onto` to `sink`.
#[inline(always)]
pub(super) fn generate<M: Mover, B: Blockers, S: Sink>(
    position: &Position,
    onto: u128,
    sink: &mut S,
) {
    let us = position.colors[M::US as usize];
    let them = position.colors[!M::US as usize];
    let occupied = us | them;
    let mut targets = Bitboard::FULL.bits() & onto & !us;
    let mut empty = targets & !them;
    let mut pinned = 0;

    let king = position.kings[M::US as usize];
    if king != NO_KING {
        let king = king as usize;
        king_moves::<M, B, S>(position, king, targets, sink);
        if sink.has_enough() {
            return;
        }
        let checkers;
        (checkers, pinned) = checkers_and_pinned::<M>(position, king);
        if checkers != 0 {
            if checkers & (checkers - 1) != 0 {
                return;
            }
            let line = between(king, checkers.trailing_zeros() as usize);
            targets &= line | checkers;
            empty &= line;
        }
    }

    board_moves::<M, B, S>(position, targets, pinned, sink);
    if sink.has_enough() {
        return;
    }
    if pinned & us != 0 {
        pinned_moves::<M, S>(position, king as usize, targets, pinned & us, sink);
    }
    let hand = position.hand(M::US);
    if !hand.is_empty() && empty != 0 {
        let pawn = if hand.has(HandKind::Pawn) {
            pawn_drops::<M, B>(position, empty, occupied)
        } else {
            0
        };
        let squares = DropSquares {
            pawn,
            lance: empty & !board_rows(M::FAR_ROWS[0] as u128),
            knight: empty & !board_rows(M::FAR_ROWS[1] as u128),
            any: empty,
        };
        sink.drops(hand, &squares);
    }
}

/// The pieces that give check to `M`, and the pieces of either colour that alone stand between its
/// king and an enemy slider.
#[inline(always)]
fn checkers_and_pinned<M: Mover>(position: &Position, king: usize) -> (u128, u128) {
    let them = position.colors[!M::US as usize];
    let occupied = them | position.colors[M::US as usize];
    let shape = |shape: Shape| position.shapes[shape as usize];
    let steps = |kind: PieceKind| attacks::steps(M::US, kind)[king].bits();
    let mut checkers = them
        & (steps(PieceKind::Pawn) & shape(Shape::Pawn)
            | steps(PieceKind::Knight) & shape(Shape::Knight)
            | steps(PieceKind::Silver) & shape(Shape::Silver)
            | steps(PieceKind::Gold) & shape(Shape::Gold)
            | steps(PieceKind::King) & shape(Shape::King));
    let snipers = them
        & (ROOK_LINES[king] & shape(Shape::Rook)
            | BISHOP_LINES[king] & shape(Shape::Bishop)
            | RAYS[M::AHEAD][king] & shape(Shape::Lance));
    let mut pinned = 0;
    for sniper in each_square(snipers) {
        let shield = between(king, sniper) & occupied;
        if shield == 0 {
            checkers |= 1 << sniper;
        } else if shield & (shield - 1) == 0 {
            pinned |= shield;
        }
    }
    (checkers, pinned)
}

#[inline(always)]
fn king_moves<M: Mover, B: Blockers, S: Sink>(
    position: &Position,
    king: usize,
    targets: u128,
    sink: &mut S,
) {
    let window = Window::around(king);
    let candidates = window.of(targets) & KING[king];
    if candidates != 0 {
        let safe = candidates & !attacked_around::<M::Other, B>(position, king, 0);
        sink.steps(safe, origin(king) + window.start());
    }
}

/// The squares next to `king` that pieces of `M` attack, in the window around it. The king itself
/// blocks no line; `added` squares block as if pieces stood there.
#[inline(always)]
fn attacked_around<M: Mover, B: Blockers>(position: &Position, king: usize, added: u128) -> u64 {
    let window = Window::around(king);
    let own = position.colors[M::US as usize];
    let occupied = (own | position.colors[!M::US as usize] | added) & !(1 << king);
    let shape = |shape: Shape| window.of(position.shapes[shape as usize] & own);
    let not_last = !window_rows(M::FAR_ROWS[0]);
    let not_last_two = !window_rows(M::FAR_ROWS[1]);
    let not_first = !window_rows(<M::Other as Mover>::FAR_ROWS[0]);

    let (golds, neighbours) = (shape(Shape::Gold), shape(Shape::King));
    let diagonals = shape(Shape::Silver) | neighbours;
    let straights = golds | neighbours;
    // What attacks one file to either side: sideways, ahead or back on the next file, or a jump.
    let beside = straights
        | M::ahead((diagonals | golds) & not_last)
        | M::back(diagonals & not_first)
        | M::ahead(M::ahead(shape(Shape::Knight) & not_last_two));
    let blockers = B::new(occupied);
    let mut attacked = M::ahead((diagonals | golds | shape(Shape::Pawn)) & not_last)
        | M::back(straights & not_first)
        | beside << 9
        | beside >> 9;

    let sliders =
        own & (position.shapes[Shape::Bishop as usize] | position.shapes[Shape::Rook as usize]);
    for square in each_square(sliders) {
        attacked |= window.of(slides(position, square, blockers));
    }
    let near = window.of(position.shapes[Shape::Lance as usize] & own);
    let occupied = window.of(occupied);
    for bit in each_bit(near & !(1 << 63)) {
        attacked |= M::lance(FILE_AHEAD[M::US as usize][bit], occupied);
    }
    attacked
}

#[inline(always)]
fn board_moves<M: Mover, B: Blockers, S: Sink>(
    position: &Position,
    targets: u128,
    pinned: u128,
    sink: &mut S,
) {
    let free = position.colors[M::US as usize] & !pinned;
    let occupied = position.colors[0] | position.colors[1];
    let shape = |shape: Shape| position.shapes[shape as usize] & free;
    let windows = Windows::of(targets);
    let occupied_windows = Windows::of(occupied);

    let pawns = M::board_ahead(shape(Shape::Pawn)) & targets;
    let promoting = pawns & board_rows(M::FAR_ROWS[2] as u128);
    sink.pawns(pawns & !board_rows(M::FAR_ROWS[0] as u128), M::BACK, false);
    if promoting != 0 {
        sink.pawns(promoting, M::BACK, true);
    }
    if sink.has_enough() {
        return;
    }
    let walks = &WALKS[M::US as usize];
    for from in each_square(shape(Shape::Lance)) {
        let walk = &walks[Shape::Lance as usize][from];
        let window = Window::around(from);
        let reach = M::lance(walk.steps, occupied_windows.through(window));
        walk_moves(walk, reach & windows.through(window), sink);
    }
    for from in each_square(shape(Shape::Knight) | shape(Shape::Silver) | shape(Shape::Gold)) {
        let walk = &walks[position.board[from].shape() as usize][from];
        walk_moves(walk, walk.steps & windows.through(Window::around(from)), sink);
    }
    let blockers = B::new(occupied);
    for from in each_square(shape(Shape::Bishop) | shape(Shape::Rook)) {
        let reach = slides(position, from, blockers);
        slider_moves::<M, S>(reach, from, position.board[from].is_promoted(), targets, sink);
    }
}

/// The squares that the bishop, rook, horse or dragon on `square` attacks by sliding.
#[inline(always)]
fn slides<B: Blockers>(position: &Position, square: usize, blockers: B) -> u128 {
    match position.board[square].shape() {
        Shape::Bishop => blockers.attacks(Slider::Bishop, square),
        _ => blockers.attacks(Slider::Rook, square),
    }
}

/// Hands over the moves of a lance or a stepping piece to `squares` of its window.
#[inline(always)]
fn walk_moves<S: Sink>(walk: &Walk, squares: u64, sink: &mut S) {
    sink.steps(squares & walk.staying, walk.base);
    if squares & walk.promoting != 0 {
        sink.steps(squares & walk.promoting, walk.base + PROMOTE);
    }
}

#[inline(always)]
fn slider_moves<M: Mover, S: Sink>(
    reach: u128,
    from: usize,
    promoted: bool,
    targets: u128,
    sink: &mut S,
) {
    if promoted {
        let steps = attacks::steps(M::US, PieceKind::King)[from].bits();
        sink.slides((reach | steps) & targets, origin(from));
        return;
    }
    let squares = reach & targets;
    sink.slides(squares, origin(from));
    let zone = board_rows(M::FAR_ROWS[2] as u128);
    let promoting = if in_zone::<M>(from) { squares } else { squares & zone };
    if promoting != 0 {
        sink.slides(promoting, PROMOTE + origin(from));
    }
}

#[inline(always)]
fn in_zone<M: Mover>(square: usize) -> bool {
    M::FAR_ROWS[2] >> ROW[square] & 1 != 0
}

/// The moves of pinned pieces, along the line of their pin.
#[cold]
#[inline(never)]
fn pinned_moves<M: Mover, S: Sink>(
    position: &Position,
    king: usize,
    targets: u128,
    pinned: u128,
    sink: &mut S,
) {
    for from in each_square(pinned) {
        let kind = position.board[from].kind();
        let square = Square::from_index(from as u8);
        let reach = crate::attacks::attacks(M::US, kind, square, position.occupied()).bits();
        let squares = reach & targets & ray_through(king, from);
        let zone = board_rows(M::FAR_ROWS[2] as u128);
        let dead = match kind {
            PieceKind::Pawn | PieceKind::Lance => board_rows(M::FAR_ROWS[0] as u128),
            PieceKind::Knight => board_rows(M::FAR_ROWS[1] as u128),
            _ => 0,
        };
        sink.slides(squares & !dead, origin(from));
        if kind.promoted().is_some() {
            let promoting = if in_zone::<M>(from) { squares } else { squares & zone };
            sink.slides(promoting, PROMOTE + origin(from));
        }
    }
}

/// Where a pawn of `M` may be dropped.
#[inline(always)]
fn pawn_drops<M: Mover, B: Blockers>(position: &Position, empty: u128, occupied: u128) -> u128 {
    let pawns = position.of_shape(M::US, Shape::Pawn);
    let mut squares = empty & files_without(pawns) & !board_rows(M::FAR_ROWS[0] as u128);
    let king = position.kings[!M::US as usize];
    if king != NO_KING {
        let head = attacks::steps(M::Other::US, PieceKind::Pawn)[king as usize].bits();
        if squares & head != 0 && drop_mates::<M, B>(position, king as usize, head, occupied) {
            squares &= !head;
        }
    }
    squares
}

/// The squares of all files that have no square in `set`, each file having one at most.
#[inline(always)]
fn files_without(set: u128) -> u128 {
    let top = board_rows(1 << 8);
    // A file with a pawn is at least 1: taking it from 256 leaves the top bit clear.
    let free = (top - set) & top;
    // Spread the top bit of each free file over the file.
    let below = free - (free >> 8);
    free | below
}

/// Whether a pawn dropped on `head`, in front of the king of the other side, gives checkmate.
#[inline(never)]
fn drop_mates<M: Mover, B: Blockers>(
    position: &Position,
    king: usize,
    head: u128,
    occupied: u128,
) -> bool {
    let window = Window::around(king);
    let theirs = window.of(position.colors[!M::US as usize]);
    // The king may take the pawn, which attacks no square of its own.
    let flights = KING[king] & !theirs & !attacked_around::<M, B>(position, king, head);
    if flights != 0 {
        return false;
    }
    let square = Square::from_index(head.trailing_zeros() as u8);
    let takers = position.attackers_through(square, !M::US, Bitboard::from_bits(occupied | head));
    let takers = takers.bits() & !(1 << king);
    if takers == 0 {
        return true;
    }
    // A pinned piece cannot take: on the line of its pin the pawn would be a second shield.
    let occupied = occupied | head;
    let snipers = position.colors[M::US as usize]
        & (ROOK_LINES[king] & position.shapes[Shape::Rook as usize]
            | BISHOP_LINES[king] & position.shapes[Shape::Bishop as usize]
            | RAYS[<M::Other as Mover>::AHEAD][king] & position.shapes[Shape::Lance as usize]);
    let mut held = 0;
    for sniper in each_square(snipers) {
        let shield = between(king, sniper) & occupied;
        if shield != 0 && shield & (shield - 1) == 0 {
            held |= shield;
        }
    }
    takers & !held == 0
}

/// Whether a pawn that the side to move drops on `to`, in front of the other king, mates it.
pub(crate) fn is_drop_pawn_mate(position: &Position, to: Square) -> bool {
    let occupied = position.occupied().bits();
    let king = position.kings[!position.turn() as usize] as usize;
    match position.turn() {
        Color::Black => drop_mates::<Black, Plain>(position, king, 1 << to.index(), occupied),
        Color::White => drop_mates::<White, Plain>(position, king, 1 << to.index(), occupied),
    }
}
