//! A pawn must not be dropped to give checkmate.

use keisei_shogi::{Color, IllegalMove, Position};

use crate::boards::{View, both_colours};
use crate::random::random_position;

/// Whether the pawn may be dropped; if not, then because it would mate.
fn may_drop(view: &View, text: &str) -> bool {
    let allowed = view.allows(text);
    if !allowed {
        let drop = view.mv(text);
        let refused = view.position.check_legal(drop);
        assert_eq!(refused, Err(IllegalMove::DropPawnMate(drop.to())), "{}", view.position);
    }
    allowed
}

#[test]
fn a_pawn_drop_that_mates_is_illegal() {
    for view in both_colours("7nk/9/8G/9/9/9/9/9/K8 b P 1") {
        assert!(!may_drop(&view, "P*1b"));
        // Elsewhere on the file it is allowed, and so is any other piece on the same square.
        assert!(view.allows("P*1d"));
    }
    for view in both_colours("7nk/9/8G/9/9/9/9/9/K8 b LG 1") {
        assert!(view.after("L*1b").position.is_checkmate());
        assert!(view.after("G*1b").position.is_checkmate());
    }
}

#[test]
fn a_pawn_drop_that_merely_checks_is_legal() {
    for view in both_colours("8k/9/8G/9/9/9/9/9/K8 b P 1") {
        assert!(may_drop(&view, "P*1b"));
        let after = view.after("P*1b");
        assert!(after.position.in_check());
        assert_eq!(after.legal(), ["1a2a".to_owned()].into());
    }
}

#[test]
fn a_pawn_on_the_board_may_mate() {
    for view in both_colours("7nk/9/7GP/9/9/9/9/9/K8 b - 1") {
        assert!(view.allows("1c1b"));
        assert!(view.after("1c1b").position.is_checkmate());
    }
}

#[test]
fn a_pawn_that_the_king_can_take_is_no_mate() {
    for view in both_colours("7nk/9/6S2/9/9/9/9/9/K8 b P 1") {
        assert!(may_drop(&view, "P*1b"));
        assert_eq!(view.after("P*1b").legal(), ["1a1b".to_owned()].into());
    }
}

#[test]
fn a_pawn_that_a_free_piece_can_take_is_no_mate() {
    for (sfen, taker) in [
        ("7gk/9/8G/9/9/9/9/9/K8 b P 1", "2a1b"),
        ("7sk/9/8G/9/9/9/9/9/K8 b P 1", "2a1b"),
        ("7nk/1r7/8G/9/9/9/9/9/K8 b P 1", "8b1b"),
        ("7nk/9/8G/9/5b3/9/9/9/K8 b P 1", "4e1b"),
        ("7nk/1+r7/8G/9/9/9/9/9/K8 b P 1", "8b1b"),
        ("7nk/9/8G/9/5+b3/9/9/9/K8 b P 1", "4e1b"),
    ] {
        for view in both_colours(sfen) {
            assert!(may_drop(&view, "P*1b"), "{sfen}");
            assert_eq!(view.after("P*1b").legal(), [taker.to_owned()].into());
        }
    }
    // Something stands in the way of the rook, of the bishop.
    for sfen in ["7nk/1r2p4/8G/9/9/9/9/9/K8 b P 1", "7nk/9/7pG/9/5b3/9/9/9/K8 b P 1"] {
        for view in both_colours(sfen) {
            assert!(!may_drop(&view, "P*1b"), "{sfen}");
        }
    }
}

#[test]
fn a_pawn_that_only_a_pinned_piece_could_take_is_a_mate() {
    for (slider, sfen) in
        [("rook", "4R2gk/9/8G/9/9/9/9/9/K8 b P 1"), ("dragon", "4+R2gk/9/8G/9/9/9/9/9/K8 b P 1")]
    {
        for view in both_colours(sfen) {
            assert!(!may_drop(&view, "P*1b"), "pinned by a {slider}");
        }
    }
    for (slider, sfen) in [
        ("bishop", "3nkn3/5g3/3G5/9/8B/9/9/9/K8 b P 1"),
        ("horse", "3nkn3/5g3/3G5/9/8+B/9/9/9/K8 b P 1"),
    ] {
        for view in both_colours(sfen) {
            assert!(!may_drop(&view, "P*5b"), "pinned by a {slider}");
        }
    }
    // The same pieces unpinned take the pawn.
    for view in both_colours("3nkn3/5g3/3G5/9/9/9/9/9/K8 b P 1") {
        assert!(may_drop(&view, "P*5b"));
    }
}

#[test]
fn a_piece_that_takes_along_the_line_of_its_pin_saves_the_king() {
    for (slider, sfen) in [
        ("lance", "3nkn3/9/3GgG3/9/9/9/9/9/K3L4 b P 1"),
        ("rook", "3nkn3/9/3GgG3/9/9/9/9/9/K3R4 b P 1"),
    ] {
        for view in both_colours(sfen) {
            let them = view.color(Color::White);
            assert_eq!(view.position.pinned(them), view.square("5c").into());
            assert!(may_drop(&view, "P*5b"), "pinned by a {slider}");
            assert_eq!(view.after("P*5b").legal(), ["5c5b".to_owned()].into());
        }
    }
    // A silver cannot go straight back.
    for view in both_colours("3nkn3/9/3GsG3/9/9/9/9/9/K3L4 b P 1") {
        assert!(!may_drop(&view, "P*5b"));
    }
}

#[test]
fn a_pawn_that_blocks_a_check_and_mates_is_illegal_too() {
    // The rook on 4b checks the king on 9b but is pinned by the bishop on 1e.
    for view in both_colours("3nkn3/K4r3/3G5/9/8B/9/9/9/9 b P 1") {
        assert!(view.position.in_check());
        assert!(!may_drop(&view, "P*5b"));
        assert!(view.allows("P*6b"), "another block");
    }
    // Unpinned, the rook takes the pawn.
    for view in both_colours("3nkn3/K4r3/3G5/9/9/9/9/9/9 b P 1") {
        assert!(view.position.in_check());
        assert!(may_drop(&view, "P*5b"));
    }
}

#[test]
fn a_pawn_drop_that_does_not_answer_a_check_is_refused_for_that_reason() {
    for view in both_colours("7nk/9/8G/9/9/9/9/9/K7r b P 1") {
        let refused = view.position.check_legal(view.mv("P*1b"));
        assert_eq!(refused, Err(IllegalMove::StillInCheck(view.square("1i"))));
        assert!(!view.allows("P*1b"));
    }
}

#[test]
fn horses_dragons_and_other_sliders_cover_flights_from_afar() {
    for (sfen, mate) in [
        ("3nkn3/+R8/9/9/2+B6/9/9/9/K8 b P 1", true),
        ("3nkn3/R8/9/9/2B6/9/9/9/K8 b P 1", true),
        // A piece between the horse and 4b opens a flight.
        ("3nkn3/+R8/9/3p5/2+B6/9/9/9/K8 b P 1", false),
        ("3nkn3/R8/9/3p5/2B6/9/9/9/K8 b P 1", false),
        // A lance covers 4b, the dragon 6b.
        ("3nkn3/+R8/9/9/9/9/9/9/K4L3 b P 1", true),
        ("3nkn3/+R8/9/5p3/9/9/9/9/K4L3 b P 1", false),
        // A horse protects the pawn by a step and covers both flights.
        ("3nkn3/9/4+B4/9/9/9/9/9/K8 b P 1", true),
        // A bishop does not protect it.
        ("3nkn3/9/4B4/9/9/9/9/9/K8 b P 1", false),
        // A dragon protects the pawn by a step; a rook does not.
        ("3nkn3/9/3+R5/9/9/9/9/9/K4L3 b P 1", true),
        ("3nkn3/9/3R5/9/9/9/9/9/K4L3 b P 1", false),
    ] {
        for view in both_colours(sfen) {
            assert_eq!(may_drop(&view, "P*5b"), !mate, "{sfen}");
        }
    }
}

#[test]
fn a_pawn_that_shuts_its_own_rook_out_opens_a_flight() {
    // The dragon on 9b sees 4b only until a pawn stands on 5b.
    for view in both_colours("3nkn3/+R8/9/9/9/9/9/9/K8 b P 1") {
        assert!(may_drop(&view, "P*5b"));
        assert_eq!(view.after("P*5b").legal(), ["5a4b".to_owned()].into());
    }
}

#[test]
fn a_king_that_can_take_another_piece_is_not_mated() {
    // The lance on 4b is unprotected once the pawn shuts the dragon out.
    for view in both_colours("3nkn3/+R4L3/9/9/9/9/9/9/K8 b P 1") {
        assert!(may_drop(&view, "P*5b"));
        assert_eq!(view.after("P*5b").legal(), ["5a4b".to_owned()].into());
    }
    for view in both_colours("3nkn3/+R4L3/9/9/9/9/9/9/K4L3 b P 1") {
        assert!(!may_drop(&view, "P*5b"));
    }
}

#[test]
fn a_pawn_dropped_away_from_the_king_is_no_uchifuzume() {
    // White has no move at all after it, but is not in check.
    for view in both_colours("8k/6G2/9/7N1/9/9/9/9/K8 b P 1") {
        assert!(view.allows("P*5e"));
        assert!(!view.after("P*5e").position.has_legal_moves());
    }
}

#[test]
fn looking_for_uchifuzume_from_many_threads_gives_the_same_answer_and_changes_nothing() {
    let positions: Vec<_> = (0..200).map(random_position).collect();
    let before = positions.clone();
    let list = |positions: &[Position]| -> Vec<_> {
        positions.iter().map(|position| position.legal_moves().to_vec()).collect()
    };
    let expected = list(&positions);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| list(&positions))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), expected);
        }
    });
    assert_eq!(positions, before);
}
