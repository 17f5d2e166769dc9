//! Chess, encoded plainly.

use keisei_chess::{CastlingRights, Chess, Color, Move, Piece, PieceKind, Position, Setup, Square};
use keisei_game::{BySide, Game};

use super::Sample;

impl Sample for Chess {
    const STARTS: &'static [&'static str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/k6K w - - 0 1",
        "r3k3/8/8/8/8/8/8/4K2R b Kq - 40 30",
    ];
    const TURN: (usize, usize) = (20, 68);

    fn identity(&self) -> String {
        let text = self.notation();
        let fields: Vec<_> = text.split(' ').collect();
        let target = plain_en_passant(self.position());
        format!("{} {} {} {target:?}", fields[0], fields[1], fields[2])
    }

    fn plain_planes(&self, earlier: usize) -> Vec<f32> {
        let position = self.position();
        let us = position.turn();
        let mut planes = [[[0.0; 8]; 8]; 21];
        let target = plain_en_passant(position);
        for square in Square::ALL {
            let (rank, column) = (square.rank() as usize, square.file() as usize);
            let row = if us == Color::White { 7 - rank } else { rank };
            if let Some(piece) = position.piece_at(square) {
                let kind = "PNBRQK".find(piece.kind.letter()).expect("a known letter");
                let plane = if piece.color == us { kind } else { kind + 6 };
                planes[plane][row][column] = 1.0;
            }
            if target == Some(square) {
                planes[16][row][column] = 1.0;
            }
        }
        let text = self.notation();
        let rights = text.split(' ').nth(2).expect("six fields");
        let letters = if us == Color::White { "KQkq" } else { "kqKQ" };
        for (index, letter) in letters.chars().enumerate() {
            if rights.contains(letter) {
                planes[12 + index] = [[1.0; 8]; 8];
            }
        }
        match earlier {
            0 => {}
            1 => planes[17] = [[1.0; 8]; 8],
            _ => planes[18] = [[1.0; 8]; 8],
        }
        let clock: f32 = text.split(' ').nth(4).expect("six fields").parse().expect("a number");
        planes[19] = [[clock / 100.0; 8]; 8];
        if us == Color::White {
            planes[20] = [[1.0; 8]; 8];
        }
        planes.as_flattened().as_flattened().to_vec()
    }

    fn mirrored_start(&self) -> Option<Self> {
        let setup = self.position().setup();
        let none = BySide([CastlingRights::default(); 2]);
        (setup.castling == none).then(|| from_setup(image(&setup, Square::flip_file, |p| p)))
    }

    fn mirrored_move(mv: Move) -> Move {
        moved(mv, Square::flip_file)
    }

    fn exchanged_start(&self) -> Self {
        let setup = self.position().setup();
        let exchanged = |piece: Piece| Piece::new(!piece.color, piece.kind);
        let mut image = image(&setup, Square::flip_rank, exchanged);
        image.turn = !setup.turn;
        image.castling.0.reverse();
        from_setup(image)
    }

    fn exchanged_move(mv: Move) -> Move {
        moved(mv, Square::flip_rank)
    }
}

/// The square that a legal move of a pawn captures on although nothing stands there.
fn plain_en_passant(position: &Position) -> Option<Square> {
    position.legal_moves().into_iter().find_map(|mv| {
        let pawn = position.piece_at(mv.from()).is_some_and(|p| p.kind == PieceKind::Pawn);
        let sideways = mv.from().file() != mv.to().file();
        (pawn && sideways && position.piece_at(mv.to()).is_none()).then_some(mv.to())
    })
}

/// The setup with every square and piece replaced by its image.
fn image(setup: &Setup, place: impl Fn(Square) -> Square, piece: impl Fn(Piece) -> Piece) -> Setup {
    let mut image = Setup { board: [None; 64], ..setup.clone() };
    for square in Square::ALL {
        image.board[place(square) as usize] = setup.board[square as usize].map(&piece);
    }
    image.en_passant = setup.en_passant.map(place);
    image
}

fn from_setup(setup: Setup) -> Chess {
    let position = Position::try_from(setup).unwrap_or_else(|error| panic!("{error}"));
    Chess::with_rules(position, Chess::RULES)
}

fn moved(mv: Move, place: impl Fn(Square) -> Square) -> Move {
    let image = Move::new(place(mv.from()), place(mv.to()));
    mv.promotion().map_or(image, |kind| image.promoting(kind).expect("a pawn's choice"))
}
