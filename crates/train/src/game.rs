//! What a game needs for training beyond its rules and its encoding.

use keisei_chess::Chess;
use keisei_encode::Encode;
use keisei_shogi::Shogi;

/// A game that can be trained.
pub trait Trained: Encode {
    /// A game from a position in the game's notation, by the rules of training: without a limit on
    /// its length, because training cuts games off itself.
    fn unlimited(position: &str) -> Result<Self, Self::PositionError>;

    /// A game from the standard start by the rules of training.
    fn fresh() -> Self {
        Self::unlimited(&Self::new().notation()).expect("the start has a notation")
    }
}

impl Trained for Shogi {
    fn unlimited(position: &str) -> Result<Self, Self::PositionError> {
        let rules = keisei_shogi::Rules { move_limit: None, ..Default::default() };
        Ok(Self::with_rules(position.parse()?, rules))
    }
}

impl Trained for Chess {
    /// Draws that a player could claim end the game, because nobody is there to claim them.
    fn unlimited(position: &str) -> Result<Self, Self::PositionError> {
        let rules = keisei_chess::Rules { auto_claim: true, move_limit: None };
        Ok(Self::with_rules(position.parse()?, rules))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_game::{Game, Reason};

    #[test]
    fn shogi_in_training_starts_as_usual_and_has_no_limit_of_its_own() {
        let game = Shogi::fresh();
        assert_eq!(game.notation(), Shogi::new().notation());
        assert_eq!(game.rules().move_limit, None);
    }

    #[test]
    fn chess_in_training_ends_at_the_third_occurrence_of_a_position() {
        let mut game = Chess::fresh();
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            assert!(game.outcome().is_none());
            game.play(game.parse_move(text).unwrap()).unwrap();
        }
        assert_eq!(game.outcome().map(|outcome| outcome.reason()), Some(Reason::Repetition));
    }
}
