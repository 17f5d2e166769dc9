//! Random positions in which mates are near.

use keisei_game::SplitMix64;
use keisei_shogi::{Color, Hand, HandKind, Piece, PieceKind, Position, Setup, Square};

/// A position of shogi with White's king near an edge, some pieces of both sides around it and
/// some in the hands. Black is to move.
pub(crate) fn random_problem(rng: &mut SplitMix64) -> Position {
    loop {
        if let Ok(position) = Position::try_from(random_setup(rng)) {
            return position;
        }
    }
}

fn random_setup(rng: &mut SplitMix64) -> Setup {
    let mut setup = Setup::EMPTY;
    let king = (rng.below(3) as u8, rng.below(9) as u8);
    setup.set(king.0, king.1, Some(Piece::new(Color::White, PieceKind::King)));
    // Half of the problems have a king of the attacker, as games do.
    if rng.below(2) == 0 {
        let square = (4 + rng.below(5) as u8, rng.below(9) as u8);
        setup.set(square.0, square.1, Some(Piece::new(Color::Black, PieceKind::King)));
    }
    let mut left = HandKind::ALL.map(HandKind::total);
    let mut take = |rng: &mut SplitMix64| {
        let kind = HandKind::ALL[rng.below(7)];
        let left = &mut left[kind as usize];
        *left = left.checked_sub(1)?;
        Some(kind)
    };
    for color in [Color::Black, Color::White] {
        for _ in 0..1 + rng.below(5) {
            let Some(kind) = take(rng) else { continue };
            let (row, column) = near(rng, king);
            if Square::at(row, column).is_none() || setup.get(row, column).is_some() {
                continue;
            }
            let promoted = kind.kind().promoted().filter(|_| rng.below(4) == 0);
            let piece = Piece::new(color, promoted.unwrap_or(kind.kind()));
            setup.set(row, column, Some(piece));
        }
        for _ in 0..rng.below(4) {
            if let Some(kind) = take(rng) {
                let hand: Hand = setup.hands[color];
                setup.hands[color] = hand.with(kind, hand.count(kind) + 1);
            }
        }
    }
    setup
}

/// A square at most three rows and columns away, or off the board.
fn near(rng: &mut SplitMix64, (row, column): (u8, u8)) -> (u8, u8) {
    let mut by = |from: u8| (from + rng.below(7) as u8).wrapping_sub(3);
    (by(row), by(column))
}
