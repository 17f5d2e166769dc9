//! Taking moves back.

use keisei_game::Game;
use keisei_shogi::{Color, HandKind, Piece, PieceKind, Shogi};

use crate::boards::{View, alone, both_colours, game, play, square};
use crate::captures::{IN_HAND, about_to_capture};

/// Plays a move, takes it back, and demands the same game as before.
fn assert_undone(view: &View, text: &str) {
    let before = view.game(Shogi::RULES);
    let mut game = before.clone();
    view.play(&mut game, text);
    assert_ne!(game.position(), before.position());
    assert_eq!(game.undo(), Some(view.mv(text)));
    assert_same(&game, &before);
}

fn assert_same(game: &Shogi, other: &Shogi) {
    assert_eq!(game.position(), other.position());
    assert_eq!(game.start(), other.start());
    assert_eq!(game.rules(), other.rules());
    assert_eq!(game.moves(), other.moves());
    assert_eq!(game.keys(), other.keys());
    assert_eq!(game.outcome(), other.outcome());
    assert_eq!(game.repetitions(), other.repetitions());
    assert_eq!((game.is_over(), game.winner()), (other.is_over(), other.winner()));
}

#[test]
fn undoing_a_drop_puts_the_piece_back_into_the_droppers_hand() {
    for view in both_colours("4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrbgsnlp 1") {
        let (us, them) = (view.color(Color::Black), view.color(Color::White));
        for kind in HandKind::ALL {
            let text = format!("{}*5e", kind.kind().letter());
            assert_undone(&view, &text);
            let mut position = view.position;
            let undo = position.make(view.mv(&text));
            assert_eq!((position.hand(us).count(kind), position.hand(them).count(kind)), (0, 1));
            position.unmake(undo);
            assert_eq!((position.hand(us).count(kind), position.hand(them).count(kind)), (1, 1));
            assert_eq!(position.piece_at(view.square("5e")), None);
            assert_eq!(position, view.position);
        }
    }
}

#[test]
fn undoing_a_promotion_restores_the_kind_before_it() {
    use PieceKind::{Bishop, Knight, Lance, Pawn, Rook, Silver};
    for kind in [Pawn, Lance, Knight, Silver, Bishop, Rook] {
        for (color, from) in [(Color::Black, "5d"), (Color::White, "5f")] {
            let before = alone(color, kind, square(from));
            for &mv in before.legal_moves().iter().filter(|mv| mv.promotes()) {
                let mut position = before;
                let undo = position.make(mv);
                assert_eq!(position.piece_at(mv.to()).map(|piece| piece.kind), kind.promoted());
                position.unmake(undo);
                assert_eq!(position.piece_at(square(from)), Some(Piece::new(color, kind)));
                assert_eq!(position, before, "{mv}");
            }
        }
    }
}

#[test]
fn undoing_a_move_of_a_promoted_piece_leaves_it_promoted() {
    for kind in PieceKind::ALL.into_iter().filter(|kind| kind.is_promoted()) {
        for color in Color::ALL {
            let before = alone(color, kind, square("5e"));
            for &mv in &before.legal_moves() {
                let mut position = before;
                let undo = position.make(mv);
                position.unmake(undo);
                assert_eq!(position, before, "{mv}");
            }
        }
    }
}

#[test]
fn undoing_a_capture_puts_the_piece_back_as_it_stood() {
    for (kind, _) in IN_HAND {
        for view in both_colours(&about_to_capture(kind)) {
            assert_undone(&view, "5h5e");
            let mut position = view.position;
            let undo = position.make(view.mv("5h5e"));
            assert_eq!(undo.captured(), Some(kind));
            position.unmake(undo);
            let taken = Piece::new(view.color(Color::White), kind);
            assert_eq!(position.piece_at(view.square("5e")), Some(taken));
            assert!(position.hand(view.color(Color::Black)).is_empty());
        }
    }
}

#[test]
fn undoing_a_capture_with_promotion_restores_both_pieces() {
    for view in both_colours("8k/4+p4/9/4R4/9/9/9/9/K8 b - 1") {
        assert_undone(&view, "5d5b+");
        assert_undone(&view, "5d5b");
    }
}

#[test]
fn undo_takes_back_the_last_move_only() {
    let mut game = Shogi::new();
    play(&mut game, "7g7f");
    let earlier = game.clone();
    play(&mut game, "3c3d");
    game.undo();
    assert_same(&game, &earlier);
}

#[test]
fn there_is_nothing_to_undo_at_the_start() {
    let mut game = Shogi::new();
    assert_eq!(game.undo(), None);
    assert_same(&game, &Shogi::new());
}

#[test]
fn undo_reopens_a_game_that_its_last_move_ended() {
    let mut mated = game("4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    let before = mated.clone();
    play(&mut mated, "G*5b");
    assert!(mated.is_over());
    mated.undo();
    assert_same(&mated, &before);
    play(&mut mated, "G*5b");
    assert!(mated.is_over());
}

#[test]
fn undo_takes_back_a_resignation_with_the_move_before_it() {
    let mut game = Shogi::new();
    play(&mut game, "7g7f");
    game.resign(keisei_game::Side::Second);
    game.undo();
    assert_same(&game, &Shogi::new());
}

#[test]
fn undo_and_replay_do_not_count_as_repetition() {
    let mut game = Shogi::new();
    for _ in 0..5 {
        play(&mut game, "7g7f");
        assert_eq!(game.repetitions(), 0);
        game.undo();
        assert_eq!(game.repetitions(), 0);
    }
    assert!(!game.is_over());
}

#[test]
fn a_whole_game_is_undone_to_its_start() {
    for seed in 0..5 {
        let mut game = Shogi::new();
        keisei_game::random_game(&mut game, seed, 250);
        assert!(game.ply() > 20);
        while game.undo().is_some() {}
        assert_same(&game, &Shogi::new());
    }
}
