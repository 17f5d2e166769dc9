//! How each piece moves, what stops it and what it may take.

use keisei_shogi::{Bitboard, Color, HandKind, MAX_MOVES, PieceKind, Position, attacks};

use crate::boards::{alone, both_colours, position, square, squares};

use PieceKind::{
    Bishop, Dragon, Gold, Horse, King, Knight, Lance, Pawn, PromotedKnight, PromotedLance,
    PromotedSilver, Rook, Silver, Tokin,
};

const DIAGONALS: &str = "4d 3c 2b 1a 6d 7c 8b 9a 4f 3g 2h 1i 6f 7g 8h 9i";
const STRAIGHTS: &str = "5a 5b 5c 5d 5f 5g 5h 5i 9e 8e 7e 6e 4e 3e 2e 1e";

/// Where the lonely piece on `from` may go.
fn destinations(position: &Position, from: &str) -> Bitboard {
    let moves = position.legal_moves();
    moves.iter().filter(|mv| mv.from() == Some(square(from))).map(|mv| mv.to()).collect()
}

fn moves_from_5e(color: Color, kind: PieceKind) -> Bitboard {
    destinations(&alone(color, kind, square("5e")), "5e")
}

#[test]
fn each_of_blacks_pieces_moves_in_its_own_way() {
    let of = |kind| moves_from_5e(Color::Black, kind);
    assert_eq!(of(Pawn), squares("5d"));
    assert_eq!(of(Lance), squares("5d 5c 5b 5a"));
    assert_eq!(of(Knight), squares("4c 6c"));
    assert_eq!(of(Silver), squares("4d 5d 6d 4f 6f"));
    assert_eq!(of(King), squares("4d 5d 6d 4e 6e 4f 5f 6f"));
    for kind in [Gold, Tokin, PromotedLance, PromotedKnight, PromotedSilver] {
        assert_eq!(of(kind), squares("4d 5d 6d 4e 6e 5f"), "{kind}");
    }
}

#[test]
fn each_of_whites_pieces_moves_the_other_way_up() {
    let of = |kind| moves_from_5e(Color::White, kind);
    assert_eq!(of(Pawn), squares("5f"));
    assert_eq!(of(Lance), squares("5f 5g 5h 5i"));
    assert_eq!(of(Knight), squares("4g 6g"));
    assert_eq!(of(Silver), squares("4f 5f 6f 4d 6d"));
    assert_eq!(of(King), squares("4d 5d 6d 4e 6e 4f 5f 6f"));
    for kind in [Gold, Tokin, PromotedLance, PromotedKnight, PromotedSilver] {
        assert_eq!(of(kind), squares("4f 5f 6f 4e 6e 5d"), "{kind}");
    }
}

#[test]
fn bishop_and_rook_slide_and_horse_and_dragon_add_the_steps_they_lacked() {
    for color in Color::ALL {
        let of = |kind| moves_from_5e(color, kind);
        assert_eq!(of(Bishop), squares(DIAGONALS));
        assert_eq!(of(Rook), squares(STRAIGHTS));
        assert_eq!(of(Horse), squares(DIAGONALS) | squares("5d 5f 4e 6e"));
        assert_eq!(of(Dragon), squares(STRAIGHTS) | squares("4d 6d 4f 6f"));
    }
}

#[test]
fn no_move_of_a_horse_or_a_dragon_is_listed_twice() {
    for color in Color::ALL {
        for (kind, count) in [(Horse, 20), (Dragon, 20)] {
            let moves = alone(color, kind, square("5e")).legal_moves();
            let from = moves.iter().filter(|mv| mv.from() == Some(square("5e")));
            assert_eq!(from.count(), count, "{color} {kind}");
        }
    }
}

#[test]
fn pieces_at_the_edge_stay_on_the_board() {
    assert_eq!(destinations(&alone(Color::Black, Knight, square("9c")), "9c"), squares("8a"));
    assert_eq!(destinations(&alone(Color::White, Knight, square("1g")), "1g"), squares("2i"));
    assert_eq!(destinations(&alone(Color::Black, King, square("1i")), "1i"), squares("2i 1h 2h"));
    assert_eq!(destinations(&alone(Color::White, Gold, square("9i")), "9i"), squares("9h 8i"));
    assert_eq!(destinations(&alone(Color::Black, Silver, square("5a")), "5a"), squares("4b 6b"));
}

#[test]
fn a_knight_jumps_over_everything() {
    for view in both_colours("4k4/9/9/3sPs3/3gNg3/3pLp3/9/9/4K4 b - 1") {
        assert_eq!(view.destinations("5e"), squares("4c 6c"));
    }
}

#[test]
fn every_slider_is_blocked_by_its_own_king_and_pieces() {
    for (sfen, reach) in [
        ("9/9/9/4K4/4L4/9/9/9/k8 b - 1", ""),
        ("9/4P4/9/9/4L4/9/9/9/K7k b - 1", "5d 5c"),
        ("9/9/2K3P2/9/4B4/9/2N3S2/9/8k b - 1", "6d 4d 6f 4f"),
        ("9/4K4/9/9/2P1R2G1/9/9/4S4/8k b - 1", "5c 5d 6e 4e 3e 5f 5g"),
        ("9/9/2K3P2/9/3P+B4/9/2N3S2/9/8k b - 1", "6d 4d 6f 4f 5d 5f 4e"),
        ("9/4K4/9/3P5/2P1+R2G1/9/9/4S4/8k b - 1", "5c 5d 6e 4e 3e 5f 5g 4d 6f 4f"),
    ] {
        for view in both_colours(sfen) {
            assert_eq!(view.destinations("5e"), squares(reach), "{sfen}");
        }
    }
}

#[test]
fn every_slider_takes_the_first_enemy_piece_and_goes_no_further() {
    for (sfen, reach) in [
        ("4g4/9/4p4/9/4L4/9/9/9/K7k b - 1", "5d 5c"),
        ("9/1g7/2p3p2/9/4B4/9/2n3s2/1l7/K7k b - 1", "6d 7c 4d 3c 6f 7g 4f 3g"),
        ("4g4/4p4/9/9/1np1R2gn/9/9/4s4/K7k b - 1", "5d 5c 5b 6e 7e 4e 3e 2e 5f 5g 5h"),
        ("9/9/2p3p2/9/3p+B4/9/2n3s2/9/K7k b - 1", "6d 7c 4d 3c 6f 7g 4f 3g 5d 5f 4e 6e"),
        ("9/4p4/9/3g5/2p1+R2g1/9/9/4s4/K7k b - 1", "5d 5c 5b 6e 7e 4e 3e 2e 5f 5g 5h 6d 4d 6f 4f"),
    ] {
        for view in both_colours(sfen) {
            assert_eq!(view.destinations("5e"), squares(reach), "{sfen}");
        }
    }
}

#[test]
fn an_attack_lands_on_an_own_piece_but_a_move_does_not() {
    let position = position("9/9/9/4P4/4R4/9/9/9/K7k b - 1");
    let attacked = attacks::attacks(Color::Black, Rook, square("5e"), position.occupied());
    assert!(attacked.has(square("5d")) && !attacked.has(square("5c")));
    assert_eq!(destinations(&position, "5e"), attacked - squares("5d"));
    assert_eq!(position.attackers_to(square("5d"), Color::Black), squares("5e"));
}

#[test]
fn steps_onto_own_pieces_are_no_moves_and_onto_enemy_pieces_are_captures() {
    for view in both_colours("4k4/9/9/3pPp3/3PGs3/4p4/9/9/4K4 b - 1") {
        assert_eq!(view.destinations("5e"), squares("6d 4d 4e 5f"));
    }
}

#[test]
fn only_the_side_to_move_has_moves() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    for (turn, color) in [("b", Color::Black), ("w", Color::White)] {
        let position = position(&format!("{sfen} {turn} - 1"));
        for mv in &position.legal_moves() {
            let piece = position.piece_at(mv.from().unwrap());
            assert_eq!(piece.map(|piece| piece.color), Some(color), "{mv}");
        }
    }
    let held = position("4k4/9/9/9/9/9/9/9/4K4 b Gs 1");
    let moves = held.legal_moves();
    assert!(moves.iter().any(|mv| mv.dropped() == Some(HandKind::Gold)));
    assert!(moves.iter().all(|mv| mv.dropped() != Some(HandKind::Silver)));
}

#[test]
fn the_position_with_the_most_moves_has_593() {
    for view in both_colours("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1") {
        assert_eq!(view.position.legal_moves().len(), 593);
        assert_eq!(view.position.count_legal_moves(), 593);
    }
    assert_eq!(MAX_MOVES, 593);
}
