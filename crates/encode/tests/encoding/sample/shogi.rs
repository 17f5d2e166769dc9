//! Shogi, encoded plainly.

use keisei_game::Game;
use keisei_shogi::{Color, HandKind, Move, Piece, Position, Setup, Shogi, Square};

use super::Sample;

/// The kinds in the order of their planes.
const SYMBOLS: [&str; 14] =
    ["P", "L", "N", "S", "G", "B", "R", "+P", "+L", "+N", "+S", "+B", "+R", "K"];

/// The kinds in hand with the number that a set has.
const HELD: [(HandKind, f32); 7] = [
    (HandKind::Pawn, 18.0),
    (HandKind::Lance, 4.0),
    (HandKind::Knight, 4.0),
    (HandKind::Silver, 4.0),
    (HandKind::Gold, 4.0),
    (HandKind::Bishop, 2.0),
    (HandKind::Rook, 2.0),
];

impl Sample for Shogi {
    const STARTS: &'static [&'static str] = &[
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "4k4/9/9/9/9/9/9/9/4K4 w RB2G2S2N2L9Prb2g2s2n2l9p 1",
        "+l+n+sgkg3/1+r5+b1/+p+p7/9/9/9/7+P+P/1+B5+R1/3GKG+S+N+L b 2P3p 1",
    ];
    const TURN: (usize, usize) = (42, 95);

    fn identity(&self) -> String {
        let text = self.notation();
        let (position, _move_number) = text.rsplit_once(' ').expect("four fields");
        position.to_owned()
    }

    fn plain_planes(&self, earlier: usize) -> Vec<f32> {
        let position = self.position();
        let us = position.turn();
        let mut planes = [[[0.0; 9]; 9]; 46];
        for row in 0..9 {
            for column in 0..9 {
                let square = match us {
                    Color::Black => Square::at(row, column),
                    Color::White => Square::at(8 - row, 8 - column),
                };
                let Some(piece) = position.piece_at(square.expect("on the board")) else {
                    continue;
                };
                let symbol = Piece::new(Color::Black, piece.kind).symbol();
                let kind = SYMBOLS.iter().position(|&s| s == symbol).expect("a known symbol");
                let plane = if piece.color == us { kind } else { kind + 14 };
                planes[plane][usize::from(row)][usize::from(column)] = 1.0;
            }
        }
        for (index, (kind, total)) in HELD.into_iter().enumerate() {
            let part = |color| f32::from(position.hand(color).count(kind)) / total;
            planes[28 + index] = [[part(us); 9]; 9];
            planes[35 + index] = [[part(!us); 9]; 9];
        }
        if us == Color::Black {
            planes[42] = [[1.0; 9]; 9];
        }
        match earlier {
            0 => {}
            1 => planes[43] = [[1.0; 9]; 9],
            2 => planes[44] = [[1.0; 9]; 9],
            _ => planes[45] = [[1.0; 9]; 9],
        }
        planes.as_flattened().as_flattened().to_vec()
    }

    fn mirrored_start(&self) -> Option<Self> {
        Some(from_setup(image(self.position(), Square::mirrored, |piece| piece)))
    }

    fn mirrored_move(mv: Move) -> Move {
        mv.mirrored()
    }

    fn exchanged_start(&self) -> Self {
        let exchanged = |piece: Piece| Piece::new(!piece.color, piece.kind);
        let mut setup = image(self.position(), Square::rotated, exchanged);
        setup.hands.0.reverse();
        setup.turn = !setup.turn;
        from_setup(setup)
    }

    fn exchanged_move(mv: Move) -> Move {
        mv.rotated()
    }
}

/// A setup with every square and piece replaced by its image.
fn image(
    position: &Position,
    place: impl Fn(Square) -> Square,
    piece: impl Fn(Piece) -> Piece,
) -> Setup {
    let mut setup = Setup { board: [None; 81], ..position.setup() };
    for square in Square::all() {
        setup.board[place(square).index()] = position.piece_at(square).map(&piece);
    }
    setup
}

fn from_setup(setup: Setup) -> Shogi {
    let position = Position::try_from(setup).unwrap_or_else(|error| panic!("{setup}: {error}"));
    Shogi::with_rules(position, Shogi::RULES)
}
