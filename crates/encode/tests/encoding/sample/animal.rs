//! Animal shogi, encoded plainly.

use keisei_animal::{Animal, HandKind, Move, Position, Square};
use keisei_game::{Game, Side};

use super::Sample;

impl Sample for Animal {
    const STARTS: &'static [&'static str] = &[
        "gle/1c1/1C1/ELG b - 1",
        "1l1/3/3/1L1 w GECgec 20",
        "l1g/+C1e/1E1/L1+c b G 31",
        "g1e/lc1/1CL/E1G w - 12",
    ];
    const TURN: (usize, usize) = (17, 19);

    fn identity(&self) -> String {
        let text = self.notation();
        let (position, _move_number) = text.rsplit_once(' ').expect("four fields");
        position.to_owned()
    }

    fn plain_planes(&self, earlier: usize) -> Vec<f32> {
        let position = self.position();
        let us = position.turn();
        let mut planes = [[[0.0; 3]; 4]; 18];
        for row in 0..4_u8 {
            for column in 0..3_u8 {
                let index = match us {
                    Side::First => 3 * row + column,
                    Side::Second => 3 * (3 - row) + 2 - column,
                };
                let square = Square::new(index).expect("on the board");
                let Some(piece) = position.piece_at(square) else { continue };
                let letters = ["C", "E", "G", "L", "+C"];
                let kind = letters.iter().position(|&letters| letters == piece.kind.letters());
                let plane = kind.expect("a known kind") + if piece.side == us { 0 } else { 5 };
                planes[plane][usize::from(row)][usize::from(column)] = 1.0;
            }
        }
        for (index, kind) in HandKind::ALL.into_iter().enumerate() {
            planes[10 + index] = [[f32::from(position.in_hand(us, kind)) / 2.0; 3]; 4];
            planes[13 + index] = [[f32::from(position.in_hand(!us, kind)) / 2.0; 3]; 4];
        }
        if earlier > 0 {
            planes[16] = [[1.0; 3]; 4];
        }
        if us == Side::First {
            planes[17] = [[1.0; 3]; 4];
        }
        planes.as_flattened().as_flattened().to_vec()
    }

    fn mirrored_start(&self) -> Option<Self> {
        let board = self.position().board().mirrored();
        Some(Self::with_rules(Position::of_board(board), Self::RULES))
    }

    fn mirrored_move(mv: Move) -> Move {
        mv.mirrored()
    }

    fn exchanged_start(&self) -> Self {
        let board = self.position().board().rotated();
        Self::with_rules(Position::of_board(board), Self::RULES)
    }

    fn exchanged_move(mv: Move) -> Move {
        mv.rotated()
    }
}
