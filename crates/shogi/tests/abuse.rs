//! Safe code that breaks its promises gets a panic or a wrong answer, and never touches memory that
//! is not its own. Meant for builds without debug assertions, under miri or a sanitizer: with them,
//! the first illegal move already panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use keisei_game::SplitMix64;
use keisei_shogi::{Color, HandKind, Move, PieceKind, Position, Square, Undo};

const ROUNDS: u64 = if cfg!(miri) { 3 } else { 300 };

/// Looks at a position in every way that generates moves.
fn look(position: &Position) -> usize {
    let lists = [
        position.legal_moves().to_vec(),
        position.legal_captures().to_vec(),
        position.legal_quiets().to_vec(),
        position.legal_checks().to_vec(),
    ];
    let listed: usize = lists.iter().map(Vec::len).sum();
    listed + position.count_legal_moves() + position.checkers().len()
}

/// Does what may panic, and goes on as if nothing had happened.
fn survive<T>(what: impl FnOnce() -> T) {
    let _ = catch_unwind(AssertUnwindSafe(what));
}

fn any_move(rng: &mut SplitMix64) -> Move {
    loop {
        if let Some(mv) = Move::from_bits(rng.next_u64() as u16) {
            return mv;
        }
    }
}

#[test]
fn any_moves_in_any_position_are_played_without_a_fault() {
    std::panic::set_hook(Box::new(|_| ()));
    for seed in 0..ROUNDS {
        let mut rng = SplitMix64::new(seed);
        let mut position = Position::start();
        for _ in 0..100 {
            let mv = any_move(&mut rng);
            survive(|| match rng.below(3) {
                0 => position.play_unchecked(mv),
                1 => {
                    position.make(mv);
                }
                _ => {
                    let captured = rng.choose(&PieceKind::ALL).filter(|_| rng.below(2) == 0);
                    position.unmake(Undo::new(mv, captured));
                }
            });
            survive(|| look(&position));
        }
    }
}

#[test]
fn drops_from_an_empty_hand_fill_a_board_that_no_list_has_room_for() {
    std::panic::set_hook(Box::new(|_| ()));
    for kind in HandKind::ALL {
        let mut position: Position = "8k/9/9/9/9/9/9/9/9 b - 1".parse().unwrap();
        for square in Square::all().filter(|square| square.index() % 8 == 0) {
            survive(|| {
                position.play_unchecked(Move::drop(kind, square));
                // White passes: its king steps where it stands.
                if let Some(king) = position.king(Color::White) {
                    position.play_unchecked(Move::new(king, king, false));
                }
            });
            survive(|| look(&position));
        }
    }
}
