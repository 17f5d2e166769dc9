//! No move leaves the own king in check: pins, checks and where a king may step.

use keisei_shogi::Color;

use crate::boards::{both_colours, position, squares};

#[test]
fn a_piece_pinned_by_any_slider_moves_only_on_the_line_of_the_pin() {
    for (slider, sfen, along) in [
        ("lance", "k3l4/9/9/9/4R4/9/9/9/4K4 b - 1", "5a 5b 5c 5d 5f 5g 5h"),
        ("rook", "k3r4/9/9/9/4R4/9/9/9/4K4 b - 1", "5a 5b 5c 5d 5f 5g 5h"),
        ("dragon", "k3+r4/9/9/9/4R4/9/9/9/4K4 b - 1", "5a 5b 5c 5d 5f 5g 5h"),
        ("bishop", "b4k3/9/9/9/4B4/9/9/9/8K b - 1", "9a 8b 7c 6d 4f 3g 2h"),
        ("horse", "+b4k3/9/9/9/4B4/9/9/9/8K b - 1", "9a 8b 7c 6d 4f 3g 2h"),
    ] {
        for view in both_colours(sfen) {
            assert_eq!(view.destinations("5e"), squares(along), "pinned by a {slider}");
            let us = view.color(Color::Black);
            assert_eq!(view.position.pinned(us), view.square("5e").into());
        }
    }
}

#[test]
fn a_pinned_piece_that_cannot_move_along_the_line_cannot_move_at_all() {
    for (sfen, pinned) in [
        ("4r4/9/9/9/4N4/9/9/9/k3K4 b - 1", "knight on the file"),
        ("4r4/9/9/9/4B4/9/9/k8/4K4 b - 1", "bishop on the file"),
        ("k8/9/9/9/K3P3r/9/9/9/9 b - 1", "pawn on the row"),
        ("k8/9/9/9/K3L3r/9/9/9/9 b - 1", "lance on the row"),
        ("k8/9/9/9/K3S3r/9/9/9/9 b - 1", "silver on the row"),
        ("1k6b/9/9/9/4R4/9/9/9/K8 b - 1", "rook on the diagonal"),
        ("1k6+b/9/9/9/4L4/9/9/9/K8 b - 1", "lance on the diagonal"),
    ] {
        for view in both_colours(sfen) {
            assert!(view.destinations("5e").is_empty(), "{pinned}");
        }
    }
}

#[test]
fn two_pieces_on_a_line_do_not_pin_each_other() {
    for view in both_colours("4r4/9/9/9/4N4/4S4/9/9/4K3k b - 1") {
        assert_eq!(view.destinations("5e"), squares("4c 6c"));
        assert_eq!(view.destinations("5f"), squares("4e 6e 4g 6g"));
    }
}

#[test]
fn a_pinned_piece_may_take_the_pinning_piece() {
    for view in both_colours("4k4/9/9/9/9/9/4r4/4G4/4K4 b - 1") {
        assert_eq!(view.destinations("5h"), squares("5g"));
    }
    for view in both_colours("k8/9/9/9/9/9/6b2/7S1/8K b - 1") {
        assert_eq!(view.destinations("2h"), squares("3g"));
    }
}

#[test]
fn a_pinned_promotable_piece_keeps_its_choice_of_promotion() {
    for view in both_colours("4r3k/9/4S4/9/9/9/9/9/4K4 b - 1") {
        assert!(view.allows("5c5b") && view.allows("5c5b+"));
        assert_eq!(view.destinations("5c"), squares("5b"));
    }
}

#[test]
fn a_lance_behind_the_king_pins_nothing() {
    // White's lance attacks down the board only.
    for view in both_colours("8k/9/9/9/9/4K4/4N4/4l4/9 b - 1") {
        assert_eq!(view.destinations("5g"), squares("4e 6e"));
        assert!(view.position.pinned(view.color(Color::Black)).is_empty());
    }
}

#[test]
fn in_check_the_checker_is_taken_or_the_line_is_blocked_or_the_king_goes() {
    for view in both_colours("k8/9/9/4r4/7B1/5N3/9/3G5/3PK4 b GP 1") {
        assert!(view.position.in_check());
        let block = ["G*5e", "G*5f", "G*5g", "G*5h", "P*5e", "P*5f", "P*5g", "P*5h"];
        let others = ["6h5h", "6h5g", "2e5h", "4f5d", "5i4i", "5i4h"];
        let expected = block.into_iter().chain(others).map(str::to_owned).collect();
        assert_eq!(view.legal(), expected);
    }
    // The checking rook is protected by the other one: the gold may take it, the king may not.
    for view in both_colours("k8/9/9/4r4/9/9/9/4r4/3GK1S2 b - 1") {
        assert_eq!(view.legal(), ["6i5h".to_owned(), "5i4i".to_owned()].into());
    }
}

#[test]
fn a_check_by_a_neighbour_or_a_knight_cannot_be_blocked() {
    for (sfen, expected) in [
        // The knight on 4g checks; gold 3h may take it.
        ("k8/9/9/9/9/9/5n3/6G2/3PKP3 b G2P 1", vec!["3h4g", "5i5h", "5i6h", "5i4h"]),
        // A horse next to the king, straight ahead of it, protected.
        ("k8/9/9/9/9/9/4l4/4+b4/3PKP3 b 2G 1", vec![]),
    ] {
        for view in both_colours(sfen) {
            assert!(view.position.in_check());
            assert_eq!(view.legal(), expected.iter().map(|&text| text.to_owned()).collect());
        }
    }
}

#[test]
fn in_double_check_only_the_king_moves() {
    // The gold could take the knight or block the rook, but not both.
    for view in both_colours("k3r4/9/9/9/9/9/3n5/2G6/4K4 b G 1") {
        assert_eq!(view.position.checkers().len(), 2);
        let legal = view.legal();
        assert!(legal.iter().all(|text| text.starts_with("5i")), "{legal:?}");
        assert_eq!(view.destinations("5i"), squares("4h 6h 4i 6i"));
    }
}

#[test]
fn a_piece_that_leaves_a_line_gives_a_discovered_check() {
    for view in both_colours("4k4/9/9/9/4N4/9/9/9/K3R4 b - 1") {
        assert!(!view.position.gives_check(view.mv("9i8i")));
        for to in ["4c", "6c"] {
            // Promoted, the knight itself attacks the king no longer.
            let discovered = view.after(&format!("5e{to}+"));
            assert_eq!(discovered.position.checkers(), view.square("5i").into());
            let double = view.after(&format!("5e{to}"));
            let checkers = [view.square("5i"), view.square(to)].into_iter().collect();
            assert_eq!(double.position.checkers(), checkers);
        }
    }
}

#[test]
fn a_piece_may_not_step_off_a_line_and_expose_its_king_to_a_discovered_check() {
    for view in both_colours("k3r4/9/9/9/9/9/9/4G4/4K4 b - 1") {
        assert_eq!(view.destinations("5h"), squares("5g"));
        assert!(!view.allows("5h4h") && !view.allows("5h6g"));
    }
}

#[test]
fn a_king_may_not_step_back_along_the_line_of_a_check() {
    for (sfen, from, forbidden) in [
        ("k3r4/9/9/9/4K4/9/9/9/9 b - 1", "5e", "5f 5d"),
        ("k3l4/9/9/9/4K4/9/9/9/9 b - 1", "5e", "5f 5d"),
        ("b1k6/9/9/9/4K4/9/9/9/9 b - 1", "5e", "4f 6d"),
        ("k8/9/9/9/+r3K4/9/9/9/9 b - 1", "5e", "4e 6e"),
        ("2k5+b/9/9/9/4K4/9/9/9/9 b - 1", "5e", "6f 4d"),
    ] {
        for view in both_colours(sfen) {
            assert!(view.position.in_check(), "{sfen}");
            let around = squares("4d 5d 6d 4e 6e 4f 5f 6f");
            assert_eq!(view.destinations(from), around - squares(forbidden), "{sfen}");
        }
    }
}

#[test]
fn a_king_may_not_step_next_to_the_other_king() {
    for view in both_colours("9/9/4k4/9/4K4/9/9/9/9 b - 1") {
        assert_eq!(view.destinations("5e"), squares("4e 6e 4f 5f 6f"));
    }
}

#[test]
fn a_king_takes_an_unprotected_piece_but_never_a_protected_one() {
    for view in both_colours("9/9/9/4g4/4K4/9/9/9/k8 b - 1") {
        assert!(view.allows("5e5d"));
    }
    for (sfen, guard) in [
        ("9/9/4p4/4g4/4K4/9/9/9/k8 b - 1", "pawn"),
        ("4l4/9/9/4g4/4K4/9/9/9/k8 b - 1", "lance"),
        ("9/5n3/9/4g4/4K4/9/9/9/k8 b - 1", "knight"),
        ("9/9/9/4g3r/4K4/9/9/9/k8 b - 1", "rook"),
        ("7b1/9/9/4g4/4K4/9/9/9/k8 b - 1", "bishop"),
        ("9/9/4k4/4g4/4K4/9/9/9/9 b - 1", "king"),
    ] {
        for view in both_colours(sfen) {
            assert!(!view.allows("5e5d"), "protected by a {guard}");
        }
    }
}

#[test]
fn a_position_knows_whether_either_king_is_in_check() {
    let position = position("4k4/9/9/9/9/9/9/9/4K3r b - 1");
    assert!(position.in_check());
    assert!(position.is_in_check(Color::Black) && !position.is_in_check(Color::White));
    assert_eq!(position.checkers(), squares("1i"));
    assert!(!position.is_checkmate());
}

#[test]
fn checkmate_is_check_without_a_legal_move() {
    // Gold on the head, protected.
    for view in both_colours("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1") {
        assert!(view.position.is_checkmate());
        assert!(!view.position.has_legal_moves());
    }
    // The same gold without its pawn is taken.
    for view in both_colours("4k4/4G4/9/9/9/9/9/9/4K4 w - 1") {
        assert!(!view.position.is_checkmate());
        assert_eq!(view.legal(), ["5a5b".to_owned()].into());
    }
    // No check, no mate, though there is no move either.
    for view in both_colours("8k/6G2/9/7N1/9/9/9/9/K8 w - 1") {
        assert!(!view.position.is_checkmate() && !view.position.has_legal_moves());
    }
}

#[test]
fn without_a_king_of_its_own_a_side_moves_as_it_likes() {
    for view in both_colours("4k4/4r4/9/9/4G4/9/9/9/4L4 b P 1") {
        assert_eq!(view.destinations("5e"), squares("4d 5d 6d 4e 6e 5f"));
    }
}
