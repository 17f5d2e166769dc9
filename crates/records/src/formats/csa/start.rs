//! Start positions as CSA writes them: `PI`, `P1` to `P9`, `P+` and `P-`.

use keisei_shogi::{Color, HandKind, Piece, PieceKind, Position, Setup, Square};

use super::super::presets::Preset;
use super::moves::{parse_square, square_digits};
use crate::notation::{csa_kind, csa_name};
use crate::scan::Cursor;
use crate::{Problem, ReadError};

/// The pieces put down so far; the usual start if none were.
pub(super) struct Placement {
    setup: Setup,
    touched: bool,
}

impl Default for Placement {
    fn default() -> Self {
        Self { setup: Setup::EMPTY, touched: false }
    }
}

impl Placement {
    /// Reads a statement that begins with P.
    pub(super) fn read(&mut self, mut statement: Cursor<'_>) -> Result<(), ReadError> {
        let at = statement;
        statement.bump();
        self.touched = true;
        match statement.bump() {
            Some('I') => self.read_removed(statement),
            Some(row @ '1'..='9') => self.read_row(row as u8 - b'1', statement),
            Some('+') => self.read_pieces(Color::Black, statement),
            Some('-') => self.read_pieces(Color::White, statement),
            _ => Err(at.error(Problem::Expected("PI, P1 to P9, P+ or P-"))),
        }
    }

    /// The position with `turn` to move.
    pub(super) fn position(&self, turn: Color) -> Result<Position, Problem> {
        let setup = if self.touched { self.setup } else { Position::start().setup() };
        Position::try_from(Setup { turn, ..setup })
            .map_err(|error| Problem::Position(error.to_string()))
    }

    /// `PI82HI22KA`: the usual start without these pieces.
    fn read_removed(&mut self, mut rest: Cursor<'_>) -> Result<(), ReadError> {
        self.setup.board = Position::start().setup().board;
        while !rest.skip_spaces().is_done() {
            let at = rest;
            let (square, kind) = read_piece(&mut rest)?;
            let stands = square.and_then(|square| self.setup.board[square.index()]);
            let (Some(square), Some(Piece { kind: found, .. })) = (square, stands) else {
                return Err(at.error(Problem::Expected("a piece of the usual start")));
            };
            if found != kind {
                return Err(at.error(Problem::Contradiction("the usual start")));
            }
            self.setup.board[square.index()] = None;
        }
        Ok(())
    }

    /// `P1-KY-KE * …`: a row from the left.
    fn read_row(&mut self, row: u8, mut rest: Cursor<'_>) -> Result<(), ReadError> {
        for column in 0..9 {
            let at = rest;
            // Text that went through a web page may have lost one of two spaces.
            rest.take_while(|c| c == ' ');
            let piece = match rest.bump() {
                Some('*') => None,
                Some(sign @ ('+' | '-')) => {
                    let kind = csa_kind(read_name(&mut rest));
                    let kind = kind.ok_or_else(|| at.error(Problem::Unknown("piece")))?;
                    let color = if sign == '+' { Color::Black } else { Color::White };
                    Some(Piece::new(color, kind))
                }
                _ => return Err(at.error(Problem::Expected("a piece or *"))),
            };
            self.setup.set(row, column, piece);
        }
        if rest.skip_spaces().is_done() {
            Ok(())
        } else {
            Err(rest.error(Problem::Expected("nine squares and no more")))
        }
    }

    /// `P+99KY00FU00AL`: pieces on squares and in hand, or all that are left.
    fn read_pieces(&mut self, color: Color, mut rest: Cursor<'_>) -> Result<(), ReadError> {
        while !rest.skip_spaces().is_done() {
            let at = rest;
            if rest.eat("00AL") {
                self.take_the_rest(color);
                continue;
            }
            match read_piece(&mut rest)? {
                (Some(square), kind) => {
                    self.setup.board[square.index()] = Some(Piece::new(color, kind));
                }
                (None, kind) => {
                    let held = kind.in_hand().filter(|_| !kind.is_promoted());
                    let hand = &mut self.setup.hands[color];
                    match held.filter(|&kind| hand.count(kind) < kind.total()) {
                        Some(kind) => *hand = hand.with(kind, hand.count(kind) + 1),
                        None => return Err(at.error(Problem::Expected("a piece a hand can hold"))),
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts every piece of a set that is not down yet into the hand of `color`.
    fn take_the_rest(&mut self, color: Color) {
        for kind in HandKind::ALL {
            let same = |piece: &&Piece| piece.kind.in_hand() == Some(kind);
            let on_board = self.setup.board.iter().flatten().filter(same).count();
            let other = self.setup.hands[!color].count(kind) as usize;
            let left = (kind.total() as usize).saturating_sub(on_board + other);
            self.setup.hands[color] = self.setup.hands[color].with(kind, left as u8);
        }
    }
}

fn read_name<'a>(rest: &mut Cursor<'a>) -> &'a str {
    let text = rest.rest();
    let name = text.get(..2).unwrap_or(text);
    rest.eat(name);
    name
}

/// Takes `82HI`; the square is `None` for `00`.
fn read_piece(rest: &mut Cursor<'_>) -> Result<(Option<Square>, PieceKind), ReadError> {
    let at = *rest;
    let square = match read_name(rest).as_bytes() {
        &[file, rank] => parse_square(file, rank),
        _ => None,
    };
    let kind = csa_kind(read_name(rest));
    match (square, kind) {
        (Some(square), Some(kind)) => Ok((square, kind)),
        _ => Err(at.error(Problem::Expected("a square and a piece such as 82HI"))),
    }
}

/// Writes a start position with its side to move.
pub(super) fn write(position: &Position) -> String {
    let turn = if position.turn() == Color::Black { "+\n" } else { "-\n" };
    if let Some(preset) = Preset::of(position) {
        let full = Position::start();
        let removed = preset.removed().filter_map(|square| {
            let kind = full.piece_at(square)?.kind;
            Some(square_digits(square) + csa_name(kind))
        });
        return ["PI", &removed.collect::<String>(), "\n", turn].concat();
    }
    let mut text = String::new();
    for row in 0..9 {
        text.push_str(&format!("P{}", row + 1));
        for column in 0..9 {
            let square = Square::at(row, column).expect("nine rows of nine columns");
            match position.piece_at(square) {
                None => text.push_str(" * "),
                Some(piece) => {
                    text.push(if piece.color == Color::Black { '+' } else { '-' });
                    text.push_str(csa_name(piece.kind));
                }
            }
        }
        text.push('\n');
    }
    for (color, sign) in [(Color::Black, "P+"), (Color::White, "P-")] {
        let hand = position.hand(color);
        text.push_str(sign);
        for kind in HandKind::ALL.into_iter().rev() {
            let one = ["00", csa_name(kind.kind())].concat();
            text.push_str(&one.repeat(hand.count(kind).into()));
        }
        text.push('\n');
    }
    text + turn
}
