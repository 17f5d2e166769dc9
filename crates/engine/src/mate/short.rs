//! Mates of one and three plies, cheap enough to ask for in every position of a search.

use keisei_game::Position;

use super::after;
use crate::Arena;

/// A move that mates at once.
pub fn mate_in_one<G: Arena>(position: &G::Position) -> Option<G::Move> {
    G::checks(position).into_iter().find(|&mv| !after::<G>(position, mv).has_legal_moves())
}

/// The first move of a mate by checks in at most three plies: one that mates at once if there is
/// one, otherwise one that leaves the other side no move that is not answered by a mate.
pub fn mate_in_three<G: Arena>(position: &G::Position) -> Option<G::Move> {
    let mut checked = Vec::new();
    for mv in G::checks(position) {
        let after = after::<G>(position, mv);
        match after.count_legal_moves() {
            0 => return Some(mv),
            evasions => checked.push((evasions, mv, after)),
        }
    }
    // What leaves few answers fails or succeeds soonest.
    checked.sort_by_key(|&(evasions, ..)| evasions);
    checked.into_iter().find(|(.., after)| is_mated_in_two::<G>(after)).map(|(_, mv, _)| mv)
}

/// Whether every legal move is answered by a mate.
fn is_mated_in_two<G: Arena>(position: &G::Position) -> bool {
    let evasions = position.legal_moves();
    evasions.as_ref().iter().all(|&mv| mate_in_one::<G>(&after::<G>(position, mv)).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_chess::Chess;
    use keisei_shogi::Shogi;

    fn one<G: Arena>(text: &str) -> Option<String> {
        let game = G::from_notation(text).unwrap();
        mate_in_one::<G>(game.position()).map(|mv| mv.to_string())
    }

    fn three<G: Arena>(text: &str) -> Option<String> {
        let game = G::from_notation(text).unwrap();
        mate_in_three::<G>(game.position()).map(|mv| mv.to_string())
    }

    #[test]
    fn a_mating_move_is_found_in_either_game() {
        assert_eq!(one::<Shogi>("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").as_deref(), Some("G*5b"));
        assert_eq!(one::<Chess>("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").as_deref(), Some("a1a8"));
    }

    #[test]
    fn a_pawn_that_would_mate_when_dropped_is_no_mate() {
        assert_eq!(one::<Shogi>("7nk/9/8G/9/9/9/9/9/K8 b P 1"), None);
    }

    #[test]
    fn stalemate_is_no_mate() {
        assert_eq!(one::<Chess>("k7/8/8/1Q6/8/8/8/K7 w - - 0 1"), None);
    }

    #[test]
    fn three_plies_are_found_and_one_is_preferred() {
        assert_eq!(three::<Shogi>("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").as_deref(), Some("G*5b"));
        let two_rooks = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
        assert_eq!(three::<Chess>(two_rooks), None, "the first move gives no check");
        let ladder = "8/7k/R7/1R6/8/8/8/7K w - - 0 1";
        assert_eq!(one::<Chess>(ladder), None);
        assert_eq!(three::<Chess>(ladder).as_deref(), Some("b5b7"));
    }
}
