//! The numbers by which a search chooses where to look.

/// How much is taken from the parent's value for a move that was never tried, when all the rest
/// of the policy was.
const UNTRIED: f32 = 0.2;

/// The weight of the prior of a node whose moves were tried `visits` times: it grows slowly, so
/// that a large search doubts its network more.
pub(super) fn exploration(visits: f32) -> f32 {
    const BASE: f32 = 19652.0;
    const INIT: f32 = 1.25;
    ((1.0 + visits + BASE) / BASE).ln() + INIT
}

/// By what the prior of a move is multiplied and its tries plus one divide: see [`exploration`].
pub(super) fn prior_weight(visits: f32) -> f32 {
    exploration(visits) * visits.max(1.0).sqrt()
}

/// What a move that was never tried is taken to be worth, in a node worth `value` where moves with
/// the share `tried` of the policy were tried: the more was tried, the less is hoped of the rest.
pub(super) fn first_play(value: f32, tried: f32) -> f32 {
    value - UNTRIED * tried.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exploration_grows_by_the_logarithm_of_the_visits() {
        assert!((exploration(0.0) - 1.250_05).abs() < 1e-4);
        // ln((1 + 19651 + 19652) / 19652) = ln 2
        assert!((exploration(19651.0) - (1.25 + std::f32::consts::LN_2)).abs() < 1e-4);
    }

    #[test]
    fn the_prior_counts_before_the_first_visit() {
        assert!((prior_weight(0.0) - 1.250_05).abs() < 1e-4);
        assert!((prior_weight(4.0) / exploration(4.0) - 2.0).abs() < 1e-6);
    }

    #[test]
    fn what_was_never_tried_is_worth_less_the_more_was_tried() {
        assert_eq!(first_play(0.3, 0.0), 0.3);
        assert!((first_play(0.3, 0.25) - 0.2).abs() < 1e-6);
        assert!((first_play(0.3, 1.0) - 0.1).abs() < 1e-6);
    }
}
