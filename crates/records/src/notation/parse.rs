//! Reading moves as people write them.

use keisei_shogi::{IllegalMove, Move, PieceKind, Position, Square};

use super::japanese::way;
use super::{Marks, Motion, Relative, rank_number, western};
use crate::scan::Cursor;

/// Why a text is no move in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// The text is not written like a move.
    #[error("the text is not written like a move")]
    NotAMove,
    /// 同 without a move before it.
    #[error("同 follows no move")]
    NothingBefore,
    /// Nothing stands where the move starts.
    #[error("there is no piece on {0}")]
    EmptySquare(Square),
    /// Another piece stands where the move starts.
    #[error("a {found} stands on {square} and not a {named}")]
    OtherPiece {
        /// The square.
        square: Square,
        /// The piece that stands there.
        found: PieceKind,
        /// The piece that the text names.
        named: PieceKind,
    },
    /// The text names a piece that cannot be dropped.
    #[error("a {0} cannot be dropped")]
    Undroppable(PieceKind),
    /// No piece fits the text.
    #[error("no {kind} of the mover goes to {to} like that")]
    Nobody {
        /// The kind of piece.
        kind: PieceKind,
        /// The destination.
        to: Square,
    },
    /// Several pieces fit the text.
    #[error("{} {kind}s of the mover can go to {to} like that", .from.len())]
    Ambiguous {
        /// The kind of piece.
        kind: PieceKind,
        /// The destination.
        to: Square,
        /// Where the pieces stand.
        from: Vec<Square>,
    },
    /// The text fits one move, and the rules forbid it.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// A move as its text gives it, before a position says what it means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveText {
    /// The destination: `None` for 同.
    to: Option<Square>,
    kind: PieceKind,
    relative: Option<Relative>,
    motion: Option<Motion>,
    promotes: bool,
    drop: bool,
    /// The origin in brackets.
    from: Option<Square>,
}

impl MoveText {
    /// A move given by its parts.
    pub(crate) const fn new(
        to: Option<Square>,
        kind: PieceKind,
        marks: Marks,
        promotes: bool,
        drop: bool,
        from: Option<Square>,
    ) -> Self {
        let Marks { relative, motion, .. } = marks;
        Self { to, kind, relative, motion, promotes, drop, from }
    }

    /// Takes a move from the text, with or without the mark of the mover.
    pub(crate) fn scan(cursor: &mut Cursor<'_>) -> Option<Self> {
        cursor.take(|c| matches!(c, '▲' | '△' | '▼' | '▽' | '☗' | '☖').then_some(()));
        cursor.skip_spaces();
        let to = if cursor.eat("同") {
            cursor.skip_spaces();
            None
        } else {
            Some(square(cursor)?)
        };
        let kind = scan_kind(cursor)?;
        let mut text = Self {
            to,
            kind,
            relative: None,
            motion: None,
            promotes: false,
            drop: false,
            from: None,
        };
        loop {
            match cursor.peek() {
                Some('左') => text.relative = Some(Relative::Left),
                Some('右') => text.relative = Some(Relative::Right),
                Some('直') => text.relative = Some(Relative::Straight),
                // Older books write 行 or 入 for pieces that run.
                Some('上' | '行' | '入') => text.motion = Some(Motion::Up),
                Some('寄') => text.motion = Some(Motion::Sideways),
                Some('引') => text.motion = Some(Motion::Back),
                _ => break,
            }
            cursor.bump();
        }
        cursor.take_while(|c| c == '　');
        if cursor.eat("成") {
            text.promotes = true;
        } else if cursor.eat("打") {
            text.drop = true;
        } else if !cursor.eat("不成") {
            cursor.eat("生");
        }
        let mut brackets = *cursor;
        if brackets.eat("(") {
            text.from = Some(square(&mut brackets)?);
            if !brackets.eat(")") {
                return None;
            }
            *cursor = brackets;
        }
        Some(text)
    }

    /// The move that the text means in `position`, when the move before went to `previous`. It may
    /// still be illegal.
    pub(crate) fn resolve(
        self,
        position: &Position,
        previous: Option<Square>,
    ) -> Result<Move, MoveTextError> {
        let to = self.to.or(previous).ok_or(MoveTextError::NothingBefore)?;
        if self.drop {
            let kind = self.kind.in_hand().filter(|_| !self.kind.is_promoted());
            let kind = kind.ok_or(MoveTextError::Undroppable(self.kind))?;
            return Ok(Move::drop(kind, to));
        }
        match self.from {
            Some(from) => self.at_square(position, from, to),
            None => self.search(position, to),
        }
    }

    fn at_square(
        self,
        position: &Position,
        from: Square,
        to: Square,
    ) -> Result<Move, MoveTextError> {
        let piece = position.piece_at(from).ok_or(MoveTextError::EmptySquare(from))?;
        if piece.kind == self.kind {
            return Ok(Move::new(from, to, self.promotes));
        }
        Err(MoveTextError::OtherPiece { square: from, found: piece.kind, named: self.kind })
    }

    /// Finds the piece that the text means among those that can go to `to`.
    fn search(self, position: &Position, to: Square) -> Result<Move, MoveTextError> {
        let mover = position.turn();
        let own = position.pieces_of(mover, self.kind);
        let legal: Vec<_> = position
            .legal_moves()
            .iter()
            .filter(|mv| mv.to() == to && mv.promotes() == self.promotes)
            .filter_map(|mv| mv.from().filter(|&from| own.has(from)))
            .collect();
        let mut fitting: Vec<_> =
            legal.into_iter().filter(|&from| self.fits(position, from, to)).collect();
        if fitting.len() > 1 && self.relative.is_some() {
            // 左 and 右 of a horse or dragon that goes straight ahead yield to one that does not.
            fitting
                .retain(|&from| way(mover, from, to).0 == self.relative.unwrap_or(Relative::Left));
        }
        match fitting[..] {
            [from] => Ok(Move::new(from, to, self.promotes)),
            [] => self.search_further(position, to),
            _ => Err(MoveTextError::Ambiguous { kind: self.kind, to, from: fitting }),
        }
    }

    /// Whether the marks of the text describe the way from `from` to `to`.
    fn fits(self, position: &Position, from: Square, to: Square) -> bool {
        let (relative, motion) = way(position.turn(), from, to);
        let runs = matches!(self.kind, PieceKind::Horse | PieceKind::Dragon);
        let side_fits = match self.relative {
            None => true,
            Some(Relative::Straight) => relative == Relative::Straight && motion == Motion::Up,
            Some(side) => relative == side || runs && relative == Relative::Straight,
        };
        side_fits && self.motion.is_none_or(|wanted| wanted == motion)
    }

    /// Without a piece on the board that fits, the move is a drop, or it is illegal: then the piece
    /// that comes nearest to it tells which rule it breaks.
    fn search_further(self, position: &Position, to: Square) -> Result<Move, MoveTextError> {
        let nobody = MoveTextError::Nobody { kind: self.kind, to };
        let plain = self.relative.is_none() && self.motion.is_none() && !self.promotes;
        let in_hand = self.kind.in_hand().filter(|_| plain && !self.kind.is_promoted());
        if let Some(kind) = in_hand.filter(|&kind| position.hand(position.turn()).has(kind)) {
            return Ok(Move::drop(kind, to));
        }
        let own = position.pieces_of(position.turn(), self.kind);
        let tries = own.into_iter().filter(|&from| from != to && self.fits(position, from, to));
        let refusals =
            tries.filter_map(|from| position.check_legal(Move::new(from, to, self.promotes)).err());
        let far = |rule: &IllegalMove| {
            matches!(rule, IllegalMove::Unreachable { .. } | IllegalMove::Blocked { .. })
        };
        match refusals.min_by_key(|rule| far(rule)) {
            Some(rule) if !far(&rule) => Err(rule.into()),
            _ => Err(nobody),
        }
    }
}

/// Takes a square: a file and a rank in any digits.
fn square(cursor: &mut Cursor<'_>) -> Option<Square> {
    let file = cursor.take(rank_number)?;
    let rank = cursor.take(rank_number)?;
    Square::at(rank - 1, 9 - file)
}

/// Takes the name of a piece: one character, or 成香, 成桂, 成銀.
fn scan_kind(cursor: &mut Cursor<'_>) -> Option<PieceKind> {
    if cursor.eat("成") {
        let minor = |c| matches!(c, '香' | '桂' | '銀').then(|| PieceKind::from_kanji(c)).flatten();
        return cursor.take(minor)?.promoted();
    }
    cursor.take(PieceKind::from_kanji)
}

/// Reads a move in Japanese or KIF notation. `previous` is the destination of the move before, for
/// 同.
pub fn parse_japanese(
    position: &Position,
    text: &str,
    previous: Option<Square>,
) -> Result<Move, MoveTextError> {
    let mut cursor = Cursor::new(text.trim());
    let scanned = MoveText::scan(&mut cursor).filter(|_| cursor.is_done());
    let mv = scanned.ok_or(MoveTextError::NotAMove)?.resolve(position, previous)?;
    position.check_legal(mv)?;
    Ok(mv)
}

/// Reads a move in any notation: USI, Japanese, KIF or Western.
pub fn parse_any(
    position: &Position,
    text: &str,
    previous: Option<Square>,
) -> Result<Move, MoveTextError> {
    let text = text.trim();
    if let Ok(mv) = text.parse::<Move>() {
        position.check_legal(mv)?;
        return Ok(mv);
    }
    let named = |&mv: &Move| western(position, mv).is_ok_and(|name| name == text);
    match position.legal_moves().iter().copied().find(named) {
        Some(mv) => Ok(mv),
        None => parse_japanese(position, text, previous),
    }
}
