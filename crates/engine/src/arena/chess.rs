//! Chess as players see it.

use keisei_chess::{Chess, Color, Move, PieceKind, Position, Setup, Square};

use super::{Arena, Protocol};

impl Arena for Chess {
    const PROTOCOL: Protocol = Protocol::Uci;

    /// A pawn up is 64 % of the points.
    const SCORE_SCALE: f32 = 174.0;

    fn checks(position: &Position) -> Vec<Move> {
        let gives_check = |mv: &Move| {
            let mut next = position.clone();
            next.play_unchecked(*mv);
            next.in_check()
        };
        position.legal_moves().as_ref().iter().copied().filter(gives_check).collect()
    }

    /// Nobody castles or takes in passing in a problem, and its moves are counted from 1.
    fn as_problem(position: &Position) -> Position {
        let setup = Setup {
            castling: Setup::EMPTY.castling,
            en_passant: None,
            halfmove_clock: 0,
            move_number: 1,
            ..position.setup()
        };
        Position::try_from(setup).expect("a legal position stays legal with fewer rights")
    }

    fn with_one_man_less(position: &Position) -> Vec<Position> {
        let setup = Self::as_problem(position).setup();
        let lighter = Square::ALL.into_iter().filter_map(|square| {
            let piece = setup.board[square as usize]?;
            (piece.kind != PieceKind::King).then(|| {
                let mut lighter = setup.clone();
                lighter.board[square as usize] = None;
                lighter
            })
        });
        lighter.filter_map(|setup| Position::try_from(setup).ok()).collect()
    }

    fn material(position: &Position) -> i32 {
        let turn = position.turn();
        total(position, turn) - total(position, !turn)
    }

    fn gain(position: &Position, mv: Move) -> i32 {
        let taken = position.captured_by(mv).map_or(0, |piece| worth(piece.kind));
        let promoted = mv.promotion().map_or(0, |kind| worth(kind) - worth(PieceKind::Pawn));
        taken + promoted
    }
}

fn total(position: &Position, color: Color) -> i32 {
    let count = |kind| position.pieces_of(color, kind).len() as i32;
    PieceKind::ALL.iter().map(|&kind| count(kind) * worth(kind)).sum()
}

const fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight => 320,
        PieceKind::Bishop => 330,
        PieceKind::Rook => 500,
        PieceKind::Queen => 900,
        PieceKind::King => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::{Game, SplitMix64, random_game};

    #[test]
    fn a_gain_is_the_difference_that_a_move_makes() {
        let mut rng = SplitMix64::new(5);
        for _ in 0..40 {
            let mut game = Chess::new();
            random_game(&mut game, rng.next_u64(), 100);
            let before = game.position().clone();
            for mv in game.legal_moves() {
                let mut after = before.clone();
                after.play_unchecked(mv);
                let difference = -Chess::material(&after) - Chess::material(&before);
                assert_eq!(Chess::gain(&before, mv), difference, "{mv} in {before}");
            }
        }
    }
}
