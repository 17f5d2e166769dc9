//! Repetition inside the tree.

use keisei_chess::Chess;
use keisei_engine::search::{LeafMates, Search, SearchSettings};
use keisei_game::{Game, Rules};
use keisei_shogi::Shogi;

use super::{Judge, repeatable, think};

fn settings() -> SearchSettings {
    SearchSettings { leaf_mates: LeafMates::Off, root_mate: 0, ..repeatable() }
}

#[test]
fn a_side_that_stands_badly_draws_by_perpetual_check_in_chess() {
    // Qe8+ and Qh5+ leave one answer each. Whoever is White stands badly in this judge's eyes.
    let game = Chess::with_rules(
        "6k1/6p1/8/7Q/8/8/8/K7 w - - 0 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    let white_to_move = |seen: &[u8]| if seen[68] == 1 { -0.8 } else { 0.8 };
    let found = think(&mut Search::new(Judge(white_to_move), settings()), &game, 2_000);
    assert_eq!(found.best.to_string(), "h5e8");
    assert!(found.value > -0.4, "{}", found.value);
}

#[test]
fn perpetual_check_is_no_way_out_in_shogi() {
    // The dragon checks from 3a and 3b in turn; the king has one answer each.
    let start = "8k/6+R2/9/7K1/9/9/9/9/9 b - 1";
    let game = Shogi::with_rules(start.parse().unwrap(), Rules::between_programs(None));
    let black_to_move = |seen: &[u8]| if seen[95] == 1 { -0.8 } else { 0.8 };
    let found = think(&mut Search::new(Judge(black_to_move), settings()), &game, 2_000);
    assert_ne!(found.best.to_string(), "3b3a");
    assert!(found.mate.is_some() || found.value < -0.5, "{}", found.value);
}
