//! Positions for the tests: as written, with colours exchanged, mirrored or lonely.

use std::collections::BTreeSet;

use keisei_game::Game;
use keisei_shogi::{
    Bitboard, Color, HandKind, Move, Piece, PieceKind, Position, Rules, Setup, Shogi, Square,
};

pub(crate) fn position(sfen: &str) -> Position {
    sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

pub(crate) fn game(sfen: &str) -> Shogi {
    Shogi::with_rules(position(sfen), Shogi::RULES)
}

pub(crate) fn mv(text: &str) -> Move {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn square(name: &str) -> Square {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The set of the named squares.
pub(crate) fn squares(names: &str) -> Bitboard {
    names.split_whitespace().map(square).collect()
}

/// Plays the moves one after the other; every one must be legal.
pub(crate) fn play(game: &mut Shogi, moves: &str) {
    for text in moves.split_whitespace() {
        game.play(mv(text)).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// A position as somebody wrote it, or the same with the colours exchanged. Squares and moves are
/// always named as in the original.
pub(crate) struct View {
    pub(crate) position: Position,
    exchanged: bool,
}

/// The position of `sfen` and the same with the colours exchanged.
pub(crate) fn both_colours(sfen: &str) -> [View; 2] {
    let position = position(sfen);
    [View { position, exchanged: false }, View { position: exchanged(&position), exchanged: true }]
}

impl View {
    pub(crate) fn color(&self, color: Color) -> Color {
        if self.exchanged { !color } else { color }
    }

    pub(crate) fn square(&self, name: &str) -> Square {
        let square = square(name);
        if self.exchanged { square.rotated() } else { square }
    }

    pub(crate) fn mv(&self, text: &str) -> Move {
        self.image(mv(text))
    }

    /// From the original to this view, and back.
    fn image(&self, mv: Move) -> Move {
        if self.exchanged { mv.rotated() } else { mv }
    }

    /// The legal moves.
    pub(crate) fn legal(&self) -> BTreeSet<String> {
        self.position.legal_moves().iter().map(|&mv| self.image(mv).to_string()).collect()
    }

    /// Whether the move is legal, by generation and by `is_legal` alike.
    pub(crate) fn allows(&self, text: &str) -> bool {
        let listed = self.legal().contains(text);
        assert_eq!(self.position.is_legal(self.mv(text)), listed, "{text} in {}", self.position);
        listed
    }

    /// Where the piece on a square may go.
    pub(crate) fn destinations(&self, from: &str) -> Bitboard {
        self.arrivals(|mv| mv.from() == Some(square(from)))
    }

    /// Where a piece of `kind` may be dropped.
    pub(crate) fn drops(&self, kind: HandKind) -> Bitboard {
        self.arrivals(|mv| mv.dropped() == Some(kind))
    }

    fn arrivals(&self, which: impl Fn(&Move) -> bool) -> Bitboard {
        let moves = self.position.legal_moves();
        moves.iter().map(|&mv| self.image(mv)).filter(which).map(Move::to).collect()
    }

    /// This view after a move.
    pub(crate) fn after(&self, text: &str) -> Self {
        let mut position = self.position;
        position.play(self.mv(text)).unwrap_or_else(|error| panic!("{text}: {error}"));
        Self { position, exchanged: self.exchanged }
    }

    pub(crate) fn game(&self, rules: Rules) -> Shogi {
        Shogi::with_rules(self.position, rules)
    }

    /// Plays the moves in a game of this view.
    pub(crate) fn play(&self, game: &mut Shogi, moves: &str) {
        for text in moves.split_whitespace() {
            game.play(self.mv(text)).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

/// The setup with every square and piece replaced by its image.
fn relocated(
    setup: &Setup,
    place: impl Fn(Square) -> Square,
    piece: impl Fn(Piece) -> Piece,
) -> Setup {
    let mut image = Setup { board: [None; Square::COUNT], ..*setup };
    for square in Square::all() {
        image.board[place(square).index()] = setup.board[square.index()].map(&piece);
    }
    image
}

/// The board turned round with the colours exchanged: the same position for the other player.
pub(crate) fn exchanged(position: &Position) -> Position {
    let setup = position.setup();
    let mut image =
        relocated(&setup, Square::rotated, |piece| Piece::new(!piece.color, piece.kind));
    image.hands.0.reverse();
    image.turn = !setup.turn;
    image.try_into().expect("what is legal for one side is legal for the other")
}

/// The position in a left–right mirror.
pub(crate) fn mirrored(position: &Position) -> Position {
    let image = relocated(&position.setup(), Square::mirrored, |piece| piece);
    image.try_into().expect("the rules know no left and right")
}

/// Whether a piece on `square` could never move.
pub(crate) fn is_dead(color: Color, kind: PieceKind, square: Square) -> bool {
    match (kind, color) {
        (PieceKind::Pawn | PieceKind::Lance, Color::Black) => square.row() == 0,
        (PieceKind::Pawn | PieceKind::Lance, Color::White) => square.row() == 8,
        (PieceKind::Knight, Color::Black) => square.row() <= 1,
        (PieceKind::Knight, Color::White) => square.row() >= 7,
        _ => false,
    }
}

/// A piece of `color`, which is to move, alone on `square` but for the other king, which stands
/// where nothing attacks it and so in nobody's way.
pub(crate) fn alone(color: Color, kind: PieceKind, square: Square) -> Position {
    let mut setup = Setup { turn: color, ..Setup::EMPTY };
    setup.board[square.index()] = Some(Piece::new(color, kind));
    Square::all()
        .filter(|&other| other != square)
        .find_map(|other| {
            let mut setup = setup;
            setup.board[other.index()] = Some(Piece::new(!color, PieceKind::King));
            Position::try_from(setup).ok()
        })
        .unwrap_or_else(|| panic!("{color} {kind} on {square} leaves no room for a king"))
}
