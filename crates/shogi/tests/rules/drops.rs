//! Where pieces in hand may be dropped.

use keisei_shogi::{Bitboard, Color, HandKind, IllegalMove, Piece, PieceKind};

use crate::boards::{both_colours, position, squares};

fn rows(rows: impl IntoIterator<Item = u8>) -> Bitboard {
    rows.into_iter().map(Bitboard::row).fold(Bitboard::EMPTY, |set, row| set | row)
}

#[test]
fn gold_silver_bishop_and_rook_are_dropped_on_every_empty_square_and_no_other() {
    for view in both_colours("4k4/2p6/9/9/4N4/9/9/9/4K4 b RBGS 1") {
        let empty = !squares("5a 7b 5e 5i");
        for kind in [HandKind::Gold, HandKind::Silver, HandKind::Bishop, HandKind::Rook] {
            assert_eq!(view.drops(kind), empty, "{kind:?}");
        }
    }
}

#[test]
fn a_lance_is_never_dropped_on_the_last_row() {
    for view in both_colours("9/4k4/9/9/9/9/9/9/4K4 b L 1") {
        assert_eq!(view.drops(HandKind::Lance), rows(1..9) - squares("5b 5i"));
    }
}

#[test]
fn a_knight_is_never_dropped_on_the_last_two_rows() {
    for view in both_colours("4k4/9/9/9/9/9/9/9/4K4 b N 1") {
        assert_eq!(view.drops(HandKind::Knight), rows(2..9) - squares("5i"));
    }
}

#[test]
fn a_pawn_is_never_dropped_on_the_last_row() {
    for view in both_colours("9/4k4/9/9/9/9/9/9/4K4 b P 1") {
        assert_eq!(view.drops(HandKind::Pawn), rows(1..9) - squares("5b 5i"));
    }
}

#[test]
fn a_second_unpromoted_pawn_on_a_file_is_nifu_wherever_the_first_one_stands() {
    for row in 1..9 {
        let mut setup = position("8k/9/9/9/9/9/9/9/K8 b P 1").setup();
        setup.set(row, 3, Some(Piece::new(Color::Black, PieceKind::Pawn)));
        for view in both_colours(&setup.to_string()) {
            let allowed = rows(1..9) - Bitboard::file(6) - squares("1a 9i");
            assert_eq!(view.drops(HandKind::Pawn), allowed, "pawn on row {row}");
        }
    }
}

#[test]
fn nine_pawns_on_nine_files_leave_no_room_for_another() {
    for view in both_colours("lnsgkgsnl/1r5b1/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b 9P 1") {
        assert!(view.drops(HandKind::Pawn).is_empty());
    }
}

#[test]
fn neither_a_tokin_nor_an_enemy_pawn_nor_another_own_piece_makes_nifu() {
    for view in both_colours("8k/9/9/3+P5/2p6/4L4/5N3/9/K8 b P 1") {
        let empty = !squares("1a 6d 7e 5f 4g 9i");
        assert_eq!(view.drops(HandKind::Pawn), empty & rows(1..9));
    }
}

#[test]
fn only_pieces_in_the_own_hand_are_dropped() {
    for view in both_colours("4k4/9/9/9/9/9/9/9/4K4 b SLrbgnp 1") {
        for kind in HandKind::ALL {
            let held = matches!(kind, HandKind::Silver | HandKind::Lance);
            assert_eq!(!view.drops(kind).is_empty(), held, "{kind:?}");
            let text = format!("{}*5e", kind.kind().letter());
            assert_eq!(view.allows(&text), held);
        }
    }
}

#[test]
fn a_dropped_piece_arrives_unpromoted_and_leaves_the_hand() {
    for view in both_colours("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1") {
        let us = view.color(Color::Black);
        for kind in HandKind::ALL {
            // Inside the promotion zone as well.
            for to in ["5e", "3c"] {
                let after = view.after(&format!("{}*{to}", kind.kind().letter()));
                let piece = after.position.piece_at(after.square(to));
                assert_eq!(piece, Some(Piece::new(us, kind.kind())));
                assert_eq!(after.position.hand(us).count(kind), kind.total() - 1);
                for other in HandKind::ALL.into_iter().filter(|&other| other != kind) {
                    assert_eq!(after.position.hand(us).count(other), other.total());
                }
            }
        }
    }
}

#[test]
fn the_last_piece_of_a_kind_can_be_dropped_once() {
    for view in both_colours("4k4/9/9/9/9/9/9/9/4K4 b G 1") {
        let after = view.after("G*5e");
        assert!(after.position.hand(view.color(Color::Black)).is_empty());
        let later = after.after("5a4a");
        assert!(later.drops(HandKind::Gold).is_empty());
        let to = later.mv("G*3c");
        assert_eq!(later.position.check_legal(to), Err(IllegalMove::NotInHand(HandKind::Gold)));
    }
}
