//! Random positions: of random games, thrown together, or around a king in trouble.

use keisei_game::{Game, SplitMix64};
use keisei_shogi::{Color, HandKind, Piece, PieceKind, Position, Setup, Shogi, Square};

use crate::boards::{exchanged, game, is_dead};

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

/// A position that is a function of `seed`.
pub(crate) fn random_position(seed: u64) -> Position {
    let mut rng = SplitMix64::new(seed);
    match rng.below(3) {
        0 => *random_game(&mut rng).position(),
        1 => scattered(&mut rng),
        _ => besieged(&mut rng),
    }
}

/// A random game of up to 200 moves from one of the [`STARTS`].
pub(crate) fn random_game(rng: &mut SplitMix64) -> Shogi {
    let mut game = game(STARTS[rng.below(STARTS.len())]);
    let plies = rng.below(200);
    keisei_game::random_game(&mut game, rng.next_u64(), plies);
    game
}

/// All pieces of a set at random, from nearly all in the hands to nearly all on the board;
/// sometimes a king is missing.
pub(crate) fn scattered(rng: &mut SplitMix64) -> Position {
    let percent_on_board = [10, 25, 50, 90][rng.below(4)];
    loop {
        let setup = scattered_setup(rng, percent_on_board);
        let turned = Setup { turn: !setup.turn, ..setup };
        if let Ok(position) = Position::try_from(setup).or_else(|_| turned.try_into()) {
            return position;
        }
    }
}

fn scattered_setup(rng: &mut SplitMix64, percent_on_board: usize) -> Setup {
    let mut setup = Setup { turn: either(rng), ..Setup::EMPTY };
    for color in Color::ALL {
        if rng.below(10) > 0 {
            setup.board[anywhere(rng).index()] = Some(Piece::new(color, PieceKind::King));
        }
    }
    for kind in HandKind::ALL {
        for _ in 0..kind.total() {
            let (piece, square) = (Piece::new(either(rng), grown(rng, kind)), anywhere(rng));
            if rng.below(100) < percent_on_board && may_stand(&setup, piece, square) {
                setup.board[square.index()] = Some(piece);
            } else {
                let held = setup.hands[piece.color].count(kind);
                setup.hands[piece.color] = setup.hands[piece.color].with(kind, held + 1);
            }
        }
    }
    setup
}

/// A king at the edge among its own and enemy pieces, sliders aimed at it, the enemy to move with
/// pawns in hand and sometimes in check: the place for pins, mates and uchifuzume.
pub(crate) fn besieged(rng: &mut SplitMix64) -> Position {
    loop {
        let setup = besieged_setup(rng);
        if let Ok(position) = Position::try_from(setup) {
            return if rng.below(2) == 0 { position } else { exchanged(&position) };
        }
    }
}

fn besieged_setup(rng: &mut SplitMix64) -> Setup {
    let mut setup = Setup::EMPTY;
    setup.hands[Color::Black] = setup.hands[Color::Black].with(HandKind::Pawn, 2);
    let king = Square::at(0, rng.below(9) as u8).unwrap();
    let mut put = |color, kind, square: Option<Square>| {
        let piece = Piece::new(color, kind);
        if let Some(square) = square.filter(|&square| may_stand(&setup, piece, square)) {
            setup.board[square.index()] = Some(piece);
        }
    };
    put(Color::White, PieceKind::King, Some(king));
    // A check along the second row can be blocked in front of the king.
    let besieger =
        if rng.below(2) == 0 { Square::at(1, rng.below(9) as u8).unwrap() } else { anywhere(rng) };
    put(Color::Black, PieceKind::King, Some(besieger));
    for (row, column) in [(0, -1), (0, 1), (1, -1), (1, 1)] {
        if rng.below(2) == 0 {
            put(Color::White, small(rng), king.offset(row, column));
        }
    }
    for columns in [3, 3, 5, 7] {
        let column = rng.below(columns) as i8 - columns as i8 / 2;
        put(Color::Black, small(rng), king.offset(2 + rng.below(2) as i8, column));
    }
    for (color, target) in [
        (Color::Black, king),
        (Color::Black, king),
        (Color::White, besieger),
        (Color::White, besieger),
    ] {
        let far = 2 + rng.below(6) as i8;
        let line = target.offset(far * (rng.below(3) as i8 - 1), far * (rng.below(3) as i8 - 1));
        put(color, slider(rng), line);
    }
    setup
}

fn anywhere(rng: &mut SplitMix64) -> Square {
    Square::new(rng.below(Square::COUNT) as u8).unwrap()
}

fn either(rng: &mut SplitMix64) -> Color {
    Color::ALL[rng.below(2)]
}

/// A lance, a bishop or a rook, promoted or not.
fn slider(rng: &mut SplitMix64) -> PieceKind {
    let kind = [HandKind::Lance, HandKind::Bishop, HandKind::Rook][rng.below(3)];
    grown(rng, kind)
}

/// Anything else.
fn small(rng: &mut SplitMix64) -> PieceKind {
    let kinds = [HandKind::Pawn, HandKind::Knight, HandKind::Silver, HandKind::Gold];
    let kind = kinds[rng.below(4)];
    grown(rng, kind)
}

/// The kind, or one time in three what it promotes to.
fn grown(rng: &mut SplitMix64, kind: HandKind) -> PieceKind {
    kind.kind().promoted().filter(|_| rng.below(3) == 0).unwrap_or(kind.kind())
}

/// Whether the square is empty and the piece there neither dead nor a second pawn of its file.
fn may_stand(setup: &Setup, piece: Piece, square: Square) -> bool {
    let doubled = piece.kind == PieceKind::Pawn
        && (0..9).any(|row| setup.get(row, square.column()) == Some(piece));
    let empty = setup.board[square.index()].is_none();
    empty && !doubled && !is_dead(piece.color, piece.kind, square)
}
