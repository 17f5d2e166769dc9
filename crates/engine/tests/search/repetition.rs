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

#[test]
fn the_history_of_the_game_counts_if_the_settings_say_so() {
    // Both sides went to and fro once: going to again meets positions of the past.
    let mut game = Chess::with_rules(
        "7k/8/8/8/8/8/R7/K7 w - - 0 1".parse().unwrap(),
        Rules::between_programs(None),
    );
    for text in ["a2b2", "h8g8", "b2a2", "g8h8"] {
        game.play(game.parse_move(text).unwrap()).unwrap();
    }
    // White is content; what repeats is worth less than that.
    let white_to_move = |seen: &[u8]| if seen[68] == 1 { 0.8 } else { -0.8 };
    let visits = |history_repeats| {
        let settings = SearchSettings { history_repeats, gumbel_up_to: 0, ..settings() };
        let found = think(&mut Search::new(Judge(white_to_move), settings), &game, 400);
        let back = found.visits.iter().find(|(mv, _)| mv.to_string() == "a2b2").unwrap().1;
        (back, found.best.to_string())
    };
    let ((with, best), (without, _)) = (visits(true), visits(false));
    assert!(with < without / 2, "{with} {without}");
    assert_ne!(best, "a2b2");
}
