//! The rules of hexapawn: three pawns a side on nine squares.
//!
//! Pawns go and take as in chess. Whoever brings a pawn to the far side wins, and so does whoever
//! leaves the other side without a move. Martin Gardner taught it to matchboxes in 1962.

use std::fmt;
use std::str::FromStr;

use keisei_game::{Game, NothingToClaim, Outcome, Position, Reason, Rules, Side};

/// A board, row by row from the second player's side, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) squares: [Option<Side>; 9],
    turn: Side,
}

/// A pawn's step, as the places of two squares: `a1` is the first player's left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub(crate) from: u8,
    pub(crate) to: u8,
}

/// A game of hexapawn.
#[derive(Clone, Debug)]
pub(crate) struct Hexapawn {
    rules: Rules,
    /// The boards before each move, and the current one.
    boards: Vec<Board>,
    moves: Vec<Step>,
    outcome: Option<Outcome>,
}

/// What cannot be read or played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no {1} of hexapawn")]
pub(crate) struct Wrong(String, &'static str);

impl Board {
    /// Whether the side that has just moved has a pawn on the far side.
    fn is_lost(&self) -> bool {
        let far = if self.turn == Side::First { 6..9 } else { 0..3 };
        self.squares[far].contains(&Some(!self.turn))
    }
}

impl Position for Board {
    type Move = Step;
    type Moves = Vec<Step>;

    fn turn(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self) -> Vec<Step> {
        if self.is_lost() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        let forward = if self.turn == Side::First { -1 } else { 1 };
        for from in (0..9).filter(|&square| self.squares[square] == Some(self.turn)) {
            let row = (from / 3) as i8 + forward;
            for aside in [-1, 0, 1] {
                let column = (from % 3) as i8 + aside;
                if !(0..3).contains(&row) || !(0..3).contains(&column) {
                    continue;
                }
                let to = (3 * row + column) as usize;
                let wanted = (aside != 0).then_some(!self.turn);
                if self.squares[to] == wanted {
                    moves.push(Step { from: from as u8, to: to as u8 });
                }
            }
        }
        moves
    }

    fn play_unchecked(&mut self, Step { from, to }: Step) {
        self.squares[usize::from(from)] = None;
        self.squares[usize::from(to)] = Some(self.turn);
        self.turn = !self.turn;
    }

    fn in_check(&self) -> bool {
        false
    }

    fn key(&self) -> u64 {
        let digit = |square: &Option<Side>| square.map_or(0, |side| 1 + side as u64);
        self.squares.iter().fold(self.turn as u64, |key, square| 3 * key + digit(square))
    }
}

impl Game for Hexapawn {
    type Position = Board;
    type Move = Step;
    type PositionError = Wrong;
    type MoveError = Wrong;
    type ClaimError = NothingToClaim;

    const NAME: &'static str = "hexapawn";
    const RULES: Rules = Rules::BARE;
    // Pawns never go back, so no position occurs twice.
    const REPETITIONS: usize = usize::MAX;

    fn start_position() -> Board {
        let row = |side| [side; 3];
        let squares = [row(Some(Side::Second)), row(None), row(Some(Side::First))];
        Board { squares: squares.as_flattened().try_into().expect("nine"), turn: Side::First }
    }

    fn with_rules(start: Board, rules: Rules) -> Self {
        let mut game = Self { rules, boards: vec![start], moves: Vec::new(), outcome: None };
        game.outcome = game.judge();
        game
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn position(&self) -> &Board {
        self.boards.last().expect("a game has a board")
    }

    fn start(&self) -> &Board {
        &self.boards[0]
    }

    fn moves(&self) -> &[Step] {
        &self.moves
    }

    fn play(&mut self, mv: Step) -> Result<(), Wrong> {
        if self.outcome.is_some() || !self.position().is_legal(mv) {
            return Err(Wrong(mv.to_string(), "legal move"));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    fn play_unchecked(&mut self, mv: Step) {
        let mut board = *self.position();
        board.play_unchecked(mv);
        self.boards.push(board);
        self.moves.push(mv);
        self.outcome = self.judge();
    }

    fn undo(&mut self) -> Option<Step> {
        let mv = self.moves.pop();
        if mv.is_some() {
            self.boards.pop();
        }
        self.outcome = self.judge();
        mv
    }

    fn reset(&mut self) {
        *self = Self::with_rules(*self.start(), self.rules);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn adjudicate(&mut self, outcome: Outcome) {
        self.outcome.get_or_insert(outcome);
    }

    fn claimable(&self) -> Result<Outcome, NothingToClaim> {
        Err(NothingToClaim { game: Self::NAME })
    }

    fn repetitions(&self) -> usize {
        0
    }

    fn repetition_since(&self, _: usize) -> Option<Outcome> {
        None
    }

    fn parse_move(&self, text: &str) -> Result<Step, Wrong> {
        let mv: Step = text.parse()?;
        let legal = self.position().is_legal(mv);
        legal.then_some(mv).ok_or_else(|| Wrong(text.to_owned(), "legal move"))
    }

    fn board_text(&self) -> String {
        self.position().to_string()
    }
}

impl Hexapawn {
    fn judge(&self) -> Option<Outcome> {
        let board = self.position();
        let limit = self.rules.move_limit.is_some_and(|limit| self.moves.len() >= limit);
        match () {
            () if board.is_lost() => Some(Outcome::win(!board.turn, Reason::Try)),
            () if !board.has_legal_moves() => Some(Outcome::win(!board.turn, Reason::NoMoves)),
            () if limit => Some(Outcome::draw(Reason::MoveLimit)),
            () => None,
        }
    }
}

/// `ppp/.../PPP w`, like a FEN: capitals for the first player.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, square) in self.squares.iter().enumerate() {
            let slash = if i > 0 && i % 3 == 0 { "/" } else { "" };
            let letter = match square {
                None => '.',
                Some(Side::First) => 'P',
                Some(Side::Second) => 'p',
            };
            write!(f, "{slash}{letter}")?;
        }
        f.write_str(if self.turn == Side::First { " w" } else { " b" })
    }
}

impl FromStr for Board {
    type Err = Wrong;

    fn from_str(text: &str) -> Result<Self, Wrong> {
        let wrong = || Wrong(text.to_owned(), "position");
        let (board, turn) = text.split_once(' ').ok_or_else(wrong)?;
        let turn = match turn {
            "w" => Side::First,
            "b" => Side::Second,
            _ => return Err(wrong()),
        };
        let square = |letter| match letter {
            '.' => Ok(None),
            'P' => Ok(Some(Side::First)),
            'p' => Ok(Some(Side::Second)),
            _ => Err(wrong()),
        };
        let squares: Result<Vec<_>, _> = board.chars().filter(|&c| c != '/').map(square).collect();
        Ok(Self { squares: squares?.try_into().map_err(|_| wrong())?, turn })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square: u8| format!("{}{}", char::from(b'a' + square % 3), 3 - square / 3);
        write!(f, "{}{}", name(self.from), name(self.to))
    }
}

impl FromStr for Step {
    type Err = Wrong;

    fn from_str(text: &str) -> Result<Self, Wrong> {
        match *text.as_bytes() {
            [c @ b'a'..=b'c', r @ b'1'..=b'3', d @ b'a'..=b'c', s @ b'1'..=b'3'] => {
                Ok(Self { from: 3 * (b'3' - r) + c - b'a', to: 3 * (b'3' - s) + d - b'a' })
            }
            _ => Err(Wrong(text.to_owned(), "move")),
        }
    }
}
