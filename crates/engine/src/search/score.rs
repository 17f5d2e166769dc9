//! Values, chances to win and scores.
//!
//! A value is between −1 (lost) and 1 (won); the chance to win is (value + 1) / 2, a draw being
//! half a win. As a score, the chance p becomes s·ln(p / (1 − p)) hundredths of a pawn, which is
//! 2s·atanh(value). For shogi s is 600, as Japanese programs have it.

use crate::{Arena, Score};

/// Chances are told as if they were between this and its complement: no estimate is certain.
const SMALLEST_CHANCE: f32 = 1e-4;

/// The chance to win that belongs to a value.
pub fn win_rate(value: f32) -> f32 {
    (value + 1.0) / 2.0
}

/// The score that belongs to a chance to win.
pub fn centipawns<G: Arena>(win_rate: f32) -> i32 {
    let chance = win_rate.clamp(SMALLEST_CHANCE, 1.0 - SMALLEST_CHANCE);
    (G::SCORE_SCALE * (chance / (1.0 - chance)).ln()).round() as i32
}

/// The chance to win that belongs to a score.
pub fn win_rate_of<G: Arena>(score: Score) -> f32 {
    match score {
        Score::Centipawns(score) => 1.0 / (1.0 + (-score as f32 / G::SCORE_SCALE).exp()),
        Score::Mate(plies) if plies > 0 => 1.0,
        Score::Mate(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_chess::Chess;
    use keisei_shogi::Shogi;

    #[test]
    fn an_even_chance_is_no_score_and_scores_are_symmetric() {
        assert_eq!(centipawns::<Shogi>(0.5), 0);
        assert_eq!(centipawns::<Shogi>(0.8), 832);
        assert_eq!(centipawns::<Shogi>(0.2), -832);
        assert_eq!(centipawns::<Chess>(0.64), 100);
        assert_eq!(centipawns::<Shogi>(1.0), -centipawns::<Shogi>(0.0));
    }

    #[test]
    fn a_score_gives_its_chance_back() {
        for percent in 1..100 {
            let chance = percent as f32 / 100.0;
            let score = Score::Centipawns(centipawns::<Shogi>(chance));
            assert!((win_rate_of::<Shogi>(score) - chance).abs() < 1e-3, "{chance}");
        }
        assert_eq!(win_rate_of::<Shogi>(Score::Mate(3)), 1.0);
        assert_eq!(win_rate_of::<Shogi>(Score::Mate(-2)), 0.0);
        assert_eq!(win_rate(0.5), 0.75);
    }
}
