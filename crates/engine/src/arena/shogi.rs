//! Shogi as players see it.

use keisei_game::Side;
use keisei_shogi::{Color, Hand, HandKind, Move, PieceKind, Position, Setup, Shogi, Square};

use super::{Arena, Protocol};

impl Arena for Shogi {
    const PROTOCOL: Protocol = Protocol::Usi;

    /// The number that Japanese programs use.
    const SCORE_SCALE: f32 = 600.0;

    fn checks(position: &Position) -> Vec<Move> {
        position.legal_checks().to_vec()
    }

    fn held(position: &Position, side: Side) -> (u64, u64) {
        let hand = position.hand(side.into());
        let count = |held: u64, kind: HandKind| held << 8 | u64::from(hand.count(kind));
        (position.board_key(), HandKind::ALL.into_iter().fold(0, count))
    }

    /// The defender holds whatever is neither on the board nor in the attacker's hand, and moves are
    /// counted from 1. Men are taken away as printed problems have it: the attacker's king goes too,
    /// and what goes is in the defender's hand.
    fn as_problem(position: &Position) -> Position {
        let setup = Setup { move_number: 1, ..position.setup() };
        Position::try_from(with_the_rest_in_defence(setup))
            .expect("a legal position stays legal with more in hand")
    }

    fn with_one_man_less(position: &Position) -> Vec<Position> {
        let setup = Setup { move_number: 1, ..position.setup() };
        let attacker = setup.turn;
        let on_board = Square::all().filter_map(|square| {
            let piece = setup.board[square.index()]?;
            let needed = piece.kind == PieceKind::King && piece.color != attacker;
            (!needed).then(|| {
                let mut lighter = setup;
                lighter.board[square.index()] = None;
                lighter
            })
        });
        let hand = setup.hands[attacker];
        let in_hand = hand.kinds().map(|kind| {
            let mut lighter = setup;
            lighter.hands[attacker] = hand.with(kind, hand.count(kind) - 1);
            lighter
        });
        let lighter = on_board.chain(in_hand).map(with_the_rest_in_defence);
        lighter.filter_map(|setup| Position::try_from(setup).ok()).collect()
    }

    fn material(position: &Position) -> i32 {
        let turn = position.turn();
        total(position, turn) - total(position, !turn)
    }

    fn gain(position: &Position, mv: Move) -> i32 {
        let taken = position.piece_at(mv.to()).map_or(0, |piece| {
            // What is taken leaves the other side and comes to our hand.
            worth(piece.kind) + worth(piece.kind.unpromoted())
        });
        let moved = mv.from().and_then(|from| position.piece_at(from));
        let promoted = moved.filter(|_| mv.promotes()).map_or(0, |piece| {
            let promoted = piece.kind.promoted().unwrap_or(piece.kind);
            worth(promoted) - worth(piece.kind)
        });
        taken + promoted
    }
}

/// `setup` with every man that is nowhere else in the hand of the side that is not to move.
fn with_the_rest_in_defence(mut setup: Setup) -> Setup {
    let attacker = setup.turn;
    let mut rest = Hand::EMPTY;
    for kind in HandKind::ALL {
        let on_board = setup.board.iter().flatten();
        let placed = on_board.filter(|piece| piece.kind.unpromoted() == kind.kind()).count() as u8;
        rest = rest.with(kind, kind.total() - placed - setup.hands[attacker].count(kind));
    }
    setup.hands[!attacker] = rest;
    setup
}

fn total(position: &Position, color: Color) -> i32 {
    let count = |kind| position.pieces_of(color, kind).len() as i32;
    let board: i32 = PieceKind::ALL.iter().map(|&kind| count(kind) * worth(kind)).sum();
    let hand = position.hand(color);
    let held = |kind: HandKind| i32::from(hand.count(kind)) * worth(kind.kind());
    board + HandKind::ALL.iter().map(|&kind| held(kind)).sum::<i32>()
}

const fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Lance => 300,
        PieceKind::Knight => 350,
        PieceKind::Silver => 500,
        PieceKind::Gold => 550,
        PieceKind::Tokin => 500,
        PieceKind::PromotedLance | PieceKind::PromotedKnight | PieceKind::PromotedSilver => 550,
        PieceKind::Bishop => 800,
        PieceKind::Rook => 1000,
        PieceKind::Horse => 1050,
        PieceKind::Dragon => 1250,
        PieceKind::King => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::{Game, SplitMix64, random_game};

    #[test]
    fn both_sides_begin_with_the_same_material() {
        assert_eq!(Shogi::material(&Position::start()), 0);
    }

    #[test]
    fn a_gain_is_the_difference_that_a_move_makes() {
        let mut rng = SplitMix64::new(5);
        for _ in 0..20 {
            let mut game = Shogi::new();
            random_game(&mut game, rng.next_u64(), 150);
            let before = *game.position();
            for mv in game.legal_moves() {
                let mut after = before;
                after.play_unchecked(mv);
                let difference = -Shogi::material(&after) - Shogi::material(&before);
                assert_eq!(Shogi::gain(&before, mv), difference, "{mv} in {before}");
            }
        }
    }
}
