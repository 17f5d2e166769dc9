//! Animal shogi as players see it.

use keisei_animal::{Animal, HandKind, Move, PieceKind, Position};
use keisei_game::Side;

use super::{Arena, Protocol};

impl Arena for Animal {
    const PROTOCOL: Protocol = Protocol::Usi;

    const SCORE_SCALE: f32 = 300.0;

    fn checks(position: &Position) -> Vec<Move> {
        let gives_check = |mv: &Move| {
            let mut next = *position;
            next.play_unchecked(*mv);
            next.in_check()
        };
        position.legal_moves().into_iter().filter(gives_check).collect()
    }

    fn material(position: &Position) -> i32 {
        let turn = position.turn();
        total(position, turn) - total(position, !turn)
    }

    fn gain(position: &Position, mv: Move) -> i32 {
        let taken = position.piece_at(mv.to()).map_or(0, |piece| {
            // What is taken leaves the other side and comes to our hand.
            worth(piece.kind) + piece.kind.in_hand().map_or(0, |held| worth(held.kind()))
        });
        let promoted = match mv {
            Move::Step { promotes: true, .. } => worth(PieceKind::Hen) - worth(PieceKind::Chick),
            _ => 0,
        };
        taken + promoted
    }
}

fn total(position: &Position, side: Side) -> i32 {
    let count = |kind| position.pieces_of(side, kind).len() as i32;
    let board: i32 = PieceKind::ALL.iter().map(|&kind| count(kind) * worth(kind)).sum();
    let held = |kind: HandKind| i32::from(position.in_hand(side, kind)) * worth(kind.kind());
    board + HandKind::ALL.iter().map(|&kind| held(kind)).sum::<i32>()
}

/// A lion is worth more than everything else together, because it can be taken here.
const fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Chick => 100,
        PieceKind::Elephant => 250,
        PieceKind::Giraffe => 300,
        PieceKind::Hen => 400,
        PieceKind::Lion => 5_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{mate_in_one, mate_in_three};
    use keisei_game::{Game, SplitMix64, random_game};

    #[test]
    fn a_gain_is_the_difference_that_a_move_makes() {
        let mut rng = SplitMix64::new(5);
        for _ in 0..200 {
            let mut game = Animal::new();
            random_game(&mut game, rng.next_u64(), 30);
            let before = *game.position();
            for mv in game.legal_moves() {
                let mut after = before;
                after.play_unchecked(mv);
                let difference = -Animal::material(&after) - Animal::material(&before);
                assert_eq!(Animal::gain(&before, mv), difference, "{mv} in {before}");
            }
        }
    }

    #[test]
    fn a_lion_that_can_be_taken_or_brought_home_is_a_mate_in_one() {
        let one =
            |text: &str| mate_in_one::<Animal>(&text.parse().unwrap()).map(|mv| mv.to_string());
        assert_eq!(one("1l1/1C1/3/1L1 b - 1").as_deref(), Some("2b2a+"), "taken");
        assert_eq!(one("3/L2/2l/3 b - 1").as_deref(), Some("3b3a"), "brought home");
        assert_eq!(one("gle/1c1/1C1/ELG b - 1"), None);
    }

    #[test]
    fn a_check_that_nothing_answers_is_a_mate_in_three() {
        // The chick is guarded by its lion, which also reaches every way out.
        let guarded = "glg/3/1L1/3 b C 1".parse().unwrap();
        let mate = mate_in_three::<Animal>(&guarded).map(|mv| mv.to_string());
        assert_eq!(mate.as_deref(), Some("C*2b"));
    }
}
