//! A second generator of legal moves, slow and plain: every rule as a beginner's book states it,
//! over arrays that are copied for every question. It shares nothing with the library but the
//! vocabulary.

use std::collections::BTreeSet;

use keisei_shogi::{Color, HandKind, Move, Origin, Piece, PieceKind, Position, Square};

#[derive(Clone)]
pub(crate) struct Board {
    grid: [[Option<Piece>; 9]; 9],
    hands: [[u8; 7]; 2],
    turn: Color,
}

/// Rows and columns, counted down and to the right.
type At = (i8, i8);

/// The single steps and the sliding directions of Black's pieces.
fn steps_and_slides(kind: PieceKind) -> (&'static [At], &'static [At]) {
    const STRAIGHT: &[At] = &[(-1, 0), (1, 0), (0, -1), (0, 1)];
    const DIAGONAL: &[At] = &[(-1, -1), (-1, 1), (1, -1), (1, 1)];
    const ALL: &[At] = &[(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];
    const GOLD: &[At] = &[(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1)];
    match kind {
        PieceKind::Pawn => (&[(-1, 0)], &[]),
        PieceKind::Lance => (&[], &[(-1, 0)]),
        PieceKind::Knight => (&[(-2, -1), (-2, 1)], &[]),
        PieceKind::Silver => (&[(-1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)], &[]),
        PieceKind::Bishop => (&[], DIAGONAL),
        PieceKind::Rook => (&[], STRAIGHT),
        PieceKind::King => (ALL, &[]),
        PieceKind::Horse => (STRAIGHT, DIAGONAL),
        PieceKind::Dragon => (DIAGONAL, STRAIGHT),
        PieceKind::Gold
        | PieceKind::Tokin
        | PieceKind::PromotedLance
        | PieceKind::PromotedKnight
        | PieceKind::PromotedSilver => (GOLD, &[]),
    }
}

fn on_board((row, column): At) -> bool {
    (0..9).contains(&row) && (0..9).contains(&column)
}

fn square((row, column): At) -> Square {
    Square::at(row as u8, column as u8).unwrap()
}

fn everywhere() -> impl Iterator<Item = At> {
    (0..9).flat_map(|row| (0..9).map(move |column| (row, column)))
}

impl Board {
    pub(crate) fn of(position: &Position) -> Self {
        let mut grid = [[None; 9]; 9];
        for at in everywhere() {
            grid[at.0 as usize][at.1 as usize] = position.piece_at(square(at));
        }
        let hands = Color::ALL.map(|color| {
            let hand = position.hand(color);
            HandKind::ALL.map(|kind| hand.count(kind))
        });
        Self { grid, hands, turn: position.turn() }
    }

    fn get(&self, (row, column): At) -> Option<Piece> {
        self.grid[row as usize][column as usize]
    }

    fn put(&mut self, (row, column): At, piece: Option<Piece>) {
        self.grid[row as usize][column as usize] = piece;
    }

    /// The squares that a piece attacks, up to and including the first piece in each direction.
    fn attacks(&self, piece: Piece, from: At) -> Vec<At> {
        let (steps, slides) = steps_and_slides(piece.kind);
        let forward = if piece.color == Color::Black { 1 } else { -1 };
        let mut reached = Vec::new();
        for (directions, furthest) in [(steps, 1), (slides, 8)] {
            for (rows, columns) in directions {
                let mut at = from;
                for _ in 0..furthest {
                    at = (at.0 + rows * forward, at.1 + columns * forward);
                    if !on_board(at) {
                        break;
                    }
                    reached.push(at);
                    if self.get(at).is_some() {
                        break;
                    }
                }
            }
        }
        reached
    }

    /// The squares of the pieces of `color` that attack `target`.
    pub(crate) fn attackers(&self, target: Square, color: Color) -> BTreeSet<Square> {
        let target = (target.row() as i8, target.column() as i8);
        everywhere()
            .filter(|&at| {
                let piece = self.get(at).filter(|piece| piece.color == color);
                piece.is_some_and(|piece| self.attacks(piece, at).contains(&target))
            })
            .map(square)
            .collect()
    }

    /// The pieces that attack the king of `color`.
    pub(crate) fn checkers(&self, color: Color) -> BTreeSet<Square> {
        let king = Some(Piece::new(color, PieceKind::King));
        match everywhere().find(|&at| self.get(at) == king) {
            Some(at) => self.attackers(square(at), !color),
            None => BTreeSet::new(),
        }
    }

    /// The pieces of `color` that would leave their king in a new check if they vanished.
    pub(crate) fn shields(&self, color: Color) -> BTreeSet<Square> {
        let before = self.checkers(color);
        everywhere()
            .filter(|&at| {
                let own = self
                    .get(at)
                    .is_some_and(|piece| piece.color == color && piece.kind != PieceKind::King);
                let mut without = self.clone();
                without.put(at, None);
                own && without.checkers(color) != before
            })
            .map(square)
            .collect()
    }

    /// The board after a move, legal or not.
    fn played(&self, mv: Move) -> Self {
        let mut after = self.clone();
        let to = (mv.to().row() as i8, mv.to().column() as i8);
        let us = self.turn;
        let piece = match mv.origin() {
            Origin::Board(from) => {
                let from = (from.row() as i8, from.column() as i8);
                let piece = self.get(from).unwrap();
                after.put(from, None);
                let promoted = piece.kind.promoted().filter(|_| mv.promotes());
                Piece::new(us, promoted.unwrap_or(piece.kind))
            }
            Origin::Hand(kind) => {
                after.hands[us as usize][kind as usize] -= 1;
                Piece::new(us, kind.kind())
            }
        };
        if let Some(taken) = self.get(to).and_then(|taken| taken.kind.in_hand()) {
            after.hands[us as usize][taken as usize] += 1;
        }
        after.put(to, Some(piece));
        after.turn = !us;
        after
    }

    /// Whether a piece could move from `at` if the board were empty.
    fn could_move(piece: Piece, at: At) -> bool {
        let empty = Self { grid: [[None; 9]; 9], hands: [[0; 7]; 2], turn: piece.color };
        !empty.attacks(piece, at).is_empty()
    }

    fn in_zone(color: Color, (row, _): At) -> bool {
        if color == Color::Black { row <= 2 } else { row >= 6 }
    }

    /// The moves of a piece over the board, with every permitted choice of promotion.
    fn piece_moves(&self, piece: Piece, from: At) -> Vec<Move> {
        let mut moves = Vec::new();
        for to in self.attacks(piece, from) {
            if self.get(to).is_some_and(|target| target.color == piece.color) {
                continue;
            }
            let touches_zone = Self::in_zone(piece.color, from) || Self::in_zone(piece.color, to);
            if touches_zone && piece.kind.promoted().is_some() {
                moves.push(Move::new(square(from), square(to), true));
            }
            if Self::could_move(piece, to) {
                moves.push(Move::new(square(from), square(to), false));
            }
        }
        moves
    }

    fn drops(&self, kind: HandKind) -> Vec<Move> {
        let piece = Piece::new(self.turn, kind.kind());
        let has_pawn = |column: i8| (0..9).any(|row| self.get((row, column)) == Some(piece));
        everywhere()
            .filter(|&at| self.get(at).is_none() && Self::could_move(piece, at))
            .filter(|&(_, column)| kind != HandKind::Pawn || !has_pawn(column))
            .map(|at| Move::drop(kind, square(at)))
            .collect()
    }

    /// Moves by the ways of the pieces and the rules of dropping, whatever becomes of the kings.
    fn candidates(&self) -> Vec<Move> {
        let own = everywhere().filter_map(|at| Some((at, self.get(at)?)));
        let own = own.filter(|(_, piece)| piece.color == self.turn);
        let held = HandKind::ALL.into_iter();
        let held = held.filter(|&kind| self.hands[self.turn as usize][kind as usize] > 0);
        own.flat_map(|(at, piece)| self.piece_moves(piece, at))
            .chain(held.flat_map(|kind| self.drops(kind)))
            .collect()
    }

    /// Whether a candidate leaves its own king safe and is no uchifuzume.
    fn permits(&self, mv: Move) -> bool {
        let after = self.played(mv);
        if !after.checkers(self.turn).is_empty() {
            return false;
        }
        let pawn_dropped = mv.dropped() == Some(HandKind::Pawn);
        !(pawn_dropped && !after.checkers(after.turn).is_empty() && after.legal_moves().is_empty())
    }

    pub(crate) fn legal_moves(&self) -> BTreeSet<Move> {
        self.candidates().into_iter().filter(|&mv| self.permits(mv)).collect()
    }

    /// The pawn drops that nothing but uchifuzume forbids.
    pub(crate) fn mating_pawn_drops(&self) -> BTreeSet<Move> {
        self.candidates()
            .into_iter()
            .filter(|mv| mv.dropped() == Some(HandKind::Pawn))
            .filter(|&mv| !self.permits(mv) && self.played(mv).checkers(self.turn).is_empty())
            .collect()
    }
}
