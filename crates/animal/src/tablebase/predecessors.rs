//! Moves taken back: the positions from which a position can be reached.

use crate::attacks::attacks;
use crate::board::last_rank;
use crate::{Bitboard, Board, HandKind, Piece, PieceKind, Square};

/// Calls `visit` with every board from which some move leads to `board`, as far as the pieces tell:
/// the game may have been over there.
pub(super) fn predecessors(board: Board, mut visit: impl FnMut(Board)) {
    let mover = !board.turn();
    let empty = !board.occupied();
    let mut before = board;
    before.pass_turn();
    for kind in PieceKind::ALL {
        for to in board.kind(kind) & board.pieces(mover) {
            let mut lifted = before;
            lifted.take(Piece { side: mover, kind }, to);
            if let (Some(held), true) = (kind.in_hand(), kind != PieceKind::Hen) {
                let mut undropped = lifted;
                undropped.set_hand(mover, held, board.in_hand(mover, held) + 1);
                visit(undropped);
            }
            let at_goal = last_rank(mover).has(to);
            // A chick cannot have stepped to the last rank, but a hen may have been one before.
            if !(kind == PieceKind::Chick && at_goal) {
                unstep(lifted, Piece { side: mover, kind }, to, empty, &mut visit);
            }
            if kind == PieceKind::Hen && at_goal {
                unstep(
                    lifted,
                    Piece { side: mover, kind: PieceKind::Chick },
                    to,
                    empty,
                    &mut visit,
                );
            }
        }
    }
}

/// Visits the boards from which `piece` can have stepped to `to`, taking nothing or anything that
/// its player holds.
fn unstep(lifted: Board, piece: Piece, to: Square, empty: Bitboard, visit: &mut impl FnMut(Board)) {
    // A piece comes from where the same piece of the other side would go.
    for from in attacks(piece.kind, !piece.side, to) & empty {
        let mut back = lifted;
        back.put(piece, from);
        visit(back);
        for held in HandKind::ALL {
            let count = back.in_hand(piece.side, held);
            if count == 0 {
                continue;
            }
            let mut returned = back;
            returned.set_hand(piece.side, held, count - 1);
            let mut uncapture = |kind| {
                let mut board = returned;
                board.put(Piece { side: !piece.side, kind }, to);
                visit(board);
            };
            uncapture(held.kind());
            if held == HandKind::Chick {
                uncapture(PieceKind::Hen);
            }
        }
    }
}

/// Whether the side to move can take the other lion.
#[inline]
pub(super) fn can_take_lion(board: Board) -> bool {
    let turn = board.turn();
    board.lion(!turn).is_some_and(|lion| !board.attackers(lion, turn).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Animal, Position};
    use keisei_game::{Game, SplitMix64};
    use std::collections::HashSet;

    #[test]
    fn predecessors_are_the_boards_with_a_move_that_leads_here() {
        let mut rng = SplitMix64::new(3);
        let mut moves = 0;
        for _ in 0..2_000 {
            let mut game = Animal::new();
            for _ in 0..rng.next_u64() % 60 {
                let Some(mv) = rng.choose(&game.legal_moves()) else { break };
                let before = game.position().board();
                game.play(mv).unwrap();
                let after = game.position().board();
                if after.lion(after.turn()).is_none() {
                    break;
                }
                let mut found = HashSet::new();
                predecessors(after, |board| {
                    assert!(found.insert(board), "listed once");
                });
                assert!(found.contains(&before), "{mv}");
                let leads_here = |board: &Board| {
                    board.legal_moves().iter().any(|&mv| {
                        let mut next = *board;
                        next.play(mv);
                        next == after
                    })
                };
                for board in found.iter().filter(|board| board.lost().is_none()) {
                    assert!(leads_here(board), "{:?}", Position::of_board(*board));
                }
                moves += 1;
            }
        }
        assert!(moves > 20_000);
    }
}
