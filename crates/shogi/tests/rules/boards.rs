//! Positions for the tests: as written, with colours exchanged, mirrored, lonely or at random.

use std::collections::BTreeSet;

use keisei_game::{Game, SplitMix64};
use keisei_shogi::{
    Bitboard, Color, HandKind, Move, Piece, PieceKind, Position, Rules, Setup, SetupError, Shogi,
    Square,
};

pub(crate) fn position(sfen: &str) -> Position {
    sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

pub(crate) fn game(sfen: &str) -> Shogi {
    Shogi::with_rules(position(sfen), Rules::default())
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

/// Even, handicap, middle game, end game, many pieces in hand, one king missing.
pub(crate) const STARTS: [&str; 9] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrbgsnlp 1",
    "4k4/9/9/9/9/9/9/9/4K4 w RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "8k/9/9/9/9/9/9/9/K8 b 9P9p 1",
    "3nkn3/9/3GgG3/9/9/9/9/9/K3L4 b 9P9p 1",
    "4k4/9/4P4/9/9/9/9/9/9 b RBGSNLPrbgsnlp 1",
];

/// A position that is a function of `seed`: of a random game, or with the pieces thrown on the
/// board and into the hands.
pub(crate) fn random_position(seed: u64) -> Position {
    let mut rng = SplitMix64::new(seed);
    match rng.below(2) {
        0 => *random_game(&mut rng).position(),
        _ => scattered(&mut rng),
    }
}

/// A random game of up to 200 moves from one of the [`STARTS`].
pub(crate) fn random_game(rng: &mut SplitMix64) -> Shogi {
    let mut game = game(STARTS[rng.below(STARTS.len())]);
    let plies = rng.below(200);
    keisei_game::random_game(&mut game, rng.next_u64(), plies);
    game
}

/// Pieces at random: from nearly all in the hands to nearly all on the board, sometimes around a
/// king, sometimes with a king missing.
pub(crate) fn scattered(rng: &mut SplitMix64) -> Position {
    loop {
        let setup = scattered_setup(rng);
        match Position::try_from(setup) {
            Ok(position) => return position,
            Err(SetupError::OpponentInCheck { .. }) => {
                if let Ok(position) = (Setup { turn: !setup.turn, ..setup }).try_into() {
                    return position;
                }
            }
            Err(_) => {}
        }
    }
}

fn scattered_setup(rng: &mut SplitMix64) -> Setup {
    let mut setup = Setup { turn: Color::ALL[rng.below(2)], ..Setup::EMPTY };
    for color in Color::ALL {
        if rng.below(10) > 0 {
            let square = rng.below(Square::COUNT);
            setup.board[square] = Some(Piece::new(color, PieceKind::King));
        }
    }
    let on_board = [5, 15, 40, 90][rng.below(4)];
    // Crowding the rows of one side makes mates and uchifuzume likely.
    let rows = [9, 9, 4][rng.below(3)];
    for kind in HandKind::ALL {
        for _ in 0..kind.total() {
            let color = Color::ALL[rng.below(2)];
            let square = Square::at(rng.below(rows) as u8, rng.below(9) as u8).unwrap();
            let promoted = kind.kind().promoted().filter(|_| rng.below(3) == 0);
            let piece = Piece::new(color, promoted.unwrap_or(kind.kind()));
            if rng.below(100) < on_board && may_stand(&setup, piece, square) {
                setup.board[square.index()] = Some(piece);
            } else {
                let held = setup.hands[color].count(kind);
                setup.hands[color] = setup.hands[color].with(kind, held + 1);
            }
        }
    }
    setup
}

/// Whether the square is empty and the piece there neither dead nor a second pawn of its file.
fn may_stand(setup: &Setup, piece: Piece, square: Square) -> bool {
    let from_far = piece.color.relative_row(square.row());
    let alive = match piece.kind {
        PieceKind::Pawn | PieceKind::Lance => from_far > 0,
        PieceKind::Knight => from_far > 1,
        _ => true,
    };
    let doubled = piece.kind == PieceKind::Pawn
        && (0..9).any(|row| setup.get(row, square.column()) == Some(piece));
    alive && !doubled && setup.board[square.index()].is_none()
}
