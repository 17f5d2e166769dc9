//! Playing moves and taking them back.

use super::{Cell, IllegalMove, NO_KING, Position, Shape};
use crate::{Color, Hand, HandKind, Move, Origin, PieceKind, zobrist};

/// What [`Position::unmake`] needs to take a move back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    mv: Move,
    captured: Option<PieceKind>,
}

impl Undo {
    /// What takes back `mv`, which captured a piece of kind `captured`.
    pub const fn new(mv: Move, captured: Option<PieceKind>) -> Self {
        Self { mv, captured }
    }

    /// The move that was played.
    pub const fn mv(self) -> Move {
        self.mv
    }

    /// The kind of piece it captured, as it stood on the board.
    pub const fn captured(self) -> Option<PieceKind> {
        self.captured
    }
}

impl Position {
    /// Plays `mv`, or says which rule forbids it and changes nothing.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check_legal(mv)?;
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays `mv`, which must be legal here.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        self.make(mv);
    }

    /// Plays `mv`, which must be legal here, and returns what takes it back.
    #[inline]
    pub fn make(&mut self, mv: Move) -> Undo {
        debug_assert!(self.is_legal(mv), "{mv} in {self}");
        let us = self.turn;
        let to = mv.to().index();
        let mut captured = None;
        match mv.origin() {
            Origin::Hand(kind) => {
                self.hand_removes(us, kind);
                self.put(us, kind.kind(), to);
            }
            Origin::Board(from) => {
                let from = from.index();
                let kind = self.board[from].kind();
                if !self.board[to].is_empty() {
                    let kind = self.board[to].kind();
                    captured = Some(kind);
                    self.take(!us, kind, to);
                    if let Some(kind) = kind.in_hand() {
                        self.hand_adds(us, kind);
                    }
                }
                let arrived = if mv.promotes() { PROMOTED[kind as usize] } else { kind };
                self.take(us, kind, from);
                self.put(us, arrived, to);
            }
        }
        self.pass_turn();
        self.move_number = self.move_number.wrapping_add(1);
        Undo { mv, captured }
    }

    /// Takes back the move that `undo` came from. It must have been the last one played.
    pub fn unmake(&mut self, undo: Undo) {
        self.pass_turn();
        self.move_number = self.move_number.wrapping_sub(1);
        let us = self.turn;
        let to = undo.mv.to().index();
        let arrived = self.board[to].kind();
        self.take(us, arrived, to);
        match undo.mv.origin() {
            Origin::Hand(kind) => self.hand_adds(us, kind),
            Origin::Board(from) => {
                let kind = if undo.mv.promotes() { arrived.unpromoted() } else { arrived };
                self.put(us, kind, from.index());
                if let Some(kind) = undo.captured {
                    self.put(!us, kind, to);
                    if let Some(kind) = kind.in_hand() {
                        self.hand_removes(us, kind);
                    }
                }
            }
        }
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.turn = !self.turn;
        self.key ^= zobrist::white_to_move();
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(crate) fn put(&mut self, color: Color, kind: PieceKind, square: usize) {
        self.toggle(color, kind, square);
        self.board[square] = Cell::new(color, kind);
        if kind == PieceKind::King {
            self.kings[color as usize] = square as u8;
        }
    }

    /// Takes a piece from its square.
    #[inline(always)]
    fn take(&mut self, color: Color, kind: PieceKind, square: usize) {
        self.toggle(color, kind, square);
        self.board[square] = Cell::EMPTY;
        if kind == PieceKind::King {
            self.kings[color as usize] = NO_KING;
        }
    }

    #[inline(always)]
    fn toggle(&mut self, color: Color, kind: PieceKind, square: usize) {
        let bit = 1 << square;
        self.colors[color as usize] ^= bit;
        self.shapes[Shape::OF[kind as usize] as usize] ^= bit;
        if matches!(kind, PieceKind::Horse | PieceKind::Dragon) {
            self.shapes[Shape::King as usize] ^= bit;
        }
        self.key ^= zobrist::piece(color, kind, square);
    }

    #[inline(always)]
    fn hand_adds(&mut self, color: Color, kind: HandKind) {
        self.change_hand(color, kind, Hand::add);
    }

    #[inline(always)]
    fn hand_removes(&mut self, color: Color, kind: HandKind) {
        self.change_hand(color, kind, Hand::remove);
    }

    #[inline(always)]
    fn change_hand(&mut self, color: Color, kind: HandKind, change: impl Fn(&mut Hand, HandKind)) {
        let hand = &mut self.hands[color];
        let before = hand.count(kind);
        change(hand, kind);
        self.key ^= zobrist::hand(color, kind, before)
            ^ zobrist::hand(color, kind, self.hands[color].count(kind));
    }
}

/// What each kind is after a promoting move.
const PROMOTED: [PieceKind; 14] = {
    let mut table = PieceKind::ALL;
    let mut kind = 0;
    while kind < 14 {
        if let Some(promoted) = PieceKind::ALL[kind].promoted() {
            table[kind] = promoted;
        }
        kind += 1;
    }
    table
};
