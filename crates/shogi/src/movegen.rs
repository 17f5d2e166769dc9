//! Legal moves, generated as sets and never filtered one by one.
//!
//! One body ([`generate`]) works out checks and pins once and hands *sets* of legal moves to a
//! [`Sink`]: a list writes them down, a counter only counts them. How sliders look along their
//! lines ([`Blockers`]) and how a set becomes a list depends on the processor, which is asked when
//! the program runs.

mod generate;
mod list;
mod sets;
mod sink;
mod tier;
#[cfg(target_arch = "x86_64")]
mod wide;
mod window;

pub(crate) use generate::is_drop_pawn_mate;
pub use list::{MAX_MOVES, MoveList};
pub use sets::MoveSet;
pub(crate) use sets::visit_sets;

use crate::attacks::Blockers;
use crate::{Bitboard, Color, Position};
use generate::{Black, White, generate};
use sink::Sink;

/// Hands the legal moves that arrive on a square of `onto` to `sink`.
#[inline(always)]
fn visit<B: Blockers, S: Sink>(position: &Position, onto: u128, sink: &mut S) {
    match position.turn() {
        Color::Black => generate::<Black, B, S>(position, onto, sink),
        Color::White => generate::<White, B, S>(position, onto, sink),
    }
}

#[inline]
pub(crate) fn legal_moves(position: &Position) -> MoveList {
    tier::list(position, Bitboard::FULL.bits())
}

pub(crate) fn legal_captures(position: &Position) -> MoveList {
    tier::list(position, position.pieces(!position.turn()).bits())
}

pub(crate) fn legal_quiets(position: &Position) -> MoveList {
    tier::list(position, (!position.occupied()).bits())
}

#[inline]
pub(crate) fn count(position: &Position) -> usize {
    tier::count::<{ u32::MAX }>(position, Bitboard::FULL.bits())
}

#[inline]
pub(crate) fn any(position: &Position) -> bool {
    tier::count::<1>(position, Bitboard::FULL.bits()) > 0
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::tier::Tier;
    use super::*;
    use crate::{Hand, HandKind, PieceKind};
    use keisei_game::SplitMix64;

    fn tiers() -> impl Iterator<Item = Tier> {
        let best = Tier::detect();
        [Tier::Plain, Tier::Modern, Tier::Wide].into_iter().filter(move |&tier| tier <= best)
    }

    /// A position with `pieces` of Black and a full hand that no legal moves lead to, made as
    /// [`Position::play_unchecked`] makes one where nothing checks it.
    fn crowded(kind: PieceKind, pieces: impl Iterator<Item = usize>) -> Position {
        let mut position: Position = "8k/9/9/9/9/9/9/9/9 b - 1".parse().unwrap();
        pieces.for_each(|square| position.put(Color::Black, kind, square));
        let full = |hand: Hand, kind: HandKind| hand.with(kind, kind.total());
        position.hands[Color::Black] = HandKind::ALL.into_iter().fold(Hand::EMPTY, full);
        position
    }

    #[test]
    fn a_position_with_more_moves_than_a_list_has_room_for_is_refused_on_every_tier() {
        // Nine rooks on a diagonal have 210 moves, and 71 squares are left for drops.
        let rooks = crowded(PieceKind::Rook, (0..9).map(|file| 8 + 8 * file));
        let pawns =
            crowded(PieceKind::Pawn, (0..81).filter(|square| [2, 4].contains(&(square % 9))));
        assert!(count(&rooks) > MAX_MOVES, "{} moves", count(&rooks));
        for (position, reason) in [(rooks, "more than 593 moves"), (pawns, "two pawns on a file")] {
            for tier in tiers() {
                let list = || tier::list_on(tier, &position, Bitboard::FULL.bits()).len();
                let panic = catch_unwind(AssertUnwindSafe(list)).expect_err("there is no room");
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.into()));
                assert!(
                    text.as_ref().is_some_and(|text| text.contains(reason)),
                    "{tier:?} {text:?}"
                );
            }
        }
    }

    #[test]
    fn every_processor_tier_lists_the_same_moves_in_the_same_order() {
        let tiers: Vec<_> = tiers().collect();
        let mut rng = SplitMix64::new(1);
        let mut position = Position::start();
        // Miri has the plain tier only, and takes a second for a hundred positions.
        for _ in 0..if cfg!(miri) { 100 } else { 20_000 } {
            let onto = Bitboard::FULL.bits();
            let mut lists = tiers.iter().map(|&tier| {
                let moves = tier::list_on(tier, &position, onto).to_vec();
                let count = tier::count_on::<{ u32::MAX }>(tier, &position, onto);
                assert_eq!(moves.len(), count, "{position}");
                assert_eq!(tier::count_on::<1>(tier, &position, onto) > 0, count > 0, "{position}");
                moves
            });
            let plain = lists.next().expect("the plain tier is always there");
            for other in lists {
                assert_eq!(plain, other, "{position}");
            }
            match rng.choose(&position.legal_moves()) {
                Some(mv) => position.play_unchecked(mv),
                None => position = Position::start(),
            }
        }
    }
}
