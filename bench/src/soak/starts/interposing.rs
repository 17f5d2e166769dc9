//! Positions in which the mover is in check and could interpose a pawn, but it would mate: the
//! rule about pawn drops holds there too, and random games never get there.
//!
//! The checking slider could take such a pawn, so it must be pinned. That leaves two shapes. In
//! one the slider is a rook beside the pawn, pinned by a bishop; in the other it is a bishop beside
//! its king, pinned by a rook.

use keisei_game::SplitMix64;
use keisei_shogi::{Color, Hand, HandKind, Piece, PieceKind, Setup, Square};

use super::{put, random_color};

/// The pieces that crowd around the king, each put down once.
const CROWD: [PieceKind; 14] = {
    use PieceKind::*;
    [
        Gold, Gold, Silver, Silver, Silver, Knight, Knight, Knight, Lance, Lance, Pawn, Pawn, Pawn,
        Pawn,
    ]
};

/// A setup of one of the two shapes with a random crowd, if the board has room for it.
pub(super) fn setup(rng: &mut SplitMix64) -> Option<Setup> {
    use PieceKind::{Bishop, Dragon, Gold, Horse, King, Rook};
    let us = random_color(rng);
    let towards_us = if us == Color::Black { 1 } else { -1 };
    let side = if rng.next_u64() & 1 == 0 { 1 } else { -1 };
    // On its last ranks a king has few squares to go to.
    let king = Square::at(us.relative_row(rng.below(3) as u8), rng.below(9) as u8)?;
    let front = king.offset(towards_us, 0)?;
    let steps = 2 + rng.below(3) as i8;
    let pin_steps = 1 + rng.below(3) as i8;
    let bishops = rng.choose(&[Bishop, Horse])?;
    let rooks = rng.choose(&[Rook, Dragon])?;
    // The step from the pawn to the slider, and from the slider to what pins it.
    let (check_step, slider, pin_step, pinner) = if rng.next_u64() & 1 == 0 {
        ((0, side), rooks, (towards_us, side), bishops)
    } else {
        ((-towards_us, side), bishops, (0, side), rooks)
    };
    let walk = |from: Square, (rows, columns): (i8, i8), steps: i8| {
        from.offset(rows * steps, columns * steps)
    };
    let slider_square = walk(front, check_step, 1)?;
    let mut setup = Setup { turn: us, ..Setup::EMPTY };
    for (square, color, kind) in [
        (king, !us, King),
        (walk(front, check_step, -steps)?, us, King),
        (slider_square, !us, slider),
        (walk(slider_square, pin_step, pin_steps)?, us, pinner),
        // It covers the pawn and the squares beside it.
        (front.offset(towards_us, 0)?, us, Gold),
    ] {
        setup.board[square.index()] = Some(Piece::new(color, kind));
    }
    // The lance shows by its drops that the line can be blocked.
    setup.hands[us] = Hand::EMPTY.with(HandKind::Pawn, 2).with(HandKind::Lance, 1);
    let check_line = (0..steps).filter_map(|steps| walk(front, check_step, -steps));
    let pin_line = (1..pin_steps).filter_map(|steps| walk(slider_square, pin_step, steps));
    let keep_empty: Vec<_> = check_line.chain(pin_line).collect();
    for kind in CROWD {
        // Its own pieces stand beside the king, ours a little further off.
        let ours = rng.below(3) == 0;
        let reach = if ours { 3 } else { 1 };
        let near = |rng: &mut SplitMix64| rng.below(2 * reach + 1) as i8 - reach as i8;
        let Some(square) = king.offset(near(rng), near(rng)) else { continue };
        if setup.board[square.index()].is_none() && !keep_empty.contains(&square) {
            put(&mut setup, square, if ours { us } else { !us }, kind, rng);
        }
    }
    Some(setup)
}
