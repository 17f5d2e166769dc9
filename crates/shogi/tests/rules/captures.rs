//! What becomes of captured pieces.

use keisei_game::Game;
use keisei_shogi::{Color, HandKind, Piece, PieceKind, Setup, Shogi};

use crate::boards::both_colours;

use PieceKind::{
    Bishop, Dragon, Gold, Horse, Knight, Lance, Pawn, PromotedKnight, PromotedLance,
    PromotedSilver, Rook, Silver, Tokin,
};

/// Each kind that can be captured and what it is in the hand.
pub(crate) const IN_HAND: [(PieceKind, HandKind); 13] = [
    (Pawn, HandKind::Pawn),
    (Lance, HandKind::Lance),
    (Knight, HandKind::Knight),
    (Silver, HandKind::Silver),
    (Gold, HandKind::Gold),
    (Bishop, HandKind::Bishop),
    (Rook, HandKind::Rook),
    (Tokin, HandKind::Pawn),
    (PromotedLance, HandKind::Lance),
    (PromotedKnight, HandKind::Knight),
    (PromotedSilver, HandKind::Silver),
    (Horse, HandKind::Bishop),
    (Dragon, HandKind::Rook),
];

/// Black's rook on 5h is to take a white piece of `kind` on 5e.
pub(crate) fn about_to_capture(kind: PieceKind) -> String {
    // Both kings are out of reach of everything on 5e.
    let mut setup: Setup = "8k/9/9/9/9/9/9/K3R4/9 b - 1".parse().unwrap();
    setup.set(4, 4, Some(Piece::new(Color::White, kind)));
    setup.to_string()
}

#[test]
fn a_captured_piece_of_any_kind_goes_unpromoted_to_the_hand_of_its_captor() {
    for (kind, held) in IN_HAND {
        for view in both_colours(&about_to_capture(kind)) {
            let (us, them) = (view.color(Color::Black), view.color(Color::White));
            let after = view.after("5h5e").position;
            for other in HandKind::ALL {
                assert_eq!(after.hand(us).count(other), u8::from(other == held), "{kind}");
            }
            assert!(after.hand(them).is_empty(), "{kind}");
            let arrived = after.piece_at(view.square("5e"));
            assert_eq!(arrived, Some(Piece::new(us, Rook)));
        }
    }
}

#[test]
fn a_captured_piece_can_be_dropped_by_its_captor_only() {
    for (kind, held) in IN_HAND {
        for view in both_colours(&about_to_capture(kind)) {
            let after = view.after("5h5e");
            assert!(after.drops(held).is_empty(), "{kind}: the other side holds nothing");
            let later = after.after("1a1b");
            let drop = format!("{}*5g", held.kind().letter());
            assert!(later.allows(&drop), "{drop}");
            let dropped = later.after(&drop).position.piece_at(view.square("5g")).unwrap();
            assert_eq!(dropped, Piece::new(view.color(Color::Black), held.kind()));
        }
    }
}

#[test]
fn captures_add_up_in_the_hand() {
    for view in both_colours("8k/9/4p4/4+p4/4+p4/4R4/9/9/K8 b 2P 1") {
        let mut game = view.game(Shogi::RULES);
        view.play(&mut game, "5f5e 1a1b 5e5d 1b1a 5d5c+ 1a1b");
        let us = view.color(Color::Black);
        assert_eq!(game.position().hand(us).count(HandKind::Pawn), 5);
        assert_eq!(game.position().hand(us).kinds().count(), 1);
    }
}

#[test]
fn pieces_are_never_lost_and_kings_never_taken() {
    for seed in 0..20 {
        let mut game = Shogi::new();
        keisei_game::random_game(&mut game, seed, 300);
        let position = game.position();
        assert!(Color::ALL.iter().all(|&color| position.king(color).is_some()));
        let held: u8 = Color::ALL
            .iter()
            .flat_map(|&color| HandKind::ALL.map(|kind| position.hand(color).count(kind)))
            .sum();
        assert_eq!(position.occupied().len() + usize::from(held), 40, "{position}");
    }
}
