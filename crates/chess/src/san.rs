//! SAN: moves as players and PGN write them.

use cozy_chess::{BitBoard, File, Rank, Square};

use crate::{CastlingBan, Color, IllegalMove, Move, PieceKind, Position};

/// Why a text is no move of a position in SAN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SanError {
    /// The text is not written as SAN is.
    #[error("{0:?} is not a SAN move: write e4, Nf3, exd5, Nbd2, e8=Q or O-O")]
    Syntax(String),
    /// There is no such piece where the text says.
    #[error("{text}: {color} has no {kind} there")]
    NoSuchPiece {
        /// The text.
        text: String,
        /// The player to move.
        color: Color,
        /// The piece that is meant.
        kind: PieceKind,
    },
    /// The move breaks a rule.
    #[error("{text} is illegal: {rule}")]
    Illegal {
        /// The text.
        text: String,
        /// The rule it breaks.
        rule: IllegalMove,
    },
    /// Several pieces can make the move.
    #[error("{text} could be the {kind} on {first} or the one on {second}")]
    Ambiguous {
        /// The text.
        text: String,
        /// The piece that is meant.
        kind: PieceKind,
        /// One of the pieces.
        first: Square,
        /// Another.
        second: Square,
    },
    /// The text speaks of a capture, and the move is none.
    #[error("{text}: there is nothing to capture on {square}")]
    NothingToCapture {
        /// The text.
        text: String,
        /// Where the move goes.
        square: Square,
    },
}

impl Position {
    /// `mv` in SAN: as short as it can be told from every other legal move, with `+` for check
    /// and `#` for mate.
    ///
    /// ```
    /// use keisei_chess::Position;
    ///
    /// let position: Position = "4k3/P7/8/8/8/8/8/R3K1NR w KQ - 0 1".parse()?;
    /// assert_eq!(position.san("g1f3".parse()?)?, "Nf3");
    /// assert_eq!(position.san("e1c1".parse()?)?, "O-O-O");
    /// assert_eq!(position.san("a7a8q".parse()?)?, "a8=Q+");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, mv: Move) -> Result<String, IllegalMove> {
        let mut after = self.clone();
        after.play(mv)?;
        let mut text = self.san_without_check(mv);
        if after.in_check() {
            text.push(if after.has_legal_moves() { '+' } else { '#' });
        }
        Ok(text)
    }

    fn san_without_check(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        if self.is_castling(mv) {
            return if to > from { "O-O" } else { "O-O-O" }.to_owned();
        }
        let captures = self.captured_by(mv).is_some();
        let mut text = String::new();
        match self.piece_at(from).map(|piece| piece.kind) {
            Some(PieceKind::Pawn) | None => {
                if captures {
                    text += &from.file().to_string();
                }
            }
            Some(kind) => {
                text.push(kind.letter());
                text += &self.origin_in_san(mv, kind);
            }
        }
        if captures {
            text.push('x');
        }
        text += &to.to_string();
        if let Some(kind) = mv.promotion() {
            text.extend(['=', kind.letter()]);
        }
        text
    }

    /// What SAN says about where the piece comes from: nothing if no other piece of its kind can
    /// go to the same square, else its file, else its rank, else both.
    fn origin_in_san(&self, mv: Move, kind: PieceKind) -> String {
        let from = mv.from();
        let alike = self.pieces_of(self.turn(), kind) - from.bitboard();
        let can_go = |&other: &Square| self.is_legal(Move::new(other, mv.to()));
        let rivals: BitBoard = alike.into_iter().filter(can_go).collect();
        if rivals.is_empty() {
            String::new()
        } else if (rivals & from.file().bitboard()).is_empty() {
            from.file().to_string()
        } else if (rivals & from.rank().bitboard()).is_empty() {
            from.rank().to_string()
        } else {
            from.to_string()
        }
    }

    /// Reads a legal move in SAN.
    ///
    /// Castling may be written with letters or with zeros. A promotion may lack its `=`, a capture
    /// its `x`; the origin may be given although it is not needed. Marks after the move (`+`, `#`,
    /// `!`, `?`, `e.p.`) are not checked.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let san = San::read(text).ok_or_else(|| SanError::Syntax(text.to_owned()))?;
        match san {
            San::Castling { short } => self.castling_from_san(text, short),
            San::Piece(san) => self.move_from_san(text, &san),
        }
    }

    fn castling_from_san(&self, text: &str, short: bool) -> Result<Move, SanError> {
        let home = |file| self.turn().home(file);
        let (rook, to) = if short { (File::H, File::G) } else { (File::A, File::C) };
        let mv = Move::new(home(File::E), home(to));
        let legal = if self.king(self.turn()) == mv.from() {
            self.check_legal(mv)
        } else {
            Err(IllegalMove::Castling(CastlingBan::RightLost { rook: home(rook) }))
        };
        legal.map_err(|rule| SanError::Illegal { text: text.to_owned(), rule })?;
        Ok(mv)
    }

    fn move_from_san(&self, text: &str, san: &PieceMove) -> Result<Move, SanError> {
        let text = || text.to_owned();
        let &PieceMove { kind, from, to, promotion, captures } = san;
        let candidates = self.pieces_of(self.turn(), kind) & from;
        let (mut legal, mut broken) = (Vec::new(), Vec::new());
        for from in candidates {
            let plain = Move::new(from, to);
            let mv = promotion.map_or(Some(plain), |kind| plain.promoting(kind));
            let mv = mv.ok_or_else(|| SanError::Syntax(text()))?;
            match self.check_legal(mv) {
                Ok(()) if self.is_castling(mv) => {
                    broken.push(IllegalMove::NotItsMove { kind, from, to });
                }
                Ok(()) => legal.push(mv),
                Err(rule) => broken.push(rule),
            }
        }
        match *legal {
            [mv] if captures && self.captured_by(mv).is_none() => {
                Err(SanError::NothingToCapture { text: text(), square: to })
            }
            [mv] => Ok(mv),
            [first, second, ..] => {
                let (first, second) = (first.from(), second.from());
                Err(SanError::Ambiguous { text: text(), kind, first, second })
            }
            // The piece that comes nearest to making the move tells most.
            [] => Err(match broken.into_iter().max_by_key(closeness) {
                Some(rule) => SanError::Illegal { text: text(), rule },
                None => SanError::NoSuchPiece { text: text(), color: self.turn(), kind },
            }),
        }
    }
}

/// How little is missing for a move that breaks this rule to be legal.
fn closeness(rule: &IllegalMove) -> u8 {
    match rule {
        IllegalMove::NotItsMove { .. } => 0,
        IllegalMove::NothingToCapture(_) => 1,
        IllegalMove::Blocked { .. } => 2,
        _ => 3,
    }
}

/// What the text of a SAN move says, before it is compared with a position.
enum San {
    Castling { short: bool },
    Piece(PieceMove),
}

struct PieceMove {
    kind: PieceKind,
    /// The squares that the text allows as origin.
    from: BitBoard,
    to: Square,
    promotion: Option<PieceKind>,
    captures: bool,
}

impl San {
    fn read(text: &str) -> Option<Self> {
        let text = without_marks(text.trim());
        match text {
            "O-O" | "0-0" => return Some(Self::Castling { short: true }),
            "O-O-O" | "0-0-0" => return Some(Self::Castling { short: false }),
            _ => {}
        }
        let capital =
            |letter: char| PieceKind::from_letter(letter).filter(|_| letter.is_ascii_uppercase());
        let (kind, text) = match text.chars().next().and_then(capital) {
            Some(kind) => (kind, &text[1..]),
            None => (PieceKind::Pawn, text),
        };
        let (promotion, text) = match text.chars().next_back().and_then(capital) {
            Some(kind) => {
                let rest = &text[..text.len() - 1];
                (Some(kind), rest.strip_suffix('=').unwrap_or(rest))
            }
            None => (None, text),
        };
        let (origin, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let (origin, captures) = match origin.strip_suffix('x') {
            Some(origin) => (origin, true),
            None => (origin, false),
        };
        let from = read_origin(origin)?;
        Some(Self::Piece(PieceMove { kind, from, to: to.parse().ok()?, promotion, captures }))
    }
}

/// The squares meant by an origin: a file, a rank, both or nothing.
fn read_origin(text: &str) -> Option<BitBoard> {
    let mut squares = BitBoard::FULL;
    let mut letters = text.chars().peekable();
    if let Some(file) = letters.peek().and_then(|&letter| File::try_from(letter).ok()) {
        squares &= file.bitboard();
        letters.next();
    }
    if let Some(rank) = letters.peek().and_then(|&letter| Rank::try_from(letter).ok()) {
        squares &= rank.bitboard();
        letters.next();
    }
    letters.next().is_none().then_some(squares)
}

/// `text` without the marks that may follow a move.
fn without_marks(mut text: &str) -> &str {
    loop {
        let shorter = text.trim_end_matches(['+', '#', '!', '?', ' ']);
        let shorter = shorter.strip_suffix("e.p.").unwrap_or(shorter);
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}
