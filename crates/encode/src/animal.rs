//! Animal shogi as a network sees it: 18 planes, and a numbering of the moves.
//!
//! Everything is seen from the side to move: the board is turned by 180° for the second player, row
//! 0 is the far rank, column 0 the mover's left edge.
//!
//! | planes | what they hold |
//! |---|---|
//! | 0–4 | own chick, elephant, giraffe, lion, hen: 1 where one stands |
//! | 5–9 | the same for the opponent |
//! | 10–12 | own hand, chick to giraffe, the whole plane the count over 2 |
//! | 13–15 | the opponent's hand |
//! | 16 | 1 if the position occurred before; the next time draws |
//! | 17 | 1 if the first player is to move |

mod arrivals;
mod planes;

pub use arrivals::Arrivals;
pub use planes::Packed;

use keisei_animal::Square;
use keisei_game::Side;

/// `square` as `side` sees the board.
#[inline]
const fn seen_by(side: Side, square: Square) -> Square {
    match side {
        Side::First => square,
        Side::Second => square.rotated(),
    }
}
