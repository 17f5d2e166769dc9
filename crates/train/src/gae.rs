//! Generalised advantage estimation for two players who take turns.
//!
//! Rewards and values are the mover's. The next mover is the opponent, so what is good there is
//! bad here, and both the next value and the next advantage change sign:
//!
//! ```text
//! δ = r − γ V′ − V          V′ = 0 after a game's end by its rules
//! A = δ − γ λ A′            A′ = 0 after any end, also where a game was truncated
//! ```
//!
//! Where a game was truncated, V′ is the value of the position it was left in: the position decided
//! nothing, but the next game has nothing to do with it either.

use serde::{Deserialize, Serialize};

/// Whether and how a game ended with a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// It goes on.
    #[default]
    None,
    /// It ended by its rules.
    Terminated,
    /// It was truncated.
    Truncated,
}

/// One move and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ply {
    /// The mover's reward.
    pub reward: f32,
    /// The value of the position before the move, for the mover.
    pub value: f32,
    /// The value of the position after the move, for the opponent. Not used after an end by the
    /// rules.
    pub next_value: f32,
    /// Whether the game ended with the move.
    pub ending: Ending,
}

/// The advantage of each move over what its mover expected, in a sequence of moves that may hold
/// several games one after the other. The last one may be unfinished: it goes on at its
/// `next_value`.
pub fn advantages(plies: &[Ply], gamma: f32, lambda: f32) -> Vec<f32> {
    let mut advantages = vec![0.0; plies.len()];
    let mut next = 0.0;
    for (ply, advantage) in plies.iter().zip(&mut advantages).rev() {
        let next_value = if ply.ending == Ending::Terminated { 0.0 } else { ply.next_value };
        let delta = ply.reward - gamma * next_value - ply.value;
        let trace = if ply.ending == Ending::None { next } else { 0.0 };
        next = delta - gamma * lambda * trace;
        *advantage = next;
    }
    advantages
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOES_ON: Ending = Ending::None;

    fn ply(reward: f32, value: f32, next_value: f32, ending: Ending) -> Ply {
        Ply { reward, value, next_value, ending }
    }

    fn assert_near(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(near, "{found:?} instead of {expected:?}");
    }

    #[test]
    fn a_whole_game_worked_by_hand_rewards_the_winner_and_blames_the_loser() {
        // Four moves; the second player mates with the last one. γ = ½, λ = ½.
        let game = [
            ply(0.0, 0.2, 0.1, GOES_ON),  // first:  δ = 0 − .05 − .2  = −.25
            ply(0.0, 0.1, -0.4, GOES_ON), // second: δ = 0 + .2  − .1  =  .10
            ply(0.0, -0.4, 0.6, GOES_ON), // first:  δ = 0 − .3  + .4  =  .10
            ply(1.0, 0.6, 9.9, Ending::Terminated), // second: δ = 1 − .6 = .40
        ];
        // Backwards, A = δ − ¼ A′: .4; .1 − .1 = 0; .1 − 0 = .1; −.25 − .025 = −.275.
        assert_near(&advantages(&game, 0.5, 0.5), &[-0.275, 0.1, 0.0, 0.4]);
    }

    #[test]
    fn with_full_traces_and_no_values_the_signs_alternate_back_from_the_mate() {
        let mut game = [ply(0.0, 0.0, 0.0, GOES_ON); 5];
        game[4] = ply(1.0, 0.0, 0.0, Ending::Terminated);
        assert_near(&advantages(&game, 1.0, 1.0), &[1.0, -1.0, 1.0, -1.0, 1.0]);
    }

    #[test]
    fn a_mover_who_loses_by_his_own_move_is_blamed_for_it() {
        // Perpetual check: the mover gets −1, the opponent's move before gains from it.
        let game = [ply(0.0, 0.0, 0.0, GOES_ON), ply(-1.0, 0.0, 0.0, Ending::Terminated)];
        assert_near(&advantages(&game, 1.0, 1.0), &[1.0, -1.0]);
    }

    #[test]
    fn a_game_that_is_cut_off_counts_its_last_position_but_not_the_next_game() {
        let first = [ply(0.0, 0.3, 0.2, GOES_ON), ply(0.0, 0.2, -0.5, Ending::Truncated)];
        // .9 · .5 − .2 = .25; then −.18 − .3 − .72 · .25 = −.66.
        let expected = [-0.66, 0.25];
        assert_near(&advantages(&first, 0.9, 0.8), &expected);
        let next = [ply(0.0, 0.9, 0.9, GOES_ON), ply(1.0, -0.9, 0.0, Ending::Terminated)];
        let both = [first, next].concat();
        assert_near(&advantages(&both, 0.9, 0.8)[..2], &expected);
        assert_near(&advantages(&both, 0.9, 0.8)[2..], &advantages(&next, 0.9, 0.8));
    }

    #[test]
    fn an_end_by_the_rules_ignores_the_position_after_it_and_the_next_game() {
        let mate = ply(1.0, 0.25, 0.7, Ending::Terminated);
        let next = ply(0.0, 0.5, 0.5, GOES_ON);
        assert_near(&advantages(&[mate, next], 0.9, 0.9)[..1], &[0.75]);
    }

    #[test]
    fn an_unfinished_game_goes_on_at_its_last_value() {
        let rollout = [ply(0.0, 0.1, 0.4, GOES_ON)];
        assert_near(&advantages(&rollout, 0.5, 0.9), &[-0.3]);
    }

    #[test]
    fn when_values_are_exact_no_move_is_better_than_expected() {
        // A won game under γ: the winner's values are γ^n, the loser's −γ^n.
        let gamma = 0.9f32;
        let value = |to_go: i32| if to_go % 2 == 0 { 1.0 } else { -1.0 } * gamma.powi(to_go);
        let game: Vec<_> = (0..7)
            .map(|t| match 6 - t {
                0 => ply(1.0, value(0), 0.0, Ending::Terminated),
                to_go => ply(0.0, value(to_go), value(to_go - 1), GOES_ON),
            })
            .collect();
        assert_near(&advantages(&game, gamma, 0.95), &[0.0; 7]);
    }
}
